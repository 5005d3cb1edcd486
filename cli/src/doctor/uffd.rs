// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Asks the kernel what userfaultfd can do for this process.

use std::path::Path;

use rustix::io::Errno;
use serde::Serialize;
use ztera_range::userfaultfd::{DEVICE, Faults, by_call, by_device, handshake};

/// How userfaultfd can be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum UffdAccess {
    /// By the system call, for faults in user and kernel mode.
    SystemCall,
    /// By its device, for faults in user and kernel mode.
    Device,
    /// For faults in user mode only: a system call that is given an untouched address fails.
    UserModeOnly,
    /// The kernel has it and forbids it.
    Denied,
    /// The kernel does not have it.
    Absent,
}

/// userfaultfd.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Uffd {
    /// How it can be had.
    pub access: UffdAccess,
    /// `UFFD_FEATURE_*` bits, if it can be had.
    pub features: Option<u64>,
    /// Whether the device file exists.
    pub device: bool,
}

/// Tries the ways the engine tries, in its order. Where a seccomp profile forbids the system call, by whatever error,
/// the device may still be had.
pub fn probe() -> Uffd {
    let device = Path::new(DEVICE).exists();
    let call = || by_call(Faults::All).map(|fd| (UffdAccess::SystemCall, fd));
    let by_file = |_| by_device().map(|fd| (UffdAccess::Device, fd));
    let user_mode = |_| by_call(Faults::OfInstructions).map(|fd| (UffdAccess::UserModeOnly, fd));
    match call().or_else(by_file).or_else(user_mode) {
        Ok((access, fd)) => Uffd { access, features: handshake(&fd, 0).ok(), device },
        Err(Errno::NOSYS) if !device => Uffd { access: UffdAccess::Absent, features: None, device },
        Err(_) => Uffd { access: UffdAccess::Denied, features: None, device },
    }
}
