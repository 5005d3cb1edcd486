//! Two processes in one cgroup, each of which reckons with all of its limit: neither is killed for want of memory, and both
//! read what they wrote.
//!
//! Each is this program again. Creating a cgroup takes root.

mod common;

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use common::{UNIT, WORDS, Words, noise, open, options, submit, tame};
use ztera_range::{Options, Range};

const MIB: u64 = 1 << 20;
const LIMIT: u64 = 512 * MIB;
/// 288 MiB: for one process they fit as they are, for two only compressed.
const UNITS: usize = 18432;
const PASSES: usize = 3;

const TEST: &str = "two_processes_share_a_limit";
/// Tells a child its cgroup.
const GROUP: &str = "ZTERA_TEST_GROUP";
/// What a child says when all its data are in place, and at its end.
const FULL: &str = "FULL";
const GAVE: &str = "GAVE BACK";

/// A cgroup with a limit and without swap, of version 1 or 2. Dropping it removes it; its processes have ended by then.
struct Group(PathBuf);

impl Group {
    /// Below this process's own group, or where else it may be.
    fn create() -> Result<Self, String> {
        let groups = fs::read_to_string("/proc/self/cgroup").expect("proc is mounted");
        let version_1 = groups.lines().find_map(|line| line.split_once(":memory:/"));
        let (root, path) = match version_1 {
            Some((_, path)) => ("/sys/fs/cgroup/memory", path),
            None => ("/sys/fs/cgroup", groups.trim().strip_prefix("0::/").unwrap_or_default()),
        };
        let mut why = "there is none".to_owned();
        for above in Path::new(root).join(path).ancestors().take_while(|dir| dir.starts_with(root)) {
            match Self::below(above) {
                Ok(group) => return Ok(group),
                Err(error) => why = format!("{}: {error}", above.display()),
            }
        }
        Err(why)
    }

    fn below(above: &Path) -> std::io::Result<Self> {
        let group = Self(above.join(format!("ztera-{}-sharing", std::process::id())));
        // Version 2; it may be so already.
        let _ = fs::write(above.join("cgroup.subtree_control"), "+memory");
        fs::create_dir(&group.0)?;
        let [limit, swap] = if group.0.join("memory.max").exists() {
            [("memory.max", LIMIT), ("memory.swap.max", 0)]
        } else {
            [("memory.limit_in_bytes", LIMIT), ("memory.memsw.limit_in_bytes", LIMIT)]
        };
        fs::write(group.0.join(limit.0), limit.1.to_string())?;
        if group.0.join(swap.0).exists() {
            fs::write(group.0.join(swap.0), swap.1.to_string())?;
        }
        Ok(group)
    }

    /// Processes that the kernel has killed.
    fn kills(&self) -> u64 {
        let files = ["memory.events", "memory.oom_control"].map(|file| self.0.join(file));
        let text = files.iter().find_map(|file| fs::read_to_string(file).ok()).expect("one of them exists");
        let kills = text.lines().find_map(|line| line.strip_prefix("oom_kill "));
        kills.expect("the kernel counts them").trim().parse().expect("a number")
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // A process that has just ended may hold it for a moment.
        for _ in 0..100 {
            if fs::remove_dir(&self.0).is_ok() || !self.0.exists() {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    }
}

/// Compresses to about half.
fn half(unit: usize, i: usize) -> u64 {
    if i.is_multiple_of(2) { noise(unit, i) } else { tame(unit, i) }
}

fn check(range: &Range) {
    let words = Words::of(range);
    for unit in 0..UNITS {
        for i in [0, 99, WORDS - 1] {
            assert_eq!(words.get(unit * WORDS + i), half(unit, i));
        }
    }
}

/// What a child does: it fills its range, waits for the other one, and reads all of it.
fn be_a_neighbour(group: &Path) {
    fs::write(group.join("cgroup.procs"), "0").expect("the group takes it");
    let options = Options {
        resident_limit: 8 * MIB,
        pool_limit: LIMIT - 40 * MIB - 8 * MIB,
        dram_limit: LIMIT - 40 * MIB,
        staging_limit: 4 * MIB,
        ..options(0)
    };
    let Some(range) = open(UNITS * UNIT, &options) else { return println!("{FULL}\n{GAVE}") };
    submit(&range, UNIT, 0, UNITS, half);
    range.drain();
    println!("{FULL}");
    std::io::stdin().read_line(&mut String::new()).expect("the parent says so");
    (0..PASSES).for_each(|_| check(&range));
    let decisions: Vec<_> = std::iter::from_fn(|| range.next_decision()).collect();
    assert!(decisions.iter().any(|decision| decision.contains("others use the memory")), "{decisions:?}");
    println!("{GAVE}");
}

fn start(group: &Group) -> Child {
    Command::new(std::env::current_exe().expect("the test has a path"))
        .args(["--exact", TEST, "--nocapture", "--test-threads=1"])
        .env(GROUP, &group.0)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the child starts")
}

#[test]
fn two_processes_share_a_limit() {
    if let Some(group) = std::env::var_os(GROUP) {
        return be_a_neighbour(Path::new(&group));
    }
    let group = match Group::create() {
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
    let mut children = [start(&group), start(&group)];
    let mut outputs =
        children.each_mut().map(|child| BufReader::new(child.stdout.take().expect("a pipe")).lines());
    let said = |output: &mut std::io::Lines<_>, wanted: &str| {
        output.map_while(Result::ok).any(|line: String| line.contains(wanted))
    };
    let full = outputs.each_mut().map(|output| said(output, FULL));
    // One that has ended does not read it.
    children.iter_mut().for_each(|child| drop(child.stdin.take().expect("a pipe").write(b"\n")));
    let gave = outputs.each_mut().map(|output| said(output, GAVE));
    let ends = children.each_mut().map(|child| child.wait().expect("it ends"));
    assert_eq!(group.kills(), 0, "killed by the kernel; {ends:?}");
    assert!(ends.iter().all(|end| end.success()), "{ends:?}");
    assert_eq!((full, gave), ([true; 2], [true; 2]));
}
