// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The benchmarks of `ztera bench` as experiments: their figures are the claims, their JSON is the sample.

mod bench;
mod list;
mod tables;

pub use list::{CODEC, DEFAULTS, DISK, ENGINE, OFF, PAUSES, SPARK, TIERS};
