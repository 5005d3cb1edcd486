//! Units in the order in which they were last touched.

use std::collections::BTreeMap;

use ztera_store::UnitIndex;

/// A list from which the unit that was touched longest ago is taken.
#[derive(Debug)]
pub(crate) struct Recency {
    clock: u64,
    order: BTreeMap<u64, UnitIndex>,
    /// When each unit was touched; 0 = it is not in the list.
    times: Vec<u64>,
}

impl Recency {
    /// An empty list, for a range of so many units.
    pub fn new(units: usize) -> Self {
        Self { clock: 0, order: BTreeMap::new(), times: vec![0; units] }
    }

    /// Makes `unit` the latest, whether it is in the list or not.
    pub fn touch(&mut self, unit: UnitIndex) {
        self.remove(unit);
        self.clock += 1;
        self.times[unit.0 as usize] = self.clock;
        self.order.insert(self.clock, unit);
    }

    /// Takes `unit` out. Whether it was in the list.
    pub fn remove(&mut self, unit: UnitIndex) -> bool {
        let time = std::mem::take(&mut self.times[unit.0 as usize]);
        time != 0 && self.order.remove(&time).is_some()
    }

    /// Takes the unit out that was touched longest ago.
    pub fn pop(&mut self) -> Option<UnitIndex> {
        let (_, unit) = self.order.pop_first()?;
        self.times[unit.0 as usize] = 0;
        Some(unit)
    }

    pub fn contains(&self, unit: UnitIndex) -> bool {
        self.times[unit.0 as usize] != 0
    }

    pub fn len(&self) -> u64 {
        self.order.len() as u64
    }

    /// From the one that was touched longest ago on.
    pub fn iter(&self) -> impl Iterator<Item = UnitIndex> {
        self.order.values().copied()
    }
}
