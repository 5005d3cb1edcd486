//! Faults that a little more memory would have saved: counted as units come back, and looked at once per second.

use ztera_policy::admission::Cost;
use ztera_policy::balance::{Balance, Margin};
use ztera_policy::prices::Prices;
use ztera_store::{Backing, Slot, UnitIndex};

use super::{Core, is_in_pool};

/// Counts until some time.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counted {
    near_pages: u64,
    near_pool: u64,
    evicted: u64,
    stored: u64,
    /// The first unit of the last look at the table.
    first: u32,
}

/// Slots of the table that one look takes in, at even distances.
const LOOK: u32 = 1 << 16;

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

    /// About how many units are not in memory, though pages nearly had them, or not in the pool, though that nearly had them.
    /// Evictions say less: most of them are of the same few units.
    fn at_margins(&self, first: &mut u32) -> (u64, u64) {
        let table = self.store.table();
        let (near_pages, near_pool) = (self.near_pages(), self.near_pool());
        let stride = table.len().div_ceil(LOOK);
        *first = (*first + 1) % stride;
        let (mut pages, mut pool) = (0, 0);
        for unit in (*first..table.len()).step_by(stride as usize) {
            let glance = table.glance(UnitIndex(unit));
            let is_near = |units| self.residency.is_near(glance.stamp, units);
            pages += u64::from(glance.only_in_pool() && is_near(near_pages));
            pool += u64::from(glance.only_on_ssd() && is_near(near_pool));
        }
        // None found does not mean that there are none.
        let of_all = |found: u64| found.max(1) * u64::from(stride);
        (of_all(pages), of_all(pool))
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
            first: before.first,
        };
        let last = std::mem::replace(before, now);
        let Prices { fault, store } = Prices::of(self.store.sums());
        let stored = store * (now.stored - last.stored) / (now.evicted - last.evicted).max(1);
        let (pages, pool) = self.at_margins(&mut before.first);
        Some(Balance {
            pages: Margin { faults: now.near_pages - last.near_pages, units: pages },
            pool: Margin { faults: now.near_pool - last.near_pool, units: pool },
            share: self.share(),
            fault: fault + stored,
            read,
        })
    }
}
