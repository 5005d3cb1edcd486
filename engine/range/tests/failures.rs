//! The range, where something below it fails: no data is lost, nobody sees wrong bytes, and the
//! error says what it was. A failure that cannot be put right ends the process, at once and with a reason.

mod common;

use std::thread;
use std::time::Duration;

use common::{UNIT, WORDS, Words, eventually, noise, open, options, serve, submit, tame};
use libc::{EAGAIN, EEXIST, ENOMEM};
use ztera_fail::{Failure, Scenario};
use ztera_range::{BUFFER_LEN, Error, FaultMode, Options, Range};

/// Memory ran out between two pages of a unit that a writer waited for. The writer was let go with the
/// first page, and wrote to it; then the whole unit was unmapped as "pages that should not be there"
/// and installed anew, without what had been written.
#[test]
fn memory_that_comes_late_loses_no_write() {
    let scenario = Scenario::begin();
    let Some(range) = open(64 * UNIT, &options(0)) else { return };
    submit(&range, UNIT, 0, 64, tame);
    range.drain();
    let words = Words::of(&range);
    for unit in (0..64).step_by(8) {
        scenario.fail("uffd.copy.short", Failure::Errno(0)).times(1);
        scenario.fail("uffd.copy", Failure::Errno(ENOMEM)).after(1).times(100);
        words.set(unit * WORDS + 3, 42);
        // Waits for the last page.
        assert_eq!(words.get(unit * WORDS + WORDS - 1), tame(unit, WORDS - 1));
        assert_eq!((scenario.failed("uffd.copy.short"), scenario.failed("uffd.copy")), (1, 100));
        assert_eq!(words.get(unit * WORDS + 3), 42, "unit {unit}");
        scenario.mend();
    }
}

/// Each wait for memory counted as a page that should not be there: after three of them, the first such page ended the
/// process.
#[test]
fn memory_that_comes_late_takes_no_patience_for_stray_pages() {
    let scenario = Scenario::begin();
    let Some(range) = open(64 * UNIT, &options(0)) else { return };
    submit(&range, UNIT, 0, 64, tame);
    range.drain();
    scenario.fail("uffd.copy", Failure::Errno(ENOMEM)).times(20);
    scenario.fail("uffd.copy", Failure::Errno(EEXIST)).times(3);
    scenario.fail("uffd.copy", Failure::Errno(ENOMEM)).times(20);
    assert_eq!(Words::of(&range).get(9 * WORDS), tame(9, 0));
    assert_eq!(scenario.failed("uffd.copy"), 43);
}

#[test]
fn what_the_kernel_asks_to_try_again_is_tried_again() {
    let scenario = Scenario::begin();
    let Some(range) = open(64 * UNIT, &options(4)) else { return };
    submit(&range, UNIT, 0, 64, tame);
    for (point, errno, times) in
        [("uffd.copy", EAGAIN, 500), ("uffd.protect", EAGAIN, 500), ("uffd.copy", EEXIST, 3)]
    {
        let words = Words::of(&range);
        scenario.fail(point, Failure::Errno(errno)).times(times);
        for round in 0..3 {
            for unit in 0..64 {
                let before = words.get(unit * WORDS + 7);
                assert_eq!(words.get(unit * WORDS + 900), tame(unit, 900), "round {round}");
                words.set(unit * WORDS + 7, before + 1);
            }
        }
        assert_eq!(scenario.failed(point), times);
        scenario.mend();
    }
    let words = Words::of(&range);
    (0..64).for_each(|unit| assert_eq!(words.get(unit * WORDS + 7), tame(unit, 7) + 9));
}

/// A madvise or an ioctl that the kernel refused for a moment ended the process.
///
/// Situation: failing devices: the kernel refuses madvise and calls of userfaultfd for a moment. Outcome: the right bytes.
#[test]
fn what_the_kernel_refuses_for_a_moment_is_tried_again() {
    let scenario = Scenario::begin();
    for errno in [EAGAIN, ENOMEM] {
        for point in ["uffd.register", "memory.advise"] {
            scenario.fail(point, Failure::Errno(errno)).times(3);
        }
        let sigbus = Options { fault_mode: FaultMode::Sigbus, ..options(4) };
        let Some(range) = open(64 * UNIT, &sigbus) else { return };
        let range = serve(range);
        submit(&range, UNIT, 0, 64, tame);
        range.drain();
        for point in ["uffd.copy", "uffd.protect", "uffd.unregister", "memory.drop"] {
            scenario.fail(point, Failure::Errno(errno)).times(3);
        }
        let words = Words::of(&range);
        (0..64).for_each(|unit| words.set(unit * WORDS + 1, words.get(unit * WORDS + 1) + 1));
        (0..64).for_each(|unit| assert_eq!(words.get(unit * WORDS + 1), tame(unit, 1) + 1));
        range.use_handlers().expect("the kernel has refused for a moment only");
        scenario.fail("uffd.poison", Failure::Errno(errno)).times(3);
        scenario.fail("codec.unpack", Failure::Errno(0));
        // The first units are the first that have left.
        assert!(!words.readable(0), "it is lost");
        range.discard(0, 64 * UNIT as u64).expect("whole units");
        assert_eq!(words.get(9), 0);
        let points = ["uffd.register", "memory.advise", "uffd.copy", "uffd.protect", "uffd.unregister"];
        for point in points.into_iter().chain(["memory.drop", "uffd.poison"]) {
            assert_eq!(scenario.failed(point), 3, "{point} {errno}");
        }
        scenario.mend();
    }
}

#[test]
fn a_codec_that_fails_to_compress_leaves_units_as_they_are() {
    let scenario = Scenario::begin();
    let Some(range) = open(64 * UNIT, &options(4)) else { return };
    scenario.fail("codec.pack", Failure::Errno(0));
    submit(&range, UNIT, 0, 64, tame);
    range.drain();
    assert_eq!(range.stats().huge_pages, 64 * 4);
    let words = Words::of(&range);
    for unit in 0..64 {
        words.set(unit * WORDS + 1, words.get(unit * WORDS + 1) + 1);
    }
    for unit in 0..64 {
        assert_eq!(words.get(unit * WORDS + 1), tame(unit, 1) + 1);
        assert_eq!(words.get(unit * WORDS + 2), tame(unit, 2));
    }
}

/// 64 units in the pool, of which half may be resident.
fn half_resident() -> Option<Range> {
    let range = open(64 * UNIT, &options(32))?;
    submit(&range, UNIT, 0, 64, tame);
    range.drain();
    Some(range)
}

/// The access that needs lost contents fails, no other one does, and the unit can be used again after
/// it was discarded. Also when the kernel is busy at first.
#[test]
fn contents_that_cannot_be_decoded_fail_one_access() {
    let scenario = Scenario::begin();
    let Some(range) = half_resident() else { return };
    let words = Words::of(&range);
    scenario.fail("codec.unpack", Failure::Errno(0)).times(1);
    scenario.fail("uffd.poison", Failure::Errno(EAGAIN)).times(20);
    assert_eq!(range.last_loss(str::to_owned), None);
    assert!(!words.readable(5 * WORDS + 9), "the unit is lost");
    assert_eq!((scenario.failed("codec.unpack"), scenario.failed("uffd.poison")), (1, 20));
    let loss = range.last_loss(str::to_owned).expect("the host can ask why");
    let place = format!("unit 5 at {:#x} cannot be read: ", range.base().addr() + 5 * UNIT);
    assert!(loss.len() > place.len() && loss.starts_with(&place), "{loss}");
    assert!(!words.readable(5 * WORDS + WORDS - 1), "all of it, and for good");
    (0..64).filter(|&unit| unit != 5).for_each(|unit| assert_eq!(words.get(unit * WORDS), tame(unit, 0)));
    range.discard(5 * UNIT as u64, UNIT as u64).expect("whole units");
    assert_eq!(words.get(5 * WORDS + 9), 0);
    words.set(5 * WORDS + 9, 3);
    assert_eq!(words.get(5 * WORDS + 9), 3);
}

/// A thread met the poison before the reason was noted, and its host found none.
#[test]
fn the_reason_is_there_before_the_poison() {
    let scenario = Scenario::begin();
    let Some(range) = half_resident() else { return };
    let words = Words::of(&range);
    scenario.fail("codec.unpack", Failure::Errno(0)).times(1);
    scenario.fail("uffd.poison", Failure::Delay(Duration::from_millis(500))).times(1);
    thread::scope(|scope| {
        let reader = scope.spawn(|| words.readable(5 * WORDS));
        eventually("the pages are about to be poisoned", || scenario.failed("uffd.poison") == 1);
        assert!(range.last_loss(str::to_owned).is_some_and(|loss| loss.starts_with("unit 5 at ")));
        assert!(!reader.join().expect("no panic"));
    });
}

/// A write that was on its way while the contents turned out to be lost made the unit one that had been written to: what
/// the pool had was forgotten, and the evictor, which read the poisoned pages to compress them, ended the process.
#[test]
fn a_write_on_its_way_to_lost_contents_fails_like_the_read() {
    let scenario = Scenario::begin();
    let Some(range) = open(64 * UNIT, &Options { fault_threads: 2, ..options(8) }) else { return };
    submit(&range, UNIT, 0, 64, tame);
    range.drain();
    let words = Words::of(&range);
    (32..64).for_each(|unit| assert_eq!(words.get(unit * WORDS), tame(unit, 0)));
    scenario.fail("codec.unpack", Failure::Errno(0)).times(1);
    scenario.fail("uffd.poison", Failure::Delay(Duration::from_millis(500))).times(1);
    thread::scope(|scope| {
        let reader = scope.spawn(|| words.readable(5 * WORDS));
        eventually("the contents are lost", || scenario.failed("codec.unpack") == 1);
        assert!(!words.writable(5 * WORDS + 9), "so is what is written there");
        assert!(!reader.join().expect("no panic"));
    });
    (0..64).filter(|&unit| unit != 5).for_each(|unit| assert_eq!(words.get(unit * WORDS), tame(unit, 0)));
    eventually("the unit is evicted, and comes back with what the pool has", || words.readable(5 * WORDS));
    assert_eq!(words.get(5 * WORDS + 9), tame(5, 9));
}

/// The same where threads serve themselves: on a kernel that reports the poisoned page like one that is not there, they tried
/// again for ever.
#[test]
fn contents_that_cannot_be_decoded_are_told_to_who_serves_itself() {
    let scenario = Scenario::begin();
    let sigbus = Options { fault_mode: FaultMode::Sigbus, ..options(32) };
    let Some(range) = open(64 * UNIT, &sigbus) else { return };
    let range = serve(range);
    submit(&range, UNIT, 0, 64, tame);
    range.drain();
    let (words, lost) = (Words::of(&range), range.base().addr() + 5 * UNIT + 9);
    scenario.fail("codec.unpack", Failure::Errno(0)).times(1);
    assert!(!range.serve_fault(lost, false), "the unit is lost");
    assert!(
        !range.serve_fault(lost, true) && !range.serve_fault(lost + UNIT - 10, false),
        "all of it, and for good"
    );
    (0..64).filter(|&unit| unit != 5).for_each(|unit| assert_eq!(words.get(unit * WORDS), tame(unit, 0)));
    range.discard(5 * UNIT as u64, UNIT as u64).expect("whole units");
    assert_eq!(words.get(5 * WORDS + 9), 0);
    assert!(range.serve_fault(lost, true), "it is as good as any other");
    words.set(5 * WORDS + 9, 3);
    assert_eq!(words.get(5 * WORDS + 9), 3);
}

#[test]
fn a_pool_that_refuses_keeps_everything_in_memory() {
    let scenario = Scenario::begin();
    let Some(range) = open(128 * UNIT, &Options { pool_max: 32 * UNIT as u64, ..options(8) }) else {
        return;
    };
    scenario.fail("pool.store", Failure::Errno(0));
    submit(&range, UNIT, 0, 128, noise);
    range.drain();
    let words = Words::of(&range);
    (0..128).for_each(|unit| words.set(unit * WORDS, words.get(unit * WORDS) ^ 1));
    (0..128).for_each(|unit| {
        assert_eq!(words.get(unit * WORDS), noise(unit, 0) ^ 1);
        assert_eq!(words.get(unit * WORDS + 1), noise(unit, 1));
    });
    assert!(range.stats().resident_bytes > range.stats().resident_limit);
    scenario.mend();
    // The rest fits; nobody touches it, so the evictor does it alone.
    range.discard(32 * UNIT as u64, 96 * UNIT as u64).expect("whole units");
    eventually("resident memory is within its limit", || {
        let stats = range.stats();
        stats.resident_bytes <= stats.resident_limit
    });
    (0..32).for_each(|unit| assert_eq!(words.get(unit * WORDS), noise(unit, 0) ^ 1));
}

#[test]
fn a_staging_buffer_that_cannot_be_had_is_an_error_and_leaves_no_trace() {
    let scenario = Scenario::begin();
    let Some(range) = open(64 * UNIT, &options(0)) else { return };
    scenario.fail("staging.map", Failure::Errno(ENOMEM)).times(3);
    for _ in 0..3 {
        match range.acquire() {
            Err(Error::System(_, error)) => assert_eq!(error.raw_os_error(), Some(ENOMEM)),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(range.stats().staging_bytes, 0);
    submit(&range, UNIT, 0, 64, tame);
    range.drain();
    assert_eq!(range.stats().staging_bytes, BUFFER_LEN as u64);
    assert_eq!(Words::of(&range).get(63 * WORDS), tame(63, 0));
}

/// A thread that moves data waits for slow workers only when memory is in use.
#[test]
fn staging_buffers_take_no_memory_that_resident_units_use() {
    const MIB: usize = 1 << 20;
    const SUBMITTED: usize = 16 * MIB / UNIT;
    let scenario = Scenario::begin();
    let limits = Options {
        resident_min: MIB as u64,
        pool_max: 31 * MIB as u64,
        dram_max: 32 * MIB as u64,
        staging_limit: MIB as u64,
        workers: 1,
        ..options(0)
    };
    let Some(range) = open(64 * MIB, &limits) else { return };
    let mut staged = Vec::new();
    for _ in 0..2 {
        scenario.fail("worker.job", Failure::Delay(Duration::from_secs(4))).times(1);
        submit(&range, UNIT, 0, SUBMITTED, tame);
        let stats = range.stats();
        let taken = stats.resident_bytes + stats.staging_bytes + stats.mem_used_total;
        assert!(taken <= 34 * MIB as u64, "{taken} bytes of 32 MiB");
        staged.push(stats.staged_bytes / UNIT as u64);
        range.drain();
        // Memory that was never written reads as zeros, and is resident then.
        let words = Words::of(&range);
        (SUBMITTED..SUBMITTED + 28 * MIB / UNIT).for_each(|unit| assert_eq!(words.get(unit * WORDS), 0));
    }
    assert_eq!(staged[0], 0, "there was memory for all of it");
    assert!(staged[1] <= SUBMITTED as u64 / 2, "resident units had it: {} units are staged", staged[1]);
    assert_eq!(Words::of(&range).get(7 * WORDS), tame(7, 0));
}

/// Descriptors and mappings of this process, and threads of the engine.
fn possessions() -> (usize, usize, usize) {
    let count = |dir: &str| std::fs::read_dir(dir).expect("proc is mounted").count();
    let maps = std::fs::read_to_string("/proc/self/maps").expect("proc is mounted");
    let anonymous = maps.lines().filter(|line| line.split_whitespace().count() == 5).count();
    (count("/proc/self/fd"), anonymous, common::engine_threads().len())
}

/// The caller gets an error for all that fails while a range is opened, and nothing is left behind. (Tables
/// that did not fit used to end the process.)
#[test]
fn a_range_that_cannot_be_opened_leaves_nothing() {
    let scenario = Scenario::begin();
    // The first one starts what the process keeps anyway.
    let Some(range) = open(64 * UNIT, &options(8)) else { return };
    drop(range);
    let points = ["pool.map", "pool.table", "store.table", "memory.map", "uffd.register"];
    let threads = (0..5).map(|n| ("thread.spawn", n));
    for (point, after) in points.into_iter().map(|point| (point, 0)).chain(threads) {
        let before = possessions();
        scenario.fail(point, Failure::Errno(ENOMEM)).after(after);
        match Range::open(64 * UNIT, &options(8)).map(|_| ()) {
            Err(Error::System(_, error)) => {
                assert_eq!(error.kind(), std::io::ErrorKind::OutOfMemory, "{point}")
            }
            other => panic!("{point}: {other:?}"),
        }
        scenario.mend();
        // The kernel lists a thread for a moment after others have seen it end.
        eventually("its threads have ended", || possessions().2 == before.2);
        let (fds, maps, threads) = possessions();
        assert_eq!((fds, threads), (before.0, before.2), "after {point} {after}");
        // Stacks of threads that have ended may be kept for the next ones.
        assert!(maps <= before.1 + 2 * 6, "{maps} mappings after {point}, {} before", before.1);
    }
    let range = open(64 * UNIT, &options(8)).expect("it worked before");
    assert_eq!(Words::of(&range).get(77), 0);
}

/// A switch for which there were not enough threads could never be made again: the next try was told that it was done.
#[test]
fn a_switch_to_handlers_that_fails_can_be_tried_again() {
    let scenario = Scenario::begin();
    let sigbus = Options { fault_mode: FaultMode::Sigbus, fault_threads: 2, ..options(8) };
    let Some(range) = open(64 * UNIT, &sigbus) else { return };
    submit(&range, UNIT, 0, 64, tame);
    range.drain();
    let words = Words::of(&range);
    let range = serve(range);
    scenario.fail("thread.spawn", Failure::Errno(EAGAIN)).after(1).times(1);
    assert!(matches!(range.use_handlers(), Err(Error::System { .. })), "there is one thread");
    (0..64).for_each(|unit| assert_eq!(words.get(unit * WORDS), tame(unit, 0)));
    scenario.fail("uffd.unregister", Failure::Errno(ENOMEM)).times(1100);
    assert!(matches!(range.use_handlers(), Err(Error::System { .. })), "the mapping cannot be cut in two");
    (0..64).for_each(|unit| assert_eq!(words.get(unit * WORDS), tame(unit, 0)));
    range.use_handlers().expect("threads, a descriptor and a mapping");
    (0..64).for_each(|unit| assert!(words.readable(unit * WORDS), "unit {unit}"));
    assert!(matches!(range.use_handlers(), Err(Error::Invalid(_))), "it is done");
}

/// The JVM has code that reads first and asks then whether it may: while handlers take over, it reads zeros and does not use
/// them. They were left mapped, for others to read.
#[test]
fn reads_while_handlers_take_over_leave_nothing() {
    let scenario = Scenario::begin();
    let Some(range) = open(64 * UNIT, &Options { fault_mode: FaultMode::Sigbus, ..options(8) }) else {
        return;
    };
    submit(&range, UNIT, 0, 64, tame);
    range.drain();
    let words = Words::of(&range);
    let range = serve(range);
    words.set(5 * WORDS, 5);
    scenario.fail("uffd.register", Failure::Delay(Duration::from_millis(500))).times(1);
    thread::scope(|scope| {
        let reader = scope.spawn(|| {
            eventually("handlers are taking over", || scenario.failed("uffd.register") == 1);
            (0..64).filter(|unit| words.get(unit * WORDS) == 0).count()
        });
        range.use_handlers().expect("threads and a descriptor");
        assert!(reader.join().expect("a count") > 50, "zeros were read meanwhile");
    });
    for unit in 0..64 {
        assert_eq!(words.get(unit * WORDS), if unit == 5 { 5 } else { tame(unit, 0) }, "unit {unit}");
    }
}

/// A program that locks its memory (`mlockall`) found itself ended by the first eviction: the kernel
/// refuses to unmap locked pages, unless asked in another way.
#[test]
fn locked_memory_keeps_to_its_limit_too() {
    let _scenario = Scenario::begin();
    let Some(range) = open(64 * UNIT, &options(8)) else { return };
    submit(&range, UNIT, 0, 64, tame);
    range.drain();
    let words = Words::of(&range);
    // SAFETY: locking changes nothing that this program can see.
    let locked = unsafe { libc::mlock(words.pointer(0).cast(), 64 * UNIT) };
    assert_eq!(locked, 0, "{}", std::io::Error::last_os_error());
    for unit in 0..64 {
        words.set(unit * WORDS + 1, words.get(unit * WORDS + 1) + 1);
    }
    (0..64).for_each(|unit| assert_eq!(words.get(unit * WORDS + 1), tame(unit, 1) + 1));
    // Units that were just brought in may be above it for a moment.
    eventually("the limit is kept to", || range.stats().resident_bytes <= range.stats().resident_limit);
    range.discard(0, 64 * UNIT as u64).expect("whole units");
    assert_eq!((words.get(9), range.stats().mem_used_total), (0, 0));
}
