//! The same as `ztera-sync` offers, under shuttle's control: every use of it is a point at which another
//! thread may go on instead.

#![allow(missing_docs, reason = "see the crate whose place this takes")]

use shuttle as checker;

mod explore;
mod locks;
#[path = "../../../sync/src/rank.rs"]
mod rank;
#[path = "../../../sync/src/spawn.rs"]
mod spawn;
mod threads;
pub mod time;
mod word;

pub use explore::explore;
pub use locks::{Condvar, Mutex, MutexGuard};
pub use rank::{Held, Rank};
pub use word::{SpinWait, Word};

pub mod atomic {
    pub use shuttle::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
}

pub mod thread {
    pub use crate::spawn::{spawn, spawn_behind};
    pub use crate::threads::{Builder, JoinHandle, sleep, yield_now};
}

pub fn ticket() -> usize {
    shuttle::current::me().into()
}
