// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The CPU time of a process.

use std::fs;
use std::time::Duration;

use anyhow::{Context, Result};

use super::{file_of, unreadable};

/// CPU time of all threads of a process so far, in the kernel too, as exact as the clock's ticks. The work of the
/// kernel's own threads is not in it.
pub fn cpu_time(pid: u32) -> Result<Duration> {
    let stat = fs::read_to_string(file_of(pid, "stat")).map_err(|error| unreadable(pid, "stat", error))?;
    let ticks = ticks(&stat).with_context(|| format!("/proc/{pid}/stat has another form"))?;
    Ok(Duration::from_secs_f64(ticks as f64 / rustix::param::clock_ticks_per_second() as f64))
}

/// Ticks in user space and in the kernel: the 12th and the 13th number behind the name, which may have spaces.
fn ticks(stat: &str) -> Option<u64> {
    let mut behind = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    let (user, kernel) = (behind.next()?, behind.next()?);
    Some(user.parse::<u64>().ok()? + kernel.parse::<u64>().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_spaces_does_not_confuse() {
        let stat = "42 (a ) name) S 1 42 42 0 -1 4194560 100 0 0 0 7 5 0 0 20 0 1 0 100 1000 50";
        assert_eq!(ticks(stat), Some(12));
        assert_eq!(ticks("42 (x) S"), None);
    }

    #[test]
    fn this_process_has_used_less_than_it_may() {
        let used = cpu_time(std::process::id()).unwrap();
        assert!(used < Duration::from_secs(86_400), "{used:?}");
        assert!(cpu_time(u32::MAX).unwrap_err().to_string().contains("no process"));
    }
}
