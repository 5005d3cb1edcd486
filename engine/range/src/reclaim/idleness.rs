//! Idle units, told by the ends of epochs, by the evictor's clock.

use ztera_policy::idleness::{Epochs, IDLE, recompress_after, write_back_after};
use ztera_store::Glance;
use ztera_sync::Mutex;
use ztera_sync::atomic::{AtomicBool, Ordering};

use crate::core::Core;

/// When epochs ended, and what is due about units that are idle.
#[derive(Debug)]
pub(crate) struct Idleness {
    epochs: Mutex<Epochs>,
    /// A round of writing idle units back is due.
    round: AtomicBool,
}

impl Idleness {
    /// Units are idle after so many epochs; 0 = never.
    pub fn new(epochs: u32) -> Self {
        Self { epochs: Mutex::new(Epochs::new(epochs)), round: AtomicBool::new(false) }
    }

    /// An epoch ends: calls those who do about idle units what is to be done now. `recompresses`: whether a worker makes
    /// their objects smaller.
    pub fn pass_epoch(&self, core: &Core, recompresses: bool) {
        let mut epochs = self.epochs.lock();
        if !epochs.pass() {
            return;
        }
        let last = epochs.before(0).unwrap_or(0);
        epochs.mark(core.residency.end_quarter(last));
        drop(epochs);
        if recompress_after(core.pressure()).is_some() && recompresses {
            core.store.want_idle_work();
        }
        if write_back_after(core.pressure()).is_some() {
            self.round.store(true, Ordering::Relaxed);
            core.watch.demoter.ring();
        }
    }

    /// Whether a round of writing idle units back is due; from now on it is not.
    pub fn take_round(&self) -> bool {
        self.round.swap(false, Ordering::Relaxed)
    }

    /// The time that the evictor's clock showed `quarters` ago.
    pub fn before(&self, quarters: Option<u32>) -> Option<u64> {
        self.epochs.lock().before(quarters?)
    }

    /// Tells idle units as of now, for a caller that asks about many.
    pub fn now(&self) -> IdleNow {
        IdleNow { then: self.before(Some(IDLE)) }
    }
}

/// Tells idle units, until the next epoch ends. Takes no lock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IdleNow {
    /// The evictor's clock when an idle unit had left memory already; `None`: nothing is idle yet.
    then: Option<u64>,
}

impl IdleNow {
    /// Whether a unit is in the pool only, and was not touched for as many epochs as it takes to be idle.
    pub fn is_idle(self, core: &Core, glance: Glance) -> bool {
        let is_older =
            |then| core.residency.age(glance.stamp).unwrap_or(0) > core.residency.ticks_since(then);
        glance.only_in_pool() && self.then.is_some_and(is_older)
    }
}
