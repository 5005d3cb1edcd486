// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The data that candidates compress: a sample of the user's, or invented.

mod directory;
mod process;

use std::path::PathBuf;

use anyhow::{Result, ensure};
use fastrand::Rng;
use ztera_machine::process::parse_pid;

use ztera_measure::data::Data;

/// The seed of random choices.
const SEED: u64 = 1;
/// The share of random words in invented objects.
const NOISE: f64 = 0.25;

/// Where the data comes from.
#[derive(Clone, Debug, Default, clap::Args)]
#[group(multiple = false)]
pub struct Source {
    /// Compress memory of this process: a random choice of its own pages that are resident
    #[arg(long, value_name = "PID", value_parser = parse_pid)]
    pid: Option<u32>,
    /// Compress a random choice of pieces of the files in this directory
    #[arg(long, value_name = "DIR")]
    directory: Option<PathBuf>,
    /// Compress a file of raw pages, as `ztera analyze --out FILE` writes it
    #[arg(long, value_name = "FILE")]
    pages: Option<PathBuf>,
    /// Compress invented objects
    #[arg(long)]
    synthetic: bool,
}

const NOTHING: &str = "there is nothing to compress: name your data by --pid PID, --directory DIR or --pages FILE, or give \
                       --synthetic";

impl Source {
    /// Fails if nobody said what to compress: nothing is then measured, and no device made.
    pub fn check(&self) -> Result<()> {
        let is_named = self.pid.is_some() || self.directory.is_some() || self.pages.is_some();
        ensure!(is_named || self.synthetic, NOTHING);
        Ok(())
    }

    /// `len` bytes, which are whole pages, and their name.
    pub fn data(&self, len: usize) -> Result<(Data, String)> {
        let mut rng = Rng::with_seed(SEED);
        match (self.pid, &self.directory, &self.pages) {
            (Some(pid), ..) => {
                let data = Data::of_pages(&process::pages(pid, len, &mut rng)?, len)?;
                Ok((data, format!("memory of process {pid}")))
            }
            (_, Some(directory), _) => {
                let data = Data::of_pages(&directory::pages(directory, len, &mut rng)?, len)?;
                Ok((data, format!("files in {}", directory.display())))
            }
            (.., Some(file)) => Ok((Data::of_file(file, len)?, format!("pages of {}", file.display()))),
            _ => Ok((Data::synthetic(NOISE, len, SEED)?, "synthetic objects, invented".to_owned())),
        }
    }
}
