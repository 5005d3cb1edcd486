// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Parts with which the command and the laboratory measure. Neither knows the other.
//!
//! | Part | Modules |
//! |---|---|
//! | data to measure with | [`data`]; by our codecs: [`packed`]; of other processes: [`resident`] |
//! | devices, set up and undone | [`zram`]; also after a kill: [`lease`]; reads past the page cache: [`direct`] |
//! | Java programs | [`sizing`], [`progress`], [`gclog`], [`h2_stats`], [`ending`] |
//! | measurements | [`clock`], [`latency`], [`writers`]; several of them: [`samples`] |
//! | the choice of a codec | [`tuning`] |
//! | reports | [`table`], [`plot`], [`output`]; files: [`json_lines`], [`whole_file`] |

#[macro_use(println, eprintln)]
extern crate ztera_machine;

pub mod clock;
pub mod data;
pub mod direct;
pub mod ending;
pub mod gclog;
pub mod h2_stats;
pub mod json_lines;
pub mod latency;
pub mod lease;
pub mod locked;
pub mod output;
pub mod packed;
pub mod plot;
pub mod progress;
pub mod resident;
pub mod samples;
pub mod sizing;
pub mod table;
pub mod tuning;
pub mod whole_file;
pub mod writers;
pub mod zram;
