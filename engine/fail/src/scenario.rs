//! Which points fail, and how: with the feature `on`.

use std::sync::atomic::{AtomicUsize, Ordering};

use parking_lot::{Mutex, MutexGuard};

/// How a point fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// As if a system call had failed with this number. A point that is no system call just fails.
    Errno(i32),
    /// The thread panics.
    Panic,
}

#[derive(Debug)]
struct Rule {
    point: String,
    failure: Failure,
    skip: u64,
    left: u64,
    failed: u64,
}

static RULES: Mutex<Vec<Rule>> = Mutex::new(Vec::new());
/// How many rules there are, so that points cost next to nothing when there are none.
static COUNT: AtomicUsize = AtomicUsize::new(0);
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// What has to fail at this point now: an errno value. Panics if the test said so.
pub fn at(point: &str) -> Option<i32> {
    if COUNT.load(Ordering::Relaxed) == 0 {
        return None;
    }
    let mut rules = RULES.lock();
    let rule = rules.iter_mut().find(|rule| rule.point == point && (rule.skip > 0 || rule.left > 0))?;
    if rule.skip > 0 {
        rule.skip -= 1;
        return None;
    }
    rule.left -= 1;
    rule.failed += 1;
    let failure = rule.failure;
    drop(rules);
    match failure {
        Failure::Errno(errno) => Some(errno),
        Failure::Panic => panic!("a test makes {point} panic"),
    }
}

/// The rules of one test; they end with it. Tests of one process that want some wait for each other.
#[derive(Debug)]
pub struct Scenario {
    _one: MutexGuard<'static, ()>,
}

impl Scenario {
    /// Begins with no rule.
    pub fn begin() -> Self {
        Self { _one: ONE_AT_A_TIME.lock() }
    }

    /// Makes `point` fail from now on, each time unless the plan is changed.
    pub fn fail(&self, point: &str, failure: Failure) -> Plan<'_> {
        let mut rules = RULES.lock();
        rules.push(Rule { point: point.to_owned(), failure, skip: 0, left: u64::MAX, failed: 0 });
        COUNT.store(rules.len(), Ordering::Relaxed);
        Plan { _scenario: self, index: rules.len() - 1 }
    }

    /// How often `point` has failed.
    pub fn failed(&self, point: &str) -> u64 {
        RULES.lock().iter().filter(|rule| rule.point == point).map(|rule| rule.failed).sum()
    }

    /// Lets everything work again, and forgets what failed.
    pub fn mend(&self) {
        COUNT.store(0, Ordering::Relaxed);
        RULES.lock().clear();
    }
}

impl Drop for Scenario {
    fn drop(&mut self) {
        self.mend();
    }
}

/// One rule, to be made more precise.
#[derive(Debug)]
pub struct Plan<'a> {
    _scenario: &'a Scenario,
    index: usize,
}

impl Plan<'_> {
    /// The first `n` times still work.
    pub fn after(self, n: u64) -> Self {
        RULES.lock()[self.index].skip = n;
        self
    }

    /// It fails `n` times, then works again.
    pub fn times(self, n: u64) -> Self {
        RULES.lock()[self.index].left = n;
        self
    }
}
