// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The measuring of candidates.
//!
//! ```text
//!  zram: a device per codec -> direct: random reads  \
//!                                                      latency: each read's time -> Measured
//!  h2: units in memory, decompressed at random       /
//! ```

pub mod h2;
pub mod zram;

use std::path::Path;
use std::time::Duration;
use ztera_measure::tuning::Measured;

use anyhow::{Context, Result};

use ztera_measure::data::Data;
use ztera_measure::data::pages::PAGE;
use ztera_measure::direct;
use ztera_measure::latency::Reads;

/// The way in which candidates are measured.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Their page clusters.
    pub page_clusters: Vec<u32>,
    /// Threads that read at the same time.
    pub threads: usize,
    /// How long each candidate is read.
    pub time: Duration,
}

impl Plan {
    fn measured(&self, codec: &str, page_cluster: u32, reads: &Reads, ratio: f64) -> Measured {
        let Reads { mib_per_second, iops, mean_ns, p99_ns } = *reads;
        Measured {
            codec: codec.to_owned(),
            page_cluster,
            mib_per_second,
            iops,
            mean_ns,
            p99_ns,
            ratio,
            copy_seconds: 0.0,
        }
    }
}

/// The mean time in nanoseconds to read a page of a file in `dir`, past the page cache.
pub fn disk(dir: &Path, data: &Data, plan: &Plan) -> Result<f64> {
    let shown = || format!("cannot measure the disk of {}", dir.display());
    let file = tempfile::NamedTempFile::new_in(dir).with_context(shown)?;
    std::fs::write(file.path(), data.bytes()).and_then(|()| file.as_file().sync_all()).with_context(shown)?;
    let reads = direct::open(file.path())
        .and_then(|file| direct::random_reads(&file, data.bytes().len(), PAGE, plan.threads, plan.time));
    Ok(reads.with_context(shown)?.mean_ns)
}
