// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A sample on the kernel's zram, and on the SSD: what they make of it, and how fast.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use super::found::{Speed, Ssd, Zram};
use super::pages::BLOCK;
use crate::kit::clock::Spent;
use crate::kit::data::Data;
use crate::kit::data::pages::PAGE;
use crate::kit::direct;
use crate::kit::filesystem::folder_on_disk;
use crate::kit::writers::write_blocks;
use crate::kit::zram::{Device, Usage};

/// How many threads write and read, and how long they read.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// As many as there are CPUs.
    pub threads: usize,
    /// How long pages are read.
    pub time: Duration,
}

/// By one codec, on a new device for each number of threads.
pub fn measure(codec: &str, data: &Data, effort: Effort) -> Result<Zram> {
    let (usage, one) = on_device(codec, data, 1, effort.time)?;
    let (_, all) = on_device(codec, data, effort.threads, effort.time)?;
    let by = |bytes: u64| usage.original as f64 / bytes.max(1) as f64;
    let share = |pages: u64| (pages * PAGE as u64) as f64 * 100.0 / usage.original.max(1) as f64;
    Ok(Zram {
        codec: codec.to_owned(),
        smaller_by: by(usage.compressed),
        memory_smaller_by: by(usage.used),
        same_filled: share(usage.same_pages),
        incompressible: share(usage.huge_pages),
        one,
        all,
    })
}

fn on_device(codec: &str, data: &Data, threads: usize, time: Duration) -> Result<(Usage, Speed)> {
    let device = Device::create(data.bytes().len() as u64, codec, None)?;
    let speed = speed(&direct::open(&device.node())?, data, threads, time)?;
    let usage = device.usage().context("zram has no mm_stat")?;
    ensure!(usage.original == data.bytes().len() as u64, "zram did not take all pages: {usage:?}");
    Ok((usage, speed))
}

/// The SSD in this directory.
pub fn ssd(directory: &Path, data: &Data, effort: Effort) -> Result<Ssd> {
    let (folder, _) = folder_on_disk(directory)?;
    let path = folder.path().join("pages");
    File::create(&path)?.set_len(data.bytes().len() as u64)?;
    let file = direct::open(&path)?;
    // Without the first time, which finds room in the file system.
    speed(&file, data, 1, Duration::ZERO)?;
    Ok(Ssd {
        ssd_one: speed(&file, data, 1, effort.time)?,
        ssd_all: speed(&file, data, effort.threads, effort.time)?,
    })
}

/// Writes everything in order, then reads blocks at random.
fn speed(file: &File, data: &Data, threads: usize, time: Duration) -> Result<Speed> {
    let bytes = data.bytes();
    let write = Spent::trying(|| {
        write_blocks(bytes, BLOCK, threads, |offset, block| {
            file.write_all_at(block, offset as u64).context("the pages cannot be written")
        })
    })?;
    let read = direct::random_reads(file, bytes.len(), BLOCK, threads, time)?;
    Ok(Speed { write: write.mib_per_second(bytes.len()), read: read.mib_per_second })
}
