//! Pinned units: those whose addresses somebody may give to the kernel, which cannot have a fault served as threads do. A
//! pinned unit stays resident and writable.
//!
//! Each slot counts its unit's pins. [`recent`] keeps a pin for a while after its last use, as long as nobody wants the
//! memory: the evictor ages such idle pins at each turn, and gives them up when nothing else can leave.

pub(crate) mod recent;

use ztera_policy::pinning::{debt_after, is_in_vain};
use ztera_store::Slot;
use ztera_sync::atomic::{AtomicU64, Ordering};

use recent::Recent;

/// The pinned units.
#[derive(Debug, Default)]
pub(crate) struct Pins {
    pub(super) units: AtomicU64,
    pub recent: Recent,
    /// Bytes that pins have brought in beyond what their uses were worth.
    debt: AtomicU64,
    /// Threads that are giving up pins: what they took out of `recent` may still be pinned.
    pub(super) leaving: AtomicU64,
}

impl Pins {
    /// Units that are pinned, once or more often.
    pub fn units(&self) -> u64 {
        self.units.load(Ordering::Relaxed)
    }

    /// Notes one more use of a pin, which brought in so many bytes. Returns whether pins are in vain.
    pub fn used(&self, brought: u64) -> bool {
        // Threads that use pins at the same moment may count as one.
        let before = self.debt.load(Ordering::Relaxed);
        if before == 0 && brought == 0 {
            return false;
        }
        let after = debt_after(before, brought);
        self.debt.store(after, Ordering::Relaxed);
        is_in_vain(after)
    }

    /// A unit is pinned no more, as it gets other contents.
    pub fn forget(&self, slot: &Slot<'_>) {
        if slot.pins() > 0 {
            self.units.fetch_sub(1, Ordering::Relaxed);
        }
    }
}
