// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The command's own handler of SIGBUS: who faults on a range serves itself, as the JVM's threads do.

use std::ffi::{c_int, c_void};
use std::io;
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

use ztera_range::Range;

/// The range that is served. One at a time is enough.
static SERVED: AtomicPtr<Range> = AtomicPtr::new(ptr::null_mut());

/// A range whose faults are served for as long as this lives.
pub struct Served(
    // Not inline: the handler knows its address.
    Box<Range>,
);

impl Served {
    /// Panics if there is another one.
    pub fn new(range: Range) -> io::Result<Self> {
        install()?;
        let mut range = Box::new(range);
        let before = SERVED.swap(&raw mut *range, Ordering::AcqRel);
        assert!(before.is_null(), "one range at a time is served");
        Ok(Self(range))
    }
}

impl std::ops::Deref for Served {
    type Target = Range;

    fn deref(&self) -> &Range {
        &self.0
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        SERVED.store(ptr::null_mut(), Ordering::Release);
    }
}

fn install() -> io::Result<()> {
    // SAFETY: an all-zero sigaction is a valid one, and the handler has the signature that SA_SIGINFO means.
    let result = unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = serve as *const () as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_RESTART;
        libc::sigfillset(&mut action.sa_mask);
        libc::sigaction(libc::SIGBUS, &action, ptr::null_mut())
    };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

extern "C" fn serve(_: c_int, info: *mut libc::siginfo_t, _: *mut c_void) {
    // SAFETY: the kernel hands it over.
    let (address, code) = unsafe { ((*info).si_addr().addr(), (*info).si_code) };
    // SAFETY: a range is taken out before it ends, and nobody touches it by then.
    let range = unsafe { SERVED.load(Ordering::Acquire).as_ref() };
    // This command only reads.
    let served = code == libc::BUS_ADRERR && range.is_some_and(|range| range.serve_fault(address, false));
    if !served {
        // SAFETY: without a handler, the instruction that is tried again ends the process.
        unsafe { libc::signal(libc::SIGBUS, libc::SIG_DFL) };
    }
}
