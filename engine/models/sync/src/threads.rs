//! The checker's threads.

pub use shuttle::thread::{Builder, JoinHandle, sleep, yield_now};
#[cfg(debug_assertions)]
pub use shuttle::thread_local;
