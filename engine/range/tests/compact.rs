//! Sparse chunks of the pool are emptied and go back to the system, by hand or by the workers; nobody who uses the
//! range notices.

mod common;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use common::{Random, UNIT, WORDS, Words, eventually, noise, open, options, submit};
use ztera_fail::{Failure, Scenario};
use ztera_range::{Options, Range, Stats};

const UNITS: usize = 2048;

/// A share of the words is noise, another one in each unit and each of its lives.
fn mixed(life: usize) -> impl Fn(usize, usize) -> u64 + Copy {
    move |unit, i| {
        let noisy = Random((unit * 100 + life) as u64).below(WORDS);
        if i < noisy { noise(unit + life * UNITS, i) } else { unit as u64 }
    }
}

/// A range of which every eighth unit is left.
fn sparse(options: &Options) -> Option<Range> {
    let range = open(UNITS * UNIT, options)?;
    submit(&range, UNIT, 0, UNITS, mixed(0));
    range.drain();
    for unit in (0..UNITS).filter(|unit| unit % 8 != 0) {
        range.discard((unit * UNIT) as u64, UNIT as u64).expect("a unit");
    }
    Some(range)
}

fn check(range: &Range, life: usize) {
    let words = Words::of(range);
    for unit in (0..UNITS).step_by(8) {
        (0..WORDS)
            .step_by(61)
            .for_each(|i| assert_eq!(words.get(unit * WORDS + i), mixed(life)(unit, i), "{unit}"));
    }
}

fn lost(stats: Stats) -> u64 {
    stats.mem_used_total - stats.compr_data_size
}

#[test]
fn what_is_sparse_is_given_back_by_hand() {
    let Some(range) = sparse(&options(64)) else { return };
    let before = range.stats();
    assert!(lost(before) > before.mem_used_total / 2, "{before:?}");
    let given = range.compact();
    let after = range.stats();
    assert!(given >= before.mem_used_total - after.mem_used_total);
    assert_eq!(given, after.pages_compacted * 4096);
    assert!(after.compacted_units > 0);
    // Each of some 60 classes may keep a quarter of a chunk of 16 units, and a part of its last unit.
    assert!(after.mem_used_total < before.mem_used_total * 2 / 3, "{after:?} after {before:?}");
    assert_eq!(after.compr_data_size, before.compr_data_size);
    assert_eq!(after.units_stored, before.units_stored, "moving is not storing");
    assert_eq!(range.compact(), 0, "nothing is left to be had");
    check(&range, 0);
    range.discard(0, (UNITS * UNIT) as u64).expect("whole units");
    assert_eq!(range.stats().mem_used_total, 0);
}

/// A tick tells workers to look. Where nothing is lost they do nothing.
#[test]
fn workers_give_back_what_is_sparse() {
    let Some(range) = sparse(&options(64)) else { return };
    let before = range.stats();
    assert_eq!(before.pages_compacted, 0, "nobody is in need of memory");
    range.tick();
    eventually("the pool gave memory back", || range.stats().mem_used_total < before.mem_used_total * 2 / 3);
    check(&range, 0);
}

/// A pool that is nearly full does not wait for a tick.
#[test]
fn a_full_pool_is_compacted_at_once() {
    let Some(range) = sparse(&Options { pool_max: (UNITS * UNIT) as u64 * 5 / 8, ..options(64) }) else {
        return;
    };
    // The pool cannot hold these beside the sparse chunks.
    submit(&range, UNIT, UNITS / 2, UNITS / 2, noise);
    range.drain();
    eventually("the pool gave memory back", || range.stats().pages_compacted > 0);
    let words = Words::of(&range);
    (0..UNITS / 2).step_by(8).for_each(|unit| assert_eq!(words.get(unit * WORDS), mixed(0)(unit, 0)));
    (UNITS / 2..UNITS).for_each(|unit| assert_eq!(words.get(unit * WORDS + 5), noise(unit, 5)));
}

/// A full pool in which nothing can be moved together, though much of it has no objects: whoever was refused does not ask
/// for a pass again, be told of it, and be refused again, for ever.
#[test]
fn nobody_works_on_an_idle_range() {
    let scenario = Scenario::begin();
    let options = Options { pool_max: (UNITS / 2 * UNIT) as u64, ..options(8) };
    let Some(range) = open(UNITS * UNIT, &options) else { return };
    scenario.fail("evictor.batch", Failure::Delay(Duration::ZERO)); // counts
    // Compresses to four fifths, which no size class fits well.
    submit(&range, UNIT, 0, UNITS, |unit, i| if i < 416 { 0 } else { noise(unit, i) });
    range.drain();
    let stats = range.stats();
    assert!(stats.resident_bytes > stats.resident_limit && scenario.failed("evictor.batch") > 0, "{stats:?}");
    eventually("the evictor rests", || {
        let before = scenario.failed("evictor.batch");
        std::thread::sleep(Duration::from_millis(100));
        scenario.failed("evictor.batch") == before
    });
}

/// Units are read, written, discarded and stored anew while chunks are emptied over and over.
#[test]
fn contents_survive_whatever_happens_meanwhile() {
    const LIVES: usize = 4;
    let Some(range) = sparse(&options(64)) else { return };
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let (range, done) = (&range, &done);
        let compacts = scope.spawn(move || {
            while !done.load(Ordering::Relaxed) {
                range.compact();
            }
        });
        // Each has units of its own.
        let users: Vec<_> = (0..3).map(|user| scope.spawn(move || use_units(range, user))).collect();
        users.into_iter().for_each(|user| user.join().expect("no assertion failed"));
        done.store(true, Ordering::Relaxed);
        compacts.join().expect("it does not fail");
    });
    assert!(range.stats().compacted_units > 0);
    range.drain();
    check(&range, LIVES);

    fn use_units(range: &Range, user: usize) {
        let words = Words::of(range);
        let own = || (0..UNITS).step_by(8).filter(move |unit| unit / 8 % 3 == user);
        for life in 1..=LIVES {
            for unit in own() {
                let at = |i| unit * WORDS + i;
                let expected = mixed(life - 1);
                assert!((0..WORDS).step_by(61).all(|i| words.get(at(i)) == expected(unit, i)), "unit {unit}");
                // The other half of the units comes and goes, and leaves holes.
                submit(range, UNIT, unit + 1, 1, mixed(life));
                match life % 3 {
                    0 => (0..WORDS).for_each(|i| words.set(at(i), mixed(life)(unit, i))),
                    1 => submit(range, UNIT, unit, 1, mixed(life)),
                    _ => {
                        range.discard((unit * UNIT) as u64, UNIT as u64).expect("a unit");
                        assert_eq!(words.get(at(7)), 0);
                        submit(range, UNIT, unit, 1, mixed(life));
                    }
                }
                range.discard(((unit + 1) * UNIT) as u64, UNIT as u64).expect("a unit");
            }
        }
    }
}
