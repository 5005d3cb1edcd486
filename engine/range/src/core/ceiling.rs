//! How far this process may grow before it looks again at what others leave of the memory that it shares with them.
//!
//! A thread that takes memory looks when half of the last credit is used. Workers and producers look themselves; for
//! faults the evictor does, as an access must not wait for the kernel's files. If the look comes too late, or grants
//! nothing, the ceiling limits resident units, and the evictor evicts those above it.

use std::cell::Cell;

use ztera_policy::promises::taken;
use ztera_policy::sharing::{Growth, Place};
use ztera_sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::Core;
use super::budget::Budget;
use super::promised::{Promised, Seen, Shortage};
use crate::os::neighbours::Neighbours;
use crate::residency::Bounds;

/// The result of the last look, and the growth that is allowed since.
#[derive(Debug)]
pub(crate) struct Ceiling {
    neighbours: Neighbours,
    /// Most bytes that the process may take.
    bytes: AtomicU64,
    is_open: AtomicBool,
    credit: AtomicU64,
    /// Memory that has to stay free of it.
    pub promised: Promised,
}

/// Memory that the process has taken.
#[derive(Clone, Copy, Debug, Default)]
struct Held {
    bytes: u64,
    /// Of these, units that linger.
    lingering: u64,
}

impl Ceiling {
    /// That of this process, which has taken nothing yet.
    pub fn find() -> Self {
        let ceiling = Self {
            neighbours: Neighbours::find(),
            bytes: AtomicU64::new(0),
            is_open: AtomicBool::new(false),
            credit: AtomicU64::new(0),
            promised: Promised::default(),
        };
        ceiling.look(0, Held::default);
        ceiling
    }

    /// Looks, promises `wanted` bytes, and raises it if others leave enough. `held` says what the process has taken.
    fn look(&self, wanted: u64, held: impl Fn() -> Held) -> Seen {
        let (bytes, lingering) = (Cell::new(0), Cell::new(0));
        let read = || {
            let before = held();
            let places = self.neighbours.look();
            let after = held();
            // Others may have seen and taken memory that was given back meanwhile.
            bytes.set(before.bytes.min(after.bytes));
            lingering.set(before.lingering.min(after.lingering));
            let plain = |held: Held| held.bytes.saturating_sub(held.lingering);
            (places, plain(before).max(plain(after)))
        };
        let take = |places: &[Place], free| {
            let growth = Growth::within(places).beside_promises(free);
            self.is_open.store(growth.is_open, Ordering::Relaxed);
            self.credit.store(growth.credit, Ordering::Relaxed);
            // Units would else come in again in place of lingering ones that the kernel has taken.
            let gone = if free == 0 { taken(places, lingering.get()) } else { 0 };
            self.change(|before| growth.ceiling(before, bytes.get().saturating_sub(gone)));
            growth.credit
        };
        self.promised.look(wanted, read, take)
    }

    fn growth(&self) -> Growth {
        Growth { is_open: self.is_open.load(Ordering::Relaxed), credit: self.credit.load(Ordering::Relaxed) }
    }

    fn change(&self, next: impl Fn(u64) -> u64) {
        let update = |before| {
            let bytes = next(before);
            (bytes != before).then_some(bytes)
        };
        // Fails if nothing changes.
        let _ = self.bytes.fetch_update(Ordering::Relaxed, Ordering::Relaxed, update);
    }

    /// The bytes that the process keeps within.
    fn bounds(&self) -> Bounds {
        let (most, growth) = (self.bytes.load(Ordering::Relaxed), self.growth());
        let asks = if growth.is_open { most.saturating_sub(growth.credit / 2) } else { u64::MAX };
        Bounds { most, asks, credit: growth.credit }
    }
}

impl Core {
    /// Bytes that are not resident units': the pool, and buffers of what will be there.
    fn beside_resident(&self) -> u64 {
        self.store.pool_used() + self.store.staging_bytes()
    }

    fn held(&self) -> u64 {
        self.resident_bytes() + self.beside_resident()
    }

    fn held_now(&self) -> Held {
        Held { bytes: self.held(), lingering: self.residency.lingering() * self.unit_len() as u64 }
    }

    /// The bytes that are left for resident units now. They have their least in any case.
    pub fn resident_bounds(&self, budget: &Budget) -> Bounds {
        let others = self.beside_resident();
        let (growth, held) = (budget.ceiling.growth(), self.resident_bytes() + others);
        budget.ceiling.change(|before| growth.lowered(before, held));
        let Bounds { most, asks, credit } = budget.ceiling.bounds();
        Bounds {
            most: most.saturating_sub(others).max(budget.least_resident),
            asks: asks.saturating_sub(others),
            credit,
        }
    }

    /// Looks at what others leave, and has limits follow.
    pub fn look(&self, budget: &Budget) -> Vec<Place> {
        let seen = budget.ceiling.look(0, || self.held_now());
        self.share_budget();
        seen.places
    }

    /// Promises `bytes` to the calling thread. Returns what has to become free before it can have them.
    pub fn promise(&self, budget: &Budget, bytes: u64) -> Shortage {
        let seen = budget.ceiling.look(bytes, || self.held_now());
        self.share_budget();
        seen.shortage
    }

    /// Whether memory that was promised is still to become free: then the pool takes nothing that the SSD has.
    pub fn owes(&self) -> bool {
        self.budget.as_ref().is_some_and(|budget| budget.ceiling.promised.lacking() > 0)
    }

    /// The most of the pool's objects so that `lacking` bytes become free, beside what pages give until they have their least.
    pub fn pool_without(&self, budget: &Budget, lacking: u64) -> u64 {
        let pages = self.resident_bytes().saturating_sub(budget.least_resident);
        match lacking.saturating_sub(pages) {
            0 => u64::MAX,
            lacking => self.store.pool_occupied().saturating_sub(lacking).max(1),
        }
    }

    /// Looks if resident units are near the most that there may be.
    pub fn ask_if_near(&self) {
        if let Some(budget) = self.budget.as_ref().filter(|_| self.residency.asks()) {
            self.look(budget);
        }
    }

    /// Whether the process may take `bytes` more, as far as others are concerned. Looks at what they leave before it says
    /// no: not for a thread that an access waits for.
    pub fn may_take(&self, bytes: u64) -> bool {
        let Some(budget) = &self.budget else { return true };
        let wanted = || self.held().saturating_add(bytes);
        if wanted() > budget.ceiling.bounds().asks {
            self.look(budget);
        }
        wanted() <= budget.ceiling.bounds().most
    }
}
