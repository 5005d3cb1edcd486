//! Threads that fault do no other work: they write nothing to the SSD, do not wait for what may be written to it, and walk
//! over no table. So an access waits for the read of its own unit, and a program comes to its safepoint.

mod common;

use std::thread;

use common::{UNIT, WORDS, Words, noise, open, serve};
use ztera_fail::{Failure, Scenario};
use ztera_range::{FaultMode, Options, Range, SsdConfig};

const MIB: u64 = 1 << 20;

/// Points at which a thread does what only threads of the engine are to do that nobody waits for.
const OTHER_WORK: [&str; 3] = ["ssd.write", "ssd.quota", "table.walk"];

fn watch(scenario: &Scenario) {
    for point in OTHER_WORK {
        scenario.fail(point, Failure::Delay(std::time::Duration::ZERO));
    }
}

fn small(fault_mode: FaultMode, ssd: SsdConfig) -> Options {
    Options { pool_max: 2 * MIB, fault_mode, ssd: Some(ssd), ..common::options(64) }
}

/// 64 threads write more than memory, pool and the allowance of the disk hold, and read what others wrote.
fn write_and_read(range: &Range) {
    const THREADS: usize = 64;
    const EACH: usize = 24;
    let words = Words::of(range);
    let run = |body: &(dyn Fn(usize) + Sync)| {
        thread::scope(|scope| {
            for n in 0..THREADS {
                let named = thread::Builder::new().name(format!("program-{n}"));
                named.spawn_scoped(scope, move || body(n)).expect("a thread");
            }
        });
    };
    run(&|n| {
        for unit in n * EACH..(n + 1) * EACH {
            (0..WORDS).for_each(|i| words.set(unit * WORDS + i, noise(unit, i)));
        }
    });
    run(&|n| {
        for unit in (0..EACH).map(|i| (n * 7 + i * THREADS) % (THREADS * EACH)) {
            [0, 99, WORDS - 1]
                .iter()
                .for_each(|&i| assert_eq!(words.get(unit * WORDS + i), noise(unit, i), "unit {unit}"));
        }
    });
}

fn nobody_who_faults_works(mode: FaultMode, work: impl FnOnce(Range)) {
    let scenario = Scenario::begin();
    let directory = tempfile::tempdir().expect("a directory for the file");
    let slow =
        SsdConfig { limit: Some(256 * MIB), write_rate: Some(MIB), ..SsdConfig::new(directory.path()) };
    let Some(range) = open(4096 * UNIT, &small(mode, slow)) else { return };
    watch(&scenario);
    work(range);
    for point in OTHER_WORK {
        let threads = scenario.threads(point);
        assert!(!threads.is_empty(), "{point} was never reached: the test is too small");
        let allowed = |name: &String| name == "zt-demote" || name.starts_with("zt-worker");
        assert!(threads.iter().all(allowed), "{point} was reached by {threads:?}");
    }
}

/// Faulting threads used to move a batch to the SSD themselves when pool and memory were full, for which they looked
/// through the whole table, and slept until the write rate allowed it: a quarter of a second for each batch of all who
/// waited.
#[test]
fn threads_that_serve_themselves_leave_the_disk_to_the_demoter() {
    nobody_who_faults_works(FaultMode::Sigbus, |range| {
        let range = serve(range);
        write_and_read(&range);
        assert!(range.stats().held_writes > 0, "{:?}", range.stats());
    });
}

#[test]
fn fault_handlers_leave_the_disk_to_the_demoter() {
    nobody_who_faults_works(FaultMode::Handler, |range| write_and_read(&range));
}

/// A writer that is faster than the disk is held back, so that memory stays about where it may be.
#[test]
fn memory_that_a_fast_writer_takes_is_bounded() {
    const UNITS: usize = 3072;
    let scenario = Scenario::begin();
    let directory = tempfile::tempdir().expect("a directory for the file");
    let ssd = SsdConfig { limit: Some(256 * MIB), ..SsdConfig::new(directory.path()) };
    let Some(range) = open(UNITS * UNIT, &small(FaultMode::Sigbus, ssd)) else { return };
    scenario.fail("ssd.write", Failure::Delay(std::time::Duration::from_millis(10)));
    let range = serve(range);
    let words = Words::of(&range);
    let mut most = 0;
    for unit in 0..UNITS {
        (0..WORDS).for_each(|i| words.set(unit * WORDS + i, noise(unit, i)));
        most = most.max(range.stats().resident_bytes);
    }
    // The limit, and the headrooms for which a writer waits longer and longer.
    assert!(most < 24 * MIB, "{most} of {} bytes were in memory: {:?}", UNITS * UNIT, range.stats());
    (0..UNITS).for_each(|unit| assert_eq!(words.get(unit * WORDS + 7), noise(unit, 7)));
}
