//! The usual threads.

pub use std::thread::{Builder, JoinHandle, sleep, yield_now};
