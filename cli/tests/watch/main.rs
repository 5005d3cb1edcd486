// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The commands that watch JVMs: `stat --interval`, `top` and `export`. A fake JVM is enough for them.

#[path = "../common/mod.rs"]
mod common;
mod export;
#[allow(dead_code, reason = "other tests need the rest")]
#[path = "../fake_jvm/mod.rs"]
mod fake_jvm;
mod prometheus;
mod promtool;
mod signal;
mod stat;
mod top;
