// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The speed of an SSD when it is asked as the engine asks it, and the time that the transfers of a run take at least.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use fastrand::Rng;
use memmap2::MmapMut;
use rustix::fs::{FallocateFlags, fallocate};
use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;
use ztera_machine::interrupt;
use ztera_machine::units::{KIB, MIB, show_size};

use super::direct;
use super::latency::{self, Reads};

/// The engine's unit where there is an SSD and nobody says otherwise.
const UNIT: usize = 8 << 10;
/// The bytes of one of the engine's writes, and about those of a read of what lies in order.
const BATCH: usize = 256 << 10;
/// Reads under way at once: the engine has so many threads that read ahead.
const DEPTH: usize = 8;
/// Most bytes of the file that is written and read.
const FILE: usize = 512 << 20;
/// The time of each kind of requests.
const TIME: Duration = Duration::from_millis(600);

/// The speed of an SSD.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct SsdSpeed {
    /// Bytes of a read at random.
    pub unit_bytes: u64,
    /// Bytes of a read in order, and of a write.
    pub batch_bytes: u64,
    /// Reads under way at once. One write is.
    pub depth: usize,
    /// Reads at random.
    pub random_read_bytes_per_second: f64,
    /// Reads in order.
    pub sequential_read_bytes_per_second: f64,
    /// Writes in order.
    pub write_bytes_per_second: f64,
}

/// The seconds that an SSD needs for a run's bytes if nothing else takes time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SsdAlone {
    /// If all that is read lies in order.
    pub sequential_seconds: f64,
    /// If each unit lies elsewhere.
    pub random_seconds: f64,
}

impl SsdSpeed {
    /// Measures the disk of a folder, for two seconds at most, by direct I/O to a file that is removed again.
    pub fn measure(folder: &Path) -> Result<SsdSpeed> {
        SsdSpeed::measure_for(folder, FILE, TIME)
    }

    fn measure_for(folder: &Path, most: usize, time: Duration) -> Result<SsdSpeed> {
        let temporary = NamedTempFile::new_in(folder).context("cannot make a file on the SSD")?;
        let file = direct::open(temporary.path())?;
        // As the engine does. Where the file system cannot, that is how it will be.
        let _ = fallocate(&file, FallocateFlags::empty(), 0, most as u64);
        let (written, write_bytes_per_second) = write(&file, most, time)?;
        let bytes_per_second = |reads: Reads| reads.mib_per_second * MIB as f64;
        Ok(SsdSpeed {
            unit_bytes: UNIT as u64,
            batch_bytes: BATCH as u64,
            depth: DEPTH,
            random_read_bytes_per_second: direct::random_reads(&file, written, UNIT, DEPTH, time)
                .map(bytes_per_second)?,
            sequential_read_bytes_per_second: sequential_reads(&file, written, time).map(bytes_per_second)?,
            write_bytes_per_second,
        })
    }

    /// The cost of so many bytes.
    pub fn alone(&self, read: f64, written: f64) -> SsdAlone {
        let writes = written / self.write_bytes_per_second;
        SsdAlone {
            sequential_seconds: writes + read / self.sequential_read_bytes_per_second,
            random_seconds: writes + read / self.random_read_bytes_per_second,
        }
    }

    /// How it was measured, and what was found.
    pub fn words(&self) -> String {
        let speed = |bytes: f64| format!("{} a second", show_size(bytes as u64));
        let [unit, batch] = [self.unit_bytes, self.batch_bytes].map(|bytes| format!("{} KiB", bytes / KIB));
        let (depth, random) = (self.depth, speed(self.random_read_bytes_per_second));
        format!(
            "SSD alone: the time of the bytes read and written, if nothing else took any. Before the runs, direct I/O to \
             one file reached {} by reads of {batch} in order and {random} by reads of {unit} at random, {depth} at \
             once, and {} by writes of {batch}, one at once. The first number takes all reads to be in order, the \
             second one all to be at random.",
            speed(self.sequential_read_bytes_per_second),
            speed(self.write_bytes_per_second),
        )
    }
}

/// Writes noise from the start of the file on until it is full, or the time is over. Returns how many bytes, and how
/// many in a second.
fn write(file: &File, most: usize, time: Duration) -> Result<(usize, f64)> {
    let mut noise = MmapMut::map_anon(BATCH).context("no memory to write from")?;
    Rng::with_seed(0).fill(&mut noise);
    let (start, mut written) = (Instant::now(), 0);
    while written < most && (written == 0 || start.elapsed() < time) {
        interrupt::check()?;
        // No two batches are alike, for disks that would notice.
        noise[..8].copy_from_slice(&(written as u64).to_le_bytes());
        file.write_all_at(&noise, written as u64).context("cannot write to the SSD")?;
        written += BATCH;
    }
    Ok((written, written as f64 / start.elapsed().as_secs_f64()))
}

/// Reads what was written, each thread its own part from the start on, again and again.
fn sequential_reads(file: &File, written: usize, time: Duration) -> Result<Reads> {
    let part = written / DEPTH / BATCH * BATCH;
    let readers: Result<Vec<_>> = (0..DEPTH)
        .map(|thread| {
            let mut room = MmapMut::map_anon(BATCH).context("no memory to read to")?;
            let mut done = 0;
            Ok(move || {
                let at = if part == 0 { 0 } else { thread * part + done % part };
                done += BATCH;
                file.read_exact_at(&mut room, at as u64).context("cannot read what was written")
            })
        })
        .collect();
    latency::during(readers?, BATCH, time)
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// Of a disk that reads 400 MiB a second in order and 100 at random, and writes 200.
    pub fn speed() -> SsdSpeed {
        let mib = |mib: u64| (mib * MIB) as f64;
        SsdSpeed {
            unit_bytes: UNIT as u64,
            batch_bytes: BATCH as u64,
            depth: DEPTH,
            random_read_bytes_per_second: mib(100),
            sequential_read_bytes_per_second: mib(400),
            write_bytes_per_second: mib(200),
        }
    }

    #[test]
    fn bytes_become_seconds() {
        let alone = speed().alone((800 * MIB) as f64, (100 * MIB) as f64);
        assert_eq!(alone, SsdAlone { sequential_seconds: 2.5, random_seconds: 8.5 });
        assert_eq!(speed().alone(0.0, 0.0), SsdAlone { sequential_seconds: 0.0, random_seconds: 0.0 });
    }

    #[test]
    fn the_words_say_how_it_was_measured() {
        let words = speed().words();
        for part in [
            "400 MiB a second by reads of 256 KiB in order",
            "100 MiB a second by reads of 8 KiB at random, 8 at once",
            "200 MiB a second by writes of 256 KiB",
        ] {
            assert!(words.contains(part), "{part} in {words}");
        }
    }

    #[test]
    fn a_folder_is_measured_and_left_empty() {
        let folder = tempfile::tempdir().unwrap();
        let speed = SsdSpeed::measure_for(folder.path(), 4 << 20, Duration::ZERO).unwrap();
        let speeds = [speed.random_read_bytes_per_second, speed.sequential_read_bytes_per_second];
        assert!(speeds.iter().all(|speed| *speed > 0.0) && speed.write_bytes_per_second > 0.0);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
