// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Options that several benchmarks take.

use std::path::PathBuf;

use anyhow::Result;
use tempfile::TempDir;

use super::filesystem::{self, Disk};
use super::output::Output;

/// The given values, or the usual ones if there are none.
pub fn given_or<T: Clone>(given: &[T], usual: &[T]) -> Vec<T> {
    if given.is_empty() { usual.to_vec() } else { given.to_vec() }
}

/// Options that several of them take.
#[derive(clap::Args)]
pub struct Common {
    /// How often each arm has its turn [default: 5 for the engine by itself, else 3]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub rounds: Option<u32>,
    /// Directory on the SSD
    #[arg(long, default_value = ".", value_name = "DIR")]
    pub ssd: PathBuf,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Directory for plots of what was measured, as SVG
    #[arg(long, value_name = "DIR")]
    pub plots: Option<PathBuf>,
}

impl Common {
    /// How often each arm has its turn where JVMs run.
    pub fn rounds(&self) -> u32 {
        self.rounds.unwrap_or(3)
    }

    /// How the report is to be shown; an error if that cannot be done.
    pub fn output(&self) -> Result<Output> {
        Output::new(self.json, self.plots.as_deref())
    }

    /// A folder of our own on the SSD, and the disk that it lies on.
    pub fn ssd_dir(&self) -> Result<(TempDir, Disk)> {
        filesystem::folder_on_disk(&self.ssd)
    }
}

/// Options of benchmarks that keep their runs in a file.
#[derive(clap::Args)]
pub struct Runs {
    /// How often each arm has its turn [default: 3; of the quick form, 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    rounds: Option<u32>,
    /// The seed of data and questions
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub seed: u64,
    /// Go on with this file of samples: runs that are in it are not made again
    #[arg(long, value_name = "FILE")]
    pub resume: Option<PathBuf>,
    /// Directory on the SSD
    #[arg(long, default_value = ".", value_name = "DIR")]
    pub ssd: PathBuf,
    /// The ZTera JDK [default: the one that `make` built, or $ZTERA_HOME/jdk]
    #[arg(long, value_name = "DIR")]
    pub jdk: Option<PathBuf>,
    /// The stock JDK [default: the one that the view was made from]
    #[arg(long, value_name = "DIR")]
    pub stock: Option<PathBuf>,
}

impl Runs {
    /// How often each arm has its turn.
    pub fn rounds(&self, quick: bool) -> u32 {
        self.rounds.unwrap_or(if quick { 1 } else { 3 })
    }
}
