//! Processes in one cgroup, each of which reckons with all of its limit: none is killed for want of memory, and all read
//! what they wrote.
//!
//! Bug: they looked ten times a second at what others leave, whatever they took meanwhile. Processes that fill as fast as
//! they can were killed before the second look.
//!
//! Each is this program again. Creating a cgroup takes root.

mod common;

use std::fs;
use std::io::{BufRead, BufReader, Lines, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

use common::group::Group;
use common::{UNIT, WORDS, Words, noise, open, options, submit, tame};
use ztera_range::{Options, Range};

const MIB: u64 = 1 << 20;
const LIMIT: u64 = 512 * MIB;
/// 576 MiB, which all processes have together: they fit only compressed.
const UNITS: usize = 36864;
const PASSES: usize = 3;

/// Tell a child its cgroup and its part of the data.
const GROUP: &str = "ZTERA_TEST_GROUP";
const PART: &str = "ZTERA_TEST_UNITS";
/// A child says this when all its data are in place.
const FULL: &str = "FULL";

/// Compresses to about half.
fn half(unit: usize, i: usize) -> u64 {
    if i.is_multiple_of(2) { noise(unit, i) } else { tame(unit, i) }
}

fn check(range: &Range, units: usize) {
    let words = Words::of(range);
    for unit in 0..units {
        for i in [0, 99, WORDS - 1] {
            assert_eq!(words.get(unit * WORDS + i), half(unit, i));
        }
    }
}

/// The life of a child: it fills its range, waits for the others, and reads all of it.
fn be_a_neighbour(group: &Path) {
    fs::write(group.join("cgroup.procs"), "0").expect("the group takes it");
    let units = std::env::var(PART).ok().and_then(|units| units.parse().ok()).expect("the parent says so");
    let options = Options {
        resident_min: 8 * MIB,
        pool_max: LIMIT - 40 * MIB - 8 * MIB,
        dram_max: LIMIT - 40 * MIB,
        staging_limit: 4 * MIB,
        ..options(0)
    };
    let Some(range) = open(units * UNIT, &options) else { return println!("{FULL}") };
    submit(&range, UNIT, 0, units, half);
    range.drain();
    println!("{FULL}");
    std::io::stdin().read_line(&mut String::new()).expect("the parent says so");
    (0..PASSES).for_each(|_| check(&range, units));
}

type Output = Lines<BufReader<ChildStdout>>;

fn start(test: &str, group: &Group, units: usize) -> (Child, Output) {
    let mut child = Command::new(std::env::current_exe().expect("the test has a path"))
        .args(["--exact", test, "--nocapture", "--test-threads=1"])
        .env(GROUP, &group.0)
        .env(PART, units.to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the child starts");
    let output = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    (child, output)
}

fn await_full(output: &mut Output) -> bool {
    output.map_while(Result::ok).any(|line| line.contains(FULL))
}

/// `test` with so many processes. Each fills its range when all the others do, or when those before it have done so.
fn share(test: &str, processes: usize, at_once: bool) {
    if let Some(group) = std::env::var_os(GROUP) {
        return be_a_neighbour(Path::new(&group));
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
    let mut full = Vec::new();
    let mut children = Vec::new();
    for _ in 0..processes {
        let (child, mut output) = start(test, &group, UNITS / processes);
        if !at_once {
            full.push(await_full(&mut output));
        }
        children.push((child, output));
    }
    if at_once {
        full.extend(children.iter_mut().map(|(_, output)| await_full(output)));
    }
    // One that has ended does not read it.
    children.iter_mut().for_each(|(child, _)| drop(child.stdin.take().expect("a pipe").write(b"\n")));
    let ends: Vec<_> = children.iter_mut().map(|(child, _)| child.wait().expect("it ends")).collect();
    assert_eq!(group.kills(), 0, "killed by the kernel; {ends:?}");
    assert!(ends.iter().all(|end| end.success()), "{ends:?}");
    assert_eq!(full, vec![true; processes]);
}

#[test]
fn two_processes_share_a_limit() {
    share("two_processes_share_a_limit", 2, true);
}

#[test]
fn three_processes_share_a_limit() {
    share("three_processes_share_a_limit", 3, true);
}

#[test]
fn a_process_makes_room_for_the_next() {
    share("a_process_makes_room_for_the_next", 2, false);
}
