//! Units that a program reads all the time, beside others that it reads now and then.

mod common;

use common::{Random, UNIT, WORDS, Words, open, options, serve, submit, tame};
use ztera_range::{FaultMode, Options};

/// 64 MiB, of which 24 MiB may be resident.
const UNITS: usize = 4096;
const RESIDENT: usize = 1536;

/// Steps until it is known which are hot, and those that count.
const FIRST: usize = 5000;
const STEPS: usize = 15_000;

/// In each step each hot unit is read, and one of all. Returns how many faults the hot ones took, once they are known.
fn faults_of(hot: &[usize]) -> Option<u64> {
    let options = Options { fault_mode: FaultMode::Sigbus, ..options(RESIDENT) };
    let range = open(UNITS * UNIT, &options)?;
    submit(&range, UNIT, 0, UNITS, tame);
    range.drain();
    let range = serve(range);
    let (words, mut random) = (Words::of(&range), Random(7));
    let read = |unit: usize| assert_eq!(words.get(unit * WORDS), tame(unit, 0), "{unit}");
    let mut step = || {
        read(random.below(UNITS));
        let before = range.stats().fault_count;
        hot.iter().copied().for_each(read);
        range.stats().fault_count - before
    };
    (0..FIRST).for_each(|_| _ = step());
    Some((0..STEPS).map(|_| step()).sum())
}

/// Bug: nothing told the evictor that they are read, so they left in turn: one in six steps, and more with time.
#[test]
fn what_is_read_all_the_time_seldom_leaves() {
    let hot: Vec<usize> = (0..1024).map(|i| 4 * i + 3).collect();
    let Some(faults) = faults_of(&hot) else { return };
    assert!(faults < STEPS as u64 / 16, "{faults} faults in {STEPS} steps");
}
