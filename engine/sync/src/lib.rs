//! The locks, atomics and threads that the engine uses.
//!
//! They are the usual ones. The crates of the engine take them from here, and only from here, so that
//! the models in `engine/models` can be compiled from the same sources with others, whose every
//! interleaving a model checker controls. Each lock has a [rank](Rank), which says under which others it may be
//! waited for. All that is not taken from here (counters of statistics, what a
//! lock guards anyway) is invisible to the models.

mod locks;
mod rank;
mod spawn;
mod threads;
mod word;

use std::cell::Cell;

pub use locks::{Condvar, Mutex, MutexGuard};
pub use rank::{Held, Rank};
pub use word::{SpinWait, Word};

/// Atomics that threads talk to each other with.
pub mod atomic {
    pub use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
}

/// Threads.
pub mod thread {
    pub use crate::spawn::{spawn, spawn_behind};
    pub use crate::threads::{Builder, JoinHandle, sleep, yield_now};
}

/// The clock that measures waits.
pub mod time {
    pub use std::time::Instant;
}

/// A number of the calling thread's own, counted from 0: spreads threads over cells and shards.
pub fn ticket() -> usize {
    use std::sync::atomic::{AtomicUsize, Ordering};
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    thread_local!(static TICKET: Cell<usize> = const { Cell::new(usize::MAX) });
    if TICKET.get() == usize::MAX {
        TICKET.set(NEXT.fetch_add(1, Ordering::Relaxed));
    }
    TICKET.get()
}
