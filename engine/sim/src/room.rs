//! The common part of policies other than the engine's: a pool with a limit.

use ztera_store::UnitIndex;

use crate::replay::Limits;
use crate::trace::Trace;

/// How much of the pool is taken.
#[derive(Debug)]
pub(crate) struct Room {
    sizes: Vec<u64>,
    limit: u64,
    used: u64,
}

impl Room {
    /// All of it is free.
    pub fn new(trace: &Trace, limits: Limits) -> Self {
        Self { sizes: trace.sizes.clone(), limit: limits.pool, used: 0 }
    }

    /// Compressed size of the unit.
    pub fn size(&self, unit: UnitIndex) -> u64 {
        self.sizes[unit.0 as usize]
    }

    /// Whether the unit could be stored.
    pub fn has_for(&self, unit: UnitIndex) -> bool {
        self.limit == 0 || self.used + self.size(unit) <= self.limit
    }

    /// Bytes taken.
    pub fn used(&self) -> u64 {
        self.used
    }

    /// Most that may be; 0 = no limit.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// The unit was in the pool, or not, and now is, or not.
    pub fn change(&mut self, unit: UnitIndex, was: bool, is: bool) {
        let size = self.size(unit);
        self.used -= if was { size } else { 0 };
        self.used += if is { size } else { 0 };
    }
}
