// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Codecs of the kernel, on zram devices of our own.
//!
//! A direct read of 2^page-cluster pages from the device decompresses each, as the read of any user of the device does.
//! A page fault on swap is another thing: from zram the kernel reads one page for it, whatever page-cluster is. The
//! laboratory's experiment `tune` measures those.

use anyhow::{Result, ensure};
use ztera_machine::interrupt;
use ztera_machine::units::GIB;
use ztera_measure::tuning::Measured;

use super::Plan;
use ztera_measure::data::Data;
use ztera_measure::data::pages::PAGE;
use ztera_measure::direct;
use ztera_measure::zram::raw::Raw;

/// Bytes that are written at once.
const BLOCK: usize = 64 << 10;

/// All page clusters of one codec, on one device.
pub fn measure(codec: &str, data: &Data, plan: &Plan) -> Result<Vec<Measured>> {
    let bytes = data.bytes();
    let device = Raw::create(bytes.len(), codec)?;
    let spent = device.store(bytes, BLOCK, plan.threads)?;
    let copy_seconds = spent.wall.as_secs_f64() / bytes.len() as f64 * GIB as f64;
    let usage = device.usage()?;
    ensure!(usage.used > 0, "all pages hold one repeated word: there is nothing to compress");
    let ratio = bytes.len() as f64 / usage.used as f64;
    let mut measured = Vec::new();
    for &page_cluster in &plan.page_clusters {
        interrupt::check()?;
        let block = PAGE << page_cluster;
        let reads = direct::random_reads(device.file(), bytes.len(), block, plan.threads, plan.time)?;
        measured.push(Measured { copy_seconds, ..plan.measured(codec, page_cluster, &reads, ratio) });
    }
    Ok(measured)
}
