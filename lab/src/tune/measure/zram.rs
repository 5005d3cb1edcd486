// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Codecs of the kernel, on zram devices of our own.
//!
//! A page fault on swapped memory reads 2^page-cluster pages at once, and decompresses each. A direct read of as many
//! pages from the device does that part of it. The fault itself, the swap cache, and pages that were read ahead in vain
//! are not measured.

use std::os::unix::fs::FileExt;

use anyhow::{Context, Result, ensure};
use ztera_machine::interrupt;

use super::Plan;
use crate::kit::data::Data;
use crate::kit::data::pages::PAGE;
use crate::kit::direct;
use crate::kit::writers::write_blocks;
use crate::kit::zram::Device;
use crate::tune::measured::Measured;

/// Bytes that are written at once.
const BLOCK: usize = 64 << 10;

/// The names of all codecs that this kernel's zram has.
pub fn codecs() -> Result<Vec<String>> {
    Device::algorithms()
}

/// All page clusters of one codec, on one device.
pub fn measure(codec: &str, data: &Data, plan: &Plan) -> Result<Vec<Measured>> {
    let bytes = data.bytes();
    let device = Device::create(bytes.len() as u64, codec, None)?;
    let file = direct::open(&device.node())?;
    write_blocks(bytes, BLOCK, plan.threads, |offset, block| {
        file.write_all_at(block, offset as u64).context("cannot write to zram")
    })?;
    let usage = device.usage().context("zram has no mm_stat")?;
    ensure!(usage.used > 0, "all pages hold one repeated word: there is nothing to compress");
    let ratio = bytes.len() as f64 / usage.used as f64;
    let mut measured = Vec::new();
    for &page_cluster in &plan.page_clusters {
        interrupt::check()?;
        let reads = direct::random_reads(&file, bytes.len(), PAGE << page_cluster, plan.threads, plan.time)?;
        measured.push(plan.measured(codec, page_cluster, &reads, ratio));
    }
    Ok(measured)
}
