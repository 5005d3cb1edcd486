// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Many reads of the same kind, each with its time.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use ztera_machine::interrupt;
use ztera_machine::units::MIB;

/// Reads between two looks whether the time is over.
const AT_ONCE: usize = 32;

/// The times of reads.
#[derive(Clone, Debug, PartialEq)]
pub struct Reads {
    /// MiB per second, of all threads.
    pub mib_per_second: f64,
    /// Reads per second, of all threads.
    pub iops: f64,
    /// The mean time of one.
    pub mean_ns: f64,
    /// One in a hundred takes longer.
    pub p99_ns: f64,
}

impl Reads {
    /// Of the times of reads of `block` bytes, which all threads did within `wall`. There is one time at least.
    fn of(mut nanoseconds: Vec<u32>, block: usize, wall: Duration) -> Option<Reads> {
        let last = nanoseconds.len().checked_sub(1)?;
        let at = last.min(nanoseconds.len() * 99 / 100);
        let p99_ns = f64::from(*nanoseconds.select_nth_unstable(at).1);
        let count = nanoseconds.len() as f64;
        let mean_ns = nanoseconds.iter().map(|time| f64::from(*time)).sum::<f64>() / count;
        let iops = count / wall.as_secs_f64();
        Some(Reads { mib_per_second: iops * block as f64 / MIB as f64, iops, mean_ns, p99_ns })
    }
}

/// Lets every reader read for so long, each in a thread of its own. Each is called again and again, once at least.
pub fn during<R>(readers: Vec<R>, block: usize, time: Duration) -> Result<Reads>
where
    R: FnMut() -> Result<()> + Send,
{
    let start = Instant::now();
    let times = std::thread::scope(|scope| {
        let threads: Vec<_> =
            readers.into_iter().map(|reader| scope.spawn(move || one(reader, time))).collect();
        let joined = threads.into_iter().map(|thread| thread.join().expect("a reader does not panic"));
        joined.collect::<Result<Vec<_>>>()
    })?;
    Reads::of(times.concat(), block, start.elapsed()).context("nothing was read")
}

fn one(mut read: impl FnMut() -> Result<()>, time: Duration) -> Result<Vec<u32>> {
    let (start, mut times) = (Instant::now(), Vec::new());
    loop {
        interrupt::check()?;
        for _ in 0..AT_ONCE {
            let before = Instant::now();
            read()?;
            times.push(u32::try_from(before.elapsed().as_nanos()).unwrap_or(u32::MAX));
        }
        if start.elapsed() >= time {
            return Ok(times);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_become_figures() {
        let times = (1..=1000).collect();
        let reads = Reads::of(times, 4096, Duration::from_secs(2)).unwrap();
        assert_eq!((reads.iops, reads.mean_ns, reads.p99_ns), (500.0, 500.5, 991.0));
        assert_eq!(reads.mib_per_second, 500.0 * 4096.0 / MIB as f64);
        assert_eq!(Reads::of(vec![], 1, Duration::from_secs(1)), None);
        assert_eq!(Reads::of(vec![7], 1, Duration::from_secs(1)).unwrap().p99_ns, 7.0);
    }

    #[test]
    fn every_thread_reads_and_errors_are_told() {
        let (counts, page) = ([const { std::sync::atomic::AtomicUsize::new(0) }; 2], 4096);
        let reader = |count: &'static str| move || -> Result<()> { anyhow::bail!(count) };
        let error = during(vec![reader("lost")], page, Duration::ZERO).unwrap_err();
        assert_eq!(error.to_string(), "lost");
        let counting = counts.iter().map(|count| {
            move || {
                count.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                Ok(())
            }
        });
        during(counting.collect(), page, Duration::ZERO).unwrap();
        assert_eq!(counts.map(|count| count.into_inner()), [AT_ONCE, AT_ONCE]);
    }
}
