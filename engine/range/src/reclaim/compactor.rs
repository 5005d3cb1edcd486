//! Moving objects together within the pool: carries out what [`compaction`](ztera_policy::compaction) decides.

use ztera_sync::atomic::Ordering;

use crate::core::Core;
use crate::core::watch::PoolChange;

/// Moves objects together, a few at a time, by whichever worker has time, or all at once for those who ask for it.
#[derive(Clone, Copy)]
pub(crate) struct Compactor<'r> {
    pub core: &'r Core,
}

impl Compactor<'_> {
    /// Moves a few objects, if that was asked for. Returns whether there is more to do.
    pub fn step(self) -> bool {
        if !self.core.watch.compaction.due.load(Ordering::Relaxed) {
            return false;
        }
        match self.core.store.compact_step() {
            Some(false) => self.compacted(),
            // Another worker goes on with it.
            None => return false,
            Some(true) => return true,
        }
        false
    }

    /// Moves objects together until that gives nothing back any more, or nearly so; returns how many bytes it gave.
    pub fn compact(self) -> u64 {
        let bytes = self.core.store.compact();
        self.compacted();
        bytes
    }

    fn compacted(self) {
        self.core.watch.compaction.left.store(self.core.pool_room().lost(), Ordering::Relaxed);
        self.core.watch.compaction.due.store(false, Ordering::Relaxed);
        // A thread that is told of room tries, is refused, and asks for a pass again: so not after one that made none.
        let moved = self.core.store.compacted_units();
        if self.core.watch.compaction.moved.swap(moved, Ordering::Relaxed) != moved {
            self.core.pool_changed(PoolChange::Shrunk);
        }
    }
}
