// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The kit: all that several experiments need. The command needs some of it, too: that is in [`ztera_measure`].
//!
//! | Part | Modules |
//! |---|---|
//! | storage, set up and undone | `storage` of `zram_fs`, `zswap`, `swap`, `filesystem`; `disk_server`, `disk_swap` |
//! | storage in a file | `image_fs` on a `loop_device` |
//! | the machine, set up and undone | `setting`, `free_memory`; DRAM that swap shares: `medium`, `shared_memory` |
//! | data to measure with | `packages` |
//! | Java programs | `program` and `options` (arguments), `java_run` |
//! | data that move to H2 | `arms`, `move_run` and its `driver`, `moved` |
//! | other programs | `tool`, `fio`; `ztera`, or this program once more: `own_command`; a virtual machine: `guest` |
//! | measurements | `laps`, `run`, `device_load`, `swap_faults` |
//! | an SSD by itself | `ssd_speed` |
//! | several of them together | `result`, `missing` |
//! | reports | `output` |

pub use ztera_measure::{
    clock, data, direct, ending, gclog, h2_stats, json_lines, latency, packed, plot, progress, resident,
    samples, sizing, table, whole_file, writers, zram,
};

pub mod arms;
pub mod device_load;
pub mod disk_server;
pub mod disk_swap;
pub mod driver;
pub mod filesystem;
pub mod fio;
pub mod free_memory;
pub mod guest;
pub mod image_fs;
pub mod java_run;
pub mod laps;
pub mod loop_device;
pub mod medium;
pub mod missing;
pub mod move_run;
pub mod moved;
pub mod options;
pub mod output;
pub mod own_command;
pub mod packages;
pub mod program;
pub mod result;
pub mod run;
pub mod setting;
pub mod shared_memory;
pub mod ssd_speed;
pub mod storage;
pub mod swap;
pub mod swap_faults;
pub mod tool;
pub mod zram_fs;
pub mod zswap;
