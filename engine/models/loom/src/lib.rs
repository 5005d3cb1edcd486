//! The engine's smallest pieces under loom, which tries the interleavings of a few threads, and every
//! value that the memory model lets a load return. The pieces are the real sources; this crate stands
//! in for `ztera_sync` around them.

#![allow(missing_docs, dead_code, reason = "pieces of other crates, without what uses them")]

extern crate self as ztera_sync;

use loom as checker;

#[path = "../../../range/src/doorbell.rs"]
mod doorbell;
#[path = "../../../range/src/residency/fullness.rs"]
mod fullness;
#[path = "../../sync/src/locks.rs"]
mod locks;
#[path = "../../../range/src/residency/queue.rs"]
mod queue;
#[path = "../../../sync/src/rank.rs"]
mod rank;
#[path = "../../../range/src/core/pins/recent.rs"]
mod recent;
#[path = "../../../store/src/slot.rs"]
mod slot;
mod threads {
    #[cfg(debug_assertions)]
    pub use loom::thread_local;
}
#[path = "../../sync/src/word.rs"]
mod word;

pub use locks::{Condvar, Mutex, MutexGuard};
pub use rank::{Held, Rank};
pub use word::{SpinWait, Word};

pub mod atomic {
    pub use loom::sync::atomic::{AtomicBool, AtomicU64, Ordering};
}

pub mod models;
