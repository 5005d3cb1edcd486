//! Writers that outrun the disk, held back.
//!
//! Where pool and memory are full, what a writer makes dirty can only leave as fast as the demoter writes to the SSD. No
//! writer does that itself, nor waits for the disk or for what may be written to it: it may fill some memory above the
//! limit, the headroom, and is held back for a moment then. Before its fault is answered by a handler, or after the thread
//! answered it itself, with no slot locked: until memory is smaller than it was, or for a time that is longer the further
//! above the limit memory is, and bounded. So each access ends soon; memory grows slowly, if at all, and never beyond what the
//! host has put into the range. Readers are not held back: what they bring in can be dropped again.

use std::collections::VecDeque;
use std::time::Duration;

use ztera_policy::throttle::longest;
use ztera_sync::thread;
use ztera_sync::time::Instant;

use crate::core::Core;
use crate::os::uffd::Fault;

/// After which it is looked at again.
pub(crate) const SLICE: Duration = Duration::from_millis(1);

/// A writer is held back: since when, and for how long at most.
#[derive(Clone, Copy, Debug)]
struct Hold {
    /// Units above the limit when it began.
    excess: u64,
    since: Instant,
    longest: Duration,
}

impl Hold {
    /// Whether a writer is to be held back now.
    fn begin(core: &Core) -> Option<Self> {
        let excess = core.residency.excess();
        let longest = longest(excess * core.unit_len() as u64);
        if longest == Duration::ZERO || !core.is_outrun() {
            return None;
        }
        core.counters.held_writes.add(1);
        core.watch.demoter.ring();
        Some(Self { excess, since: Instant::now(), longest })
    }

    fn is_over(&self, core: &Core) -> bool {
        core.residency.excess() < self.excess || !core.is_outrun() || self.since.elapsed() >= self.longest
    }
}

/// Holds the calling thread back, which has served its own write.
pub(crate) fn hold_back(core: &Core) {
    let Some(hold) = Hold::begin(core) else { return };
    while !hold.is_over(core) {
        thread::sleep(SLICE);
    }
}

/// Faults of writers that a handler answers later: it goes on to serve others meanwhile.
#[derive(Debug, Default)]
pub(crate) struct Held(VecDeque<(Fault, Hold)>);

impl Held {
    /// The fault, unless it is to wait here.
    pub fn unless_held(&mut self, core: &Core, fault: Fault) -> Option<Fault> {
        let Some(hold) = fault.write.then(|| Hold::begin(core)).flatten() else { return Some(fault) };
        self.0.push_back((fault, hold));
        None
    }

    /// A fault that has waited long enough.
    pub fn next(&mut self, core: &Core) -> Option<Fault> {
        let over = |(_, hold): &(Fault, Hold)| hold.is_over(core);
        if !self.0.front().is_some_and(over) {
            return None;
        }
        self.0.pop_front().map(|(fault, _)| fault)
    }

    /// Whether none waits.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
