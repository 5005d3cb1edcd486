// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The second heap of a running JVM, as `stat`, `top` and `export` see it.
//!
//! ```text
//!  GC.h2_info json -> info   \
//!                              sample -> span: what happened between two of them
//!  counters        -> pauses /
//! ```

pub mod info;
pub mod sample;
pub mod span;
