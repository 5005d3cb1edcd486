//! The thread that divides memory: carries out what [`governor`](ztera_policy::governor) decides.

use std::time::Duration;

use ztera_sync::atomic::Ordering;
use ztera_sync::{Condvar, Mutex};

use crate::core::Inner;
use crate::core::budget::Budget;
use crate::os::psi::Psi;
use ztera_policy::governor::{Governor, Inputs, Reason};

/// Time between decisions.
const PERIOD: Duration = Duration::from_secs(1);

/// When the thread has something to do.
#[derive(Debug, Default)]
pub(crate) struct Pace {
    stopped: Mutex<bool>,
    stop: Condvar,
}

impl Pace {
    /// Ends the thread.
    pub fn stop(&self) {
        *self.stopped.lock() = true;
        self.stop.notify_one();
    }

    /// Waits until a decision is due (true) or the thread has to end (false).
    fn wait(&self) -> bool {
        let mut stopped = self.stopped.lock();
        if !*stopped {
            self.stop.wait_for(&mut stopped, PERIOD);
        }
        !*stopped
    }
}

/// Counters at the last decision.
#[derive(Clone, Copy, Debug, Default)]
struct Before {
    faults: u64,
    from_ssd: u64,
}

/// The body of the thread.
pub(crate) fn govern(inner: &Inner, budget: &Budget, pace: &Pace) {
    let (psi, mut governor, mut before) = (Psi::find(), Governor::default(), Before::default());
    while pace.wait() {
        ztera_fail::at("governor.look");
        let inputs = look(inner, budget, psi.as_ref(), &mut before);
        let (decision, reason) = governor.decide(inputs);
        if reason != Reason::Calm {
            budget.note(decision, reason, inputs);
        }
        budget.withheld.store(decision.withheld, Ordering::Relaxed);
        inner.pool_target.store(decision.pool_target, Ordering::Relaxed);
        inner.pool_changed();
    }
}

fn look(inner: &Inner, budget: &Budget, psi: Option<&Psi>, before: &mut Before) -> Inputs {
    let ssd = inner.store.tier().map(|tier| tier.stats().bd_reads);
    let now = Before {
        faults: inner.counters.faults.get() + inner.counters.read_ahead.get(),
        from_ssd: ssd.unwrap_or(0),
    };
    let last = std::mem::replace(before, now);
    Inputs {
        budget: budget.bytes.load(Ordering::Relaxed),
        least_resident: budget.least_resident,
        pool_limit: inner.store.pool_limit(),
        stall: psi.and_then(Psi::read),
        faults: now.faults - last.faults,
        from_ssd: ssd.map(|ssd| ssd - last.from_ssd),
    }
}
