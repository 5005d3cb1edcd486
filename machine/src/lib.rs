// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The machine and its JVMs, as the command and the laboratory see them.

#[macro_use]
pub mod output;

pub mod capability;
pub mod cgroup;
pub mod child;
pub mod compression;
pub mod h2_dump;
pub mod interrupt;
pub mod jvm;
pub mod jvm_flags;
pub mod memory;
pub mod process;
pub mod units;
pub mod view;
