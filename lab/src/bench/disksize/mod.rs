// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Programs under limits of memory, with compressed swap of several sizes: the study of Silva et al., for any command.
//!
//! ```text
//!  Program, Machine, Arm -> sweep: cells -> cell: one run in a cgroup, on swap -> CellRun \
//!                                            |  kit's shared_memory: DRAM for both          -> Data -> claims, view
//!                                                              paper: the authors' CSV -> TheirRun /
//! ```
//!
//! A cell is a limit of DRAM and a size of swap. Both are shares of the program's footprint, or those of a machine
//! of the study, scaled to the footprint. Compressed pages count against the limit: on a real machine they take the
//! same DRAM as the program.

pub mod arm;
mod cell;
pub mod claims;
pub mod command;
pub mod data;
mod grid;
mod heat;
pub mod machine;
pub mod npb;
pub mod paper;
pub mod program;
pub mod sweep;
pub mod view;
