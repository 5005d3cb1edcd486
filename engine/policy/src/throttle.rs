//! For how long a writer is held back that outruns the SSD. A pure decision over numbers; `hold` of the range carries it
//! out.

use std::time::Duration;

/// Bytes above the limit that writers may fill before they are held back.
const HEADROOM: u64 = 4 << 20;

/// For how long a writer is held back at most for each headroom that memory is above its limit: about as long as a few reads
/// of a busy SSD take.
const PER_HEADROOM: Duration = Duration::from_millis(10);

/// Headrooms for which the time becomes longer and longer.
const MOST_HEADROOMS: u64 = 4;

/// The longest time for which a writer is held back, with `excess` bytes of memory above the limit.
pub fn longest(excess: u64) -> Duration {
    PER_HEADROOM * (excess / HEADROOM).min(MOST_HEADROOMS) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_further_above_the_limit_the_longer_and_not_for_ever() {
        let millis = |excess| longest(excess).as_millis();
        assert_eq!([0, HEADROOM - 1, HEADROOM, 2 * HEADROOM + 5].map(millis), [0, 0, 10, 20]);
        assert_eq!([4 * HEADROOM, u64::MAX].map(millis), [40, 40]);
    }
}
