// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The kit: all that several experiments need.
//!
//! | Part | Modules |
//! |---|---|
//! | storage, set up and undone | `storage` of `zram`, `zram_fs`, `zswap`, `swap`, `filesystem`; `disk_server`, `disk_swap` |
//! | the machine, set up and undone | `setting`, `free_memory`; DRAM that swap shares: `medium`, `shared_memory` |
//! | data to measure with | `data`, `packages`; by our codecs: `packed`; of other processes: `resident` |
//! | Java programs | `program` and `options` (arguments), `java_run`, `sizing`, `progress` |
//! | data that move to H2 | `arms`, `move_run` and its `driver`, `moved` |
//! | other programs | `tool`, `fio`; this command once more: `own_command`; a virtual machine: `guest` |
//! | runs, in turns, that go on later | `line_up`, `patience`, `sample_file` of `json_lines` |
//! | measurements | `clock`, `direct`, `latency`, `laps`, `writers`, `gclog`, `h2_stats`, `ending`, `run` |
//! | an SSD by itself | `ssd_speed` |
//! | several of them together | `samples`, `result`, `missing` |
//! | reports | `figure`, `figure_table`, `table`, `plot`, `output`, `whole_file` |

pub mod arms;
pub mod clock;
pub mod data;
pub mod device_load;
pub mod direct;
pub mod disk_server;
pub mod disk_swap;
pub mod driver;
pub mod ending;
pub mod figure;
pub mod figure_table;
pub mod filesystem;
pub mod fio;
pub mod free_memory;
pub mod gclog;
pub mod guest;
pub mod h2_stats;
pub mod java_run;
pub mod json_lines;
pub mod laps;
pub mod latency;
pub mod line_up;
pub mod medium;
pub mod missing;
pub mod move_run;
pub mod moved;
pub mod options;
pub mod output;
pub mod own_command;
pub mod packages;
pub mod packed;
pub mod patience;
pub mod plot;
pub mod program;
pub mod progress;
pub mod resident;
pub mod result;
pub mod run;
pub mod sample_file;
pub mod samples;
pub mod setting;
pub mod shared_memory;
pub mod sizing;
pub mod ssd_speed;
pub mod storage;
pub mod swap;
pub mod swap_faults;
pub mod table;
pub mod tool;
pub mod whole_file;
pub mod writers;
pub mod zram;
pub mod zram_fs;
pub mod zswap;
