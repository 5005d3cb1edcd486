//! How the engine starts its threads.

use std::io;
use std::mem::MaybeUninit;

use crate::threads::{Builder, JoinHandle};

/// Starts a thread that takes no signals but those its own faults raise, and under which no lock can
/// be left behind by a panic: the process ends instead, as a missing engine thread would hang it.
///
/// The host program (a JVM, say) directs its signals at its own threads, and must not find that one
/// of ours swallowed them. Nor does it matter to ours how the thread that starts them rounds.
pub fn spawn(name: &str, body: impl FnOnce() + Send + 'static) -> io::Result<JoinHandle<()>> {
    let body = move || {
        round_to_nearest();
        if std::panic::catch_unwind(std::panic::AssertUnwindSafe(body)).is_err() {
            ztera_log::say(format_args!("an engine thread failed; the process cannot go on"));
            std::process::abort();
        }
    };
    ztera_fail::check("thread.spawn")?;
    let before = SignalMask::block();
    let thread = Builder::new().name(name.to_owned()).spawn(body);
    before.restore();
    thread
}

/// The same for work that nobody waits for as long as others want the CPU: a move of data to this engine is over sooner
/// if the threads that copy are not held up by those that compress.
pub fn spawn_behind(name: &str, body: impl FnOnce() + Send + 'static) -> io::Result<JoinHandle<()>> {
    spawn(name, move || {
        // A new thread is as nice as the one that started it.
        // SAFETY: changes nothing but the scheduling of the calling thread (0), as Linux has it. Where it is refused, the
        // thread is like any other.
        unsafe { libc::setpriority(libc::PRIO_PROCESS, 0, niceness() + NICENESS) };
        body();
    })
}

/// Doubles can be decoded in this way of rounding only, and a new thread has that of the one that started it.
fn round_to_nearest() {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        // All exceptions masked, none flagged (Intel SDM, volume 1, "MXCSR State").
        let default = 0x1f80_u32;
        // SAFETY: what this thread computes from here on is what Rust takes for granted.
        unsafe { std::arch::asm!("ldmxcsr [{}]", in(reg) &default, options(nostack, readonly)) };
    }
}

/// Of the calling thread.
fn niceness() -> libc::c_int {
    // SAFETY: only asks.
    unsafe { libc::getpriority(libc::PRIO_PROCESS, 0) }
}

/// A tenth of the CPU time of the program's threads, where both want it all (the kernel's sched_prio_to_weight).
const NICENESS: libc::c_int = 10;

struct SignalMask(libc::sigset_t);

impl SignalMask {
    /// Blocks signals in the calling thread, so that a thread it starts is born with them blocked.
    fn block() -> Self {
        let mut set = MaybeUninit::uninit();
        let mut before = MaybeUninit::uninit();
        // SAFETY: sigfillset initialises `set`, sigdelset changes it, and pthread_sigmask reads it and
        // initialises `before`; none of them fails for these arguments.
        unsafe {
            libc::sigfillset(set.as_mut_ptr());
            for own in [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL, libc::SIGTRAP, libc::SIGABRT]
            {
                libc::sigdelset(set.as_mut_ptr(), own);
            }
            libc::pthread_sigmask(libc::SIG_SETMASK, set.as_ptr(), before.as_mut_ptr());
            Self(before.assume_init())
        }
    }

    fn restore(self) {
        // SAFETY: the mask was filled in by pthread_sigmask.
        unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &self.0, std::ptr::null_mut()) };
    }
}

#[cfg(all(test, target_arch = "x86_64", not(miri)))]
mod tests {
    use std::hint::black_box;

    use super::*;

    fn set_mxcsr(control: u32) {
        // SAFETY: bits 13 and 14 are the way to round; all exceptions stay masked.
        unsafe { std::arch::asm!("ldmxcsr [{}]", in(reg) &control, options(nostack, readonly)) };
    }

    fn rounds_up() -> bool {
        black_box(1.0) + black_box(f64::EPSILON / 8.0) > 1.0
    }

    #[test]
    fn a_thread_does_not_round_as_who_starts_it() {
        let (told, tell) = std::sync::mpsc::channel();
        set_mxcsr(0x1f80 | 2 << 13);
        let here = rounds_up();
        let thread = spawn("zt-test", move || told.send(rounds_up()).expect("somebody listens"));
        set_mxcsr(0x1f80);
        thread.expect("a thread").join().expect("it does not panic");
        assert_eq!((here, tell.recv()), (true, Ok(false)));
    }

    #[test]
    fn work_that_nobody_waits_for_is_nicer_than_its_program() {
        let (tell, told) = std::sync::mpsc::channel();
        // As nice as a program that was started with `nice -n 3`, whatever this one is.
        let starter = std::thread::spawn(move || {
            // SAFETY: as in `spawn_behind`; nicer is always allowed.
            unsafe { libc::setpriority(libc::PRIO_PROCESS, 0, niceness() + 3) };
            let own = niceness();
            let worker = spawn_behind("zt-test", move || _ = tell.send(niceness())).expect("a thread starts");
            worker.join().expect("it does not fail");
            own
        });
        let own = starter.join().expect("it does not fail");
        assert_eq!(told.recv(), Ok((own + NICENESS).min(19)));
    }
}
