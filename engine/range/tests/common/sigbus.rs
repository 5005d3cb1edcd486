//! A program's own handler of SIGBUS, as `FaultMode::Sigbus` asks for.

use std::ffi::{c_int, c_void};
use std::ptr;
use std::sync::Once;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

use ztera_range::Range;

/// Ranges at once in one process.
const MOST: usize = 64;

static RANGES: [AtomicPtr<Range>; MOST] = [const { AtomicPtr::new(ptr::null_mut()) }; MOST];

/// Signals that were no fault of a range, or that the contents are lost.
pub static LOST: AtomicUsize = AtomicUsize::new(0);

/// A range whose faults the threads that take them serve themselves.
pub struct Served {
    place: usize,
    // Not inline, as the signal handler knows its address.
    range: Box<Range>,
}

impl Served {
    pub fn new(range: Range) -> Self {
        static INSTALL: Once = Once::new();
        INSTALL.call_once(install);
        let mut range = Box::new(range);
        let pointer = &raw mut *range;
        let free = |place: &AtomicPtr<Range>| {
            place.compare_exchange(ptr::null_mut(), pointer, Ordering::AcqRel, Ordering::Relaxed).is_ok()
        };
        let place = RANGES.iter().position(free).expect("there are few ranges at once");
        Self { place, range }
    }
}

impl std::ops::Deref for Served {
    type Target = Range;

    fn deref(&self) -> &Range {
        &self.range
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        RANGES[self.place].store(ptr::null_mut(), Ordering::Release);
    }
}

fn install() {
    // SAFETY: an all-zero sigaction is a valid one, and the handler has the signature that SA_SIGINFO means.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = serve as *const () as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_RESTART;
        libc::sigfillset(&mut action.sa_mask);
        assert_eq!(libc::sigaction(libc::SIGBUS, &action, ptr::null_mut()), 0);
    }
}

extern "C" fn serve(_: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    // SAFETY: the kernel hands over both.
    let (address, code, context) =
        unsafe { ((*info).si_addr().addr(), (*info).si_code, &*context.cast::<libc::ucontext_t>()) };
    // Bit 1 of a page fault's error code: it was a write.
    let write = context.uc_mcontext.gregs[libc::REG_ERR as usize] & 2 != 0;
    let served = RANGES.iter().any(|range| {
        // SAFETY: a range is taken out before it ends, and nobody touches it by then.
        let range = unsafe { range.load(Ordering::Acquire).as_ref() };
        code == libc::BUS_ADRERR && range.is_some_and(|range| range.serve_fault(address, write))
    });
    if !served {
        LOST.fetch_add(1, Ordering::Relaxed);
        // SAFETY: without a handler, the instruction that is tried again ends the process.
        unsafe { libc::signal(libc::SIGBUS, libc::SIG_DFL) };
    }
}
