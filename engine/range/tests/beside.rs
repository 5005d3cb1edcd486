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
use std::sync::atomic::{AtomicBool, Ordering};

use common::group::{Group, spare};
use common::{Random, UNIT, WORDS, Words, eventually, noise, open, options, submit, tame};
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

/// Tell a process its cgroup and its test, and that it only grows, by so many MiB.
const GROUP: &str = "ZTERA_TEST_GROUP";
const PART: &str = "ZTERA_TEST_PART";
const CHILD: &str = "ZTERA_TEST_CHILD";

fn sharing() -> Options {
    Options {
        resident_min: 8 * MIB,
        pool_max: BUDGET - 8 * MIB,
        dram_max: BUDGET,
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

/// Waits until as much can be had as should be. It takes a moment after a burst, and longer on busy CPUs. Only cold
/// units are offered, and none becomes cold while nobody reads: so all are read again if it takes long.
fn wait_for_spare(range: &Range, units: usize) {
    let group = std::env::var_os(GROUP).expect("the parent says so");
    let mut looks = 0;
    eventually("a quarter of the limit can be had", || {
        looks += 1;
        if looks % 100 == 0 {
            check(range, units);
        }
        spare(Path::new(&group)) >= SPARE
    });
}

/// Memory that the process has beside the range for a moment.
fn burst(range: &Range, units: usize) {
    wait_for_spare(range, units);
    take_for_a_moment(BURST);
}

fn take_for_a_moment(bytes: usize) {
    let mut beside = vec![0_u8; bytes];
    beside.iter_mut().step_by(4096).for_each(|byte| *byte = 1);
    std::hint::black_box(&beside);
}

/// The same of a child process.
fn child_burst(range: &Range, units: usize) {
    wait_for_spare(range, units);
    let test = std::env::var(PART).expect("the parent says so");
    let end = this_program(&test).env(CHILD, "64").status().expect("the child starts");
    assert!(end.success(), "{end:?}");
}

fn this_program(test: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("the test has a path"));
    command.args(["--exact", test, "--nocapture", "--test-threads=1"]).env(PART, test);
    command
}

/// Gives the process more of the CPUs than others have. Else the kernel kills it now and then while other suites keep them
/// busy, and these are no part of what is tried.
fn come_first() {
    // SAFETY: it sets a number of this process.
    let is_set = unsafe { libc::setpriority(libc::PRIO_PROCESS, 0, -10) };
    assert_eq!(is_set, 0, "root may do so, and only root makes groups");
}

/// Runs `body` in a process of its own with `LIMIT` bytes of memory.
fn within_limit(test: &str, body: impl FnOnce()) {
    if let Ok(mib) = std::env::var(CHILD) {
        return take_for_a_moment(mib.parse::<usize>().expect("a number") << 20);
    }
    if let Some(group) = std::env::var_os(GROUP) {
        fs::write(Path::new(&group).join("cgroup.procs"), "0").expect("the group takes it");
        come_first();
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

/// A range with `units` in it; `None` where there can be none.
fn filled(units: usize, options: &Options) -> Option<Range> {
    let range = open(units * UNIT, options)?;
    submit(&range, UNIT, 0, units, less);
    range.drain();
    check(&range, units);
    Some(range)
}

/// Fills a range with `units`, and lets memory grow beside it.
fn grow_beside(units: usize, options: &Options, grow: impl Fn(&Range, usize)) {
    let Some(range) = filled(units, options) else { return };
    for _ in 0..BURSTS {
        grow(&range, units);
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

/// A thread asks before it touches so much.
const PIECE: usize = 2 << 20;
const THREADS: usize = 8;

/// Threads that all take memory at once, `bytes` together, and ask for it first, while another one reads.
fn take_asking(range: &Range, units: usize, bytes: usize) {
    keep_no_pieces();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let reader = scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                check(range, units);
            }
        });
        let takers: Vec<_> =
            (0..THREADS).map(|_| scope.spawn(|| take_pieces(range, bytes / THREADS / PIECE))).collect();
        // All have it at the same time.
        let taken: Vec<_> = takers.into_iter().map(|taker| taker.join().expect("it ends")).collect();
        taken.into_iter().flatten().for_each(|piece| range.end_room(piece.len() as u64));
        done.store(true, Ordering::Relaxed);
        reader.join().expect("it reads what was written");
    });
}

/// Has the allocator give each piece back once it is dropped. Else it keeps some of each round, and nobody knows how much.
fn keep_no_pieces() {
    // SAFETY: it sets a number of the allocator's.
    let is_set = unsafe { libc::mallopt(libc::M_MMAP_THRESHOLD, PIECE as i32 / 2) };
    assert_eq!(is_set, 1, "pieces are mapped");
}

fn take_pieces(range: &Range, count: usize) -> Vec<Vec<u8>> {
    let take = |_| {
        assert!(range.make_room(PIECE as u64), "there is room for all of them");
        let mut piece = vec![0_u8; PIECE];
        piece.iter_mut().step_by(4096).for_each(|byte| *byte = 1);
        piece
    };
    (0..count).map(take).collect()
}

/// Bug: the governor was told when the kernel had reclaimed, and offered as much again. Threads took more meanwhile.
#[test]
fn threads_that_ask_take_what_is_compressed_too() {
    within_limit("threads_that_ask_take_what_is_compressed_too", || {
        let Some(range) = filled(MANY, &sharing()) else { return };
        (0..BURSTS).for_each(|_| take_asking(&range, MANY, 80 << 20));
    });
}

#[test]
fn threads_that_ask_take_what_fits_plain() {
    within_limit("threads_that_ask_take_what_fits_plain", || {
        let Some(range) = filled(FEW, &sharing()) else { return };
        // Compressed, the units have as much again, and the least of pages, buffers and the program have the rest.
        (0..BURSTS).for_each(|_| take_asking(&range, FEW, 112 << 20));
    });
}

#[test]
fn threads_that_ask_take_what_the_ssd_has() {
    within_limit("threads_that_ask_take_what_the_ssd_has", || {
        let directory = tempfile::tempdir_in(".").expect("a directory for the file");
        let ssd = Options { ssd: Some(SsdConfig::new(directory.path())), ..sharing() };
        let Some(range) = filled(MORE, &ssd) else { return };
        (0..BURSTS).for_each(|_| take_asking(&range, MORE, 80 << 20));
    });
}

/// Nobody touches the memory, so nobody is killed either way.
#[test]
fn one_who_asks_for_more_than_can_leave_is_told() {
    within_limit("one_who_asks_for_more_than_can_leave_is_told", || {
        let Some(range) = filled(MANY, &sharing()) else { return };
        let asked = (0..).take_while(|_| range.make_room(PIECE as u64)).take(LIMIT as usize / PIECE).count();
        assert!(asked < LIMIT as usize / PIECE - 8, "{asked} pieces were promised, with the pool as it is");
        assert!(asked >= (64 << 20) / PIECE, "{asked} pieces are not all that can leave");
        check(&range, MANY);
        range.end_room((asked * PIECE) as u64);
        assert!(range.make_room(PIECE as u64), "it can be had again");
    });
}

/// A child process that takes half of the limit, which nobody knows, is expected.
#[test]
fn a_child_that_is_expected_takes_half() {
    within_limit("a_child_that_is_expected_takes_half", || {
        let Some(range) = filled(FEW, &sharing()) else { return };
        range.expect();
        let unit = UNIT as u64;
        let stats = range.stats();
        assert!(stats.resident_bytes >= unit, "pages stay readable");
        let test = std::env::var(PART).expect("the parent says so");
        let end = this_program(&test).env(CHILD, "128").status().expect("the child starts");
        assert!(end.success(), "{end:?}");
        check(&range, FEW);
    });
}

/// As where a program has locked its memory. Nothing is promised then but that all goes on.
#[test]
fn where_nothing_can_be_offered_units_leave() {
    within_limit("where_nothing_can_be_offered_units_leave", || {
        let scenario = Scenario::begin();
        scenario.fail("memory.offer", Failure::Errno(libc::EINVAL));
        grow_beside(MANY, &sharing(), |_, _| ());
        assert!(scenario.failed("memory.offer") > 0, "nothing was offered");
    });
}

/// Bug: with hardly any credit the evictor's marks lay at what there might be. So units that came back did not cycle, and
/// threads that faulted compressed others in their place.
#[test]
fn at_the_end_of_a_cgroup_units_that_have_no_room_cycle() {
    within_limit("at_the_end_of_a_cgroup_units_that_have_no_room_cycle", || {
        let all = LIMIT as usize / UNIT;
        let budget = LIMIT - 3 * MIB;
        let Some(range) = filled(all, &Options { pool_max: budget - 8 * MIB, dram_max: budget, ..sharing() })
        else {
            return;
        };
        let (words, mut random) = (Words::of(&range), Random(1));
        let mut read = || {
            for _ in 0..200_000 {
                let unit = random.next() as usize % all;
                assert_eq!(words.get(unit * WORDS + 9), less(unit, 9), "unit {unit}");
            }
        };
        read();
        let before = range.stats();
        read();
        let after = range.stats();
        let [left, stored] =
            [after.evicted_clean - before.evicted_clean, after.evicted_dirty - before.evicted_dirty];
        assert!(stored < left / 4, "{stored} were stored, and {left} left for nothing");
    });
}
