//! Units of 16 KiB that come page by page where a program wants a value here and a value there, and as a whole where it does
//! not.

// Failures are planted, so tests come one after the other.

mod common;

use common::{Random, Served, UNIT, WORDS, Words, eventually, open, options, serve, submit, tame};
use ztera_fail::{Failure, Scenario};
use ztera_range::{FaultMode, Options, SsdConfig, WriteBack};

const PAGE_WORDS: usize = 512;
const PAGES: usize = WORDS / PAGE_WORDS;
/// 64 MiB, of which a quarter may be resident.
const UNITS: usize = 4096;
const LIMIT: usize = UNITS / 4;

fn filled(fault_mode: FaultMode) -> Option<Served> {
    filled_with(&Options { fault_mode, ..options(LIMIT) })
}

fn filled_with(options: &Options) -> Option<Served> {
    let range = open(UNITS * UNIT, options)?;
    submit(&range, UNIT, 0, UNITS, tame);
    range.drain();
    Some(serve(range))
}

/// Reads a word of a page.
fn read(words: Words, unit: usize, page: usize) {
    let i = page * PAGE_WORDS + unit % PAGE_WORDS;
    assert_eq!(words.get(unit * WORDS + i), tame(unit, i), "unit {unit}, page {page}");
}

/// All units, in random order.
fn shuffled(seed: u64) -> Vec<usize> {
    let (mut units, mut random) = ((0..UNITS).collect::<Vec<_>>(), Random(seed));
    (1..UNITS).for_each(|i| units.swap(i, random.below(i + 1)));
    units
}

/// Reads one page of each unit, so often that it is known.
fn read_points(words: Words) {
    (1..5).for_each(|seed| shuffled(seed).into_iter().for_each(|unit| read(words, unit, unit % PAGES)));
}

/// Three quarters of memory held what nobody had asked for.
#[test]
fn memory_holds_the_pages_that_are_read() {
    let _scenario = Scenario::begin();
    for fault_mode in [FaultMode::Sigbus, FaultMode::Handler] {
        let Some(range) = filled(fault_mode) else { return };
        let words = Words::of(&range);
        read_points(words);
        let (last, before) = (shuffled(4), range.stats().fault_count);
        last[UNITS / 4..].iter().for_each(|&unit| read(words, unit, unit % PAGES));
        let again = range.stats().fault_count - before;
        assert!(again < UNITS as u64 / 4, "{again} faults of {} pages ({fault_mode:?})", UNITS / 4 * 3);
        eventually("the limit holds", || range.stats().resident_bytes <= (LIMIT * UNIT) as u64);
    }
}

#[test]
fn units_that_are_used_as_a_whole_come_as_a_whole() {
    let _scenario = Scenario::begin();
    for fault_mode in [FaultMode::Sigbus, FaultMode::Handler] {
        let Some(range) = filled(fault_mode) else { return };
        let words = Words::of(&range);
        for unit in shuffled(1) {
            [2, 0, 3, 1].iter().for_each(|&page| read(words, unit, page));
        }
        let faults = range.stats().fault_count as usize;
        assert!(faults < UNITS * 5 / 4, "{faults} faults of {UNITS} units ({fault_mode:?})");
    }
}

#[test]
fn pages_that_are_written_to_keep_what_was_written() {
    let _scenario = Scenario::begin();
    for fault_mode in [FaultMode::Sigbus, FaultMode::Handler] {
        let Some(range) = filled(fault_mode) else { return };
        let words = Words::of(&range);
        read_points(words);
        let place = |unit: usize, page: usize| unit * WORDS + page * PAGE_WORDS + 7;
        for unit in shuffled(5) {
            read(words, unit, unit % PAGES);
            // The page that is there, or one that is not.
            words.set(place(unit, (unit / PAGES) % PAGES), unit as u64);
        }
        for unit in shuffled(6) {
            for page in 0..PAGES {
                let is_written = page == (unit / PAGES) % PAGES;
                let expected = if is_written { unit as u64 } else { tame(unit, page * PAGE_WORDS + 7) };
                assert_eq!(
                    words.get(place(unit, page)),
                    expected,
                    "unit {unit}, page {page} ({fault_mode:?})"
                );
            }
        }
    }
}

/// Units that zstd has compressed, of which one page at a time is read and some are written to.
///
/// Bug of this test: it read five times, and then waited. Only so many units wait for a worker, and one that is late leaves
/// the others until they come back.
#[test]
fn units_that_come_page_by_page_are_split() {
    let _scenario = Scenario::begin();
    for fault_mode in [FaultMode::Sigbus, FaultMode::Handler] {
        let zstd = "zstd".parse().expect("a codec");
        let Some(range) = filled_with(&Options { fault_mode, codec: zstd, ..options(LIMIT) }) else { return };
        let words = Words::of(&range);
        assert_eq!(range.stats().split_units, 0, "nobody has read a page");
        let place = |unit: usize| unit * WORDS + (unit + 1) % PAGES * PAGE_WORDS + 7;
        let is_written = |unit: usize| unit.is_multiple_of(16);
        for seed in 1..6 {
            shuffled(seed).into_iter().for_each(|unit| {
                read(words, unit, unit % PAGES);
                if is_written(unit) {
                    words.set(place(unit), (seed * unit as u64) | 1);
                }
            });
        }
        let split = || range.stats().split_units;
        eventually("most were split", || {
            shuffled(6).into_iter().for_each(|unit| read(words, unit, unit % PAGES));
            split() > UNITS as u64 / 2
        });
        for unit in shuffled(7) {
            (0..PAGES).for_each(|page| read(words, unit, page));
            let other = tame(unit, place(unit) % WORDS);
            assert_eq!(
                words.get(place(unit)),
                if is_written(unit) { (5 * unit as u64) | 1 } else { other },
                "unit {unit}"
            );
        }
        let before = split();
        shuffled(8).into_iter().for_each(|unit| (0..PAGES).for_each(|page| read(words, unit, page)));
        assert!(split() - before < UNITS as u64 / 4, "each is split once ({fault_mode:?})");
    }
}

/// lz4 decodes a unit so fast that its pages alone would take more memory than that is worth.
#[test]
fn units_that_decode_fast_stay_whole() {
    let _scenario = Scenario::begin();
    let Some(range) = filled(FaultMode::Sigbus) else { return };
    read_points(Words::of(&range));
    assert_eq!(range.stats().split_units, 0);
}

/// A range whose memory was counted by whole units took its pages for more than they were, or for less.
#[test]
fn pages_are_counted() {
    let _scenario = Scenario::begin();
    let Some(range) = filled(FaultMode::Sigbus) else { return };
    let words = Words::of(&range);
    read_points(words);
    let census = || range.census(0, (UNITS * UNIT) as u64).expect("whole units");
    // Nothing comes now, but the evictor may have its mark to reach. Statistics count whole units.
    let agree = || census().resident.abs_diff(range.stats().resident_bytes) < UNIT as u64;
    eventually("both agree", agree);
    let there = census();
    assert!(there.resident > 0);
    assert_eq!(there.resident + there.compressed, (UNITS * UNIT) as u64, "the pool has the others");
    range.discard(0, (UNITS * UNIT) as u64).expect("whole units");
    assert_eq!((range.stats().resident_bytes, census().resident), (0, 0));
}

/// The other pages cannot be had: the access fails, and the process goes on.
#[test]
fn a_page_that_is_lost_fails_one_access() {
    let scenario = Scenario::begin();
    let Some(range) = filled(FaultMode::Sigbus) else { return };
    let words = Words::of(&range);
    read_points(words);
    let there = shuffled(4).into_iter().next_back().expect("there are units");
    read(words, there, there % PAGES);
    scenario.fail("codec.unpack", Failure::Errno(0));
    let other = (there + 1) % PAGES;
    let address = range.base().addr() + (there * WORDS + other * PAGE_WORDS) * 8;
    assert!(!range.serve_fault(address, false), "nobody has its contents");
    assert!(!range.serve_fault(address, true), "nor for a writer");
    drop(scenario);
    range.discard(0, (UNITS * UNIT) as u64).expect("whole units");
    assert_eq!((words.get(there * WORDS), range.stats().resident_bytes), (0, UNIT as u64));
}

/// Units that came from the SSD, and leave as soon as they may, are stored in the pool: with holes they cannot be.
#[test]
fn units_with_holes_may_be_written_back() {
    let _scenario = Scenario::begin();
    let directory = tempfile::tempdir().expect("a directory for the file");
    let ssd = SsdConfig { limit: Some(256 << 20), ..SsdConfig::new(directory.path()) };
    let (fault_mode, pool_max) = (FaultMode::Sigbus, 64 << 20);
    let options = Options { fault_mode, pool_max, ssd: Some(ssd), ..options(LIMIT) };
    let Some(range) = filled_with(&options) else { return };
    let words = Words::of(&range);
    for seed in 1..4 {
        read_points(words);
        let written = range.write_back(0, (UNITS * UNIT) as u64, WriteBack::All).expect("there is room");
        assert!(written > 0 && range.stats().bd_count > 0);
        // The other pages, with the unit that is on SSD now, and then others.
        shuffled(seed).into_iter().for_each(|unit| read(words, unit, (unit + 1) % PAGES));
    }
}
