//! One budget for resident units and the pool: resident units have what the pool leaves.

use std::collections::VecDeque;

use ztera_sync::Mutex;
use ztera_sync::atomic::{AtomicU64, Ordering};

use super::Core;
use ztera_policy::admission::{self, Cost, Holdings};
use ztera_policy::copies::all_fit_plain;
use ztera_policy::division::Terms;
use ztera_policy::governor::{Decision, Inputs, Reason, kept};

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
        Terms {
            budget: self.kept(),
            resident_least: self.least_resident,
            resident_most: self.most_resident,
            pool_most: self.most_pool,
        }
    }

    /// The oldest decision that nobody has read, with its reason and what was known.
    pub fn next_decision(&self) -> Option<String> {
        self.decisions.lock().pop_front()
    }

    /// Keeps a decision for who asks.
    pub fn note(&self, decision: Decision, reason: Reason, inputs: Inputs) {
        let mut decisions = self.decisions.lock();
        if decisions.len() == KEPT {
            decisions.pop_front();
        }
        let stall =
            inputs.stall.map_or("unknown".into(), |stall| format!("{}.{:02} %", stall / 100, stall % 100));
        decisions.push_back(format!(
            "{reason}; resident and pool {} KiB of {} KiB, pool target {} KiB of {} KiB (waited for memory {stall}, {} faults, {} from SSD)",
            kept(inputs.budget, decision.withheld) >> 10,
            inputs.budget >> 10,
            decision.pool_target >> 10,
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
        self.store.set_pool_limit(terms.pool_limit());
        let borrowed = self.store.staged_beyond();
        let before = budget.resident_before(borrowed > 0, self.resident_bytes());
        self.residency.set_limit(terms.resident_limit_beside(self.store.pool_used(), borrowed, before));
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

    /// Whether resident units and the pool may have as much together as all contents are.
    pub fn all_fit_plain(&self) -> bool {
        let data = (self.store.stored_units() + self.store.dirty_units()) * self.unit_len() as u64;
        self.budget.as_ref().is_some_and(|budget| all_fit_plain(data, budget.terms().budget))
    }

    fn resident_bytes(&self) -> u64 {
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
        self.budget.is_some() && self.residency.fits(units) && self.is_unused(bytes)
    }

    /// Bytes that can be taken in if each takes `cost` of DRAM once it is compressed; `None` = no limit.
    pub fn capacity(&self, cost: Cost) -> Option<u64> {
        let limit = self.store.pool_limit();
        (limit != 0).then(|| {
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
