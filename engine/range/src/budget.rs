//! One budget for resident units and the pool: resident units have what the pool leaves.

use std::collections::VecDeque;

use ztera_sync::Mutex;
use ztera_sync::atomic::{AtomicU64, Ordering};

use crate::governor::{Decision, Inputs, Reason, kept, resident_limit};
use crate::inner::Inner;

/// What there is to divide.
#[derive(Debug)]
pub(crate) struct Budget {
    /// Bytes of both, as the host wants it.
    pub bytes: AtomicU64,
    /// Bytes of resident units in any case.
    pub least_resident: u64,
    /// Sixteenths of them that are withheld.
    pub withheld: AtomicU64,
    decisions: Mutex<VecDeque<String>>,
}

/// Decisions that are kept until somebody reads them.
const KEPT: usize = 64;

impl Budget {
    pub fn new(bytes: u64, least_resident: u64) -> Self {
        Self {
            bytes: AtomicU64::new(bytes),
            least_resident,
            withheld: AtomicU64::new(0),
            decisions: Mutex::default(),
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

impl Inner {
    /// Another budget from now on.
    pub fn set_budget(&self, bytes: u64) {
        let Some(budget) = &self.budget else { return };
        budget.bytes.store(bytes, Ordering::Relaxed);
        self.share_budget();
    }

    /// Makes resident units' limit what the pool leaves of the budget now.
    pub fn share_budget(&self) {
        let Some(budget) = &self.budget else { return };
        let now = kept(budget.bytes.load(Ordering::Relaxed), budget.withheld.load(Ordering::Relaxed));
        let pooled = self.store.pool_used() + self.store.staged_beyond();
        self.residency.set_limit(resident_limit(now, budget.least_resident, pooled));
        self.residency.wake_evictor_if_high();
    }

    /// Bytes of dirty units in memory that they do not have in any case: when it is wanted back, they need as much of
    /// the pool.
    pub fn lent_to_dirty(&self) -> u64 {
        let dirty = self.store.dirty_units() * self.unit_len() as u64;
        self.budget.as_ref().map_or(0, |budget| dirty.saturating_sub(budget.least_resident))
    }

    /// Whoever stored something in the pool, or freed something there, calls this.
    pub fn pool_changed(&self) {
        self.share_budget();
        self.compact_if_urgent();
        self.wake_demoter_if_wanted();
    }
}
