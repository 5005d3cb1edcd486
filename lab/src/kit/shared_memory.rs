// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! DRAM that a program shares with its compressed pages.
//!
//! A cgroup does not count zram's memory. So a thread lowers the cgroup's limit by what swap uses, all the time, as if
//! both were in one machine. Where the kernel cannot bring the program below that, the program does not fit: another
//! thread kills it. The first one may be in the kernel for as long as pages come and go.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use ztera_machine::cgroup::Cgroup;

/// Between looks.
const LOOK: Duration = Duration::from_millis(10);
/// The share of the limit by which both may exceed it.
const ROOM: f64 = 0.02;

/// DRAM for a program and its compressed pages.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    /// Of both.
    pub bytes: u64,
    /// How long both may need more, before the program is killed.
    pub patience: Duration,
}

impl Limit {
    /// So many bytes, with a patience of one second.
    pub fn new(bytes: u64) -> Limit {
        Limit { bytes, patience: Duration::from_secs(1) }
    }
}

/// Calls `run` while the limit holds for both. `used` is DRAM that swap uses now. Returns the result of `run`, and the
/// most that swap used.
pub fn while_limited<R>(
    cgroup: &Cgroup,
    limit: Limit,
    used: impl Fn() -> u64 + Sync,
    run: impl FnOnce() -> R,
) -> (R, u64) {
    let (done, most) = (AtomicBool::new(false), AtomicU64::new(0));
    let is_done = || done.load(Ordering::Relaxed);
    thread::scope(|scope| {
        scope.spawn(|| lower(cgroup, limit.bytes, &used, is_done));
        scope.spawn(|| {
            let mut exceeded_since = None;
            while !is_done() {
                let used = used();
                most.fetch_max(used, Ordering::Relaxed);
                if !exceeds(used + cgroup.anonymous().unwrap_or(0), limit.bytes) {
                    exceeded_since = None;
                } else if exceeded_since.get_or_insert_with(Instant::now).elapsed() > limit.patience {
                    cgroup.kill();
                }
                thread::sleep(LOOK);
            }
        });
        let end = End(&done);
        let result = run();
        drop(end);
        (result, most.load(Ordering::Relaxed))
    })
}

/// Ends the threads also when `run` panics.
struct End<'a>(&'a AtomicBool);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn lower(cgroup: &Cgroup, limit: u64, used: impl Fn() -> u64, is_done: impl Fn() -> bool) {
    let mut lowered_by = 0;
    while !is_done() {
        let used = used();
        // Version 1 refuses a limit below what it cannot reclaim, and keeps the old one.
        if used.abs_diff(lowered_by) > limit / 256
            && cgroup.change_limit(limit.saturating_sub(used).max(4096)).is_ok()
        {
            lowered_by = used;
        }
        thread::sleep(LOOK);
    }
}

fn exceeds(both: u64, limit: u64) -> bool {
    both as f64 > limit as f64 * (1.0 + ROOM)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_little_more_than_the_limit_is_no_excess() {
        assert_eq!([99, 101, 102, 103].map(|both| exceeds(both, 100)), [false, false, false, true]);
    }

    /// A cgroup whose limit cannot be lowered any more kept the only thread in the kernel, and nothing was killed.
    #[test]
    fn a_program_is_killed_once_swap_alone_has_the_limit() {
        let Ok(cgroup) = Cgroup::create("shared") else {
            println!("SKIPPED: no memory cgroup can be created");
            return;
        };
        let mut command = std::process::Command::new("sleep");
        command.arg("1000");
        let mut child = ztera_machine::child::Guarded::spawn(command, Some(&cgroup)).unwrap();
        let limit = Limit { bytes: 64 << 20, patience: Duration::from_millis(20) };
        let (status, most) = while_limited(&cgroup, limit, || 128 << 20, || child.process().wait().unwrap());
        assert_eq!((std::os::unix::process::ExitStatusExt::signal(&status), most), (Some(9), 128 << 20));
    }
}
