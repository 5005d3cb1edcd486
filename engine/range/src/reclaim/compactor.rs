//! Moving objects together within the pool: carries out what [`compaction`](ztera_policy::compaction) decides.

use ztera_sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::core::Inner;
use ztera_policy::compaction::{Room, is_urgent, pays};

/// What is known of passes over all units.
#[derive(Debug, Default)]
pub(crate) struct Compacting {
    /// A pass was asked for, and is not over.
    due: AtomicBool,
    /// Bytes of the pool without objects after the last one.
    left: AtomicU64,
    /// Units moved until then.
    moved: AtomicU64,
}

impl Inner {
    /// Has a worker move objects together if that gives enough memory back.
    pub fn compact_if_it_pays(&self) {
        self.compact_if(pays);
    }

    /// The same between two ticks of the host's clock: only if there is little room left.
    pub fn compact_if_urgent(&self) {
        self.compact_if(|room| is_urgent(room) && pays(room));
    }

    fn compact_if(&self, wanted: impl Fn(Room) -> bool) {
        if wanted(self.pool_room()) && !self.compacting.due.swap(true, Ordering::Relaxed) {
            self.store.want_idle_work();
        }
    }

    /// Moves a few objects, if that was asked for; by a worker. Returns whether there is more to do.
    pub fn compact_idle(&self) -> bool {
        if !self.compacting.due.load(Ordering::Relaxed) {
            return false;
        }
        match self.store.compact_step() {
            Some(false) => self.compacted(),
            // Another worker goes on with it.
            None => return false,
            Some(true) => return true,
        }
        false
    }

    /// Moves objects together until that gives nothing back any more, or nearly so; returns how many bytes it gave.
    pub fn compact(&self) -> u64 {
        let bytes = self.store.compact();
        self.compacted();
        bytes
    }

    fn compacted(&self) {
        self.compacting.left.store(self.pool_room().lost(), Ordering::Relaxed);
        self.compacting.due.store(false, Ordering::Relaxed);
        // Who is told of room tries, is refused, and asks for a pass again: so not after one that made none.
        let moved = self.store.compacted_units();
        if self.compacting.moved.swap(moved, Ordering::Relaxed) != moved {
            self.residency.pool_freed();
            self.share_budget();
        }
    }

    fn pool_room(&self) -> Room {
        Room {
            used: self.store.pool_used(),
            objects: self.store.pooled(),
            left: self.compacting.left.load(Ordering::Relaxed),
            limit: self.store.pool_limit(),
            refused: self.residency.is_pool_full(),
        }
    }
}
