// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Preparation of a daemon whose device serves as swap.

use std::fs;
use std::io;
use std::thread;
use std::time::Duration;

/// Keeps this process from waiting for the memory that it frees itself. It locks all its memory, tells the kernel that
/// its allocations must not write to block devices, and asks not to be killed when memory runs out. Takes CAP_IPC_LOCK
/// and CAP_SYS_RESOURCE. Threads that are there already are not IO flushers: call it before they start.
pub fn prepare() -> io::Result<()> {
    // Without ONFAULT the address space of a pool without limit would be filled at once.
    let flags = libc::MCL_CURRENT | libc::MCL_FUTURE | libc::MCL_ONFAULT;
    // SAFETY: changes nothing but whether the kernel may swap pages of this process.
    check("mlockall, which takes CAP_IPC_LOCK", unsafe { libc::mlockall(flags) })?;
    // SAFETY: sets a flag of the calling thread, which threads that it starts inherit.
    let flusher = unsafe { libc::prctl(PR_SET_IO_FLUSHER, 1, 0, 0, 0) };
    check("PR_SET_IO_FLUSHER, which takes CAP_SYS_RESOURCE", flusher)?;
    fs::write("/proc/self/oom_score_adj", "-1000")
        .map_err(|error| named("oom_score_adj, which takes CAP_SYS_RESOURCE", &error))
}

/// Takes all memory that the device may need, and keeps it: the kernel is asked for none when it is short of it. Call
/// it when all threads are there. The device must have a memory limit, as its pool's whole address space is filled.
pub fn hold() -> io::Result<()> {
    // Memory that requests take and free stays here, too.
    // SAFETY: both options are documented for any time; they change nothing but where later memory comes from.
    unsafe {
        libc::mallopt(libc::M_TRIM_THRESHOLD, libc::c_int::MAX);
        libc::mallopt(libc::M_MMAP_MAX, 0);
    }
    // SAFETY: reads pages of this process, so that they are there, and keeps them.
    check("mlockall, for which memory must be free", unsafe {
        libc::mlockall(libc::MCL_CURRENT | libc::MCL_FUTURE)
    })?;
    settle()
}

/// Waits until the process takes no more memory: threads that have only just started have their buffers then.
fn settle() -> io::Result<()> {
    let mut before = String::new();
    for _ in 0..LOOKS {
        let now = fs::read_to_string("/proc/self/statm")?;
        if now == before {
            break;
        }
        before = now;
        thread::sleep(BETWEEN_LOOKS);
    }
    Ok(())
}

const LOOKS: u32 = 50;
const BETWEEN_LOOKS: Duration = Duration::from_millis(100);

/// As of linux/prctl.h; the libc crate lacks it.
const PR_SET_IO_FLUSHER: libc::c_int = 57;

fn check(what: &str, result: libc::c_int) -> io::Result<()> {
    if result == 0 { Ok(()) } else { Err(named(what, &io::Error::last_os_error())) }
}

fn named(what: &str, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{what}: {error}"))
}
