// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Threads that go over a device or memory again and again, one request each at a time.

use std::ops::Range;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use fastrand::Rng;
use memmap2::MmapMut;
use ztera_machine::interrupt;

use super::clock::Spent;
use super::samples::percentile;

/// The requests.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Bytes of each.
    pub block: usize,
    /// Whether they are in random order.
    pub random: bool,
    /// Threads.
    pub jobs: u32,
}

/// How fast they were.
#[derive(Clone, Copy, Debug)]
pub struct Laps {
    /// Of all requests.
    pub bytes: usize,
    /// Until the last one.
    pub spent: Spent,
    /// Of a request.
    pub mean_us: f64,
    /// Of the slowest of a hundred.
    pub p99_us: f64,
}

/// Has each job call `request` with each block of `len` bytes for `time`, and measures that. Each job has its own part
/// of the bytes, and room for a block that starts a page.
pub fn measure(
    len: usize,
    shape: Shape,
    time: Duration,
    request: impl Fn(Range<usize>, &mut [u8]) -> Result<()> + Sync,
) -> Result<Laps> {
    let until = Instant::now() + time;
    let mut micros = Vec::new();
    let spent = Spent::trying(|| {
        thread::scope(|scope| {
            let request = &request;
            let jobs = (0..shape.jobs).map(|job| scope.spawn(move || lap(job, len, shape, until, request)));
            let jobs: Vec<_> = jobs.collect();
            jobs.into_iter().try_for_each(|job| {
                micros.extend(job.join().expect("a job does not panic")?);
                anyhow::Ok(())
            })
        })
    })?;
    micros.sort_unstable_by(f64::total_cmp);
    Ok(Laps {
        bytes: micros.len() * shape.block,
        spent,
        mean_us: micros.iter().sum::<f64>() / micros.len() as f64,
        p99_us: percentile(&micros, 990).context("no request was made")?,
    })
}

/// One job: the microseconds of each of its requests, at least one.
fn lap(
    job: u32,
    len: usize,
    Shape { block, random, jobs }: Shape,
    until: Instant,
    request: impl Fn(Range<usize>, &mut [u8]) -> Result<()>,
) -> Result<Vec<f64>> {
    let mut room = MmapMut::map_anon(block)?;
    let blocks = len / block / jobs as usize;
    let mut order: Vec<usize> = (0..blocks).map(|index| (job as usize * blocks + index) * block).collect();
    if random {
        Rng::with_seed(u64::from(job)).shuffle(&mut order);
    }
    let mut micros = Vec::new();
    for offset in order.into_iter().cycle() {
        interrupt::check()?;
        let start = Instant::now();
        request(offset..offset + block, &mut room)?;
        let end = Instant::now();
        micros.push((end - start).as_secs_f64() * 1e6);
        if end >= until {
            break;
        }
    }
    Ok(micros)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::Mutex;

    use super::*;

    #[test]
    fn jobs_share_the_device_and_repeat() {
        let seen = Mutex::new(Vec::new());
        let shape = Shape { block: 4096, random: true, jobs: 2 };
        let request = |at: Range<usize>, room: &mut [u8]| {
            assert_eq!(room.len(), 4096);
            seen.lock().unwrap().push(at.start);
            Ok(())
        };
        let laps = measure(4 * 4096, shape, Duration::from_millis(20), request).unwrap();
        let seen = seen.into_inner().unwrap();
        assert_eq!(seen.iter().copied().collect::<BTreeSet<_>>(), [0, 4096, 8192, 12288].into());
        assert!(seen.len() > 4 && laps.bytes == seen.len() * 4096 && laps.p99_us >= 0.0, "{laps:?}");
    }

    #[test]
    fn an_error_ends_all() {
        let shape = Shape { block: 4096, random: false, jobs: 1 };
        let failed = measure(4096, shape, Duration::from_secs(60), |_, _| anyhow::bail!("full"));
        assert_eq!(failed.unwrap_err().to_string(), "full");
    }
}
