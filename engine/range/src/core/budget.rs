//! One budget for resident units and the pool: resident units have what the pool leaves.
//!
//! Beside it stands how far this process may grow before it looks again at what others leave of the memory that it shares
//! with them. A thread that takes memory looks when half of the last credit is used. Workers and producers look themselves;
//! for faults the evictor does, as an access must not wait for the kernel's files. If the look comes too late, or grants
//! nothing, the ceiling limits resident units, and the evictor evicts those above it.

use std::cell::Cell;
use std::collections::VecDeque;

use ztera_sync::Mutex;
use ztera_sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::promised::{Promised, Seen};
use crate::os::neighbours::Neighbours;
use crate::residency::Bounds;
use ztera_policy::division::Limits;
use ztera_policy::governor::{Decision, Inputs, kept};
use ztera_policy::promises::taken;
use ztera_policy::reason::Reason;
use ztera_policy::sharing::{Growth, Place, Share};

/// The memory to be divided.
#[derive(Debug)]
pub(crate) struct Budget {
    /// As the host wanted them at first. Of these, it may change `dram_max`.
    pub limits: Limits,
    /// Bytes of both, as the host wants it now.
    pub dram_max: AtomicU64,
    /// Sixteenths of them that are withheld.
    pub withheld: AtomicU64,
    /// The part that others who share the memory leave of it.
    share_max: AtomicU64,
    share_admits: AtomicU64,
    /// How far it may grow now.
    pub ceiling: Ceiling,
    /// Somebody is about to need memory who cannot ask, and the governor has not heard of it.
    pub expects: AtomicBool,
    /// Bytes of resident units when staging buffers began to borrow: as long as they do, units keep what they had,
    /// and get no more of what is borrowed. 0 = they do not borrow.
    pub(super) resident_before: AtomicU64,
    decisions: Mutex<VecDeque<String>>,
}

/// Decisions that are kept until somebody reads them.
const KEPT: usize = 64;

impl Budget {
    pub fn new(limits: Limits) -> Self {
        Self {
            limits,
            dram_max: AtomicU64::new(limits.dram_max),
            withheld: AtomicU64::new(0),
            share_max: AtomicU64::new(Share::ALL.max),
            share_admits: AtomicU64::new(Share::ALL.admits),
            ceiling: Ceiling::find(),
            expects: AtomicBool::new(false),
            resident_before: AtomicU64::new(0),
            decisions: Mutex::default(),
        }
    }

    /// The bytes that resident units keep, now that they have `bytes`.
    pub(super) fn resident_before(&self, is_borrowed: bool, bytes: u64) -> u64 {
        let before = self.resident_before.load(Ordering::Relaxed);
        let now = match (is_borrowed, before) {
            (false, _) => 0,
            (true, 0) => bytes.max(1),
            (true, before) => before,
        };
        if now != before {
            self.resident_before.store(now, Ordering::Relaxed);
        }
        now
    }

    /// Bytes of both, less what is withheld.
    pub(super) fn kept(&self) -> u64 {
        kept(self.dram_max.load(Ordering::Relaxed), self.withheld.load(Ordering::Relaxed))
    }

    /// The limits that hold now.
    pub fn limits_now(&self) -> Limits {
        self.limits_within(self.share_max.load(Ordering::Relaxed))
    }

    fn limits_within(&self, dram_max: u64) -> Limits {
        Limits { dram_max: self.kept().min(dram_max), ..self.limits }
    }

    /// Most bytes of the pool within the budget, whatever others leave: it grows as pages are compressed, which frees more than it
    /// takes.
    pub(super) fn pool_limit(&self) -> u64 {
        self.limits_within(Share::ALL.max).pool_limit()
    }

    /// Most bytes that the pool may need for new data and for all that there is.
    pub(super) fn admitted_pool_limit(&self) -> u64 {
        self.limits_within(self.share_admits.load(Ordering::Relaxed)).pool_limit()
    }

    /// From now on others leave so much.
    pub fn set_share(&self, Share { max, admits }: Share) {
        self.share_max.store(max, Ordering::Relaxed);
        self.share_admits.store(admits, Ordering::Relaxed);
    }

    /// The oldest decision that nobody has read, with its reason and what was known.
    pub fn next_decision(&self) -> Option<String> {
        self.decisions.lock().pop_front()
    }

    /// Keeps a decision for who asks.
    pub fn note(&self, decision: Decision, reason: Reason, inputs: Inputs) {
        let max = self.share_max.load(Ordering::Relaxed);
        let mut decisions = self.decisions.lock();
        if decisions.len() == KEPT {
            decisions.pop_front();
        }
        let stall =
            inputs.stall.map_or("unknown".into(), |stall| format!("{}.{:02} %", stall / 100, stall % 100));
        // The JVM has room for 255 characters.
        let place = inputs.place.map_or_else(String::new, |Place { limit, available, others, .. }| {
            let [limit, available, others] = [limit, available, others].map(|bytes| bytes >> 20);
            format!("; {available} of {limit} MiB left, others have {others} MiB")
        });
        decisions.push_back(format!(
            "{reason}; resident and pool {} KiB of {} KiB, pool target {} KiB of {} KiB (waited for memory {stall}, {} faults, {} from SSD{place})",
            kept(inputs.budget, decision.withheld).min(max) >> 10,
            inputs.budget >> 10,
            decision.pool_target.min(max.saturating_sub(self.limits.resident_min)) >> 10,
            inputs.pool_limit >> 10,
            inputs.faults,
            inputs.from_ssd.unwrap_or(0),
        ));
    }
}

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
pub(super) struct Held {
    pub bytes: u64,
    /// Of these, units that linger.
    pub lingering: u64,
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
    pub(super) fn look(&self, wanted: u64, held: impl Fn() -> Held) -> Seen {
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

    pub(super) fn growth(&self) -> Growth {
        Growth { is_open: self.is_open.load(Ordering::Relaxed), credit: self.credit.load(Ordering::Relaxed) }
    }

    pub(super) fn change(&self, next: impl Fn(u64) -> u64) {
        let update = |before| {
            let bytes = next(before);
            (bytes != before).then_some(bytes)
        };
        // Fails if nothing changes.
        let _ = self.bytes.fetch_update(Ordering::Relaxed, Ordering::Relaxed, update);
    }

    /// The bytes that the process keeps within.
    pub(super) fn bounds(&self) -> Bounds {
        let (max, growth) = (self.bytes.load(Ordering::Relaxed), self.growth());
        let asks = if growth.is_open { max.saturating_sub(growth.credit / 2) } else { u64::MAX };
        Bounds { max, asks, credit: growth.credit }
    }
}
