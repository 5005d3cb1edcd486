//! The checker's threads.

pub use shuttle::thread::{Builder, JoinHandle, sleep, yield_now};
