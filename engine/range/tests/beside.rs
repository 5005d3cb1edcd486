//! Memory that grows beside a range, in its process or in a child, faster than any thread makes room: the kernel kills
//! nobody, and what was in the range is still there.
//!
//! Bug: pages had all memory that was free. Somebody looked every 50 ms at what was left, and the kernel killed the process
//! before that.
//!
//! The process is this program again, in a cgroup. Creating one takes root.

mod common;

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Command;

use common::group::{Group, spare};
use common::{UNIT, WORDS, Words, eventually, noise, open, options, submit, tame};
use ztera_fail::{Failure, Scenario};
use ztera_range::{Options, Range, SsdConfig};

const MIB: u64 = 1 << 20;
const LIMIT: u64 = 256 * MIB;
const BUDGET: u64 = LIMIT - 24 * MIB;
/// A quarter of the limit can be had, less what the kernel takes for its tables and batches.
const SPARE: u64 = LIMIT / 4 - 2 * MIB;
const BURST: usize = 56 << 20;
const BURSTS: usize = 3;
/// 272 MiB: they do not fit plain.
const MANY: usize = 17408;
/// 448 MiB: they do not fit compressed.
const MORE: usize = 28672;
/// 224 MiB: they fit plain, and nothing would be compressed.
const FEW: usize = 14336;

/// Tell a process its cgroup and its test, and that it only grows.
const GROUP: &str = "ZTERA_TEST_GROUP";
const PART: &str = "ZTERA_TEST_PART";
const CHILD: &str = "ZTERA_TEST_CHILD";

fn sharing() -> Options {
    Options {
        resident_limit: 8 * MIB,
        pool_limit: BUDGET - 8 * MIB,
        dram_limit: BUDGET,
        staging_limit: 4 * MIB,
        ..options(0)
    }
}

/// Compresses to less than half.
fn less(unit: usize, i: usize) -> u64 {
    if i.is_multiple_of(4) { noise(unit, i) } else { tame(unit, i) }
}

fn check(range: &Range, units: usize) {
    let words = Words::of(range);
    for unit in 0..units {
        for i in [0, 99, 700, WORDS - 1] {
            assert_eq!(words.get(unit * WORDS + i), less(unit, i), "unit {unit}, word {i}");
        }
    }
}

/// Waits until as much can be had as should be. It takes a moment after a burst, and longer on busy CPUs.
fn wait_for_spare() {
    let group = std::env::var_os(GROUP).expect("the parent says so");
    eventually("a quarter of the limit can be had", || spare(Path::new(&group)) >= SPARE);
}

/// Memory that the process has beside the range for a moment.
fn burst() {
    wait_for_spare();
    take_for_a_moment();
}

fn take_for_a_moment() {
    let mut beside = vec![0_u8; BURST];
    beside.iter_mut().step_by(4096).for_each(|byte| *byte = 1);
    std::hint::black_box(&beside);
}

/// The same of a child process.
fn child_burst() {
    wait_for_spare();
    let test = std::env::var(PART).expect("the parent says so");
    let end = this_program(&test).env(CHILD, "1").status().expect("the child starts");
    assert!(end.success(), "{end:?}");
}

fn this_program(test: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("the test has a path"));
    command.args(["--exact", test, "--nocapture", "--test-threads=1"]).env(PART, test);
    command
}

/// Runs `body` in a process of its own with `LIMIT` bytes of memory.
fn within_limit(test: &str, body: impl FnOnce()) {
    if std::env::var_os(CHILD).is_some() {
        return take_for_a_moment();
    }
    if let Some(group) = std::env::var_os(GROUP) {
        fs::write(Path::new(&group).join("cgroup.procs"), "0").expect("the group takes it");
        return body();
    }
    let group = match Group::create(test, LIMIT) {
        Ok(group) => group,
        Err(why) => {
            // Past the test harness, which swallows what passing tests print.
            let _ = writeln!(
                std::io::stderr(),
                "SKIPPED, not tested: no cgroup can be created, as root can ({why})"
            );
            return;
        }
    };
    let end = this_program(test).env(GROUP, &group.0).status().expect("the child starts");
    assert_eq!(group.kills(), 0, "killed by the kernel; {end:?}");
    assert!(end.success(), "{end:?}");
}

/// Fills a range with `units`, and lets memory grow beside it.
fn grow_beside(units: usize, options: &Options, grow: impl Fn()) {
    let Some(range) = open(units * UNIT, options) else { return };
    submit(&range, UNIT, 0, units, less);
    range.drain();
    check(&range, units);
    for _ in 0..BURSTS {
        grow();
        check(&range, units);
    }
    let words = Words::of(&range);
    (0..units).for_each(|unit| words.set(unit * WORDS + 99, 7));
    assert!((0..units).all(|unit| words.get(unit * WORDS + 99) == 7), "writes to what was offered are kept");
}

#[test]
fn a_burst_takes_what_is_compressed_too() {
    within_limit("a_burst_takes_what_is_compressed_too", || grow_beside(MANY, &sharing(), burst));
}

#[test]
fn a_burst_takes_what_fits_plain() {
    within_limit("a_burst_takes_what_fits_plain", || grow_beside(FEW, &sharing(), burst));
}

#[test]
fn a_child_takes_what_is_compressed_too() {
    within_limit("a_child_takes_what_is_compressed_too", || grow_beside(MANY, &sharing(), child_burst));
}

#[test]
fn a_burst_takes_what_the_ssd_has() {
    within_limit("a_burst_takes_what_the_ssd_has", || {
        let directory = tempfile::tempdir_in(".").expect("a directory for the file");
        let ssd = Options { ssd: Some(SsdConfig::new(directory.path())), ..sharing() };
        grow_beside(MORE, &ssd, burst);
    });
}

/// As where a program has locked its memory. Nothing is promised then but that all goes on.
#[test]
fn where_nothing_can_be_offered_units_leave() {
    within_limit("where_nothing_can_be_offered_units_leave", || {
        let scenario = Scenario::begin();
        scenario.fail("memory.offer", Failure::Errno(libc::EINVAL));
        grow_beside(MANY, &sharing(), || ());
        assert!(scenario.failed("memory.offer") > 0, "nothing was offered");
    });
}
