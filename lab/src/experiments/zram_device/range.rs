// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Memory that our engine serves to a JVM, by a driver of our own: it is no device, so fio cannot take it.
//!
//! A job writes as a collector moves objects: into staging buffers, which other threads compress. It reads as a program
//! does: it copies bytes, and its faults decompress them. An eighth of the bytes may be uncompressed.

use std::time::Duration;

use anyhow::{Result, ensure};
use fastrand::Rng;
use ztera_machine::units::{GIB, MIB};
use ztera_range::BUFFER_LEN;

use super::point::{Outcome, Point};
use crate::bench::engine::tier::{DENSE_SMALL, Engine, SMALL, Tier};
use crate::kit::fio::Job;
use crate::kit::laps::{self, Laps, Shape};

/// Bytes of data, which lie in memory again and again.
pub const SOURCE: usize = 4 << 20;
/// Bytes of which a share is random, as of fio's.
const CHUNK: usize = 256;

/// The engine of a medium, with zram's unit; none for other media.
pub fn engine(medium: &str) -> Option<Engine> {
    match medium {
        "range-lz4" => Some(SMALL),
        "range-zstd" => Some(DENSE_SMALL),
        _ => None,
    }
}

/// Measures at a point that is synchronous and has a job that reads. Each job has `size` bytes, which are whole MiB.
pub fn measure(engine: &Engine, point: &Point, size: u64, milliseconds: u32) -> Result<Outcome> {
    let (len, time) = (size as usize * point.jobs as usize, Duration::from_millis(milliseconds.into()));
    let source = source(point.compressible);
    let wanted = |offset: usize, len: usize| &source[offset % SOURCE..][..len];
    let tier = engine.open(len)?;
    // All of it is there before anything is measured, as fio lays out its files.
    (0..len).step_by(BUFFER_LEN).try_for_each(|at| tier.submit_copy(at, wanted(at, BUFFER_LEN)))?;
    tier.drain();
    let shape = Shape { block: point.block as usize, random: point.random, jobs: point.jobs };
    let write = timed(point.jobs, || {
        let laps =
            laps::measure(len, shape, time, |at, _| tier.submit_copy(at.start, wanted(at.start, at.len())));
        tier.drain();
        laps
    })?;
    let smaller_by = smaller_by(&tier);
    let read = timed(point.jobs, || {
        laps::measure(len, shape, time, |at, room| {
            copy_out(&tier, at.start, room);
            ensure!(room[..8] == *wanted(at.start, 8), "the bytes read are not those stored");
            Ok(())
        })
    })?;
    Ok(Outcome { point: point.clone(), write, read, smaller_by, disks: None, reading: Vec::new() })
}

fn copy_out(tier: &Tier, offset: usize, room: &mut [u8]) {
    assert!(offset + room.len() <= tier.len());
    // SAFETY: inside the range, as just checked, whose faults are served while it is open. Nobody changes it while it
    // is read.
    unsafe { room.as_mut_ptr().copy_from_nonoverlapping(tier.base().add(offset), room.len()) }
}

/// None where all pages repeat one word.
fn smaller_by(tier: &Tier) -> Option<f64> {
    let stats = tier.stats();
    (stats.mem_used_total > 0).then(|| stats.orig_data_size as f64 / stats.mem_used_total as f64)
}

/// Words of which a share in percent is zeros, and the others are random: as fio makes them.
pub fn source(compressible: u32) -> Vec<u8> {
    let (mut random, mut bytes) = (Rng::with_seed(1), vec![0; SOURCE]);
    let noise = CHUNK * (100 - compressible as usize) / 100;
    bytes.chunks_exact_mut(CHUNK).for_each(|chunk| random.fill(&mut chunk[..noise]));
    bytes
}

/// In the form of fio's findings. CPU time is that of all threads, also of those that compress.
pub fn timed(jobs: u32, work: impl FnOnce() -> Result<Laps>) -> Result<Job> {
    let (before, start) = (cpu_seconds(), std::time::Instant::now());
    let laps = work()?;
    let seconds = start.elapsed().as_secs_f64();
    let after = cpu_seconds();
    let spent = [after[0] - before[0], after[1] - before[1]];
    let [user, system] = spent.map(|cpu| 100.0 * cpu / seconds / f64::from(jobs));
    Ok(Job {
        mib_per_second: laps.bytes as f64 / MIB as f64 / seconds,
        mean_us: laps.mean_us,
        p99_us: laps.p99_us,
        user,
        system,
        cpu_seconds: spent.iter().sum(),
        gib: laps.bytes as f64 / GIB as f64,
    })
}

/// Of this process, in user space and in the kernel.
fn cpu_seconds() -> [f64; 2] {
    // SAFETY: all zeros are a valid `rusage`, which the kernel fills.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &raw mut usage);
        usage
    };
    [usage.ru_utime, usage.ru_stime].map(|time| time.tv_sec as f64 + time.tv_usec as f64 / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_of_each_chunk_is_zeros() {
        let zeros = |bytes: &[u8]| bytes.iter().filter(|byte| **byte == 0).count();
        assert_eq!(zeros(&source(100)), SOURCE);
        let half = source(50);
        assert!(half.chunks_exact(CHUNK).all(|chunk| zeros(&chunk[CHUNK / 2..]) == CHUNK / 2));
        assert!(zeros(&source(0)) < SOURCE / 200);
    }

    /// One test: a process serves one range at a time.
    #[test]
    fn blocks_of_all_jobs_are_written_and_read() {
        let point = Point { jobs: 2, random: true, ..Point::of("range-lz4") };
        let engine = engine(&point.medium).unwrap();
        if let Err(error) = engine.open(1 << 20) {
            println!("SKIPPED, not tested: {error:#}");
            return;
        }
        let outcome = measure(&engine, &point, 2 << 20, 5).unwrap();
        assert!(outcome.smaller_by.is_some_and(|times| times > 1.0), "{outcome:?}");
        for job in [outcome.write, outcome.read] {
            assert!(job.mib_per_second > 0.0 && job.gib > 0.0 && job.mean_us > 0.0, "{outcome:?}");
        }
        let zeros = measure(&engine, &Point { compressible: 100, ..point }, 1 << 20, 1).unwrap();
        assert!(zeros.read.mib_per_second > 0.0, "{zeros:?}");
    }
}
