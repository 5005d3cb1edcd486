//! `libztera.so`: the engine's C interface. See `include/ztera.h`, which is made from this crate.
//!
//! Each function is a thin shell: checks pointers, calls the engine, turns the outcome into 0 or a
//! negative errno value ([`outcome`]).

#![allow(non_camel_case_types, reason = "the names are those of the C interface")]

mod config;
mod log;
mod lz4;
mod outcome;
mod range;
mod staging;
mod stats;

pub use config::*;
pub use log::*;
pub use lz4::*;
pub use range::*;
pub use staging::*;
pub use stats::*;
