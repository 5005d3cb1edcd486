//! Making objects of idle units smaller: carries out what [`idleness`](ztera_policy::idleness) decides.

use ztera_policy::idleness::{pays, recompress_after};
use ztera_store::{Recompressed, Recompressor as Codec, UnitIndex};
use ztera_sync::{Mutex, Rank};

use crate::core::Core;
use crate::core::watch::{Cold, PoolChange};
use crate::reclaim::idleness::Idleness;

/// Units made smaller before a worker looks whether there is something to store.
const STEP: usize = 16;

/// Units that are looked for at once: so much is kept in mind of them, and no more, however many there are.
const FOUND_AT_ONCE: usize = 4096;

/// Makes objects of idle units smaller, a few at a time, by whichever worker has time.
pub(crate) struct Recompressor(Mutex<Recompression>);

impl Recompressor {
    /// One that uses `codec`.
    pub fn new(codec: Codec) -> Self {
        Self(Mutex::ranked(Rank::Work, Recompression::new(codec)))
    }

    /// Makes a few objects of idle units smaller. Returns whether there are more.
    pub fn step(&self, core: &Core, idleness: &Idleness) -> bool {
        // One thread at a time is enough for what has time.
        self.0.try_lock().is_some_and(|mut recompression| recompression.step(core, idleness))
    }
}

/// Units that a denser codec is to be tried on. Each is tried once for each time that it becomes idle.
struct Recompression {
    with: Codec,
    /// Units that were evicted before this time were tried.
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
    /// Units that were evicted before this time are to be tried.
    then: u64,
    /// Where it goes on.
    next: UnitIndex,
}

impl Recompression {
    fn new(with: Codec) -> Self {
        Self { with, tried: 0, round: None, queue: Vec::new(), from: 0, to: 0 }
    }

    fn end_round(&mut self) {
        if let Some(Round { then, .. }) = self.round.take() {
            self.tried = then;
        }
    }

    fn step(&mut self, core: &Core, idleness: &Idleness) -> bool {
        if self.queue.is_empty() {
            self.find(core, idleness);
        }
        let before = core.counters.recompressed.get();
        let at_once = self.with.at_once().min(STEP);
        let busy = (0..STEP / at_once).any(|_| !self.recompress_some(core, at_once));
        if core.counters.recompressed.get() > before {
            core.pool_changed(PoolChange::Shrunk);
        }
        if !pays(self.from, self.to) {
            self.queue.clear();
            self.end_round();
        }
        // A thread that is busy takes its time: the rest waits for the next tick.
        !busy && (!self.queue.is_empty() || self.round.is_some())
    }

    fn find(&mut self, core: &Core, idleness: &Idleness) {
        let Some(Round { then, next }) = self.round.or_else(|| self.new_round(core, idleness)) else {
            return;
        };
        let (young, old) = (core.residency.ticks_since(then), core.residency.ticks_since(self.tried));
        let idle = core.in_pool_from(next).filter(|&(_, age)| age > young && age <= old);
        let mut found: Vec<_> = idle.take(FOUND_AT_ONCE).collect();
        let next =
            found.last().filter(|_| found.len() == FOUND_AT_ONCE).map(|(last, _)| UnitIndex(last.unit.0 + 1));
        self.round = Some(Round { then, next: next.unwrap_or(UnitIndex(0)) });
        if next.is_none() {
            self.end_round();
        }
        found.sort_unstable_by_key(|&(_, age)| age);
        self.queue = found.into_iter().map(|(cold, _)| cold).collect();
    }

    /// A round through the table, if there is something to be tried anew.
    fn new_round(&mut self, core: &Core, idleness: &Idleness) -> Option<Round> {
        let then = idleness.before(recompress_after(core.pressure()))?;
        if then <= self.tried {
            return None;
        }
        (self.from, self.to) = (0, 0);
        Some(Round { then, next: UnitIndex(0) })
    }

    /// Takes so many units from the queue at most. False if somebody else moves units; they then stay there.
    fn recompress_some(&mut self, core: &Core, most: usize) -> bool {
        if self.queue.is_empty() {
            return true;
        }
        let rest = self.queue.len().saturating_sub(most);
        let units: Vec<_> = self.queue[rest..].iter().rev().map(|cold| (cold.unit, cold.stamp)).collect();
        let (from_all, to_all) = (&mut self.from, &mut self.to);
        let is_done = core.store.recompress_all(&units, &mut self.with, &mut |outcome| match outcome {
            Recompressed::Busy | Recompressed::Nothing => {}
            // A thread that was refused meanwhile may try again.
            Recompressed::Overtaken => core.pool_changed(PoolChange::GivenUp),
            Recompressed::Done { from, to } => {
                *from_all += from;
                *to_all += to;
                core.counters.recompress_tried.add(1);
                core.counters.recompressed.add(u64::from(to < from));
            }
        });
        if is_done {
            self.queue.truncate(rest);
        }
        is_done
    }
}
