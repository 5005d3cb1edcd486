//! A program's own handler of SIGBUS, as fault mode `sigbus` asks for.

use std::ffi::{c_int, c_void};
use std::ops::Deref;
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};
use std::sync::{Arc, Once};

/// Serves a fault, given the address and whether it was a write, or says that it is not its own.
type Serve = Box<dyn Fn(usize, bool) -> bool + Send + Sync>;

/// Ranges at once in one process.
const MOST: usize = 64;

static PLACES: [AtomicPtr<Serve>; MOST] = [const { AtomicPtr::new(ptr::null_mut()) }; MOST];

/// Signals that were no fault of a range, or that the contents are lost.
pub static LOST: AtomicUsize = AtomicUsize::new(0);

/// A range whose faults the threads that take them serve themselves, for as long as this lives.
pub struct Served<T> {
    place: usize,
    // Not inline, as the signal handler knows its address.
    _serve: Box<Serve>,
    range: Arc<T>,
}

impl<T: Send + Sync + 'static> Served<T> {
    /// The handler calls `serve`, which must do as a signal handler does, with an address and whether it was a write.
    pub fn new(range: T, serve: fn(&T, usize, bool) -> bool) -> Self {
        static INSTALL: Once = Once::new();
        INSTALL.call_once(install);
        let range = Arc::new(range);
        let its = range.clone();
        let mut serve: Box<Serve> = Box::new(Box::new(move |address, write| serve(&its, address, write)));
        let pointer = &raw mut *serve;
        let free = |place: &AtomicPtr<Serve>| {
            place.compare_exchange(ptr::null_mut(), pointer, Ordering::AcqRel, Ordering::Relaxed).is_ok()
        };
        let place = PLACES.iter().position(free).expect("there are few ranges at once");
        Self { place, _serve: serve, range }
    }
}

impl<T> Deref for Served<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.range
    }
}

impl<T> Drop for Served<T> {
    fn drop(&mut self) {
        PLACES[self.place].store(ptr::null_mut(), Ordering::Release);
    }
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
        unsafe { ((*info).si_addr().addr(), (*info).si_code, &*context.cast::<libc::ucontext_t>()) };
    let write = is_write(context);
    let served = PLACES.iter().any(|place| {
        // SAFETY: it is taken out before it ends, and nobody touches the range by then.
        let serve = unsafe { place.load(Ordering::Acquire).as_ref() };
        code == libc::BUS_ADRERR && serve.is_some_and(|serve| serve(address, write))
    });
    if !served {
        LOST.fetch_add(1, Ordering::Relaxed);
        // SAFETY: without a handler, the instruction that is tried again ends the process.
        unsafe { libc::signal(libc::SIGBUS, libc::SIG_DFL) };
    }
}

/// Whether the access that failed was a write: bit 1 of a page fault's error code.
#[cfg(target_arch = "x86_64")]
fn is_write(context: &libc::ucontext_t) -> bool {
    context.uc_mcontext.gregs[libc::REG_ERR as usize] & 2 != 0
}

/// The same by bit 6 of the exception's syndrome, which is one of the records behind the registers. Each has a kind and
/// a size, and the last has neither.
#[cfg(target_arch = "aarch64")]
fn is_write(context: &libc::ucontext_t) -> bool {
    const SYNDROME: u32 = 0x4553_5201;
    let end = (&raw const context.uc_mcontext.pstate).cast::<u8>().wrapping_add(8);
    let mut record = end.wrapping_add(end.align_offset(16));
    loop {
        // SAFETY: the kernel's records follow each other up to one of size zero.
        let [kind, size] = unsafe { record.cast::<[u32; 2]>().read() };
        match (kind, size) {
            // SAFETY: the syndrome follows the head of its record.
            (SYNDROME, _) => return unsafe { record.add(8).cast::<u64>().read() } & 1 << 6 != 0,
            (_, 0) => return false,
            (_, size) => record = record.wrapping_add(size as usize),
        }
    }
}
