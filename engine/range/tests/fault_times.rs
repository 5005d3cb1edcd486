//! Each fault is counted once, with the tier that had the contents.

mod common;

use common::{UNIT, WORDS, Words, open, options, serve, submit, tame};
use ztera_range::{FaultMode, Options, Range, SsdConfig, Tier, WriteBack};

fn counts(range: &Range) -> [u64; 3] {
    let times = range.fault_times();
    for (tier, times) in Tier::ALL.into_iter().zip(&times) {
        assert_eq!(times.count() > 0, times.sum_ns() > 0, "{tier:?}");
    }
    times.map(|times| times.count())
}

#[test]
fn faults_are_told_by_tier() {
    let directory = tempfile::tempdir().expect("a directory for the file");
    let options = Options {
        fault_mode: FaultMode::Sigbus,
        ssd: Some(SsdConfig::new(directory.path())),
        pool_max: (512 * UNIT) as u64,
        ..options(0)
    };
    let Some(range) = open(256 * UNIT, &options) else { return };
    submit(&range, UNIT, 0, 128, tame);
    range.drain();
    let (words, range) = (Words::of(&range), serve(range));
    assert_eq!(counts(&range), [0, 0, 0]);
    range.write_back(0, 64 * UNIT as u64, WriteBack::All).expect("there is room");
    // Backwards: nothing is read ahead.
    let read = |unit: usize| assert_eq!(words.get(unit * WORDS + 9), tame(unit, 9));

    // So far apart that none comes by the read of another.
    (0..64).rev().step_by(20).for_each(read);
    assert_eq!(counts(&range), [0, 0, 4], "they were on SSD");
    (64..128).rev().step_by(4).for_each(read);
    assert_eq!(counts(&range), [0, 16, 4], "they were in the pool");
    (64..128).rev().step_by(4).for_each(|unit| words.set(unit * WORDS, 7));
    // A few came in part, so a write to them brings the rest.
    let [memory, pool, ssd] = counts(&range);
    assert!(memory > 8 && (memory + pool, ssd) == (32, 4), "most were resident: {memory}");
    (128..256).rev().step_by(8).for_each(|unit| assert_eq!(words.get(unit * WORDS), 0));
    assert_eq!(counts(&range), [memory + 16, pool, 4], "they were nowhere");
}
