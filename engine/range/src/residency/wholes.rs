//! Whether units of several pages are used as a whole. [`ztera_policy::clustering`] makes the estimate.

use ztera_policy::clustering::{Estimate, REGION, is_sample};
use ztera_store::UnitIndex;
use ztera_sync::atomic::{AtomicU64, Ordering};

/// An estimate for each region. Threads may lose a sign to each other.
#[derive(Debug)]
pub(crate) struct Wholes {
    estimates: Box<[AtomicU64]>,
    /// How often a unit came that is likely used as a whole.
    likely: AtomicU64,
}

impl Wholes {
    /// For a range of so many units; of 0, all come as a whole.
    pub fn new(units: u64) -> Self {
        let regions = units.div_ceil(REGION.into());
        let estimates = (0..regions).map(|_| AtomicU64::new(Estimate::TOGETHER.into())).collect();
        Self { estimates, likely: AtomicU64::new(0) }
    }

    fn of(&self, unit: UnitIndex) -> Option<&AtomicU64> {
        self.estimates.get((unit.0 / REGION) as usize)
    }

    /// Whether units of the region of `unit` are likely used as a whole.
    pub fn are_likely(&self, unit: UnitIndex) -> bool {
        self.of(unit).is_none_or(|estimate| Estimate::from(estimate.load(Ordering::Relaxed)).is_likely())
    }

    /// Whether `unit`, which comes in now, comes in part.
    pub fn comes_in_part(&self, unit: UnitIndex) -> bool {
        let is_sample = || is_sample(self.likely.fetch_add(1, Ordering::Relaxed));
        !self.estimates.is_empty() && (!self.are_likely(unit) || is_sample())
    }

    /// Notes of a unit that came in part whether another page of it was wanted before it left.
    pub fn note(&self, unit: UnitIndex, together: bool) {
        let Some(shared) = self.of(unit) else { return };
        let mut estimate = Estimate::from(shared.load(Ordering::Relaxed));
        estimate.note(together);
        shared.store(estimate.into(), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_show_how_their_units_are_used() {
        let wholes = Wholes::new(2 * u64::from(REGION));
        let [this, other] = [UnitIndex(REGION - 1), UnitIndex(REGION)];
        let in_part = |unit| (0..80).filter(|_| wholes.comes_in_part(unit)).count();
        assert_eq!([in_part(this), in_part(other)], [10, 10], "one in eight, to show it");
        (0..3).for_each(|_| wholes.note(this, false));
        assert_eq!((wholes.are_likely(this), in_part(this), in_part(other)), (false, 80, 10));
        (0..4).for_each(|_| wholes.note(this, true));
        assert_eq!((wholes.are_likely(this), in_part(this)), (true, 10));
        assert!(Wholes::new(0).are_likely(this) && !Wholes::new(0).comes_in_part(this));
    }
}
