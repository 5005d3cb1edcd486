// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Asks the kernel what userfaultfd can do for this process.

use std::ffi::c_void;
use std::os::fd::{FromRawFd, OwnedFd, RawFd};
use std::path::Path;

use linux_raw_sys::general as kernel;
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use rustix::ioctl::{self, Opcode, Updater, opcode};
use rustix::mm::UserfaultfdFlags;
use serde::Serialize;

const MAGIC: u8 = kernel::UFFDIO as u8;
const API: Opcode = opcode::read_write::<kernel::uffdio_api>(MAGIC, kernel::_UFFDIO_API as u8);
/// `USERFAULTFD_IOC_NEW`, the one request of the device.
const NEW: Opcode = opcode::none(MAGIC, 0);
const DEVICE: &str = "/dev/userfaultfd";

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
    let call = by_call(UserfaultfdFlags::empty());
    let (access, fd) = match call {
        Ok(fd) => (UffdAccess::SystemCall, Some(fd)),
        Err(Errno::NOSYS) => (UffdAccess::Absent, None),
        Err(_) => match by_device() {
            Ok(fd) => (UffdAccess::Device, Some(fd)),
            Err(_) => match by_call(UserfaultfdFlags::from_bits_retain(kernel::UFFD_USER_MODE_ONLY)) {
                Ok(fd) => (UffdAccess::UserModeOnly, Some(fd)),
                Err(_) => (UffdAccess::Denied, None),
            },
        },
    };
    Uffd { access, features: fd.and_then(|fd| features(&fd)), device: Path::new(DEVICE).exists() }
}

fn by_call(extra: UserfaultfdFlags) -> Result<OwnedFd, Errno> {
    let flags = UserfaultfdFlags::CLOEXEC | UserfaultfdFlags::NONBLOCK | extra;
    // SAFETY: a descriptor on which nothing is registered affects no memory.
    unsafe { rustix::mm::userfaultfd(flags) }
}

fn by_device() -> Result<OwnedFd, Errno> {
    let device = rustix::fs::open(DEVICE, OFlags::RDWR | OFlags::CLOEXEC, Mode::empty())?;
    // SAFETY: the request takes flags and creates a descriptor.
    unsafe { ioctl::ioctl(&device, NewFd) }
}

/// The features that the kernel offers, as bits.
fn features(fd: &OwnedFd) -> Option<u64> {
    let mut arg = kernel::uffdio_api { api: kernel::UFFD_API.into(), features: 0, ioctls: 0 };
    // SAFETY: the opcode takes this structure, and the descriptor has no memory registered.
    unsafe { ioctl::ioctl(fd, Updater::<API, _>::new(&mut arg)) }.ok()?;
    Some(arg.features)
}

struct NewFd;

// SAFETY: the opcode takes an integer, which `as_ptr` passes, and returns a descriptor.
unsafe impl ioctl::Ioctl for NewFd {
    type Output = OwnedFd;
    const IS_MUTATING: bool = false;

    fn opcode(&self) -> Opcode {
        NEW
    }

    fn as_ptr(&mut self) -> *mut c_void {
        std::ptr::without_provenance_mut((OFlags::CLOEXEC | OFlags::NONBLOCK).bits() as usize)
    }

    unsafe fn output_from_ptr(fd: ioctl::IoctlOutput, _: *mut c_void) -> rustix::io::Result<OwnedFd> {
        // SAFETY: the call succeeded, so this is a new descriptor that nobody else owns.
        Ok(unsafe { OwnedFd::from_raw_fd(fd as RawFd) })
    }
}
