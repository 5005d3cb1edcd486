//! The thread that divides memory: carries out what [`governor`](ztera_policy::governor) decides each second, and
//! [`sharing`](ztera_policy::sharing) more often.

use std::time::Duration;

use ztera_policy::governor::{Decision, Governor as Rules, Inputs, Reason};
use ztera_policy::sharing::{Place, Share, Sharing, tightest};
use ztera_sync::atomic::Ordering;
use ztera_sync::{Condvar, Mutex};

use crate::core::Core;
use crate::core::budget::Budget;
use crate::os::psi::Psi;

/// Time between decisions.
const PERIOD: Duration = Duration::from_secs(1);

/// Time between looks at what others leave, while all of it may be used up within a period, or is kept to.
const LOOK: Duration = Duration::from_millis(50);

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

    /// Waits for so long (true) or until the thread has to end (false).
    fn wait(&self, time: Duration) -> bool {
        let mut stopped = self.stopped.lock();
        if !*stopped {
            self.stop.wait_for(&mut stopped, time);
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

/// Divides memory anew once per period, and leaves others their share with each look.
pub(crate) struct Governor<'r> {
    core: &'r Core,
    budget: &'r Budget,
    psi: Option<Psi>,
    rules: Rules,
    sharing: Sharing,
    before: Before,
    /// The last one; `None` before the first.
    decision: Option<Decision>,
}

impl<'r> Governor<'r> {
    /// One that has decided nothing yet; `None` without a budget.
    pub fn new(core: &'r Core) -> Option<Self> {
        let budget = core.budget.as_ref()?;
        Some(Self {
            core,
            budget,
            psi: Psi::find(),
            rules: Rules::default(),
            sharing: Sharing::default(),
            before: Before::default(),
            decision: None,
        })
    }

    /// The body of the thread.
    pub fn run(mut self, pace: &Pace) {
        let (mut time, mut since) = (LOOK, Duration::ZERO);
        while pace.wait(time) {
            ztera_fail::at("governor.look");
            let (place, is_tense) = self.share();
            since += time;
            if since >= PERIOD {
                since = Duration::ZERO;
                self.decide(place);
            }
            self.apply();
            time = if is_tense { LOOK } else { PERIOD };
        }
    }

    /// Leaves to others what they need. Returns the tightest place that they share, and whether to look again soon.
    fn share(&mut self) -> (Option<Place>, bool) {
        let places = self.core.look(self.budget);
        let place = tightest(&places);
        let share = self.sharing.decide(place, self.core.own(self.budget));
        self.budget.set_share(share);
        (place, share != Share::ALL || places.iter().any(|place| place.is_near()))
    }

    fn decide(&mut self, place: Option<Place>) {
        let inputs = self.look(place);
        let (decision, mut reason) = self.rules.decide(inputs);
        let shared = self.sharing.reason();
        if reason == Reason::Calm {
            reason = shared;
        }
        if reason != Reason::Calm {
            self.budget.note(decision, reason, inputs);
        }
        self.decision = Some(decision);
    }

    fn apply(&self) {
        if let Some(Decision { withheld, pool_target }) = self.decision {
            self.budget.withheld.store(withheld, Ordering::Relaxed);
            let most = self.budget.terms().pool_limit().max(1);
            self.core.watch.target.store(pool_target.min(most), Ordering::Relaxed);
        }
        self.core.pool_changed();
    }

    fn look(&mut self, place: Option<Place>) -> Inputs {
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
            place,
        }
    }
}
