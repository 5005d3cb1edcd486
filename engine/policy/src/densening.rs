//! When a device that is nearly full has its coldest objects made smaller by denser codecs, where no SSD takes them. Pure
//! decisions over numbers; `upkeep` of the block device carries them out.

use crate::demotion::Pressure;
use crate::units::UnitSize;

/// Units of a batch at least, for which a writer may have to wait, and the part of all that is more: the whole table is
/// looked through for each batch.
const BATCH: u32 = 32;
const BATCH_SHARE: u32 = 4096;

/// Units that are made smaller before somebody looks again, of a device of `units`.
pub fn batch(units: u32) -> u32 {
    BATCH.max(units / BATCH_SHARE)
}

/// Whether another batch may find something, `written` bytes after one that found nothing.
pub fn may_pay(written: u64, units: u32, unit: UnitSize) -> bool {
    written >= u64::from(batch(units)) * unit.bytes() as u64
}

/// Whether so little is left that a writer has to help.
pub fn is_almost_full(Pressure { pooled, limit, .. }: Pressure) -> bool {
    limit > 0 && pooled > limit / 32 * 31
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_grows_with_the_device() {
        assert_eq!([0, 32 * 4096, 64 * 4096].map(batch), [32, 32, 64]);
    }

    #[test]
    fn a_batch_in_vain_is_not_made_again_at_once() {
        let unit = UnitSize::new(4096).expect("a size");
        assert!(!may_pay(32 * 4096 - 1, 1000, unit));
        assert!(may_pay(32 * 4096, 1000, unit));
    }

    #[test]
    fn writers_help_before_the_last_room_is_taken() {
        let pressure = |pooled, limit| Pressure { pooled, limit, refused: false, useless: 0 };
        let cases = [(pressure(310, 320), false), (pressure(311, 320), true), (pressure(311, 0), false)];
        for (pressure, expected) in cases {
            assert_eq!(is_almost_full(pressure), expected, "{pressure:?}");
        }
    }
}
