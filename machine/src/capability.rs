// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The kernel's permissions of this process. Root in a container may lack some of them.

use std::fs;

/// A capability, as the kernel numbers them (linux/capability.h).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capability {
    /// Lock memory without limit.
    IpcLock = 14,
    /// Set `PR_SET_IO_FLUSHER`, and escape being killed for want of memory.
    SysResource = 24,
}

impl Capability {
    /// Whether this process has it now.
    pub fn is_effective(self) -> bool {
        fs::read_to_string("/proc/self/status").is_ok_and(|status| self.is_in(&status))
    }

    /// Whether the effective capabilities in `/proc/PID/status` have it.
    fn is_in(self, status: &str) -> bool {
        let line = status.lines().find_map(|line| line.strip_prefix("CapEff:"));
        let set = line.and_then(|set| u64::from_str_radix(set.trim(), 16).ok());
        set.is_some_and(|set| set >> self as u32 & 1 == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_capability_is_a_bit() {
        let has = |status| Capability::IpcLock.is_in(status);
        assert!(has("Name:\tx\nCapEff:\t000001ffffffffff\n"));
        assert!(has("CapEff:\t0000000000004000\n"));
        assert!(!has("CapPrm:\t000001ffffffffff\nCapEff:\t0000000000003fff\n"));
    }
}
