//! What is done about idle units: carries out what [`idleness`](ztera_policy::idleness) decides.

use ztera_store::{Glance, Mover, Recompressed, Recompressor, UnitIndex};
use ztera_sync::atomic::Ordering;

use crate::core::Inner;
use crate::reclaim::demoter::{Cold, Stopped};
use crate::trace::Recorder;
use ztera_policy::demotion::demand;
use ztera_policy::idleness::{IDLE, pays, recompress_after, round, write_back_after};

/// Units made smaller before a worker looks whether there is something to store.
const STEP: usize = 16;

/// Units that are looked for at once: so much is kept in mind of them, and no more, however many there are.
const FOUND_AT_ONCE: usize = 4096;

/// Units that a denser codec is to be tried on. Each is tried once for each time that it becomes idle.
pub(crate) struct Recompression {
    with: Recompressor,
    /// What was evicted before this time was tried.
    tried: u64,
    /// A round through the table is not over.
    round: Option<Round>,
    /// Those to be tried now, the oldest last.
    queue: Vec<Cold>,
    /// Bytes that the pool had for those of them that were tried, and has for them now.
    from: u64,
    to: u64,
}

/// A round through the table.
#[derive(Clone, Copy, Debug)]
struct Round {
    /// What was evicted before this time is to be tried.
    then: u64,
    /// Where it goes on.
    next: UnitIndex,
}

impl Recompression {
    pub fn new(with: Recompressor) -> Self {
        Self { with, tried: 0, round: None, queue: Vec::new(), from: 0, to: 0 }
    }

    fn end_round(&mut self) {
        if let Some(Round { then, .. }) = self.round.take() {
            self.tried = then;
        }
    }
}

impl Inner {
    /// The host's clock ticks: has done about idle units what is to be done now.
    pub fn pass_epoch(&self) {
        self.trace.iter().for_each(Recorder::epoch);
        self.compact_if_it_pays();
        let mut epochs = self.epochs.lock();
        if !epochs.pass() {
            return;
        }
        let last = epochs.before(0).unwrap_or(0);
        epochs.mark(self.residency.end_quarter(last));
        drop(epochs);
        if recompress_after(self.pressure()).is_some() && self.recompression.is_some() {
            self.store.want_idle_work();
        }
        if write_back_after(self.pressure()).is_some() {
            self.idle_round.store(true, Ordering::Relaxed);
            self.demoter.ring();
        }
    }

    /// What the evictor's clock showed `quarters` ago.
    pub fn before(&self, quarters: Option<u32>) -> Option<u64> {
        self.epochs.lock().before(quarters?)
    }

    /// Whether a unit is in the pool only, and was not touched for as many epochs as it takes to be idle.
    pub fn is_idle(&self, glance: Glance) -> bool {
        let then = self.before(Some(IDLE));
        let is_older =
            |then| self.residency.age(glance.stamp).unwrap_or(0) > self.residency.ticks_since(then);
        glance.only_in_pool() && then.is_some_and(is_older)
    }

    /// Moves idle units to SSD, if a round of that is due; by the demoter.
    pub fn write_back_idle(&self) -> Result<(), Stopped> {
        if !self.idle_round.swap(false, Ordering::Relaxed) {
            return Ok(());
        }
        let Some(then) = self.before(write_back_after(self.pressure())) else { return Ok(()) };
        let ticks = self.residency.ticks_since(then);
        let most = self.units_of_pool(round(self.pressure()));
        let idle = self.in_pool().filter(|&(_, age)| age > ticks).map(|(cold, _)| cold);
        let mut idle = idle.take(most).collect::<Vec<_>>().into_iter().peekable();
        // Batch by batch, so that whoever needs room can go first.
        while idle.peek().is_some() && !self.demoter.is_stopped() && demand(self.pressure()) == 0 {
            let Some(mut mover) = Mover::new(&self.store) else { return Ok(()) };
            while idle.next_if(|&cold| self.add_to(cold, &mut mover)).is_some() {}
            self.flush(&mut mover)?;
        }
        Ok(())
    }

    /// Makes a few objects of idle units smaller; by a worker. Returns whether there are more.
    pub fn recompress_idle(&self) -> bool {
        let Some(recompression) = &self.recompression else { return false };
        // One thread at a time is enough for what has time.
        let Some(mut recompression) = recompression.try_lock() else { return false };
        if recompression.queue.is_empty() {
            self.find_to_recompress(&mut recompression);
        }
        let before = self.counters.recompressed.get();
        let busy = (0..STEP).any(|_| !self.recompress_one(&mut recompression));
        if self.counters.recompressed.get() > before {
            self.residency.pool_freed();
            self.share_budget();
        }
        if !pays(recompression.from, recompression.to) {
            recompression.queue.clear();
            recompression.end_round();
        }
        // Who is busy takes its time: the rest waits for the next tick.
        !busy && (!recompression.queue.is_empty() || recompression.round.is_some())
    }

    fn find_to_recompress(&self, recompression: &mut Recompression) {
        let Some(Round { then, next }) = recompression.round.or_else(|| self.new_round(recompression)) else {
            return;
        };
        let (young, old) =
            (self.residency.ticks_since(then), self.residency.ticks_since(recompression.tried));
        let idle = self.in_pool_from(next).filter(|&(_, age)| age > young && age <= old);
        let mut found: Vec<_> = idle.take(FOUND_AT_ONCE).collect();
        let next =
            found.last().filter(|_| found.len() == FOUND_AT_ONCE).map(|(last, _)| UnitIndex(last.unit.0 + 1));
        recompression.round = Some(Round { then, next: next.unwrap_or(UnitIndex(0)) });
        if next.is_none() {
            recompression.end_round();
        }
        found.sort_unstable_by_key(|&(_, age)| age);
        recompression.queue = found.into_iter().map(|(cold, _)| cold).collect();
    }

    /// A round through the table, if there is something to be tried anew.
    fn new_round(&self, recompression: &mut Recompression) -> Option<Round> {
        let then = self.before(recompress_after(self.pressure()))?;
        if then <= recompression.tried {
            return None;
        }
        (recompression.from, recompression.to) = (0, 0);
        Some(Round { then, next: UnitIndex(0) })
    }

    /// False if somebody else moves units; the unit then stays in the queue.
    fn recompress_one(&self, Recompression { with, queue, from, to, .. }: &mut Recompression) -> bool {
        let Some(&Cold { unit, stamp }) = queue.last() else { return true };
        match self.store.recompress(unit, stamp, with) {
            Recompressed::Busy => return false,
            Recompressed::Nothing => {}
            // Who was refused meanwhile may try again.
            Recompressed::Overtaken => self.residency.pool_freed(),
            Recompressed::Done { from: before, to: after } => {
                *from += before;
                *to += after;
                self.counters.recompress_tried.add(1);
                self.counters.recompressed.add(u64::from(after < before));
            }
        }
        queue.pop();
        true
    }
}
