//! How much may be pinned, and when pins cost more than they are worth.

/// Most units that may be pinned, now that `limit` may be resident: half of them. Faults and what is only read go on with
/// the other half.
pub fn most_pinned(limit: u64) -> u64 {
    if limit == u64::MAX { limit } else { limit / 2 }
}

/// Bytes that a use of pinned units is worth at least: so much may have been brought in for it.
const WORTH: u64 = 1 << 20;

/// Pins may have brought in so many bytes beyond that, in all.
const PATIENCE: u64 = 256 << 20;

/// Bytes that pins have brought in beyond what their uses were worth, after one more use that brought in `bytes`.
///
/// A pin brings in all of its units, of which one use may touch few. That pays when it is used often, or when its units
/// are there anyway. Where more is in use than may be pinned, each use might bring in all of it once more.
pub fn debt_after(debt: u64, bytes: u64) -> u64 {
    (debt + bytes).saturating_sub(WORTH)
}

/// Whether pins have brought in so much in vain that the host should have faults served one by one instead.
pub fn is_in_vain(debt: u64) -> bool {
    debt > PATIENCE
}

#[cfg(test)]
mod tests {
    use super::*;

    const M: u64 = 1 << 20;

    #[test]
    fn half_of_memory_may_be_pinned() {
        assert_eq!([0, 1, 2, 2048, u64::MAX].map(most_pinned), [0, 0, 1, 1024, u64::MAX]);
    }

    fn debt_of(uses: &[u64]) -> u64 {
        uses.iter().fold(0, |debt, &bytes| debt_after(debt, bytes))
    }

    #[test]
    fn uses_pay_for_what_was_brought_in() {
        assert_eq!(debt_of(&[M; 1000]), 0, "arrays of 1 MiB, each used once");
        assert_eq!(debt_of(&[8 * M, 0, 0, 0, 0, 0, 0, 0, 0]), 0, "one of 8 MiB, used in pieces");
        assert_eq!(debt_of(&[0, 0, 8 * M]), 7 * M, "uses that brought in nothing save nothing");
    }

    #[test]
    fn what_comes_and_goes_for_each_use_is_in_vain() {
        assert!(!is_in_vain(debt_of(&[8 * M; 36])));
        assert!(is_in_vain(debt_of(&[8 * M; 37])));
    }
}
