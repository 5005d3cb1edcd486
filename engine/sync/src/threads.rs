//! The usual threads.

pub use std::thread::{Builder, JoinHandle, sleep, yield_now};
#[cfg(debug_assertions)]
pub use std::thread_local;
