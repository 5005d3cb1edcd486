//! Units whose contents could not be had. They count as resident, but their pages are poisoned. A fault of theirs may have
//! been on its way meanwhile; and not every kernel tells who serves itself a poisoned page from one that is not there, so
//! that the access would be tried again for ever.

use std::collections::BTreeSet;

use ztera_store::UnitIndex;
use ztera_sync::Mutex;
use ztera_sync::atomic::{AtomicU64, Ordering};

/// Units that count as resident, but cannot be read.
#[derive(Debug, Default)]
pub(crate) struct Lost {
    /// How many there are: nearly always none.
    count: AtomicU64,
    units: Mutex<BTreeSet<UnitIndex>>,
    /// The last one, and why it was lost.
    last: Mutex<String>,
}

impl Lost {
    /// `unit`, whose slot is locked, cannot be read, for this reason.
    pub fn add(&self, unit: UnitIndex, reason: String) {
        *self.last.lock() = reason;
        let mut units = self.units.lock();
        units.insert(unit);
        self.count.store(units.len() as u64, Ordering::Release);
    }

    /// `unit`, whose slot is locked, has contents.
    pub fn remove(&self, unit: UnitIndex) {
        if self.count.load(Ordering::Acquire) > 0 {
            let mut units = self.units.lock();
            units.remove(&unit);
            self.count.store(units.len() as u64, Ordering::Release);
        }
    }

    /// Shows why the last one was lost, if one was. Neither waits nor allocates: a process that has crashed asks, too.
    pub fn last<R>(&self, show: impl FnOnce(&str) -> R) -> Option<R> {
        self.last.try_lock().filter(|last| !last.is_empty()).map(|last| show(&last))
    }

    /// Whether `unit` could not be read when it was wanted last.
    pub fn has(&self, unit: UnitIndex) -> bool {
        self.count.load(Ordering::Acquire) > 0 && self.units.lock().contains(&unit)
    }
}
