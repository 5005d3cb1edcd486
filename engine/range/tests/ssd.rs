//! The third tier: what the pool has no room for goes to SSD, coldest first, and comes back.

mod common;

use std::path::Path;

use common::{Random, UNIT, WORDS, Words, eventually, noise, open, options, submit, tame};
use libc::{EIO, ENOSPC};
use tempfile::TempDir;
use ztera_fail::{Failure, Scenario};
use ztera_range::{Options, Range, SsdConfig, Stats, WriteBack};

const MIB: u64 = 1 << 20;

fn with_ssd(directory: &Path, ssd_limit: u64, resident: usize, pool_units: usize) -> Options {
    let ssd = SsdConfig { limit: Some(ssd_limit), ..SsdConfig::new(directory) };
    Options { pool_max: (pool_units * UNIT) as u64, ssd: Some(ssd), ..options(resident) }
}

/// A range, and the directory of its file.
fn open_with_ssd(units: usize, ssd_limit: u64, resident: usize, pool: usize) -> Option<(Range, TempDir)> {
    let directory = tempfile::tempdir().expect("a directory for the file");
    let range = open(units * UNIT, &with_ssd(directory.path(), ssd_limit, resident, pool))?;
    Some((range, directory))
}

/// A range whose units all have contents, and nothing is staged.
struct Filled {
    range: Range,
    words: Words,
    /// Must outlive the range.
    _kept: (TempDir, Scenario),
}

fn filled(
    units: usize,
    ssd_limit: u64,
    resident: usize,
    pool: usize,
    contents: fn(usize, usize) -> u64,
) -> Option<Filled> {
    let scenario = Scenario::begin();
    let (range, directory) = open_with_ssd(units, ssd_limit, resident, pool)?;
    submit(&range, UNIT, 0, units, contents);
    range.drain();
    Some(Filled { words: Words::of(&range), range, _kept: (directory, scenario) })
}

/// Compresses to about half.
fn half(unit: usize, i: usize) -> u64 {
    if i.is_multiple_of(2) { noise(unit, i) } else { tame(unit, i) }
}

fn check(words: Words, units: impl Iterator<Item = usize>, contents: impl Fn(usize, usize) -> u64) {
    for unit in units {
        for i in [0, 1, 77, WORDS - 1] {
            assert_eq!(words.get(unit * WORDS + i), contents(unit, i), "unit {unit}, word {i}");
        }
    }
}

fn within_limits(stats: &Stats) {
    assert!(stats.mem_used_total <= stats.mem_limit);
    assert!(stats.bd_used <= stats.bd_limit);
}

#[test]
fn what_the_pool_cannot_hold_goes_to_ssd_and_comes_back() {
    // 32 MiB of contents; 1 MiB resident, 4 MiB of pool.
    let Some(Filled { _kept, range, words }) = filled(2048, 64 * MIB, 64, 256, half) else { return };
    check(words, 0..2048, half);
    let mut random = Random(5);
    for _ in 0..6000 {
        let unit = random.below(2048);
        let at = unit * WORDS + 200;
        words.set(at, words.get(at) + 1);
        check(words, [unit].into_iter(), half);
    }
    let stats = range.stats();
    within_limits(&stats);
    assert!(stats.bd_count > 1000 && stats.bd_reads > 1000, "{stats:?}");
    let sum = |added: u64| (0..2048).map(|u| words.get(u * WORDS + 200) - half(u, 200)).sum::<u64>() == added;
    assert!(sum(6000), "every write is there once");
    range.discard(0, 2048 * UNIT as u64).expect("whole units");
    let stats = range.stats();
    assert_eq!((stats.bd_count, stats.bd_data_size, stats.mem_used_total), (0, 0, 0));
    eventually("the file's room is with the file system again", || range.stats().bd_used == 0);
}

#[test]
fn what_does_not_compress_goes_past_the_pool() {
    let _scenario = Scenario::begin();
    let Some((range, _directory)) = open_with_ssd(512, 64 * MIB, 64, 1024) else { return };
    submit(&range, UNIT, 0, 512, |unit, i| if unit % 2 == 0 { noise(unit, i) } else { tame(unit, i) });
    range.drain();
    let stats = range.stats();
    assert_eq!((stats.bd_count, stats.huge_pages), (256, 0));
    check(Words::of(&range), (0..512).step_by(2), noise);
    check(Words::of(&range), (1..512).step_by(2), tame);
}

/// Unlike zram: data that had gone to SSD is served from memory again once it is used again.
#[test]
fn what_warms_up_is_served_from_memory_again() {
    let Some(Filled { _kept, range, words }) = filled(2048, 64 * MIB, 64, 512, half) else { return };
    let reads = |hot: &std::ops::Range<usize>, rounds: usize| {
        let before = range.stats().bd_reads;
        (0..rounds).for_each(|_| check(words, hot.clone().rev(), half));
        range.stats().bd_reads - before
    };
    // More than may be resident, and on SSD. More than half of all is there, and which half nobody can tell where others
    // want the CPU.
    let mut parts = (0..2048).step_by(256).map(|first| first..first + 256);
    let hot = parts.find(|part| reads(part, 1) > 128).expect("most of some part is on SSD");
    reads(&hot, 2);
    let before = range.stats();
    let warm = reads(&hot, 4);
    let after = range.stats();
    assert!(after.fault_count - before.fault_count >= 4 * (256 - 64) / 2, "it does not fit into memory");
    assert!(warm < 4 * 256 / 20, "{warm} of its accesses still went to SSD");
    assert!(after.promoted_units > 0);
    within_limits(&after);
}

/// A collection had the pool give up much, and then left it room. Each unit came from SSD whenever it was wanted: `documents`
/// read 1.2 GiB, of 98 MiB that were there.
#[test]
fn a_pool_with_room_keeps_what_came_from_ssd() {
    let Some(Filled { _kept, range, words }) = filled(2048, 64 * MIB, 64, 512, half) else { return };
    // A quarter is left, of which much is on SSD: which one that is, nobody can tell where others want the CPU.
    let len = 512 * UNIT as u64;
    let on_ssd_of = |part: &u64| range.census(part * len, len).expect("a part of it").on_ssd;
    let kept = (0..4).max_by_key(on_ssd_of).expect("there are four");
    for part in (0..4).filter(|&part| part != kept) {
        range.discard(part * len, len).expect("whole units");
    }
    let kept = 512 * kept as usize..512 * (kept as usize + 1);
    let before = range.stats();
    let on_ssd = before.bd_data_size / UNIT as u64;
    assert!(on_ssd > 100, "{before:?}");
    check(words, kept.clone(), half);
    let first = range.stats();
    check(words, kept.rev(), half);
    let second = range.stats();
    assert_eq!(second.bd_reads, first.bd_reads);
    assert_eq!((second.bd_data_size, second.promoted_units), (0, on_ssd));
    assert!(
        first.bd_reads - before.bd_reads < on_ssd / 4 * 3,
        "neighbours came by the same reads: {first:?}"
    );
    within_limits(&second);
}

/// Reads that walk on are served by reading ahead; those units are warm like any other.
#[test]
fn what_is_read_in_order_warms_up_too() {
    let Some(Filled { _kept, range, words }) = filled(2048, 64 * MIB, 64, 512, half) else { return };
    check(words, 256..2048, half);
    (0..4).for_each(|_| check(words, 0..256, half));
    let before = range.stats();
    (0..4).for_each(|_| check(words, 0..256, half));
    let after = range.stats();
    assert!(after.read_ahead_units > before.read_ahead_units);
    let reads = after.bd_reads - before.bd_reads;
    assert!(reads < 4 * 256 / 20, "{reads} of its accesses still went to SSD");
}

/// A pool that was emptied judged what came back by what it still held, and so never filled again: each pass over data
/// that fit compressed read them from SSD.
#[test]
fn a_pool_with_room_takes_back_what_is_used() {
    let Some(Filled { _kept, range, words }) = filled(1024, 64 * MIB, 64, 2048, half) else { return };
    range.write_back(0, 1024 * UNIT as u64, WriteBack::All).expect("there is room");
    assert_eq!(range.stats().bd_count, 1024);
    (0..3).for_each(|_| check(words, 0..1024, half));
    let before = range.stats().bd_reads;
    check(words, 0..1024, half);
    let reads = range.stats().bd_reads - before;
    assert!(reads < 1024 / 20, "{reads} of its accesses still went to SSD");
}

/// More than memory and pool can hold, again and again: no unit of it is warmer than another, and the SSD is
/// not written to for it.
#[test]
fn what_never_fits_is_read_but_not_written() {
    let Some(Filled { _kept, range, words }) = filled(2048, 64 * MIB, 64, 128, half) else { return };
    check(words, 0..2048, half);
    let before = range.stats();
    (0..3).for_each(|_| check(words, (0..2048).rev(), half));
    let after = range.stats();
    let (reads, writes) = (after.bd_reads - before.bd_reads, after.bd_writes - before.bd_writes);
    assert!(reads > 3000 && writes < reads / 20, "{reads} reads, {writes} writes");
}

/// A pass over everything, once, must not push what is hot out of the pool.
#[test]
fn a_scan_does_not_push_out_what_is_hot() {
    let Some(Filled { _kept, range, words }) = filled(4096, 128 * MIB, 64, 512, half) else { return };
    (0..4).for_each(|_| check(words, (0..256).rev(), half));
    check(words, 1024..2048, half);
    let before = range.stats().bd_reads;
    check(words, (0..256).rev(), half);
    let reads = range.stats().bd_reads - before;
    assert!(reads < 128, "{reads} of 256 units had left the pool");
}

#[test]
fn what_is_written_back_by_hand_leaves_the_pool() {
    let _scenario = Scenario::begin();
    let Some((range, _directory)) = open_with_ssd(256, 64 * MIB, 16, 512) else { return };
    submit(&range, UNIT, 0, 256, half);
    range.drain();
    check(Words::of(&range), 0..16, half);
    let before = range.stats();
    assert_eq!(before.bd_count, 0);
    let moved = range.write_back(64 * UNIT as u64, 128 * UNIT as u64, WriteBack::All).expect("there is room");
    let after = range.stats();
    assert_eq!((moved, after.bd_count), (128 * UNIT as u64, 128));
    assert!(after.compr_data_size < before.compr_data_size * 3 / 4);
    assert_eq!(
        range.write_back(64 * UNIT as u64, 128 * UNIT as u64, WriteBack::All).expect("nothing is left to do"),
        0
    );
    check(Words::of(&range), 0..256, half);
    let Some(range) = open(64 * UNIT, &options(16)) else { return };
    assert!(range.write_back(0, UNIT as u64, WriteBack::All).is_err(), "there is no SSD");
}

/// A unit that is written to again and again leaves records behind that nobody needs; the file is not larger for it.
#[test]
fn a_file_full_of_old_records_is_cleaned() {
    // 8 MiB of records at most, in a file of 14 MiB.
    let Some(Filled { _kept, range, words }) = filled(512, 14 * MIB, 32, 64, noise) else { return };
    let mut random = Random(9);
    for _ in 0..6000 {
        let at = random.below(512) * WORDS + 200;
        words.set(at, words.get(at) + 1);
    }
    let stats = range.stats();
    within_limits(&stats);
    assert!(stats.bd_moved > 100, "{stats:?}");
    check(words, 0..512, noise);
    let sum: u64 = (0..512).map(|unit| words.get(unit * WORDS + 200).wrapping_sub(noise(unit, 200))).sum();
    assert_eq!(sum, 6000, "every write is there once");
}

#[test]
fn a_full_ssd_keeps_the_rest_in_memory() {
    let Some(Filled { _kept, range, words }) = filled(512, 2 * MIB, 16, 64, noise) else { return };
    check(words, 0..512, noise);
    let stats = range.stats();
    within_limits(&stats);
    assert_eq!(range.room(), Some(0));
    assert!(stats.resident_bytes > stats.resident_limit, "it has to be somewhere");
    range.discard(128 * UNIT as u64, 384 * UNIT as u64).expect("whole units");
    eventually("resident memory is within its limit", || {
        let stats = range.stats();
        stats.resident_bytes <= stats.resident_limit
    });
    check(words, 0..128, noise);
}

#[test]
fn a_disk_that_does_not_write_costs_memory_only() {
    for errno in [EIO, ENOSPC] {
        let scenario = Scenario::begin();
        let Some((range, _directory)) = open_with_ssd(1024, 64 * MIB, 16, 64) else { return };
        scenario.fail("ssd.write", Failure::Errno(errno));
        submit(&range, UNIT, 0, 512, half);
        submit(&range, UNIT, 512, 512, noise);
        range.drain();
        let words = Words::of(&range);
        check(words, 0..512, half);
        check(words, 512..1024, noise);
        let stats = range.stats();
        assert_eq!(stats.bd_count, 0);
        assert!(stats.bd_errors > 0 && stats.resident_bytes > stats.resident_limit);
        scenario.mend();
        // It works again: writes make the evictor and the demoter try.
        for unit in 0..1024 {
            words.set(unit * WORDS + 9, 1);
        }
        eventually("the disk takes what was kept in memory", || {
            let stats = range.stats();
            stats.bd_count > 0 && stats.resident_bytes <= stats.resident_limit
        });
        check(words, 0..512, half);
        check(words, 512..1024, noise);
        (0..1024).for_each(|unit| assert_eq!(words.get(unit * WORDS + 9), 1));
    }
}

/// While the disk takes nothing, and pool and memory are full, who faults does not try the disk each time.
#[test]
fn faults_make_no_batches_in_vain() {
    const FAULTS: usize = 2000;
    let scenario = Scenario::begin();
    let Some((range, _directory)) = open_with_ssd(4096, 64 * MIB, 16, 64) else { return };
    scenario.fail("ssd.write", Failure::Errno(EIO));
    // The pool has these, and what comes then has to stay in memory.
    submit(&range, UNIT, 0, 64, half);
    range.drain();
    submit(&range, UNIT, 1024, 1024, noise);
    range.drain();
    let words = Words::of(&range);
    let before = scenario.failed("ssd.write");
    for i in 0..FAULTS {
        // Descending, so that nothing is read ahead; empty ones, of which there are enough.
        assert_eq!(words.get((4095 - i) * WORDS), 0);
    }
    let tried = scenario.failed("ssd.write") - before;
    assert!(tried < FAULTS as u64 / 4, "{tried} batches");
    check(words, 0..64, half);
    check(words, 1024..2048, noise);
}

/// The access that needs the bytes fails, no other one does, and nothing wrong is ever seen.
#[test]
fn bytes_that_the_disk_lost_fail_one_access() {
    for point in ["ssd.read", "ssd.corrupt"] {
        let scenario = Scenario::begin();
        let Some((range, _directory)) = open_with_ssd(64, 64 * MIB, 16, 64) else { return };
        submit(&range, UNIT, 0, 64, noise);
        range.drain();
        let words = Words::of(&range);
        // Each time that the tier tries.
        scenario.fail(point, Failure::Errno(EIO)).times(5);
        assert!(!words.readable(7 * WORDS + 9), "{point}: the unit is lost");
        assert_eq!(scenario.failed(point), 5);
        assert!(!words.readable(7 * WORDS + WORDS - 1), "all of it, and for good");
        check(words, (0..64).filter(|&unit| unit != 7), noise);
        range.discard(7 * UNIT as u64, UNIT as u64).expect("whole units");
        assert_eq!(words.get(7 * WORDS + 9), 0);
    }
}

#[test]
fn a_file_that_cannot_be_made_is_an_error() {
    let options = with_ssd(Path::new("/no/such/directory"), MIB, 16, 64);
    let error = Range::open(64 * UNIT, &options).map(|_| ()).expect_err("there is no such directory");
    assert!(error.to_string().contains("SSD tier"), "{error}");
}
