//! The points that fail, and how: with the feature `on`.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use parking_lot::{Mutex, MutexGuard};

/// How a point fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// As if a system call had failed with this number. A point that is no system call just fails.
    Errno(i32),
    /// The thread panics.
    Panic,
    /// Nothing fails, but it takes this much longer.
    Delay(Duration),
}

/// One point, and how it fails.
#[derive(Debug)]
pub(crate) struct Rule {
    pub point: String,
    pub failure: Failure,
    /// The first times still work.
    pub skip: u64,
    /// How often it fails after that.
    pub left: u64,
    /// Of those, how many pass for each that fails.
    pub gap: u64,
    passed: u64,
    failed: u64,
    /// Names of the threads for which it did.
    threads: BTreeSet<String>,
}

impl Rule {
    /// Fails each time.
    pub fn new(point: &str, failure: Failure) -> Self {
        Self {
            point: point.to_owned(),
            failure,
            skip: 0,
            left: u64::MAX,
            gap: 0,
            passed: 0,
            failed: 0,
            threads: BTreeSet::new(),
        }
    }

    fn applies_to(&self, point: &str) -> bool {
        self.point == point && (self.skip > 0 || self.left > 0)
    }

    /// The point was reached; has it failed?
    fn reached(&mut self) -> bool {
        if self.skip > 0 {
            self.skip -= 1;
            return false;
        }
        if self.passed < self.gap {
            self.passed += 1;
            return false;
        }
        self.passed = 0;
        self.left -= 1;
        self.failed += 1;
        self.threads.insert(thread::current().name().unwrap_or_default().to_owned());
        true
    }
}

static RULES: Mutex<Vec<Rule>> = Mutex::new(Vec::new());
/// How many rules there are, so that points cost next to nothing when there are none.
static COUNT: AtomicUsize = AtomicUsize::new(0);
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// The failure that is due at this point now: an errno value. Panics if the test said so.
pub fn at(point: &str) -> Option<i32> {
    if COUNT.load(Ordering::Relaxed) == 0 {
        return None;
    }
    let mut rules = RULES.lock();
    let rule = rules.iter_mut().find(|rule| rule.applies_to(point))?;
    if !rule.reached() {
        return None;
    }
    let failure = rule.failure;
    drop(rules);
    match failure {
        Failure::Errno(errno) => Some(errno),
        Failure::Panic => panic!("a test makes {point} panic"),
        Failure::Delay(time) => {
            thread::sleep(time);
            None
        }
    }
}

/// From now on these rules hold, and no others.
pub(crate) fn replace(new: Vec<Rule>) {
    let mut rules = RULES.lock();
    COUNT.store(new.len(), Ordering::Relaxed);
    *rules = new;
}

/// How often `point` has failed by the rules that hold now.
pub fn failed(point: &str) -> u64 {
    RULES.lock().iter().filter(|rule| rule.point == point).map(|rule| rule.failed).sum()
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
        rules.push(Rule::new(point, failure));
        COUNT.store(rules.len(), Ordering::Relaxed);
        Plan { _scenario: self, index: rules.len() - 1 }
    }

    /// How often `point` has failed.
    pub fn failed(&self, point: &str) -> u64 {
        failed(point)
    }

    /// Names of the threads for which `point` has failed.
    pub fn threads(&self, point: &str) -> BTreeSet<String> {
        let rules = RULES.lock();
        rules
            .iter()
            .filter(|rule| rule.point == point)
            .flat_map(|rule| rule.threads.iter().cloned())
            .collect()
    }

    /// Lets everything work again, and forgets what failed.
    pub fn mend(&self) {
        replace(Vec::new());
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
