// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Whether so much may be pinned.

use anyhow::{Context, Result};
use rustix::process::{Resource, getrlimit};
use ztera_machine::capability::Capability;
use ztera_machine::memory;
use ztera_machine::units::show_size;

/// The limits of pinning, in bytes.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// Memory that both this process and the other may use.
    pub memory: u64,
    /// The share of it that may be pinned.
    pub share: f64,
    /// Memory that this process may lock.
    pub lock: Option<u64>,
}

impl Room {
    /// For a share of the memory of process `pid`.
    pub fn of(pid: u32, share: f64) -> Result<Room> {
        let memory =
            memory::memory_limit_of(pid).context("this system does not say how much memory it has")?;
        let may_lock_all = Capability::IpcLock.is_effective();
        let lock = if may_lock_all { None } else { getrlimit(Resource::Memlock).current };
        Ok(Room { memory, share, lock })
    }

    /// Most that may be pinned of memory.
    pub fn most(&self) -> u64 {
        (self.memory as f64 * self.share) as u64
    }

    /// Bytes that may be pinned beside those that are.
    pub fn left(&self, pinned: u64) -> u64 {
        self.lock.unwrap_or(u64::MAX).min(self.most()).saturating_sub(pinned)
    }

    /// Why `wanted` is too much, if it is.
    pub fn refusal(&self, wanted: u64) -> Option<String> {
        let (size, most) = (show_size(wanted), self.most());
        if wanted > most {
            return Some(format!(
                "these files have {size}, and {} of the memory limit of {} is {}: choose fewer with --what, or raise \
                 --share",
                percent(self.share),
                show_size(self.memory),
                show_size(most)
            ));
        }
        let lock = self.lock.filter(|lock| wanted > *lock)?;
        Some(format!(
            "these files have {size}, and this user may lock {}: choose fewer with --what, raise the limit \
             (`ulimit -l`), or run this with CAP_IPC_LOCK",
            show_size(lock)
        ))
    }
}

/// A share for people.
pub fn percent(share: f64) -> String {
    format!("{} %", (share * 1e6).round() / 1e4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_of_the_limit_is_the_most() {
        let room = Room { memory: 512 << 20, share: 0.25, lock: None };
        assert_eq!(room.refusal(128 << 20), None);
        assert_eq!([100 << 20, 200 << 20].map(|pinned| room.left(pinned)), [28 << 20, 0]);
        let refusal = room.refusal(200 << 20).unwrap();
        for words in ["200 MiB", "25 %", "512 MiB", "is 128 MiB", "--what", "--share"] {
            assert!(refusal.contains(words), "{words} in {refusal}");
        }
    }

    #[test]
    fn shares_are_shown_in_percent() {
        assert_eq!([0.25, 0.07, 0.00001].map(percent), ["25 %", "7 %", "0.001 %"]);
    }

    #[test]
    fn the_limit_of_locked_memory_holds_too() {
        let room = Room { memory: 1 << 30, share: 1.0, lock: Some(8 << 20) };
        assert_eq!((room.refusal(8 << 20), room.left(6 << 20)), (None, 2 << 20));
        let refusal = room.refusal(9 << 20).unwrap();
        assert!(refusal.contains("9.00 MiB") && refusal.contains("may lock 8.00 MiB"), "{refusal}");
    }
}
