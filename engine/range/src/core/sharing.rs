//! The budget, shared: between resident units and the pool, and with others that want the same memory.

use super::Core;
use super::budget::{Budget, Held};
use super::promised::Shortage;
use crate::residency::Bounds;
use ztera_policy::admission::{self, Cost, Holdings};
use ztera_policy::copies::{CYCLING_MISSES_PER_STORE, all_fit_plain, are_given_up, most_fit_plain};
use ztera_policy::prices::Prices;
use ztera_policy::sharing::{Own, Place};
use ztera_sync::atomic::Ordering;

impl Core {
    /// Another budget from now on.
    pub fn set_budget(&self, bytes: u64) {
        let Some(budget) = &self.budget else { return };
        budget.dram_max.store(bytes, Ordering::Relaxed);
        self.share_budget();
    }

    /// Makes the limits what the budget allows now: the pool's, and resident units' as what the pool leaves.
    pub fn share_budget(&self) {
        let Some(budget) = &self.budget else { return };
        let limits = budget.limits_now();
        if self.store.set_pool_limit(self.pool_limit(budget)) {
            self.residency.pool_freed();
        }
        let borrowed = self.store.staged_beyond();
        let before = budget.resident_before(borrowed > 0, self.resident_bytes());
        let limit = limits.resident_limit_beside(self.store.pool_used(), borrowed, before);
        self.residency.set_limit(limit, self.resident_bounds(budget));
        self.residency.set_cycles(self.nearly_all_fit());
        self.residency.wake_evictor_if_high();
    }

    /// Most bytes of the pool. Where data fit in no way, and there is no SSD, it may have whatever is held beside the least of
    /// resident units: to leave these as they are takes more than to compress them, if they compress at all.
    fn pool_limit(&self, budget: &Budget) -> u64 {
        let (limit, used) = (budget.pool_limit(), self.store.pool_used());
        let pooled = self.store.pooled_units() * self.unit_len() as u64;
        if self.store.tier().is_some() || used > pooled / 8 * 7 {
            return limit;
        }
        let lingering = self.residency.lingering() * self.unit_len() as u64;
        let held = (used + self.resident_bytes()).saturating_sub(lingering);
        limit.max(held.saturating_sub(budget.limits.resident_min).min(budget.limits.pool_max))
    }

    /// Whether there are so many bytes of the budget that neither resident units nor the pool use: what they hold is worth
    /// more than that somebody waits less for compression.
    pub fn is_unused(&self, bytes: u64) -> bool {
        let Some(budget) = &self.budget else { return true };
        let before = budget.resident_before.load(Ordering::Relaxed);
        budget.limits_now().is_unused(bytes, self.store.pool_used(), self.resident_bytes().max(before))
    }

    /// Whether resident units have less the more the pool uses, and not a maximum of their own.
    pub fn copies_cost_pages(&self) -> bool {
        self.budget
            .as_ref()
            .is_some_and(|budget| budget.limits_now().copies_cost_pages(self.store.pool_used()))
    }

    /// Whether all contents could be resident units.
    pub fn all_fit_plain(&self) -> bool {
        self.fit_plain(all_fit_plain)
    }

    /// Whether most could be, so that few are compressed at a time.
    pub fn most_fit_plain(&self) -> bool {
        self.fit_plain(most_fit_plain)
    }

    /// Beside the copies that units need to linger.
    fn fit_plain(&self, fit: fn(u64, u64) -> bool) -> bool {
        let Some(budget) = &self.budget else { return false };
        let unit_len = self.unit_len() as u64;
        let data = (self.store.stored_units() + self.store.dirty_units()) * unit_len;
        let cost = Cost::of(self.store.pool_occupied(), self.store.pooled_units() * unit_len);
        let copies = cost.price(self.residency.lingering() * unit_len);
        fit(data, budget.limits_now().resident_limit(copies))
    }

    /// Whether what keeps coming back needs the memory of its copies more than it needs them.
    pub fn copies_are_given_up(&self) -> bool {
        let Some(budget) = &self.budget else { return false };
        let pooled = self.store.pooled_units() * self.unit_len() as u64;
        let data = pooled + self.store.dirty_units() * self.unit_len() as u64;
        let share = Cost::of(self.store.pool_occupied(), pooled).price(1000);
        let misses_per_store = if self.may_cycle() { CYCLING_MISSES_PER_STORE } else { 1 };
        are_given_up(
            data,
            budget.limits_now().dram_max,
            share,
            Prices::of(self.store.sums()),
            misses_per_store,
        )
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
        self.budget.as_ref().map_or(0, |budget| dirty.saturating_sub(budget.limits.resident_min))
    }

    /// Whether `bytes` more of resident units fit beside all that there is, below the mark at which the evictor starts.
    pub fn fits_in_memory(&self, bytes: u64) -> bool {
        let units = bytes.div_ceil(self.unit_len() as u64);
        let is_wanted = self.budget.is_some() && self.is_unused(bytes);
        is_wanted && self.may_take(bytes) && self.residency.fits(units)
    }

    /// The part of its budget that it has, and has to keep. Without an SSD that is what all of it takes once it is compressed.
    pub fn own(&self, budget: &Budget) -> Own {
        let pool = self.store.pool_used();
        let below = if self.store.tier().is_some() { budget.limits.resident_min } else { pool + self.owed() };
        Own {
            budget: budget.kept(),
            held: self.resident_bytes() + pool,
            fixed: budget.limits.resident_min + below,
        }
    }

    /// Bytes of the pool that are kept from new data, as others share the memory, or as nothing fits.
    fn closed_to_new_data(&self) -> u64 {
        self.store.pool_limit().saturating_sub(self.admitted_pool_limit())
    }

    fn admitted_pool_limit(&self) -> u64 {
        self.budget.as_ref().map_or(u64::MAX, Budget::admitted_pool_limit)
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
            let limit = limit.min(self.admitted_pool_limit());
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
        let Bounds { max, asks, credit } = budget.ceiling.bounds();
        Bounds {
            max: max.saturating_sub(others).max(budget.limits.resident_min),
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
        let pages = self.resident_bytes().saturating_sub(budget.limits.resident_min);
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
        wanted() <= budget.ceiling.bounds().max
    }
}
