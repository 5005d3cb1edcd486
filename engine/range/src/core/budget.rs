//! One budget for resident units and the pool: resident units have what the pool leaves.

use std::collections::VecDeque;

use ztera_sync::Mutex;
use ztera_sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::Core;
use super::ceiling::Ceiling;
use ztera_policy::admission::{self, Cost, Holdings};
use ztera_policy::copies::{CYCLING_MISSES_PER_STORE, all_fit_plain, are_given_up};
use ztera_policy::division::Terms;
use ztera_policy::governor::{Decision, Inputs, kept};
use ztera_policy::prices::Prices;
use ztera_policy::reason::Reason;
use ztera_policy::sharing::{Own, Place, Share};

/// What there is to divide.
#[derive(Debug)]
pub(crate) struct Budget {
    /// Bytes of both, as the host wants it.
    pub bytes: AtomicU64,
    /// Bytes of resident units in any case.
    pub least_resident: u64,
    /// Most bytes of resident units, and of the pool, whatever the budget is; the former 0 = no maximum of their own.
    pub most_resident: u64,
    pub most_pool: u64,
    /// Sixteenths of them that are withheld.
    pub withheld: AtomicU64,
    /// What others that share the memory leave of it.
    share_most: AtomicU64,
    share_admits: AtomicU64,
    /// How far it may grow now.
    pub ceiling: Ceiling,
    /// Somebody is about to need memory who cannot ask, and the governor has not heard of it.
    pub expects: AtomicBool,
    /// Bytes of resident units when staging buffers began to borrow: as long as they do, units keep what they had,
    /// and get no more of what is borrowed. 0 = they do not borrow.
    resident_before: AtomicU64,
    decisions: Mutex<VecDeque<String>>,
}

/// Decisions that are kept until somebody reads them.
const KEPT: usize = 64;

impl Budget {
    pub fn new(Terms { budget, resident_least, resident_most, pool_most }: Terms) -> Self {
        Self {
            bytes: AtomicU64::new(budget),
            least_resident: resident_least,
            most_resident: resident_most,
            most_pool: pool_most,
            withheld: AtomicU64::new(0),
            share_most: AtomicU64::new(Share::ALL.most),
            share_admits: AtomicU64::new(Share::ALL.admits),
            ceiling: Ceiling::find(),
            expects: AtomicBool::new(false),
            resident_before: AtomicU64::new(0),
            decisions: Mutex::default(),
        }
    }

    /// What resident units keep, now that they have `bytes`.
    fn resident_before(&self, is_borrowed: bool, bytes: u64) -> u64 {
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
    fn kept(&self) -> u64 {
        kept(self.bytes.load(Ordering::Relaxed), self.withheld.load(Ordering::Relaxed))
    }

    /// What there is to divide now.
    pub fn terms(&self) -> Terms {
        self.terms_within(self.share_most.load(Ordering::Relaxed))
    }

    fn terms_within(&self, most: u64) -> Terms {
        Terms {
            budget: self.kept().min(most),
            resident_least: self.least_resident,
            resident_most: self.most_resident,
            pool_most: self.most_pool,
        }
    }

    /// Most bytes of the pool, whatever others leave: it grows as pages are compressed, which frees more than it takes.
    fn pool_limit(&self) -> u64 {
        self.terms_within(Share::ALL.most).pool_limit()
    }

    /// Most bytes that the pool may need for new data and for all that there is.
    fn admitted_pool_limit(&self) -> u64 {
        self.terms_within(self.share_admits.load(Ordering::Relaxed)).pool_limit()
    }

    /// From now on others leave so much.
    pub fn set_share(&self, Share { most, admits }: Share) {
        self.share_most.store(most, Ordering::Relaxed);
        self.share_admits.store(admits, Ordering::Relaxed);
    }

    /// The oldest decision that nobody has read, with its reason and what was known.
    pub fn next_decision(&self) -> Option<String> {
        self.decisions.lock().pop_front()
    }

    /// Keeps a decision for who asks.
    pub fn note(&self, decision: Decision, reason: Reason, inputs: Inputs) {
        let most = self.share_most.load(Ordering::Relaxed);
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
            kept(inputs.budget, decision.withheld).min(most) >> 10,
            inputs.budget >> 10,
            decision.pool_target.min(most.saturating_sub(self.least_resident)) >> 10,
            inputs.pool_limit >> 10,
            inputs.faults,
            inputs.from_ssd.unwrap_or(0),
        ));
    }
}

impl Core {
    /// Another budget from now on.
    pub fn set_budget(&self, bytes: u64) {
        let Some(budget) = &self.budget else { return };
        budget.bytes.store(bytes, Ordering::Relaxed);
        self.share_budget();
    }

    /// Makes the limits what the budget allows now: the pool's, and resident units' as what the pool leaves.
    pub fn share_budget(&self) {
        let Some(budget) = &self.budget else { return };
        let terms = budget.terms();
        self.store.set_pool_limit(budget.pool_limit());
        let borrowed = self.store.staged_beyond();
        let before = budget.resident_before(borrowed > 0, self.resident_bytes());
        let limit = terms.resident_limit_beside(self.store.pool_used(), borrowed, before);
        self.residency.set_limit(limit, self.resident_bounds(budget));
        self.residency.set_cycles(self.nearly_all_fit());
        self.residency.wake_evictor_if_high();
    }

    /// Whether there are so many bytes of the budget that neither resident units nor the pool use: what they hold is worth
    /// more than that somebody waits less for compression.
    pub fn is_unused(&self, bytes: u64) -> bool {
        let Some(budget) = &self.budget else { return true };
        let before = budget.resident_before.load(Ordering::Relaxed);
        budget.terms().is_unused(bytes, self.store.pool_used(), self.resident_bytes().max(before))
    }

    /// Whether resident units have less the more the pool uses, and not a maximum of their own.
    pub fn copies_cost_pages(&self) -> bool {
        self.budget.as_ref().is_some_and(|budget| budget.terms().copies_cost_pages(self.store.pool_used()))
    }

    /// Whether all contents could be resident units.
    pub fn all_fit_plain(&self) -> bool {
        let data = (self.store.stored_units() + self.store.dirty_units()) * self.unit_len() as u64;
        self.budget.as_ref().is_some_and(|budget| all_fit_plain(data, budget.terms().resident_limit(0)))
    }

    /// Whether what keeps coming back needs the memory of its copies more than it needs them.
    pub fn copies_are_given_up(&self) -> bool {
        let Some(budget) = &self.budget else { return false };
        let pooled = self.store.pooled_units() * self.unit_len() as u64;
        let data = pooled + self.store.dirty_units() * self.unit_len() as u64;
        let share = Cost::of(self.store.pool_occupied(), pooled).price(1000);
        let misses_per_store = if self.may_cycle() { CYCLING_MISSES_PER_STORE } else { 1 };
        are_given_up(data, budget.terms().budget, share, Prices::of(self.store.sums()), misses_per_store)
    }

    /// Whether units that come back could cycle. With an SSD nobody knows how many have no room: there are others.
    fn may_cycle(&self) -> bool {
        self.store.tier().is_none()
    }

    /// Whether so many of all data fit that units which come back cycle.
    fn nearly_all_fit(&self) -> bool {
        self.may_cycle() && !self.all_fit_plain() && self.copies_are_given_up()
    }

    pub fn resident_bytes(&self) -> u64 {
        self.residency.units() * self.unit_len() as u64
    }

    /// Bytes of dirty units in memory that they do not have in any case: when it is wanted back, they need as much of
    /// the pool.
    pub fn lent_to_dirty(&self) -> u64 {
        let dirty = self.store.dirty_units() * self.unit_len() as u64;
        self.budget.as_ref().map_or(0, |budget| dirty.saturating_sub(budget.least_resident))
    }

    /// Whether `bytes` more of resident units fit beside all that there is, below the mark at which the evictor starts.
    pub fn fits_in_memory(&self, bytes: u64) -> bool {
        let units = bytes.div_ceil(self.unit_len() as u64);
        let is_wanted = self.budget.is_some() && self.is_unused(bytes);
        is_wanted && self.may_take(bytes) && self.residency.fits(units)
    }

    /// What it has of its budget, and has to keep. Without an SSD that is what all of it takes once it is compressed.
    pub fn own(&self, budget: &Budget) -> Own {
        let pool = self.store.pool_used();
        let below = if self.store.tier().is_some() { budget.least_resident } else { pool + self.owed() };
        Own {
            budget: budget.kept(),
            held: self.resident_bytes() + pool,
            fixed: budget.least_resident + below,
        }
    }

    /// Bytes of the pool that are kept from new data, as others share the memory.
    fn closed_to_new_data(&self) -> u64 {
        let admitted = self.budget.as_ref().map_or(u64::MAX, Budget::admitted_pool_limit);
        self.store.pool_limit().saturating_sub(admitted)
    }

    /// Bytes that can be taken in with certainty, whatever they are; `None` = no limit.
    pub fn room(&self) -> Option<u64> {
        let taken = self.lent_to_dirty() + self.closed_to_new_data();
        Some(self.store.room()?.saturating_sub(taken))
    }

    /// Bytes that can be taken in if each takes `cost` of DRAM once it is compressed; `None` = no limit.
    pub fn capacity(&self, cost: Cost) -> Option<u64> {
        let limit = self.store.pool_limit();
        (limit != 0).then(|| {
            let limit = limit - self.closed_to_new_data();
            let stats = self.store.stats();
            let pooled = (stats.orig_data_size - stats.bd_data_size).max(1);
            admission::capacity(
                Holdings {
                    pool_limit: limit,
                    pool_used: self.store.pool_occupied(),
                    dirty: self.lent_to_dirty(),
                    staged: stats.staged_bytes,
                    ssd: self.store.ssd_room(),
                    held: if stats.mem_used_total == 0 {
                        cost
                    } else {
                        Cost::of(stats.mem_used_total, pooled)
                    },
                },
                cost,
            )
        })
    }
}
