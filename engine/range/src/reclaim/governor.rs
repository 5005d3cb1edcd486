//! The thread that divides memory: carries out what [`governor`](ztera_policy::governor) decides.

use std::time::Duration;

use ztera_policy::governor::{Governor as Rules, Inputs, Reason};
use ztera_sync::atomic::Ordering;
use ztera_sync::{Condvar, Mutex};

use crate::core::Core;
use crate::core::budget::Budget;
use crate::os::psi::Psi;

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

/// Divides memory anew once per period.
pub(crate) struct Governor<'r> {
    core: &'r Core,
    budget: &'r Budget,
    psi: Option<Psi>,
    rules: Rules,
    before: Before,
}

impl<'r> Governor<'r> {
    /// One that has decided nothing yet; `None` without a budget.
    pub fn new(core: &'r Core) -> Option<Self> {
        let budget = core.budget.as_ref()?;
        Some(Self { core, budget, psi: Psi::find(), rules: Rules::default(), before: Before::default() })
    }

    /// The body of the thread.
    pub fn run(mut self, pace: &Pace) {
        while pace.wait() {
            ztera_fail::at("governor.look");
            let inputs = self.look();
            let (decision, reason) = self.rules.decide(inputs);
            if reason != Reason::Calm {
                self.budget.note(decision, reason, inputs);
            }
            self.budget.withheld.store(decision.withheld, Ordering::Relaxed);
            self.core.watch.target.store(decision.pool_target, Ordering::Relaxed);
            self.core.pool_changed();
        }
    }

    fn look(&mut self) -> Inputs {
        let (store, counters) = (&self.core.store, &self.core.counters);
        let ssd = store.tier().map(|tier| tier.stats().bd_reads);
        let now =
            Before { faults: counters.faults.get() + counters.read_ahead.get(), from_ssd: ssd.unwrap_or(0) };
        let last = std::mem::replace(&mut self.before, now);
        Inputs {
            budget: self.budget.bytes.load(Ordering::Relaxed),
            least_resident: self.budget.least_resident,
            pool_limit: store.pool_limit(),
            stall: self.psi.as_ref().and_then(Psi::read),
            faults: now.faults - last.faults,
            from_ssd: ssd.map(|ssd| ssd - last.from_ssd),
        }
    }
}
