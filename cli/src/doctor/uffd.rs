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

/// Tries the ways the engine tries, in its order: the system call, then the device.
pub fn probe() -> Uffd {
    let call = by_call(Faults::All);
    let (access, fd) = match call {
        Ok(fd) => (UffdAccess::SystemCall, Some(fd)),
        Err(Errno::NOSYS) => (UffdAccess::Absent, None),
        Err(_) => match by_device() {
            Ok(fd) => (UffdAccess::Device, Some(fd)),
            Err(_) => match by_call(Faults::OfInstructions) {
                Ok(fd) => (UffdAccess::UserModeOnly, Some(fd)),
                Err(_) => (UffdAccess::Denied, None),
            },
        },
    };
    Uffd { access, features: fd.and_then(|fd| handshake(&fd, 0).ok()), device: Path::new(DEVICE).exists() }
}
