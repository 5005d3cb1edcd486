//! Small units that come and go together where a program uses them together, and alone where it does not.

// Calls are counted, so tests come one after the other.

mod common;

use std::time::Duration;

use common::{Random, Served, Words, eventually, noise, open, options, serve, submit, tame};
use tempfile::TempDir;
use ztera_fail::{Failure, Scenario};
use ztera_range::{FaultMode, Options, SsdConfig};

const UNIT: usize = 4096;
const WORDS: usize = UNIT / 8;
const CLUSTER: usize = 4;
/// 64 MiB, of which a quarter may be resident.
const UNITS: usize = 16384;
const CLUSTERS: usize = UNITS / CLUSTER;
const LIMIT: u64 = 16 << 20;

/// Neither the first unit of a cluster comes first, nor do two neighbours come one after the other.
const SCATTERED: [usize; CLUSTER] = [2, 0, 3, 1];

fn small_units() -> Options {
    Options { unit_size: UNIT, resident_max: LIMIT, fault_mode: FaultMode::Sigbus, ..options(0) }
}

fn filled(options: &Options, word: fn(usize, usize) -> u64) -> Option<Served> {
    let range = open(UNITS * UNIT, options)?;
    submit(&range, UNIT, 0, UNITS, word);
    range.drain();
    Some(serve(range))
}

fn read(words: Words, unit: usize, word: fn(usize, usize) -> u64) {
    [0, WORDS - 1].iter().for_each(|&i| assert_eq!(words.get(unit * WORDS + i), word(unit, i), "{unit}"));
}

/// All clusters, in random order.
fn shuffled() -> Vec<usize> {
    let (mut clusters, mut random) = ((0..CLUSTERS).collect::<Vec<_>>(), Random(5));
    (1..CLUSTERS).for_each(|i| clusters.swap(i, random.below(i + 1)));
    clusters
}

fn read_clusters(words: Words, word: fn(usize, usize) -> u64) {
    for cluster in shuffled() {
        SCATTERED.iter().for_each(|unit| read(words, cluster * CLUSTER + unit, word));
    }
}

/// A value here and a value there used to cost 16 KiB of decoding and of memory each.
#[test]
fn points_bring_in_one_unit_each() {
    let _scenario = Scenario::begin();
    let Some(range) = filled(&small_units(), tame) else { return };
    let (words, mut random) = (Words::of(&range), Random(7));
    (0..30_000).for_each(|_| read(words, random.below(UNITS), tame));
    let stats = range.stats();
    // Now and then two points lie side by side, as those of a reader in order do.
    let besides = stats.read_ahead_units;
    assert!(besides < stats.fault_count / 8, "{besides} units besides, in {} faults", stats.fault_count);
}

/// Each unit used to be a fault of its own.
#[test]
fn clusters_that_are_read_as_a_whole_come_as_a_whole() {
    let _scenario = Scenario::begin();
    for fault_mode in [FaultMode::Sigbus, FaultMode::Handler] {
        let Some(range) = filled(&Options { fault_mode, ..small_units() }, tame) else { return };
        read_clusters(Words::of(&range), tame);
        let faults = range.stats().fault_count as usize;
        assert!(faults < CLUSTERS * 5 / 4, "{faults} faults for {CLUSTERS} clusters ({fault_mode:?})");
    }
}

/// Each unit used to be a fault of its own also for its first write.
#[test]
fn clusters_that_are_written_as_a_whole_are_writable_as_a_whole() {
    let _scenario = Scenario::begin();
    for fault_mode in [FaultMode::Sigbus, FaultMode::Handler] {
        let Some(range) = filled(&Options { fault_mode, ..small_units() }, tame) else { return };
        let words = Words::of(&range);
        for cluster in shuffled() {
            let units = SCATTERED.map(|unit| cluster * CLUSTER + unit);
            units.iter().for_each(|&unit| read(words, unit, tame));
            units.iter().for_each(|&unit| words.set(unit * WORDS + 1, unit as u64));
        }
        let faults = range.stats().wp_fault_count as usize;
        assert!(
            faults < CLUSTERS * 5 / 4,
            "{faults} writes faulted for {CLUSTERS} clusters ({fault_mode:?})"
        );
        (0..UNITS).for_each(|unit| assert_eq!(words.get(unit * WORDS + 1), unit as u64));
    }
}

/// A unit that is not written to keeps its copy.
#[test]
fn points_that_are_written_are_writable_alone() {
    let _scenario = Scenario::begin();
    let Some(range) = filled(&Options { resident_max: 0, ..small_units() }, tame) else { return };
    let words = Words::of(&range);
    for cluster in shuffled() {
        SCATTERED.iter().for_each(|unit| read(words, cluster * CLUSTER + unit, tame));
        words.set((cluster * CLUSTER + 2) * WORDS + 1, 7);
    }
    let stored = range.stats().orig_data_size as usize / UNIT;
    assert!(stored > UNITS - CLUSTERS * 5 / 4, "{stored} units have a copy, and {CLUSTERS} were written to");
}

/// A range full of noise, all of it on SSD.
fn on_ssd() -> Option<(Served, TempDir)> {
    let directory = tempfile::tempdir().expect("a directory for the file");
    let ssd = SsdConfig { limit: Some(256 << 20), ..SsdConfig::new(directory.path()) };
    let range = filled(&Options { pool_max: 1 << 20, ssd: Some(ssd), ..small_units() }, noise)?;
    assert_eq!(range.stats().bd_count, UNITS as u64, "nothing of it is kept elsewhere");
    Some((range, directory))
}

/// A unit before the one that was asked for used to take another read.
#[test]
fn a_cluster_comes_from_ssd_by_one_read() {
    let scenario = Scenario::begin();
    let Some((range, _directory)) = on_ssd() else { return };
    scenario.fail("ssd.read", Failure::Delay(Duration::ZERO));
    read_clusters(Words::of(&range), noise);
    let reads = scenario.failed("ssd.read") as usize;
    assert!(reads < CLUSTERS * 4 / 3, "{reads} reads for {CLUSTERS} clusters");
}

/// A bad record of a mate was read five times, with pauses, while the unit that was asked for waited.
#[test]
fn a_bad_record_beside_the_unit_that_is_asked_for_is_read_once() {
    let scenario = Scenario::begin();
    let Some((range, _directory)) = on_ssd() else { return };
    let words = Words::of(&range);
    read_clusters(words, noise);
    let mut failed = 0;
    for &cluster in &shuffled()[..16] {
        // One less than a thread that needs the unit tries.
        scenario.fail("ssd.corrupt", Failure::Errno(0)).times(4);
        read(words, cluster * CLUSTER + SCATTERED[0], noise);
        failed += scenario.failed("ssd.corrupt");
        scenario.mend();
        SCATTERED.iter().for_each(|unit| read(words, cluster * CLUSTER + unit, noise));
    }
    assert!(failed < 3 * 16, "{failed} reads of bad records, in 16 clusters");
}

/// Each unit used to be protected by a call of its own, which interrupts the program.
#[test]
fn neighbours_that_leave_together_are_protected_by_one_call() {
    let scenario = Scenario::begin();
    let Some(range) = open(UNITS * UNIT, &small_units()) else { return };
    let range = serve(range);
    scenario.fail("uffd.protect", Failure::Delay(Duration::ZERO));
    let words = Words::of(&range);
    // Backwards: what a reader in order brings in leaves from another queue.
    let units = shuffled()
        .into_iter()
        .flat_map(|cluster| (0..CLUSTER).rev().map(move |unit| cluster * CLUSTER + unit));
    units.for_each(|unit| words.set(unit * WORDS, unit as u64));
    eventually("most have left", || range.stats().evicted_dirty > UNITS as u64 / 2);
    let (calls, left) = (scenario.failed("uffd.protect"), range.stats().evicted_dirty);
    assert!(calls * 3 < left, "{calls} calls for {left} units");
    (0..UNITS).for_each(|unit| assert_eq!(words.get(unit * WORDS), unit as u64));
}
