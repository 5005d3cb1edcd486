//! The program's handler of SIGBUS, as `ZT_FAULT_SIGBUS` asks for. It serves one range at a time.

use std::ffi::{c_int, c_void};
use std::ptr;
use std::sync::Once;
use std::sync::atomic::{AtomicPtr, Ordering};

use ztera::{zt_range, zt_range_fault};

static RANGE: AtomicPtr<zt_range> = AtomicPtr::new(ptr::null_mut());

/// From now on the faults of `range`, until it is closed, are served; null: of none.
pub fn serve(range: *mut zt_range) {
    static INSTALL: Once = Once::new();
    INSTALL.call_once(install);
    RANGE.store(range, Ordering::Release);
}

fn install() {
    // SAFETY: an all-zero sigaction is a valid one, and the handler has the signature that SA_SIGINFO means.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = handle as *const () as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_RESTART;
        libc::sigfillset(&mut action.sa_mask);
        assert_eq!(libc::sigaction(libc::SIGBUS, &action, ptr::null_mut()), 0);
    }
}

extern "C" fn handle(_: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    // SAFETY: the kernel hands over both.
    let (address, code, context) =
        unsafe { ((*info).si_addr(), (*info).si_code, &*context.cast::<libc::ucontext_t>()) };
    // Bit 1 of a page fault's error code: it was a write.
    let write = context.uc_mcontext.gregs[libc::REG_ERR as usize] & 2;
    let range = RANGE.load(Ordering::Acquire);
    let ours = code == libc::BUS_ADRERR && !range.is_null();
    // SAFETY: nobody touches a range that is closed.
    if !ours || unsafe { zt_range_fault(range, address, write as c_int) } != 0 {
        // SAFETY: the instruction that is tried again ends the process, which the fuzzer takes note of.
        unsafe { libc::signal(libc::SIGBUS, libc::SIG_DFL) };
    }
}
