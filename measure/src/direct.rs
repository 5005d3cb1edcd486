// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Random reads past the page cache.

use std::fs::{File, OpenOptions};
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};
use fastrand::Rng;
use memmap2::MmapMut;
use rustix::fs::OFlags;

use super::latency::{self, Reads};

/// Opens a device or file for reading and writing past the page cache.
pub fn open(path: &Path) -> Result<File> {
    let mut options = OpenOptions::new();
    let direct = options.read(true).write(true).custom_flags(OFlags::DIRECT.bits() as i32).open(path);
    direct.with_context(|| format!("cannot open {} for direct I/O", path.display()))
}

/// Blocks of `block` bytes at random multiples of it within `len` bytes of `file`, by so many threads.
pub fn random_reads(file: &File, len: usize, block: usize, threads: usize, time: Duration) -> Result<Reads> {
    let readers: Result<Vec<_>> = (0..threads).map(|seed| reader(file, len, block, seed as u64)).collect();
    latency::during(readers?, block, time)
}

fn reader(file: &File, len: usize, block: usize, seed: u64) -> Result<impl FnMut() -> Result<()> + Send> {
    let mut rng = Rng::with_seed(seed);
    // Direct I/O takes memory that begins with a page.
    let mut room = MmapMut::map_anon(block).context("no memory to read to")?;
    Ok(move || {
        let at = rng.usize(..(len / block).max(1)) * block;
        file.read_exact_at(&mut room, at as u64).context("cannot read what was written")
    })
}
