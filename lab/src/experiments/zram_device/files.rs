// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Compressing file systems on the SSD, which the source names as future work, by a driver of our own. The kernel takes
//! direct I/O for uncompressed there, or answers it from its cache: fio would measure that.
//!
//! A job writes a file through the page cache and waits until the disk has it. Then the file system is mounted anew,
//! and each block is read once. An EROFS is written by its mkfs.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use fastrand::Rng;

use super::point::{Outcome, Point};
use super::range::{SOURCE, source, timed};
use crate::kit::clock::Spent;
use crate::kit::fio::Job;
use crate::kit::image_fs::{ImageFs, KINDS, Kind, file_in, of_this_kernel};
use crate::kit::laps::Laps;
use crate::kit::samples::percentile;

const PREFIX: &str = "files-";

/// A medium for each kind that the kernel has.
pub fn media() -> Vec<String> {
    of_this_kernel().into_iter().map(|kind| format!("{PREFIX}{}", kind.name)).collect()
}

/// Whether a medium is one of these.
pub fn is_one(medium: &str) -> bool {
    medium.starts_with(PREFIX)
}

/// The kind of a medium; none for other media.
pub fn kind(medium: &str) -> Option<Kind> {
    let name = medium.strip_prefix(PREFIX)?;
    KINDS.into_iter().find(|kind| kind.name == name)
}

/// Measures at a point of one process, with a file of `size` bytes in `folder`.
pub fn measure(kind: Kind, point: &Point, size: u64, folder: &Path) -> Result<Outcome> {
    let source = source(point.compressible);
    let data = Data { source: &source, size: size as usize, block: point.block as usize };
    let dir = tempfile::tempdir_in(folder)?;
    let (fs, write, used) =
        if kind.is_packed { packed(kind, &data, dir.path()) } else { written(kind, &data, dir.path()) }?;
    fs.forget()?;
    let file = File::open(file_in(fs.path()))?;
    let mut order = data.places();
    if point.random {
        Rng::with_seed(1).shuffle(&mut order);
    }
    let mut room = vec![0; data.block];
    let read = timed(1, || {
        each(order, data.block, |at| {
            file.read_exact_at(&mut room, at as u64)?;
            ensure!(room == data.wanted(at), "the bytes read are not those written");
            Ok(())
        })
    })?;
    let smaller_by = (used > 0).then(|| size as f64 / used as f64);
    Ok(Outcome { point: point.clone(), write, read, smaller_by, disks: None, reading: Vec::new() })
}

/// The bytes of a file, which come again and again.
struct Data<'d> {
    source: &'d [u8],
    size: usize,
    block: usize,
}

impl Data<'_> {
    fn places(&self) -> Vec<usize> {
        (0..self.size).step_by(self.block).collect()
    }

    fn wanted(&self, at: usize) -> &[u8] {
        &self.source[at % SOURCE..][..self.block]
    }

    /// Writes them to a file in a folder, until the disk has them.
    fn write(&self, folder: &Path) -> Result<Laps> {
        let file = File::create(file_in(folder))?;
        let laps = each(self.places(), self.block, |at| Ok(file.write_all_at(self.wanted(at), at as u64)?))?;
        file.sync_all()?;
        Ok(laps)
    }
}

/// A file system with the file, the job that has made it, and the bytes that it takes.
type Filled = (ImageFs, Job, u64);

fn written(kind: Kind, data: &Data<'_>, dir: &Path) -> Result<Filled> {
    let fs = ImageFs::create(kind, dir, data.size as u64)?;
    let before = fs.used()?;
    let write = timed(1, || data.write(fs.path()))?;
    fs.forget()?;
    let used = fs.used()?.saturating_sub(before);
    Ok((fs, write, used))
}

fn packed(kind: Kind, data: &Data<'_>, dir: &Path) -> Result<Filled> {
    let files = tempfile::tempdir_in(dir)?;
    data.write(files.path())?;
    let mut fs = None;
    let write = timed(1, || {
        each(vec![0], data.size, |_| {
            fs = Some(ImageFs::pack(kind, dir, files.path())?);
            Ok(())
        })
    })?;
    let fs = fs.context("nothing was packed")?;
    let used = fs.used()?;
    Ok((fs, write, used))
}

/// Calls `request` with each place, once.
fn each(places: Vec<usize>, block: usize, mut request: impl FnMut(usize) -> Result<()>) -> Result<Laps> {
    let bytes = places.len() * block;
    let mut micros = Vec::with_capacity(places.len());
    let spent = Spent::trying(|| {
        places.into_iter().try_for_each(|at| {
            let start = Instant::now();
            request(at)?;
            micros.push(start.elapsed().as_secs_f64() * 1e6);
            anyhow::Ok(())
        })
    })?;
    micros.sort_unstable_by(f64::total_cmp);
    let p99_us = percentile(&micros, 990).context("no request was made")?;
    Ok(Laps { bytes, spent, mean_us: micros.iter().sum::<f64>() / micros.len() as f64, p99_us })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn media_are_named_by_their_kinds() {
        assert_eq!(kind("files-btrfs-zstd").map(|kind| kind.driver), Some("btrfs"));
        assert!(kind("files-ntfs").is_none() && kind("ssd").is_none());
        assert!(media().iter().all(|medium| is_one(medium) && kind(medium).is_some()));
    }

    /// Each kind that this machine has gives back the bytes written. One that compresses takes less than half as much.
    #[test]
    fn files_are_written_and_read_cold() {
        let folder = tempfile::tempdir_in(".").unwrap();
        let mut measured = Vec::new();
        for kind in of_this_kernel() {
            let point =
                Point { compressible: 90, random: true, ..Point::of(&format!("{PREFIX}{}", kind.name)) };
            match measure(kind, &point, 4 << 20, folder.path()) {
                Ok(outcome) => measured.push((kind, outcome)),
                Err(error) => println!("SKIPPED, not tested: {}: {error:#}", kind.name),
            }
        }
        for (kind, outcome) in measured {
            assert!(outcome.read.mib_per_second > 0.0 && outcome.write.mib_per_second > 0.0, "{outcome:?}");
            assert_eq!(outcome.smaller_by.unwrap() > 2.0, kind.driver != "ext4", "{outcome:?}");
        }
    }
}
