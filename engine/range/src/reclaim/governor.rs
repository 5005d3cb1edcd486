//! The thread that divides memory: carries out what [`governor`](ztera_policy::governor) decides each second, and
//! [`sharing`](ztera_policy::sharing) and [`spare`](ztera_policy::spare) more often. When the kernel says that memory gets
//! short, it looks at once.

use std::time::Duration;

use ztera_policy::balance::{Balance, Lean};
use ztera_policy::denser::{Denser, Terms};
use ztera_policy::governor::{Decision, Governor as Rules, Inputs};
use ztera_policy::heat::dearness;
use ztera_policy::reason::Reason;
use ztera_policy::sharing::{Place, Share, Sharing, tightest};
use ztera_policy::spare::Spare;
use ztera_store::Scratch;
use ztera_sync::atomic::Ordering;
use ztera_sync::time::Instant;
use ztera_sync::{Condvar, Mutex};

use crate::core::Core;
use crate::core::budget::Budget;
use crate::core::margins::Counted;
use crate::core::watch::PoolChange;
use crate::os::neighbours::taken_pages;
use crate::os::psi::Psi;
use crate::reclaim::evictor::Evictor;

/// Time between decisions.
const PERIOD: Duration = Duration::from_secs(1);

/// Time between looks at what others leave, while all of it may be used up within a period, or is kept to.
const LOOK: Duration = Duration::from_millis(50);

/// When the thread has something to do.
#[derive(Debug, Default)]
pub(crate) struct Pace {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    stopped: bool,
    hurried: bool,
}

impl Pace {
    /// Ends the thread.
    pub fn stop(&self) {
        self.state.lock().stopped = true;
        self.changed.notify_one();
    }

    /// Has the thread look at once.
    pub fn hurry(&self) {
        self.state.lock().hurried = true;
        self.changed.notify_one();
    }

    /// Waits for so long, or for less if there is a hurry (true), or until the thread has to end (false).
    fn wait(&self, time: Duration) -> bool {
        let mut state = self.state.lock();
        if !state.stopped && !state.hurried {
            self.changed.wait_for(&mut state, time);
        }
        state.hurried = false;
        !state.stopped
    }
}

/// Counters at the last decision.
#[derive(Clone, Copy, Debug, Default)]
struct Before {
    faults: u64,
    from_ssd: u64,
    written: u64,
    returned: u64,
}

/// Divides memory anew once per period, and leaves others their share with each look.
pub(crate) struct Governor<'r> {
    core: &'r Core,
    budget: &'r Budget,
    psi: Option<Psi>,
    rules: Rules,
    denser: Denser,
    sharing: Sharing,
    spare: Spare,
    /// Lingering pages that the kernel had taken of anybody when this was last looked at.
    taken: Option<u64>,
    scratch: Scratch,
    before: Before,
    counted: Counted,
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
            denser: Denser::default(),
            sharing: Sharing::default(),
            spare: Spare::default(),
            taken: None,
            scratch: core.store.scratch(),
            before: Before::default(),
            counted: Counted::default(),
            decision: None,
        })
    }

    /// The body of the thread.
    pub fn run(mut self, pace: &Pace) {
        let (mut time, mut since, mut before) = (LOOK, Duration::ZERO, Instant::now());
        // Hurries come in between, and the time goes on as if they had not.
        while pace.wait(time.saturating_sub(before.elapsed())) {
            ztera_fail::at("governor.look");
            let is_in_time = before.elapsed() >= time;
            let places = self.core.look(self.budget);
            if is_in_time {
                self.find_taken();
            }
            self.offer(&places);
            let (place, is_tense) = self.share(&places);
            if is_in_time {
                (since, before) = (since + time, Instant::now());
                time = if is_tense { LOOK } else { PERIOD };
            }
            if since >= PERIOD {
                since = Duration::ZERO;
                self.decide(place);
                self.learn(&places);
            }
            self.apply(&places);
        }
    }

    /// Brings the count of units that linger up to date, if the kernel has taken pages of anybody since the last time.
    fn find_taken(&mut self) {
        let taken = taken_pages();
        if self.core.residency.lingering() > 0 && (taken.is_none() || taken != self.taken) {
            self.taken = taken;
            Evictor { core: self.core }.find_taken();
        }
    }

    /// Has so many units linger that the kernel can take what others suddenly need.
    fn offer(&mut self, places: &[Place]) {
        if self.budget.expects.swap(false, Ordering::Relaxed) {
            self.spare.expect();
        }
        self.spare.look(places);
        let (residency, unit_len) = (&self.core.residency, self.core.unit_len() as u64);
        let wanted = self.spare.target(places, residency.lingering() * unit_len) / unit_len;
        residency.set_spare(wanted.min(residency.most_without_holes()));
        let evictor = Evictor { core: self.core };
        if !evictor.offer_clean(&mut self.scratch) && self.core.stores_for_spare() {
            residency.ask_for_spare();
        }
    }

    fn learn(&mut self, places: &[Place]) {
        let now = self.core.counters.returned.get();
        let returned = now - std::mem::replace(&mut self.before.returned, now);
        self.spare.learn(places, returned * self.core.unit_len() as u64);
    }

    /// Leaves to others what they need. Returns the tightest place that they share, and whether to look again soon.
    fn share(&mut self, places: &[Place]) -> (Option<Place>, bool) {
        let place = tightest(places);
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

    fn apply(&self, places: &[Place]) {
        if let Some(Decision { withheld, pool_target }) = self.decision {
            self.budget.withheld.store(withheld, Ordering::Relaxed);
            let most = self.budget.limits_now().pool_limit().max(1);
            let has_ssd = self.core.store.tier().is_some();
            let kept = if has_ssd { self.spare.kept_from_pool(places) } else { 0 };
            let left = self.budget.limits_now().dram_max.saturating_sub(kept).max(1);
            let lacking = self.budget.ceiling.promised.lacking();
            let left = left.min(self.core.pool_without(self.budget, lacking));
            self.core.watch.target.store(pool_target.min(most).min(left), Ordering::Relaxed);
        }
        self.core.pool_changed(PoolChange::Stored);
    }

    fn look(&mut self, place: Option<Place>) -> Inputs {
        let (store, counters) = (&self.core.store, &self.core.counters);
        let ssd = store.tier().map(|tier| tier.stats().bd_reads);
        let now = Before {
            faults: counters.faults.get() + counters.read_ahead.get(),
            from_ssd: ssd.unwrap_or(0),
            written: counters.evicted_dirty.get(),
            ..self.before
        };
        let last = std::mem::replace(&mut self.before, now);
        let balance = self.core.balance(&mut self.counted);
        self.weigh_denser(balance, now.written - last.written);
        let (faults, from_ssd) = (now.faults - last.faults, ssd.map(|ssd| ssd - last.from_ssd));
        if let Some(Balance { fault, read, .. }) = balance {
            let dearness = dearness(faults, from_ssd.unwrap_or(0), fault, read);
            self.core.residency.set_dearness(dearness);
        }
        Inputs {
            budget: self.budget.dram_max.load(Ordering::Relaxed),
            resident_min: self.budget.limits.resident_min,
            pool_limit: store.pool_limit(),
            stall: self.psi.as_ref().and_then(Psi::read),
            faults,
            from_ssd,
            lean: balance.map_or(Lean::Level, Balance::leans),
            share: self.core.share(),
            place,
        }
    }
    /// Decides whether objects are made smaller before any goes to SSD.
    fn weigh_denser(&mut self, balance: Option<Balance>, written: u64) {
        let densening = &self.core.watch.densening;
        self.denser.learn(densening.take());
        let terms = |Balance { pool, read, .. }| Terms {
            returned: pool,
            read,
            pooled: self.core.store.pooled_units(),
            written,
        };
        let pays = balance.is_some_and(|balance| self.denser.pays(terms(balance)));
        densening.pays.store(pays, Ordering::Relaxed);
    }
}
