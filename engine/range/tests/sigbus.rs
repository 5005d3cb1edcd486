//! Threads that serve their own faults.

mod common;

use std::sync::atomic::Ordering;

use common::{
    Served, UNIT, WORDS, Words, engine_threads, eventually, noise, open, options, serve, submit, tame,
};
use rustix::io::Errno;
use rustix::pipe::pipe;
use ztera_kit::sigbus::LOST;
use ztera_range::{FaultMode, Options};

fn sigbus(resident: usize) -> Options {
    Options { fault_mode: FaultMode::Sigbus, ..options(resident) }
}

fn filled(units: usize, resident: usize) -> Option<(Served, Words)> {
    let range = open(units * UNIT, &sigbus(resident))?;
    submit(&range, UNIT, 0, units, tame);
    range.drain();
    let words = Words::of(&range);
    Some((serve(range), words))
}

#[test]
fn whoever_faults_serves_itself() {
    let Some((range, words)) = filled(256, 32) else { return };
    for round in 0..3 {
        // Backwards: nothing is read ahead.
        for unit in (0..256).rev() {
            let expected = if round > 0 && unit % 3 == 0 { 7 } else { tame(unit, 9) };
            assert_eq!(words.get(unit * WORDS + 9), expected);
            if unit % 3 == 0 {
                words.set(unit * WORDS + 9, 7);
            }
        }
    }
    let stats = range.stats();
    // Some come back from the queue's end before they are evicted.
    assert!(stats.fault_count > 600, "{stats:?}");
    assert!(stats.wp_fault_count >= 86, "{stats:?}");
    assert!(stats.evicted_dirty > 0 && stats.evicted_clean > 0, "{stats:?}");
    eventually("the limit is kept to", || range.stats().resident_bytes <= range.stats().resident_limit);
    assert_eq!(LOST.load(Ordering::Relaxed), 0);
}

#[test]
fn threads_of_the_range_read_ahead() {
    let Some((range, words)) = filled(256, 0) else { return };
    let read = |unit: usize| assert_eq!(words.get(unit * WORDS + 7), tame(unit, 7));
    // A quarter of a MiB in order comes first: no SSD is waited for.
    (0..16).for_each(read);
    assert_eq!(range.stats().read_ahead_units, 0);
    read(16);
    eventually("the next units are there", || range.stats().read_ahead_units == 3);
    read(17);
    eventually("twice as many", || range.stats().read_ahead_units == 10);
    (0..21).for_each(read);
    (22..29).for_each(read);
    assert_eq!(range.stats().fault_count, 18);
}

#[test]
fn a_system_call_is_refused_until_handlers_serve() {
    let Some((range, words)) = filled(256, 32) else { return };
    let (reader, writer) = pipe().expect("a pipe");
    let write = |unit: usize| {
        // SAFETY: inside the range; the kernel checks what is mapped.
        let bytes = unsafe { std::slice::from_raw_parts(words.pointer(unit * WORDS).cast::<u8>(), 8) };
        rustix::io::write(&writer, bytes)
    };
    assert_eq!(write(200), Err(Errno::FAULT));
    // Dirty units in memory and out of it, and clean ones.
    (0..64).for_each(|unit| words.set(unit * WORDS, noise(unit, 0)));
    assert_eq!(words.get(100 * WORDS), tame(100, 0));

    range.use_handlers().expect("threads and a descriptor");
    for unit in 0..256 {
        assert_eq!(write(unit), Ok(8));
        let mut bytes = [0; 8];
        assert_eq!(rustix::io::read(&reader, &mut bytes), Ok(8));
        let expected = if unit < 64 { noise(unit, 0) } else { tame(unit, 0) };
        assert_eq!(u64::from_ne_bytes(bytes), expected, "unit {unit}");
    }
    // A clean unit is protected again: what is written to it is not lost when it leaves.
    words.set(100 * WORDS, 5);
    (101..256).for_each(|unit| assert_eq!(words.get(unit * WORDS), tame(unit, 0)));
    assert_eq!(words.get(100 * WORDS), 5);
    assert!(range.use_handlers().is_err(), "it was done");
}

#[test]
fn only_faults_of_the_range_are_served() {
    let Some((range, words)) = filled(16, 0) else { return };
    let base = range.base().addr();
    assert!(!range.serve_fault(base - 1, false) && !range.serve_fault(base + 16 * UNIT, true));
    assert!(range.serve_fault(base + 3 * UNIT + 5, false), "as good as an access");
    assert_eq!((words.get(3 * WORDS), range.stats().fault_count), (tame(3, 0), 1));
    let Some(other) = open(16 * UNIT, &options(0)) else { return };
    assert!(!other.serve_fault(other.base().addr(), false), "handlers serve it");
    assert!(other.use_handlers().is_err());
    // A thread names itself, once it runs.
    eventually("it has its threads", || {
        engine_threads().iter().any(|(_, name)| name.starts_with("zt-ahead"))
    });
}
