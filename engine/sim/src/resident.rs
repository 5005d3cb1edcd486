//! The units in memory, decided by somebody who sees each touch.

use ztera_store::UnitIndex;

use crate::recency::Recency;
use crate::replay::Limits;
use crate::trace::Trace;

/// A rule for memory.
pub(crate) trait Resident: std::fmt::Debug {
    /// Whether the unit is there.
    fn contains(&self, unit: UnitIndex) -> bool;
    /// The unit is touched, and is there now. Returns the one that has left for it, if one had to.
    fn touch(&mut self, unit: UnitIndex) -> Option<UnitIndex>;
    /// The unit is gone.
    fn remove(&mut self, unit: UnitIndex);
    /// A unit that is `wanted`, rather one that should leave soon.
    fn find(&self, wanted: &dyn Fn(UnitIndex) -> bool) -> Option<UnitIndex>;
}

/// Units that memory has room for.
pub(crate) fn most(trace: &Trace, limits: Limits) -> u64 {
    (limits.resident / trace.unit_len).max(1)
}

/// The unit that was touched longest ago leaves.
#[derive(Debug)]
pub(crate) struct Recent {
    most: u64,
    units: Recency,
}

impl Recent {
    /// Empty.
    pub fn new(trace: &Trace, limits: Limits) -> Self {
        Self { most: most(trace, limits), units: Recency::new(trace.sizes.len()) }
    }
}

impl Resident for Recent {
    fn contains(&self, unit: UnitIndex) -> bool {
        self.units.contains(unit)
    }

    fn touch(&mut self, unit: UnitIndex) -> Option<UnitIndex> {
        self.units.touch(unit);
        if self.units.len() > self.most { self.units.pop() } else { None }
    }

    fn remove(&mut self, unit: UnitIndex) {
        self.units.remove(unit);
    }

    fn find(&self, wanted: &dyn Fn(UnitIndex) -> bool) -> Option<UnitIndex> {
        self.units.iter().find(|&unit| wanted(unit))
    }
}
