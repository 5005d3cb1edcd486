// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! DRAM that programs share with their compressed pages.
//!
//! A cgroup does not count zram's memory. So a thread lowers the cgroup's limit by what swap uses, all the time, as if
//! both were in one machine. Where the kernel cannot bring the programs below that, they do not fit.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use ztera_machine::cgroup::Cgroup;

/// Between looks.
const LOOK: Duration = Duration::from_millis(10);
/// How long both may need more than there is, before the programs are killed.
const PATIENCE: Duration = Duration::from_millis(1000);
/// The share of the limit by which both may exceed it.
const ROOM: f64 = 0.02;

/// Calls `run` while the limit holds for the group and for the DRAM that is `used` beside it. Returns its result, and
/// the most that was used beside.
pub fn while_limited<R>(
    cgroup: &Cgroup,
    limit: u64,
    used: impl Fn() -> u64 + Sync,
    run: impl FnOnce() -> R,
) -> (R, u64) {
    let (done, most) = (AtomicBool::new(false), AtomicU64::new(0));
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut watch = Watch { cgroup, limit, lowered_by: 0, exceeded_since: None };
            while !done.load(Ordering::Relaxed) {
                let used = used();
                most.fetch_max(used, Ordering::Relaxed);
                watch.look(used);
                thread::sleep(LOOK);
            }
        });
        let end = End(&done);
        let result = run();
        drop(end);
        (result, most.load(Ordering::Relaxed))
    })
}

/// Ends the watch also when `run` panics.
struct End<'a>(&'a AtomicBool);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

struct Watch<'a> {
    cgroup: &'a Cgroup,
    limit: u64,
    lowered_by: u64,
    exceeded_since: Option<Instant>,
}

impl Watch<'_> {
    fn look(&mut self, used: u64) {
        // Version 1 refuses a limit below what it cannot reclaim, and keeps the old one.
        if used.abs_diff(self.lowered_by) > self.limit / 256
            && self.cgroup.change_limit(self.limit.saturating_sub(used).max(4096)).is_ok()
        {
            self.lowered_by = used;
        }
        let both = used + self.cgroup.anonymous().unwrap_or(0);
        if both as f64 <= self.limit as f64 * (1.0 + ROOM) {
            self.exceeded_since = None;
        } else if self.exceeded_since.get_or_insert_with(Instant::now).elapsed() > PATIENCE {
            self.cgroup.kill();
        }
    }
}
