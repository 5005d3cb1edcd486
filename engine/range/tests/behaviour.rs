//! The promises of a range, one per test.

mod common;

use std::ptr::NonNull;

use common::{UNIT, WORDS, Words, engine_threads, eventually, noise, open, options, submit, tame};
use rustix::mm::{MapFlags, ProtFlags};
use rustix::pipe::pipe;
use ztera_range::{BUFFER_LEN, Error, Options, Range};

/// Units that were just brought in may be above it for a moment.
fn keeps_to_its_limit(range: &Range) {
    eventually("the limit is kept to", || range.stats().resident_bytes <= range.stats().resident_limit);
}

#[test]
fn a_new_range_reads_as_zeros() {
    let Some(range) = open(64 * UNIT, &options(0)) else { return };
    let words = Words::of(&range);
    assert!((0..64 * WORDS).all(|i| words.get(i) == 0));
    assert_eq!(range.stats().fault_count, 64);
    assert_eq!(range.stats().units_stored, 0);
}

#[test]
fn clean_units_leave_without_being_compressed_again() {
    let Some(range) = open(256 * UNIT, &options(32)) else { return };
    submit(&range, UNIT, 0, 256, tame);
    range.drain();
    let words = Words::of(&range);
    for _ in 0..3 {
        (0..256).for_each(|unit| assert_eq!(words.get(unit * WORDS + 77), tame(unit, 77)));
    }
    let stats = range.stats();
    assert_eq!(stats.units_stored, 256, "nothing was stored a second time");
    assert_eq!((stats.evicted_dirty, stats.wp_fault_count), (0, 0));
    assert!(stats.evicted_clean >= 2 * 256);
    keeps_to_its_limit(&range);
}

#[test]
fn a_write_frees_the_compressed_copy_and_is_kept() {
    let Some(range) = open(256 * UNIT, &options(0)) else { return };
    submit(&range, UNIT, 0, 256, tame);
    range.drain();
    let words = Words::of(&range);
    // Write faults on missing units, and on units that a read has brought in. Backwards: nothing is read ahead.
    (0..128).rev().for_each(|unit| words.set(unit * WORDS, 1));
    let all = (256 * UNIT) as u64;
    let written = || range.census(0, all).expect("whole units").written;
    (128..256).rev().for_each(|unit| assert_eq!(words.get(unit * WORDS), tame(unit, 0)));
    eventually("who served the last fault is done", || written() == all / 2);
    (128..256).rev().for_each(|unit| words.set(unit * WORDS, words.get(unit * WORDS) + 1));
    eventually("who served the last fault is done", || written() == all);
    let stats = range.stats();
    assert_eq!((stats.fault_count, stats.wp_fault_count), (256, 128));
    assert_eq!((stats.orig_data_size, stats.mem_used_total), (0, 0));
    for unit in 0..256 {
        assert_eq!(words.get(unit * WORDS), if unit < 128 { 1 } else { tame(unit, 0) + 1 });
        assert_eq!(words.get(unit * WORDS + 1000), tame(unit, 1000));
    }
}

/// The host once counted all units that had no copy, and took data that nobody wrote to for hot ones.
#[test]
fn what_is_written_and_leaves_again_and_again_is_counted_where_it_is() {
    let Some(range) = open(512 * UNIT, &options(128)) else { return };
    submit(&range, UNIT, 0, 512, tame);
    range.drain();
    let words = Words::of(&range);
    let half = (256 * UNIT) as u64;
    let rewritten = |offset| range.census(offset, half).expect("whole units").rewritten;
    for round in 0..4 {
        (0..256).rev().for_each(|unit| words.set(unit * WORDS, round));
        (256..512).rev().for_each(|unit| assert_eq!(words.get(unit * WORDS), tame(unit, 0)));
    }
    eventually("the first half has left memory", || rewritten(0) >= 2 * half);
    assert_eq!(rewritten(half), 0, "nobody writes to the other");
    range.discard(0, half).expect("whole units");
    assert_eq!(rewritten(0), 0, "what is gone is not counted");
}

#[test]
fn a_reader_in_order_finds_the_next_units_there() {
    let Some(range) = open(256 * UNIT, &options(0)) else { return };
    submit(&range, UNIT, 0, 256, tame);
    range.drain();
    let words = Words::of(&range);
    let read = |units: std::ops::Range<usize>| {
        units.for_each(|unit| assert_eq!(words.get(unit * WORDS + 7), tame(unit, 7)));
    };
    // A quarter of a MiB in order comes first: no SSD is waited for.
    read(0..17);
    // Each fault on the first unit of what is wanted next brings in twice as many behind that, while the others are there.
    let mut read_ahead = 3;
    for (faults, (fault, ahead)) in (18..).zip([(17, 7), (21, 15), (29, 16), (45, 16)]) {
        eventually("the next units are there", || range.stats().read_ahead_units == read_ahead);
        read(fault..fault + 1);
        read_ahead += ahead;
        let there = if fault == 17 { 18..21 } else { fault + 1..fault + 8 };
        read(there);
        assert_eq!(range.stats().fault_count, faults);
    }
    eventually("the next units are there", || range.stats().read_ahead_units == read_ahead);
    // Nothing is read ahead for a reader that leaves units out.
    let before = range.stats();
    (100..200).step_by(2).for_each(|unit| read(unit..unit + 1));
    let after = range.stats();
    assert_eq!(after.fault_count - before.fault_count, 50);
    assert_eq!(after.read_ahead_units, before.read_ahead_units);
}

#[test]
fn dirty_units_survive_eviction() {
    let Some(range) = open(512 * UNIT, &options(16)) else { return };
    let words = Words::of(&range);
    for round in 1..4 {
        for unit in 0..512 {
            assert_eq!(words.get(unit * WORDS + 5), (round - 1) * unit as u64);
            words.set(unit * WORDS + 5, round * unit as u64);
        }
    }
    let stats = range.stats();
    assert!(stats.evicted_dirty >= 512);
    keeps_to_its_limit(&range);
    assert_eq!(stats.over_limit_bytes, 0);
}

#[test]
fn system_calls_may_use_the_range() {
    let Some(range) = open(256 * UNIT, &options(8)) else { return };
    submit(&range, UNIT, 0, 256, noise);
    range.drain();
    let words = Words::of(&range);
    let (reader, writer) = pipe().expect("a pipe");
    for unit in 0..255 {
        // Across the border of two units, neither of which is resident.
        let at = (unit + 1) * WORDS - 64;
        // SAFETY: inside the range.
        let source = unsafe { std::slice::from_raw_parts(words.pointer(at).cast::<u8>(), 1024) };
        assert_eq!(rustix::io::write(&writer, source), Ok(1024));
        // SAFETY: inside the range, and nobody else uses it.
        let target =
            unsafe { std::slice::from_raw_parts_mut(words.pointer((255 - unit) * WORDS).cast::<u8>(), 1024) };
        let (from, to) = (words.get(at), words.get((255 - unit) * WORDS + 500));
        assert_eq!(rustix::io::read(&reader, &mut *target), Ok(1024));
        assert_eq!(words.get((255 - unit) * WORDS), from);
        assert_eq!(words.get((255 - unit) * WORDS + 500), to);
    }
}

#[test]
fn a_full_pool_keeps_units_in_memory_until_something_is_freed() {
    let limits = Options { pool_max: (32 * UNIT) as u64, ..options(16) };
    let Some(range) = open(256 * UNIT, &limits) else { return };
    assert_eq!(range.room(), Some((32 * UNIT) as u64));
    submit(&range, UNIT, 0, 256, noise);
    range.drain();
    let words = Words::of(&range);
    (0..256).for_each(|unit| assert_eq!(words.get(unit * WORDS + 9), noise(unit, 9)));
    assert_eq!(range.stats().mem_used_total, (32 * UNIT) as u64);
    // The evictor may be at a unit while they are read.
    eventually("what is above the limit is told", || {
        let stats = range.stats();
        stats.over_limit_bytes > 0 && stats.over_limit_bytes == stats.resident_bytes - stats.resident_limit
    });

    // Units just written get a second chance, so the evictor's first round finds nothing to evict.
    (224..256).for_each(|unit| words.set(unit * WORDS + 9, unit as u64));
    range.discard(0, (224 * UNIT) as u64).expect("whole units");
    // The rest fits into pool and limit together; the evictor finds out by itself.
    eventually("resident memory is within its limit", || {
        let stats = range.stats();
        stats.resident_bytes <= stats.resident_limit && stats.over_limit_bytes == 0
    });
    (224..256).for_each(|unit| assert_eq!(words.get(unit * WORDS + 9), unit as u64));
}

#[test]
fn discard_works_in_every_state() {
    let Some(range) = open(128 * UNIT, &options(64)) else { return };
    let words = Words::of(&range);
    submit(&range, UNIT, 0, 64, tame);
    range.drain();
    words.get(0); // resident, clean
    words.set(WORDS, 1); // resident, dirty
    words.get(100 * WORDS); // resident, empty
    submit(&range, UNIT, 64, 30, tame); // staged, or stored by now
    range.discard(0, (128 * UNIT) as u64).expect("whole units");
    range.drain();
    let stats = range.stats();
    assert_eq!((stats.resident_bytes, stats.orig_data_size, stats.mem_used_total), (0, 0, 0));
    assert_eq!(stats.discarded_units, 94);
    assert!((0..128).all(|unit| words.get(unit * WORDS + 3) == 0));
}

#[test]
fn a_taken_over_reservation_comes_back() {
    let len = 64 * UNIT;
    let flags = MapFlags::PRIVATE | MapFlags::NORESERVE;
    // SAFETY: a new mapping at an address of the kernel's choice.
    let base = unsafe { rustix::mm::mmap_anonymous(std::ptr::null_mut(), len, ProtFlags::empty(), flags) };
    let base = NonNull::new(base.expect("address space").cast::<u8>()).expect("not null");
    let readable = || {
        let (_reader, writer) = pipe().expect("a pipe");
        // SAFETY: the kernel checks the address; nothing is read by this program.
        unsafe { libc::write(std::os::fd::AsRawFd::as_raw_fd(&writer), base.as_ptr().cast(), 1) == 1 }
    };
    for _ in 0..3 {
        // SAFETY: our own reservation, which we leave alone.
        match unsafe { Range::open_at(base, len, &options(8)) } {
            Ok(range) => {
                assert_eq!(range.base(), base.as_ptr());
                submit(&range, UNIT, 0, 64, tame);
                assert_eq!(Words::of(&range).get(63 * WORDS), tame(63, 0));
            }
            Err(Error::Unsupported(_)) => return drop(open(len, &options(8))),
            Err(error) => panic!("cannot open a range: {error}"),
        }
        assert!(!readable(), "the reservation is PROT_NONE again");
    }
    // SAFETY: as above.
    let refused = unsafe { Range::open_at(base, len, &Options { unit_size: 100, ..options(8) }) };
    assert!(matches!(refused.err(), Some(Error::Invalid(_))) && !readable());
}

#[test]
fn a_forked_child_does_not_disturb() {
    let Some(range) = open(64 * UNIT, &options(8)) else { return };
    submit(&range, UNIT, 0, 64, tame);
    let words = Words::of(&range);
    for unit in 0..64 {
        let child = std::process::Command::new("true").status().expect("a child process");
        assert!(child.success());
        words.set(unit * WORDS, words.get(unit * WORDS) + 1);
    }
    (0..64).for_each(|unit| assert_eq!(words.get(unit * WORDS), tame(unit, 0) + 1));
}

#[test]
fn engine_threads_take_no_signals() {
    let Some(range) = open(64 * UNIT, &options(8)) else { return };
    // A thread has its name only once it runs.
    eventually("there are 2 handlers, 2 workers and an evictor", || engine_threads().len() >= 5);
    for (tid, name) in engine_threads() {
        let blocked = status_field(&tid, "SigBlk:");
        if blocked.is_empty() {
            continue; // a thread of another test that has just ended
        }
        let mask = u64::from_str_radix(&blocked, 16).expect("a mask in hex");
        for signal in
            [libc::SIGTERM, libc::SIGINT, libc::SIGUSR1, libc::SIGUSR2, libc::SIGPROF, libc::SIGCHLD]
        {
            assert!(mask & 1 << (signal - 1) != 0, "{name} takes signal {signal}");
        }
        assert!(mask & 1 << (libc::SIGSEGV - 1) == 0, "{name}: a crash must show as one");
    }
    drop(range);
}

#[test]
fn nothing_runs_when_nothing_is_to_be_done() {
    let Some(range) = open(512 * UNIT, &options(16)) else { return };
    let words = Words::of(&range);
    submit(&range, UNIT, 0, 512, tame);
    for unit in 0..512 {
        words.set(unit * WORDS, words.get(unit * WORDS) + 1);
    }
    range.drain();
    // A thread that polls would run again between two samples, however long one waits. Other tests in
    // this process have engine threads too, but each comes to rest when its test ends.
    let sample = || -> Vec<(String, String)> {
        let runs = |tid: &String| {
            ["voluntary_ctxt_switches:", "nonvoluntary_ctxt_switches:"]
                .map(|field| status_field(tid, field))
                .join("+")
        };
        engine_threads().iter().map(|(tid, _)| (tid.clone(), runs(tid))).collect()
    };
    eventually("no engine thread runs for 200 ms", || {
        let before = sample();
        std::thread::sleep(std::time::Duration::from_millis(200));
        !before.is_empty() && sample() == before
    });
    assert_eq!(words.get(5 * WORDS), tame(5, 0) + 1);
}

fn status_field(tid: &str, field: &str) -> String {
    let status = std::fs::read_to_string(format!("/proc/self/task/{tid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(field));
    line.unwrap_or_default().trim().to_owned()
}

#[test]
fn more_producers_than_staging_buffers() {
    let limits = Options { staging_limit: BUFFER_LEN as u64, workers: 1, ..options(16) };
    let Some(range) = open(8 * 4 * BUFFER_LEN, &limits) else { return };
    std::thread::scope(|scope| {
        for producer in 0..8 {
            let range = &range;
            let units = 4 * BUFFER_LEN / UNIT;
            scope.spawn(move || submit(range, UNIT, producer * units, units, tame));
        }
    });
    range.drain();
    let words = Words::of(&range);
    (0..8 * 4 * BUFFER_LEN / UNIT).for_each(|unit| assert_eq!(words.get(unit * WORDS + 2), tame(unit, 2)));
}

#[test]
fn arguments_that_cannot_be_are_refused() {
    let refused = |len, options| matches!(Range::open(len, &options).err(), Some(Error::Invalid(_)));
    assert!(refused(0, options(0)));
    assert!(refused(UNIT + 4096, options(0)));
    assert!(refused(UNIT, Options { unit_size: 0, ..options(0) }));
    assert!(refused(UNIT, Options { unit_size: 12288, ..options(0) }));
    assert!(refused(UNIT, Options { unit_size: 1 << 20, ..options(0) }));
    assert!(refused(UNIT, Options { pool_max: 1000, ..options(0) }));
    assert!(refused(UNIT, Options { workers: 1 << 20, ..options(0) }));
}
