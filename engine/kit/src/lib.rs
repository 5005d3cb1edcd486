//! The kit that the engine's tests and measurements share. No part of the product uses it.

pub mod data;
pub mod perf_data;
mod random;
pub mod sigbus;

pub use random::{Random, noise};
