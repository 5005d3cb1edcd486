//! All slots of a range.

use ztera_sync::Word;

use crate::slot::{Backing, Glance, ObjectBits, Slot};
use ztera_policy::units::{UnitIndex, Units};

/// One slot per unit: 8 bytes, taken from the system only where the range is used.
#[derive(Debug)]
pub struct Table {
    slots: Box<[Word]>,
}

impl Table {
    /// `None` if the system has no room for it.
    pub(crate) fn new(units: u32) -> Option<Self> {
        if ztera_fail::at("store.table").is_some() {
            return None;
        }
        Some(Self { slots: Word::zeros(units as usize)? })
    }

    /// Units in the range.
    pub fn len(&self) -> u32 {
        self.slots.len() as u32
    }

    /// Bytes of all slots.
    pub(crate) fn bytes(&self) -> u64 {
        size_of_val::<[Word]>(&self.slots) as u64
    }

    /// Whether the range has no units.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Locks the slot of `unit`, waiting if need be.
    ///
    /// To hold several slots, lock them in ascending order, or use [`try_lock`](Table::try_lock).
    pub fn lock(&self, unit: UnitIndex) -> Slot<'_> {
        Slot::lock(&self.slots[unit.0 as usize], unit)
    }

    /// Locks the slot of `unit` unless that means waiting.
    pub fn try_lock(&self, unit: UnitIndex) -> Option<Slot<'_>> {
        Slot::try_lock(&self.slots[unit.0 as usize], unit)
    }

    /// The state of `unit` by its slot, without a lock: it may be another one by now.
    pub fn glance(&self, unit: UnitIndex) -> Glance {
        Glance::at(&self.slots[unit.0 as usize])
    }

    /// The object of the pool that the slot of `unit` refers to, without a lock: it may be freed by now.
    pub(crate) fn object_at(&self, unit: UnitIndex) -> Option<ObjectBits> {
        Backing::at(&self.slots[unit.0 as usize]).object()
    }

    /// Locks the slots of all `units`, in order.
    pub fn lock_all(&self, units: Units) -> Vec<Slot<'_>> {
        units.iter().map(|unit| self.lock(unit)).collect()
    }
}
