//! The ways to a userfaultfd descriptor, for those who only want to know whether there is one, too.

use std::ffi::c_void;
use std::os::fd::{FromRawFd, OwnedFd, RawFd};

use linux_raw_sys::general as kernel;
use rustix::fs::{Mode, OFlags};
use rustix::io::Result;
use rustix::ioctl::{self, Opcode, Updater, opcode};
use rustix::mm::UserfaultfdFlags as Flags;

/// The device that gives out descriptors. An administrator may have opened its permissions.
pub const DEVICE: &str = "/dev/userfaultfd";

const MAGIC: u8 = kernel::UFFDIO as u8;
const API: Opcode = opcode::read_write::<kernel::uffdio_api>(MAGIC, kernel::_UFFDIO_API as u8);
/// `USERFAULTFD_IOC_NEW`, the device's one request.
const NEW: Opcode = opcode::none(MAGIC, 0);

/// The faults that a descriptor tells of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Faults {
    /// Those that system calls take, too.
    All,
    /// Linux 5.11 and later give this to anybody, whatever `vm.unprivileged_userfaultfd` is.
    OfInstructions,
}

/// A new descriptor by the system call, non-blocking and closed on exec.
pub fn by_call(faults: Faults) -> Result<OwnedFd> {
    let more = match faults {
        Faults::All => Flags::empty(),
        Faults::OfInstructions => Flags::from_bits_retain(kernel::UFFD_USER_MODE_ONLY),
    };
    // SAFETY: a descriptor on which nothing is registered yet affects no memory.
    unsafe { rustix::mm::userfaultfd(Flags::CLOEXEC | Flags::NONBLOCK | more) }
}

/// A new descriptor by the device, for all faults, non-blocking and closed on exec.
pub fn by_device() -> Result<OwnedFd> {
    let device = rustix::fs::open(DEVICE, OFlags::RDWR | OFlags::CLOEXEC, Mode::empty())?;
    // SAFETY: the device's only request, which takes flags and creates a descriptor.
    unsafe { ioctl::ioctl(&device, NewFd) }
}

/// Asks a new descriptor for features, as bits, and returns those that the kernel has. It can be asked only once.
pub fn handshake(fd: &OwnedFd, features: u64) -> Result<u64> {
    let mut arg = kernel::uffdio_api { api: kernel::UFFD_API.into(), features, ioctls: 0 };
    // SAFETY: the opcode takes this structure, and the descriptor has no memory registered.
    unsafe { ioctl::ioctl(fd, Updater::<API, _>::new(&mut arg)) }?;
    Ok(arg.features)
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

    unsafe fn output_from_ptr(fd: ioctl::IoctlOutput, _: *mut c_void) -> Result<OwnedFd> {
        // SAFETY: the call succeeded, so this is a new descriptor that nobody else owns.
        Ok(unsafe { OwnedFd::from_raw_fd(fd as RawFd) })
    }
}
