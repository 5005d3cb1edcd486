//! Resident units: how many there are, in which order they came, and when the evictor has to work.

pub(crate) mod fullness;
pub(crate) mod heats;
pub(crate) mod holes;
pub(crate) mod queue;
pub(crate) mod wholes;

use ztera_policy::clustering::ClusterLen;
use ztera_policy::eviction::{
    EvictionClock, Watermarks, leaves_before_warm, leaves_next, leaves_next_of_cycle, may_go_on,
    soon_in_cycle, soon_in_order, tries_again,
};
use ztera_policy::heat::{Heat, stays};
use ztera_store::{Backing, Pages, Slot, UnitIndex};
use ztera_sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::doorbell::Doorbell;
use crate::residency::fullness::{Frees, Fullness};
use crate::residency::heats::Heats;
use crate::residency::holes::Holes;
use crate::residency::queue::Queue;
use crate::residency::wholes::Wholes;

/// Bounds of units until the process looks again at what others leave. In bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bounds {
    pub max: u64,
    /// Beyond these it is time to look; `u64::MAX` = the last look granted nothing, so the governor's is waited for.
    pub asks: u64,
    /// Of `max`, what the last look may have granted.
    pub credit: u64,
}

/// Residency of one range.
#[derive(Debug)]
pub(crate) struct Residency {
    unit_len: u64,
    clusters: ClusterLen,
    /// The marks, in units; `u64::MAX` without a limit. A reader meanwhile may see some of the old and some of the new.
    limit: AtomicU64,
    /// Units that may be resident now. Above the next number, the evictor asks for more.
    max: AtomicU64,
    asks: AtomicU64,
    high: AtomicU64,
    low: AtomicU64,
    nearly_high: AtomicU64,
    clock: EvictionClock,
    /// Units of which pages are mapped, and those of them that [linger](Slot::lingers).
    units: AtomicU64,
    lingering: AtomicU64,
    /// Their pages that are not mapped, and whether there should be such.
    holes: Holes,
    wholes: Wholes,
    /// So many should linger; the evictor is to store units for that.
    spare: AtomicU64,
    is_spare_asked_for: AtomicBool,
    evictions: AtomicU64,
    pool: Fullness,
    /// Units made resident so far, and how many they were when the evictor last gave up.
    added: AtomicU64,
    gave_up: AtomicU64,
    /// Whether nothing was evicted, and nothing in the pool freed, since the evictor gave up.
    is_fruitless: AtomicBool,
    heats: Heats,
    /// See [`set_dearness`](Self::set_dearness).
    dearness: AtomicU64,
    /// Those that readers in order have brought in, and how many they are.
    passing: Queue<UnitIndex>,
    passing_len: AtomicU64,
    /// Whether those that come back [cycle](ztera_policy::eviction::leaves_next_of_cycle).
    cycles: AtomicBool,
    /// Those that linger, or did: they leave before all others.
    lingerers: Queue<UnitIndex>,
    evictor: Doorbell,
}

impl Residency {
    /// For a range of `units`, each of `unit_len` bytes; 0 = no limit.
    pub fn new(limit_bytes: u64, unit_len: u64, units: u64) -> Self {
        let marks = Watermarks::new(limit_bytes, unit_len);
        let clusters = ClusterLen::of(unit_len, limit_bytes);
        let pages = ClusterLen::of_pages(unit_len, rustix::param::page_size() as u64);
        let holes = Holes::new(pages, units);
        let mark = |of: fn(Watermarks) -> u64| AtomicU64::new(marks.map_or(u64::MAX, of));
        Self {
            unit_len,
            limit: mark(|marks| marks.limit),
            max: mark(|marks| marks.limit),
            asks: AtomicU64::new(u64::MAX),
            high: mark(|marks| marks.high),
            low: mark(|marks| marks.low),
            nearly_high: mark(|marks| marks.nearly_high),
            clock: EvictionClock::new(marks.map_or(1, |marks| marks.limit), units),
            units: AtomicU64::new(0),
            lingering: AtomicU64::new(0),
            wholes: Wholes::new(holes.capacity()),
            holes,
            spare: AtomicU64::new(0),
            is_spare_asked_for: AtomicBool::new(false),
            evictions: AtomicU64::new(0),
            pool: Fullness::default(),
            added: AtomicU64::new(0),
            gave_up: AtomicU64::new(0),
            is_fruitless: AtomicBool::new(false),
            heats: Heats::for_entries(marks.map_or(0, |marks| marks.limit), clusters),
            clusters,
            dearness: AtomicU64::new(1),
            passing: Queue::for_entries(marks.map_or(0, |marks| marks.limit)),
            passing_len: AtomicU64::new(0),
            cycles: AtomicBool::new(false),
            lingerers: Queue::for_entries(marks.map_or(0, |marks| marks.limit)),
            evictor: Doorbell::default(),
        }
    }

    /// Another limit, not 0, in place of the one that there was: that was not 0 either. Until there may be more, units keep
    /// within `bounds`.
    pub fn set_limit(&self, bytes: u64, bounds: Bounds) {
        let Some(marks) = Watermarks::new(bytes, self.unit_len) else { return };
        let [max, asks, credit] = [bounds.max, bounds.asks, bounds.credit].map(|bytes| bytes / self.unit_len);
        let now = marks.below(max.max(1), credit);
        self.limit.store(marks.limit, Ordering::Relaxed);
        self.max.store(now.limit, Ordering::Relaxed);
        self.asks.store(asks, Ordering::Relaxed);
        self.high.store(now.high, Ordering::Relaxed);
        self.low.store(now.low, Ordering::Relaxed);
        self.nearly_high.store(now.nearly_high, Ordering::Relaxed);
    }

    /// Units that there should be at most; `None` = no limit.
    pub fn limit(&self) -> Option<u64> {
        let limit = self.limit.load(Ordering::Relaxed);
        (limit != u64::MAX).then_some(limit)
    }

    /// Units that there may be now at most; `u64::MAX` = no limit.
    pub fn max(&self) -> u64 {
        self.max.load(Ordering::Relaxed)
    }

    /// The heat of a unit that comes back, which its slot knows no more from now on. `None`: it passes, as a reader in order
    /// has come to it, or will.
    pub fn take_heat(&self, slot: &mut Slot<'_>, in_order: bool) -> Option<Heat> {
        let evictions = self.evictions.load(Ordering::Relaxed);
        let was_hot = slot.was_hot();
        slot.set_was_hot(false);
        let heat = self.heat_of(slot.stamp(), was_hot, matches!(slot.backing(), Backing::OnSsd(_)));
        let soon = soon_in_order(self.limit.load(Ordering::Relaxed), self.unit_len);
        if !in_order || self.clock.came_back_soon(slot.stamp(), evictions, soon) {
            return Some(heat);
        }
        let returns = heat > Heat::Cold && (was_hot || stays(self.added.load(Ordering::Relaxed)));
        returns.then_some(heat)
    }

    /// From now on a unit that comes from SSD is as hot as one from the pool that came back so many times sooner.
    pub fn set_dearness(&self, times: u64) {
        self.dearness.store(times, Ordering::Relaxed);
    }

    /// The heat of a unit that left at `stamp`, being hot or not, and comes back now, from SSD or not.
    fn heat_of(&self, stamp: u16, was_hot: bool, from_ssd: bool) -> Heat {
        let (limit, evictions) = (self.limit.load(Ordering::Relaxed), self.evictions.load(Ordering::Relaxed));
        let dearness = if from_ssd { self.dearness.load(Ordering::Relaxed) } else { 1 };
        Heat::of(self.clock, stamp, was_hot, evictions, limit.saturating_mul(dearness))
    }

    /// Says whether units that come back cycle from now on.
    pub fn set_cycles(&self, on: bool) {
        if self.cycles() != on {
            self.cycles.store(on, Ordering::Relaxed);
        }
    }

    /// Whether they do.
    pub fn cycles(&self) -> bool {
        self.cycles.load(Ordering::Relaxed)
    }

    /// Whether a unit that comes back, one of about so many that cycle, goes on. One that has come back soon twice has its
    /// place from now on. So has each while many units have copies beside their pages: all but `dirty` ones, and those
    /// that linger.
    pub fn goes_on(&self, slot: &mut Slot<'_>, units: u64, dirty: u64) -> bool {
        let beside = self.units().saturating_sub(dirty + self.lingering());
        if !may_go_on(beside, self.limit.load(Ordering::Relaxed), self.unit_len) {
            return false;
        }
        let is_soon = self.is_near(slot.stamp(), soon_in_cycle(units));
        let again = slot.was_hot();
        // It stays with the unit while that is resident, and is what the evictor passes on when it leaves.
        slot.set_warm(is_soon);
        !(is_soon && again)
    }

    /// The unit of `slot` was just mapped. It has a heat, or passes.
    pub fn add(&self, slot: &mut Slot<'_>, heat: Option<Heat>) {
        debug_assert!(!slot.is_mapped(), "it would count twice");
        slot.set_resident(true);
        slot.set_referenced(false);
        self.units.fetch_add(1, Ordering::Relaxed);
        self.added.fetch_add(1, Ordering::Relaxed);
        // A unit that was discarded and comes back may still be queued; its old place will do.
        if self.limit().is_none() || slot.is_queued() {
            return;
        }
        slot.set_queued(true);
        match heat {
            // While memory has room nothing leaves for the unit: it may as well stay.
            None if self.is_above_low() => self.enqueue_passing(slot.unit()),
            _ => self.enqueue(slot.unit(), heat.unwrap_or(Heat::Cold)),
        }
    }

    /// From now on the kernel may take the pages of a unit that the store has: it has left, but may linger. It leaves for
    /// good before others do.
    pub fn linger(&self, slot: &mut Slot<'_>) {
        debug_assert!(slot.is_resident() && self.holes.of(slot.unit()) == Pages::default());
        slot.set_resident(false);
        slot.set_referenced(false);
        slot.set_lingering(true);
        slot.set_queued(true);
        // It is as new as what leaves memory now, though nothing has left yet.
        slot.set_stamp(self.clock.time(self.evictions.load(Ordering::Relaxed)));
        self.lingering.fetch_add(1, Ordering::Relaxed);
        self.enqueue_lingering(slot.unit());
    }

    /// The unit of `slot` was just unmapped, which was resident or lingered. Its slot
    /// has said already whether it [was hot](Slot::was_hot).
    pub fn remove(&self, slot: &mut Slot<'_>) {
        debug_assert!(slot.is_mapped(), "nothing of it counts");
        let holes = self.holes.of(slot.unit());
        if holes != Pages::default() {
            self.holes.set(slot, Pages::default());
            if self.holes.leave_one(holes) {
                self.wholes.note(slot.unit(), false);
            }
        }
        if slot.lingers() {
            self.lingering.fetch_sub(1, Ordering::Relaxed);
        }
        slot.set_resident(false);
        slot.set_referenced(false);
        self.units.fetch_sub(1, Ordering::Relaxed);
    }

    /// The same for a unit that does not leave by eviction, so that nobody knows how hot it is.
    pub fn forget(&self, slot: &mut Slot<'_>) {
        self.remove(slot);
        slot.set_was_hot(false);
    }

    /// The unit of `slot` was pinned, and may leave like any other now: not at once, as it was just in use.
    pub fn rejoin(&self, slot: &mut Slot<'_>) {
        debug_assert!(slot.is_resident() && slot.pins() == 0);
        if self.limit().is_some() {
            slot.set_referenced(true);
            if !slot.is_queued() {
                slot.set_queued(true);
                self.enqueue(slot.unit(), Heat::Cold);
            }
        }
    }

    /// Units that could not leave may now.
    pub fn may_leave_again(&self) {
        self.is_fruitless.store(false, Ordering::Relaxed);
        self.wake_evictor_if_high();
    }

    /// Notes that the unit of `slot` leaves by eviction.
    pub fn stamp(&self, slot: &mut Slot<'_>) {
        let evictions = self.evictions.fetch_add(1, Ordering::Relaxed);
        if self.is_fruitless() {
            self.is_fruitless.store(false, Ordering::Relaxed);
        }
        slot.set_stamp(self.clock.time(evictions));
    }

    /// Notes that the unit of `slot` has new contents, which are in no mapped memory. They want room below it as if they
    /// had been evicted; so the clock goes on, and who loads a lot does not find all of it warm.
    pub fn stamp_new(&self, slot: &mut Slot<'_>) {
        slot.set_was_hot(false);
        self.stamp(slot);
    }

    /// Units that have left by eviction so far, and what counts as such.
    pub fn evictions(&self) -> u64 {
        self.evictions.load(Ordering::Relaxed)
    }

    /// Ticks of the evictor's clock since `stamp`.
    pub fn age(&self, stamp: u16) -> Option<u64> {
        self.clock.age(stamp, self.evictions.load(Ordering::Relaxed))
    }

    /// The time that the evictor's clock shows at the end of a quarter, the last of which ended at `last`.
    pub fn end_quarter(&self, last: u64) -> u64 {
        let now = self.evictions.load(Ordering::Relaxed);
        let end = self.clock.end_of_quarter(last, now);
        self.evictions.fetch_add(end - now, Ordering::Relaxed);
        end
    }

    /// Ticks since the clock showed `then`.
    pub fn ticks_since(&self, then: u64) -> u64 {
        self.clock.ticks_since(then, self.evictions.load(Ordering::Relaxed))
    }

    /// Whether a unit that comes back from SSD belongs into the pool, which has room for `pooled` of them.
    pub fn is_warm(&self, stamp: u16, pooled: u64) -> bool {
        self.clock.is_warm(stamp, self.evictions.load(Ordering::Relaxed), pooled)
    }

    /// Whether a unit comes back before as many others were evicted as memory has room for.
    pub fn came_back_soon(&self, stamp: u16) -> bool {
        let limit = self.limit.load(Ordering::Relaxed);
        self.clock.came_back_soon(stamp, self.evictions.load(Ordering::Relaxed), limit)
    }

    /// Whether a unit comes back before about `units` others were evicted.
    pub fn is_near(&self, stamp: u16, units: u64) -> bool {
        self.clock.is_within(stamp, self.evictions.load(Ordering::Relaxed), units)
    }

    /// Units mapped now, as far as is known: the kernel does not tell when it takes one that lingers. Those with
    /// [holes](Self::holes) count in part.
    pub fn units(&self) -> u64 {
        // The other one may change between both.
        self.mapped().saturating_sub(self.holes.units())
    }

    /// Units of which any page is mapped.
    pub fn mapped(&self) -> u64 {
        self.units.load(Ordering::Relaxed)
    }

    /// An upper bound of the units of which all pages are mapped.
    pub fn most_without_holes(&self) -> u64 {
        self.mapped().saturating_sub(self.holes.least_units_with())
    }

    /// Whether a unit that is resident may [linger](Self::linger). Nothing tells its holes from pages that the kernel took.
    pub fn may_linger(&self, slot: &Slot<'_>) -> bool {
        !matches!(slot.backing(), Backing::Staged(_)) && self.holes.of(slot.unit()) == Pages::default()
    }

    /// Bytes that are mapped of `unit`, which is resident.
    pub fn mapped_bytes_of(&self, unit: UnitIndex) -> u64 {
        self.unit_len - self.holes.bytes_of(unit)
    }

    /// Pages of resident units that are not mapped.
    pub fn holes(&self) -> &Holes {
        &self.holes
    }

    /// Whether units are used as a whole.
    pub fn wholes(&self) -> &Wholes {
        &self.wholes
    }

    /// How many of them linger.
    pub fn lingering(&self) -> u64 {
        self.lingering.load(Ordering::Relaxed)
    }

    /// From now on so many should linger.
    pub fn set_spare(&self, units: u64) {
        self.spare.store(units, Ordering::Relaxed);
    }

    /// Of these, so many should go on to linger while others leave: the kernel needs some when somebody takes memory who has
    /// not asked.
    pub fn cushion(&self) -> u64 {
        self.spare.load(Ordering::Relaxed) / 2
    }

    /// Calls the evictor to have as many linger as should.
    pub fn ask_for_spare(&self) {
        self.is_spare_asked_for.store(true, Ordering::Relaxed);
        self.evictor.ring();
    }

    /// Whether it was called since the last time.
    pub fn takes_call_for_spare(&self) -> bool {
        self.is_spare_asked_for.swap(false, Ordering::Relaxed)
    }

    /// Units that should linger, and do not yet.
    pub fn lacks_spare(&self) -> u64 {
        self.spare.load(Ordering::Relaxed).saturating_sub(self.lingering())
    }

    /// Whether `units` more leave the evictor asleep.
    pub fn fits(&self, units: u64) -> bool {
        self.units() + units <= self.low.load(Ordering::Relaxed)
    }

    /// Units above the limit.
    pub fn beyond_limit(&self) -> u64 {
        self.units().saturating_sub(self.limit.load(Ordering::Relaxed))
    }

    /// Units above what there may be now.
    pub fn excess(&self) -> u64 {
        self.units().saturating_sub(self.max.load(Ordering::Relaxed))
    }

    /// Whether there are so many that the evictor should [ask](crate::core::budget) for more.
    pub fn asks(&self) -> bool {
        self.units() > self.asks.load(Ordering::Relaxed)
    }

    /// Wakes the evictor, whatever it is to do.
    pub fn wake_evictor(&self) {
        self.evictor.ring();
    }

    /// Whether the evictor has to start.
    pub fn is_high(&self) -> bool {
        self.units() > self.high.load(Ordering::Relaxed)
    }

    /// Whether a unit that comes will soon have another one leave.
    pub fn is_nearly_high(&self) -> bool {
        self.units() > self.nearly_high.load(Ordering::Relaxed)
    }

    /// Whether it has to go on.
    pub fn is_above_low(&self) -> bool {
        self.above_low() > 0
    }

    /// Units above the mark at which it stops.
    pub fn above_low(&self) -> u64 {
        self.units().saturating_sub(self.low.load(Ordering::Relaxed))
    }

    /// Puts `unit` at the tail of the queue of its heat. Its slot says that it is queued.
    pub fn enqueue(&self, unit: UnitIndex, heat: Heat) {
        self.heats.put(unit, heat);
    }

    fn enqueue_passing(&self, unit: UnitIndex) {
        self.passing_len.fetch_add(1, Ordering::Relaxed);
        self.passing.put(self.clusters.number(unit), unit);
    }

    /// Takes the unit that has lingered longest, if it still does. It may be resident again, and then this is its only place
    /// in a queue: so the entry is taken out even while no unit lingers.
    pub fn dequeue_lingering(&self) -> Option<UnitIndex> {
        self.lingerers.take()
    }

    /// Puts a unit back that lingers on.
    pub fn enqueue_lingering(&self, unit: UnitIndex) {
        self.lingerers.put(unit.0 as usize, unit);
    }

    /// Takes the unit that should leave next of those that do not linger, whose slot still says that it is queued, and those
    /// of its cluster that came with it. Adds them to `taken`, and returns their heat. `stuck`: those that came before them
    /// cannot leave, so that one of the others has to be found.
    pub fn dequeue(&self, stuck: bool, taken: &mut Vec<UnitIndex>) -> Option<Heat> {
        let (passing, limit) = (self.passing_len.load(Ordering::Relaxed), self.limit.load(Ordering::Relaxed));
        let passes = if self.cycles() {
            leaves_next_of_cycle(passing, limit, self.unit_len)
        } else {
            leaves_next(passing, limit, self.unit_len)
                || (leaves_before_warm(passing, limit, self.unit_len) && !self.heats.has_many_cold())
        };
        if stuck || passes {
            self.dequeue_passing(taken).or_else(|| self.heats.take(stuck, taken))
        } else {
            self.heats.take(false, taken).or_else(|| self.dequeue_passing(taken))
        }
    }

    /// The same of those that may [linger](Self::linger): none that is warm or hot, as in a while it would leave, however often
    /// it is read.
    pub fn dequeue_cold(&self, taken: &mut Vec<UnitIndex>) -> Option<Heat> {
        self.dequeue_passing(taken).or_else(|| self.heats.take_cold(taken))
    }

    /// Units that it may find.
    pub fn cold(&self) -> u64 {
        self.passing_len.load(Ordering::Relaxed) + self.heats.cold()
    }

    fn dequeue_passing(&self, taken: &mut Vec<UnitIndex>) -> Option<Heat> {
        let count = self.passing.take_run(|&a, &b| self.clusters.number(a) == self.clusters.number(b), taken);
        self.passing_len.fetch_sub(count as u64, Ordering::Relaxed);
        (count > 0).then_some(Heat::Cold)
    }

    /// Entries of all queues.
    pub fn queued(&self) -> usize {
        self.heats.len() + self.passing.len() + self.lingerers.len()
    }

    /// Whether the pool has refused a unit, and nothing was freed since.
    pub fn is_pool_full(&self) -> bool {
        self.pool.is_full()
    }

    /// Frees so far: to be looked at before the pool is asked for room.
    pub fn frees(&self) -> Frees {
        self.pool.frees()
    }

    /// The pool refused a unit, having been asked after `before`.
    pub fn pool_refused(&self, before: Frees) {
        self.pool.refused(before);
    }

    /// Something in the pool was freed: what was refused may be tried again.
    pub fn pool_freed(&self) {
        // Even if too little is resident now: a unit that comes at this moment may still see a full pool,
        // and leave the evictor alone.
        let was_fruitless = self.is_fruitless() && self.is_fruitless.swap(false, Ordering::Relaxed);
        if self.pool.freed() || was_fruitless {
            self.evictor.ring();
        }
    }

    /// The evictor went through the whole queue and found nothing to evict.
    pub fn give_up(&self) {
        self.gave_up.store(self.added.load(Ordering::Relaxed), Ordering::Relaxed);
        self.is_fruitless.store(true, Ordering::Relaxed);
    }

    /// Whether units above the limit cannot leave now.
    pub fn is_fruitless(&self) -> bool {
        self.is_fruitless.load(Ordering::Relaxed)
    }

    /// Wakes the evictor if it is wanted and likely to achieve something. While the pool is full that is only after a good
    /// many units were added: one of its rounds costs time for each unit. Where it found nothing although the pool takes
    /// units, others had them in hand, and one unit more is enough.
    pub fn wake_evictor_if_high(&self) {
        if !self.is_high() {
            return;
        }
        if self.is_pool_full() || self.is_fruitless() {
            let since =
                self.added.load(Ordering::Relaxed).saturating_sub(self.gave_up.load(Ordering::Relaxed));
            let is_worth_it = if self.is_pool_full() { tries_again(since, self.units()) } else { since > 0 };
            if !is_worth_it {
                return;
            }
            self.give_up();
            self.pool.try_again();
        }
        self.evictor.ring();
    }

    /// Makes [`wait_for_work`](Self::wait_for_work) return false from now on.
    pub fn stop_evictor(&self) {
        self.evictor.stop();
    }

    /// Blocks until the evictor is wanted (true) or has to end (false).
    pub fn wait_for_work(&self) -> bool {
        self.evictor.wait()
    }
}

#[cfg(test)]
mod tests;
