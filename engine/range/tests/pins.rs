//! Units that are pinned: there, and writable, for system calls, which cannot have a fault served as threads do.

mod common;

use common::{Served, UNIT, WORDS, Words, eventually, noise, open, options, serve, submit, tame};
use rustix::io::Errno;
use ztera_range::{Error, FaultMode, Options, Range, SsdConfig, WriteBack};

const UNITS: usize = 256;
const RESIDENT: usize = 32;

fn sigbus(resident: usize) -> Options {
    Options { fault_mode: FaultMode::Sigbus, ..options(resident) }
}

fn filled(options: &Options) -> Option<(Served, Words)> {
    let range = open(UNITS * UNIT, options)?;
    submit(&range, UNIT, 0, UNITS, tame);
    range.drain();
    let words = Words::of(&range);
    Some((serve(range), words))
}

/// Reads all but what is pinned, so that each unit that may leave does.
fn press(words: Words, but: std::ops::Range<usize>) {
    for unit in (0..UNITS).filter(|unit| !but.contains(unit)) {
        assert_eq!(words.get(unit * WORDS + 5), tame(unit, 5));
    }
}

fn pinned_units(range: &Range) -> usize {
    range.stats().pinned_bytes as usize / UNIT
}

fn pin(range: &Range, first: usize, units: usize) -> Result<(), Errno> {
    match range.pin((first * UNIT) as u64, (units * UNIT) as u64) {
        Ok(_) => Ok(()),
        Err(Error::System(_, error)) => Err(Errno::from_io_error(&error).expect("a system error")),
        Err(other) => panic!("{other}"),
    }
}

fn unpin(range: &Range, first: usize) -> bool {
    range.unpin((first * UNIT) as u64)
}

/// A critical section of the JVM had a copy of its array, as the kernel would have met pages that are not there.
#[test]
fn system_calls_work_on_what_is_pinned() {
    let Some((range, words)) = filled(&sigbus(RESIDENT)) else { return };
    eventually("it is not there", || {
        press(words, 3..7);
        !words.readable(4 * WORDS)
    });
    let offset = (3 * UNIT + 8) as u64;
    range.pin(offset, 3 * UNIT as u64).expect("four units may be pinned");
    assert_eq!(pinned_units(&range), 4, "also of the first and the last one only a part is wanted");
    for _ in 0..2 {
        for unit in 3..7 {
            assert!(words.readable(unit * WORDS) && words.writable(unit * WORDS + 2), "unit {unit}");
        }
        press(words, 3..7);
    }
    assert_eq!(words.get(4 * WORDS + 7), tame(4, 7));
    assert_eq!(words.get(4 * WORDS + 2), 0, "what the kernel has written");
    eventually("the limit is kept to", || range.stats().resident_bytes <= range.stats().resident_limit);
    assert!(range.unpin(offset) && !range.unpin(offset));
    eventually("an idle pin is given up", || {
        press(words, 3..7);
        pinned_units(&range) == 0
    });
    eventually("its units leave", || {
        press(words, 3..7);
        !words.readable(4 * WORDS)
    });
    assert_eq!((words.get(4 * WORDS + 7), words.get(4 * WORDS + 2)), (tame(4, 7), 0));
}

#[test]
fn pins_are_counted_and_may_overlap() {
    let Some((range, words)) = filled(&sigbus(RESIDENT)) else { return };
    assert_eq!([pin(&range, 0, 2), pin(&range, 1, 2), pin(&range, 0, 2)], [Ok(()); 3]);
    assert_eq!(pinned_units(&range), 3, "each unit counts once");
    assert!(unpin(&range, 0) && unpin(&range, 1));
    for _ in 0..4 {
        press(words, 0..2);
    }
    assert!(words.writable(0) && words.writable(WORDS), "one pin is left");
    eventually("the other unit may leave", || {
        press(words, 0..2);
        pinned_units(&range) == 2
    });
    assert!(unpin(&range, 0) && !unpin(&range, 0) && !unpin(&range, 1) && !unpin(&range, 77));
    assert!(matches!(range.pin(12, 8), Err(Error::Invalid(_))));
    assert!(matches!(range.pin(0, UNIT as u64), Err(Error::Invalid(_))), "it had another length");
    assert!(matches!(range.pin((UNITS * UNIT - 8) as u64, 16), Err(Error::Invalid(_))));
}

#[test]
fn half_of_memory_may_be_pinned() {
    let Some((range, words)) = filled(&sigbus(RESIDENT)) else { return };
    assert_eq!(pin(&range, 0, 17), Err(Errno::NOMEM));
    assert_eq!(pin(&range, 0, 16), Ok(()));
    assert_eq!(pin(&range, 20, 1), Err(Errno::AGAIN), "all that may be pinned is in use");
    press(words, 0..16);
    assert!(unpin(&range, 0));
    assert_eq!(pin(&range, 100, 10), Ok(()), "the idle one is given up");
    assert_eq!(pin(&range, 120, 10), Err(Errno::AGAIN));
    assert_eq!(pinned_units(&range), 10, "what could not be pinned whole is not pinned at all");
    press(words, 100..110);
    eventually("the limit is kept to", || range.stats().resident_bytes <= range.stats().resident_limit);
}

#[test]
fn without_a_limit_all_may_be_pinned() {
    let Some((range, words)) = filled(&sigbus(0)) else { return };
    assert_eq!(pin(&range, 0, UNITS), Ok(()));
    assert!((0..UNITS).all(|unit| words.writable(unit * WORDS)));
    assert!(unpin(&range, 0));
    range.unpin_all();
    assert_eq!(pinned_units(&range), 0);
}

/// The table of pins has room for 128.
#[test]
fn idle_pins_make_room_for_others() {
    let Some((range, _)) = filled(&sigbus(0)) else { return };
    for unit in 0..UNITS {
        assert_eq!(pin(&range, unit, 1), Ok(()));
        assert!(unpin(&range, unit));
    }
    assert!(pinned_units(&range) <= 128);
    for unit in 0..UNITS {
        let expected = if unit < 128 { Ok(()) } else { Err(Errno::AGAIN) };
        assert_eq!(pin(&range, unit, 1), expected, "unit {unit}");
    }
    range.unpin_all();
    assert_eq!(pinned_units(&range), 0, "also those of which nobody said that they are over");
    assert!(!unpin(&range, 0));
}

#[test]
fn what_is_in_use_is_not_discarded() {
    let Some((range, words)) = filled(&sigbus(RESIDENT)) else { return };
    assert_eq!(pin(&range, 4, 2), Ok(()));
    assert!(matches!(range.discard(0, (8 * UNIT) as u64), Err(Error::Pinned)));
    let buffer = range.acquire().expect("a buffer");
    assert!(matches!(range.submit(buffer.as_ptr(), (5 * UNIT) as u64, UNIT), Err(Error::Pinned)));
    range.cancel(buffer.as_ptr()).expect("it is still the caller's");
    assert_eq!([3, 4, 5].map(|unit| words.get(unit * WORDS + 9)), [3, 4, 5].map(|unit| tame(unit, 9)));
    range.discard((6 * UNIT) as u64, UNIT as u64).expect("nobody uses that");
    assert!(unpin(&range, 4));
    range.discard(0, (8 * UNIT) as u64).expect("an idle pin is no use");
    assert_eq!((pinned_units(&range), words.get(4 * WORDS + 9)), (0, 0));
}

/// A unit that the pool has refused is dirty, but protected.
#[test]
fn what_the_pool_refused_is_writable() {
    let Some(range) = open(UNITS * UNIT, &Options { pool_max: (16 * UNIT) as u64, ..sigbus(16) }) else {
        return;
    };
    let words = Words::of(&range);
    let range = serve(range);
    for unit in 0..48 {
        (0..WORDS).for_each(|i| words.set(unit * WORDS + i, noise(unit, i)));
    }
    eventually("units above the limit stay", || range.stats().over_limit_bytes > 0);
    for unit in 0..48 {
        assert_eq!(pin(&range, unit, 1), Ok(()));
        assert!(words.writable(unit * WORDS + 3), "unit {unit}");
        assert!(unpin(&range, unit));
        assert_eq!((words.get(unit * WORDS + 3), words.get(unit * WORDS + 4)), (0, noise(unit, 4)));
    }
}

#[test]
fn a_pin_outlasts_the_hand_over() {
    let Some((range, words)) = filled(&sigbus(RESIDENT)) else { return };
    assert_eq!(pin(&range, 4, 2), Ok(()));
    let result = range.use_handlers();
    if let Err(Error::Forbidden) = result {
        eprintln!("SKIPPED, handlers need a privilege here");
        return;
    }
    result.expect("handlers can serve");
    press(words, 4..6);
    assert!(words.writable(4 * WORDS + 2) && words.get(5 * WORDS + 2) == tame(5, 2));
    assert!(words.readable(200 * WORDS), "handlers serve the kernel");
    assert_eq!(pinned_units(&range), 2);
    assert!(unpin(&range, 4));
}

#[test]
fn where_handlers_serve_units_can_be_pinned_too() {
    let Some(range) = open(UNITS * UNIT, &options(RESIDENT)) else { return };
    submit(&range, UNIT, 0, UNITS, tame);
    assert_eq!(pin(&range, 7, 9), Ok(()));
    let words = Words::of(&range);
    press(words, 7..16);
    assert_eq!((words.get(8 * WORDS), pinned_units(&range)), (tame(8, 0), 9));
    // Closed with pins: nothing waits for them.
}

/// Bug: writing back by hand stored what was pinned, too. It was protected then, and counted as pinned for ever.
#[test]
fn writing_back_by_hand_leaves_what_is_pinned() {
    let directory = tempfile::tempdir().expect("a directory for the file");
    let ssd = Some(SsdConfig::new(directory.path()));
    let Some((range, words)) = filled(&Options { ssd, ..sigbus(RESIDENT) }) else { return };
    assert_eq!(pin(&range, 4, 2), Ok(()));
    range.write_back(0, (UNITS * UNIT) as u64, WriteBack::All).expect("there is room");
    assert!(words.writable(4 * WORDS + 2) && words.get(5 * WORDS + 2) == tame(5, 2));
    assert!(unpin(&range, 4));
    range.unpin_all();
    assert_eq!(pinned_units(&range), 0);
}

/// Three arrays of which two fit, each used in turn: each use would bring all of one in again.
#[test]
fn pins_that_bring_in_too_much_say_so() {
    const ARRAY: usize = 240;
    let Some(range) = open(3 * ARRAY * UNIT, &sigbus(2 * ARRAY)) else { return };
    submit(&range, UNIT, 0, 3 * ARRAY, tame);
    range.drain();
    let handlers_pay = |array: usize| {
        let offset = (array * ARRAY * UNIT) as u64;
        let pinned = range.pin(offset, (ARRAY * UNIT) as u64).expect("it fits alone");
        assert!(range.unpin(offset));
        pinned.handlers_pay
    };
    assert!(!(0..500).any(|_| handlers_pay(0)), "one array that stays costs nothing");
    assert!((0..3000).any(|i| handlers_pay(i % 3)));
}
