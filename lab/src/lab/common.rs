// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Options of all subcommands.

use std::path::PathBuf;

/// Options of all.
#[derive(clap::Args, Clone, Debug)]
pub struct Common {
    /// Folder of samples, report and verdicts
    #[arg(long, default_value = "out/lab", value_name = "DIR")]
    pub out: PathBuf,
    /// Directory on the SSD
    #[arg(long, default_value = ".", value_name = "DIR")]
    pub ssd: PathBuf,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}
