//! Faults that a little more memory would have saved: counted as units come back, and looked at once per second.

use ztera_policy::admission::Cost;
use ztera_policy::balance::{Balance, Margin};
use ztera_policy::prices::Prices;
use ztera_store::{Backing, Slot};

use super::{Core, is_in_pool};

/// Counts until some time.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counted {
    near_pages: u64,
    near_pool: u64,
    evicted: u64,
    stored: u64,
}

impl Core {
    /// Counts a unit that comes back, if it is one that a little more memory would have kept where it was.
    pub fn count_near(&self, slot: &Slot<'_>) {
        match slot.backing() {
            Backing::OnSsd(_) if self.residency.is_near(slot.stamp(), self.near_pool()) => {
                self.counters.near_pool.add(1);
            }
            backing if is_in_pool(backing) && self.residency.is_near(slot.stamp(), self.near_pages()) => {
                self.counters.near_pages.add(1);
            }
            _ => {}
        }
    }

    /// Units that pages would have if they had a quarter more.
    fn near_pages(&self) -> u64 {
        self.residency.limit().unwrap_or(0) / 4
    }

    /// Evictions after which hardly anything is left in the pool, and as many again.
    fn near_pool(&self) -> u64 {
        self.store.pooled_units() * 2
    }

    /// Thousandths of a unit that it takes in the pool; 0 = nobody knows yet.
    pub fn share(&self) -> u64 {
        let pooled = self.store.pooled_units() * self.unit_len() as u64;
        if pooled == 0 { 0 } else { Cost::of(self.store.pool_occupied(), pooled).price(1000) }
    }

    /// The balance since `before`, which becomes now. `None` without an SSD.
    pub fn balance(&self, before: &mut Counted) -> Option<Balance> {
        let read = self.store.tier()?.mean_read();
        let c = &self.counters;
        let stored = c.evicted_dirty.get() + c.promoted.get();
        let now = Counted {
            near_pages: c.near_pages.get(),
            near_pool: c.near_pool.get(),
            evicted: stored + c.evicted_clean.get(),
            stored,
        };
        let last = std::mem::replace(before, now);
        let Prices { fault, store } = Prices::of(self.store.sums());
        let stored = store * (now.stored - last.stored) / (now.evicted - last.evicted).max(1);
        let margin = |faults, units| Margin { faults, units: self.residency.nearness(units) };
        Some(Balance {
            pages: margin(now.near_pages - last.near_pages, self.near_pages()),
            // Of these evictions, the first half brings back what the pool still has.
            pool: margin(now.near_pool - last.near_pool, self.near_pool() / 2),
            share: self.share(),
            fault: fault + stored,
            read,
        })
    }
}
