//! Knowledge of the pool beside its own counts, and changes of it.

use std::time::Duration;

use ztera_policy::denser::Tried;
use ztera_store::UnitIndex;
use ztera_sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::doorbell::Doorbell;

/// Knowledge of the pool beside its own counts, and the thread that its state calls.
#[derive(Debug)]
pub(crate) struct PoolWatch {
    /// Bytes of the pool by which demotion takes its measure.
    pub target: AtomicU64,
    /// Calls the thread that moves units to SSD.
    pub demoter: Doorbell,
    pub compaction: Compaction,
    pub densening: Densening,
}

/// A change of the pool, by what follows from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PoolChange {
    /// It got objects, or may have less room than before.
    Stored,
    /// Objects or promises have gone, and others may have come.
    Freed,
    /// Upkeep has made it smaller: a thread that is at it needs no call to go on.
    Shrunk,
    /// One object has gone in the middle of something else, which shares the budget when it is done, if it can wait for that.
    GivenUp,
}

/// Objects that are made smaller before any goes to SSD.
#[derive(Debug, Default)]
pub(crate) struct Densening {
    /// Whether the demoter does so now. The governor decides.
    pub pays: AtomicBool,
    objects: AtomicU64,
    from: AtomicU64,
    to: AtomicU64,
    ns: AtomicU64,
}

impl Densening {
    /// An object was encoded anew.
    pub fn add(&self, from: u64, to: u64, time: Duration) {
        let ns = time.as_nanos() as u64;
        for (sum, new) in [(&self.objects, 1), (&self.from, from), (&self.to, to), (&self.ns, ns)] {
            sum.fetch_add(new, Ordering::Relaxed);
        }
    }

    /// The objects since this was asked last.
    pub fn take(&self) -> Tried {
        let take = |sum: &AtomicU64| sum.swap(0, Ordering::Relaxed);
        Tried { objects: take(&self.objects), from: take(&self.from), to: take(&self.to), ns: take(&self.ns) }
    }
}

/// Knowledge of passes over all units.
#[derive(Debug, Default)]
pub(crate) struct Compaction {
    /// A pass was asked for, and is not over.
    pub due: AtomicBool,
    /// Bytes of the pool without objects after the last one.
    pub left: AtomicU64,
    /// Units moved until then.
    pub moved: AtomicU64,
}

/// A unit that only the pool has, and its stamp when it was found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cold {
    pub unit: UnitIndex,
    pub stamp: u16,
}

impl PoolWatch {
    /// `target`: bytes of the pool by which demotion takes its measure at first.
    pub fn new(target: u64) -> Self {
        Self {
            target: AtomicU64::new(target),
            demoter: Doorbell::default(),
            compaction: Compaction::default(),
            densening: Densening::default(),
        }
    }
}
