//! Which units are worth a compressed copy: it makes their eviction a drop, and costs memory meanwhile.

/// Whether compression saves enough of a unit of `unit_len` bytes for its `stored` bytes to be kept beside it: a quarter.
/// Else the data would take nearly twice what they take plain.
pub fn is_worth_keeping(stored: u64, unit_len: u64) -> bool {
    stored <= unit_len / 4 * 3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_must_be_saved() {
        assert!(is_worth_keeping(3072, 4096) && is_worth_keeping(0, 4096));
        assert!(!is_worth_keeping(3073, 4096) && !is_worth_keeping(4096, 4096));
    }
}
