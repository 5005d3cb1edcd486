// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Page faults on swap: how many pages the kernel reads for one, and how long the program waits.

use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use fastrand::Rng;
use memmap2::{Advice, MmapMut};
use serde::{Deserialize, Serialize};
use ztera_machine::interrupt;
use ztera_machine::process::pagemap::Pagemap;

use super::data::pages::PAGE;
use super::setting::Setting;
use super::swap::Swapped;

/// Pages of which one is touched: more than the kernel reads at once with any page-cluster that is measured.
const APART: usize = 16;

/// Faults that were measured.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
pub struct Faults {
    /// How many.
    pub faults: u64,
    /// Pages that came from swap for each.
    pub pages_per_fault: f64,
    /// The time of one.
    pub mean_ns: f64,
    /// One in a hundred takes longer.
    pub p99_ns: f64,
}

/// Faults with a `vm.page-cluster`, on whatever swap is on. Memory with these bytes leaves for swap, and single pages
/// of it are touched at random: again and again, for so long and once at least. Takes root.
pub fn measure(bytes: &[u8], page_cluster: u32, time: Duration) -> Result<Faults> {
    let setting = PathBuf::from("/proc/sys/vm/page-cluster");
    let _setting = Setting::change(setting, &page_cluster.to_string())?;
    let (start, mut rng, mut rounds) = (Instant::now(), Rng::with_seed(1), Vec::new());
    while rounds.is_empty() || start.elapsed() < time {
        interrupt::check()?;
        rounds.push(round(bytes, &mut rng)?);
    }
    let read: u64 = rounds.iter().map(|(read, _)| *read).sum();
    let mut times: Vec<u64> = rounds.into_iter().flat_map(|(_, times)| times).collect();
    times.sort_unstable();
    let faults = times.len() as u64;
    Ok(Faults {
        faults,
        pages_per_fault: read as f64 / PAGE as f64 / faults as f64,
        mean_ns: times.iter().sum::<u64>() as f64 / faults as f64,
        p99_ns: times[(times.len() * 99 / 100).min(times.len() - 1)] as f64,
    })
}

/// Bytes that came from swap, and the nanoseconds of each fault. Memory is new each time, as the kernel keeps pages
/// that it has read ahead in its swap cache.
fn round(bytes: &[u8], rng: &mut Rng) -> Result<(u64, Vec<u64>)> {
    let mut memory = MmapMut::map_anon(bytes.len()).context("no memory to swap")?;
    // A huge page would leave as one.
    let _ = memory.advise(Advice::NoHugePage);
    memory.copy_from_slice(bytes);
    page_out(&memory)?;
    let mut blocks: Vec<usize> = (0..bytes.len() / (APART * PAGE)).collect();
    rng.shuffle(&mut blocks);
    let before = Swapped::now();
    let touch = |block: usize| {
        let at = (block * APART + rng.usize(..APART)) * PAGE;
        let start = Instant::now();
        // SAFETY: a byte of the mapping.
        let byte = unsafe { memory.as_ptr().add(at).read_volatile() };
        let took = start.elapsed();
        ensure!(byte == bytes[at], "the page that swap gave back is another one");
        Ok(u64::try_from(took.as_nanos())?)
    };
    let times = blocks.into_iter().map(touch).collect::<Result<Vec<u64>>>()?;
    ensure!(!times.is_empty(), "there are fewer than {APART} pages to measure with");
    let read = Swapped::now().since(before).read;
    ensure!(read > 0, "no page came from swap: the kernel kept them all in its swap cache");
    Ok((read, times))
}

/// Sends all of it to swap. After one pass the kernel may still have pages in its swap cache, as it was writing them.
/// Pages that are read from there leave at once when they are sent again.
fn page_out(memory: &MmapMut) -> Result<()> {
    send(memory)?;
    thread::sleep(WRITING);
    for at in (0..memory.len()).step_by(PAGE) {
        // SAFETY: a byte of the mapping.
        unsafe { memory.as_ptr().add(at).read_volatile() };
    }
    send(memory)
}

/// How long the kernel may write pages to swap.
const WRITING: Duration = Duration::from_millis(300);
/// How often it is asked to.
const TRIES: u32 = 20;

fn send(memory: &MmapMut) -> Result<()> {
    let tried = (1..TRIES).any(|_| {
        let sent = try_to_send(memory).is_ok();
        if !sent {
            thread::sleep(Duration::from_millis(50));
        }
        sent
    });
    if tried { Ok(()) } else { try_to_send(memory) }
}

fn try_to_send(memory: &MmapMut) -> Result<()> {
    let (start, len) = (memory.as_ptr() as u64, memory.len() as u64);
    // SAFETY: changes no contents.
    let result =
        unsafe { libc::madvise(memory.as_ptr().cast_mut().cast(), memory.len(), libc::MADV_PAGEOUT) };
    ensure!(result == 0, "the kernel pages nothing out when it is asked to (Linux 5.4 or later does)");
    let swapped = Pagemap::of(std::process::id())?.count(&(start..start + len))?.swapped * PAGE as u64;
    ensure!(swapped > len / 10 * 9, "of {len} bytes only {swapped} went to swap");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_swap_nothing_is_measured() {
        // Another test may have swap at this moment.
        if std::fs::read_to_string("/proc/swaps").is_ok_and(|swaps| swaps.lines().count() > 1) {
            println!("SKIPPED, not tested: this machine swaps");
            return;
        }
        let error = measure(&vec![1; APART * PAGE], 0, Duration::ZERO).unwrap_err();
        assert!(!error.to_string().is_empty());
    }
}
