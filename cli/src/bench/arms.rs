// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The arms of `ztera bench h2`: what holds the pages of H2, and one run on it.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::driver::{Driver, Moved, Read, Settled};
use super::report::Measured;
use super::zram::ZramFs;
use crate::cgroup::Cgroup;
use crate::gclog::{self, Pause};
use crate::jvm_flags::{Backing, Codec, H2Flags};
use crate::units::{GIB, MIB};

/// What holds the pages of H2.
pub enum Store {
    /// The compressed tier.
    Tier,
    /// A file on ext4 on zram.
    Zram(ZramFs),
    /// A file in a directory on a disk.
    Disk(PathBuf),
}

/// An arm of the benchmark.
pub struct Arm {
    /// `tier`, `file-zram` or `file-ssd`.
    pub name: &'static str,
    /// What holds the pages.
    pub store: Store,
}

/// What all runs have in common.
pub struct Job {
    /// The ZTera JDK's `java`.
    pub java: PathBuf,
    /// Jar with the driver.
    pub jar: PathBuf,
    /// Source tree that the data is made of.
    pub source: PathBuf,
    /// How much data is moved.
    pub bytes: u64,
    /// How much of it may be uncompressed in memory while it is read.
    pub resident: u64,
    /// What compresses it (tier).
    pub codec: Codec,
    /// For the collector's log.
    pub scratch: PathBuf,
}

impl Job {
    /// The second set of blocks, whose reading pushes the first one out of memory.
    fn chaser(&self) -> u64 {
        self.resident * 2
    }

    /// One run of an arm with one kind of data. The seed chooses the random order.
    pub fn run(&self, arm: &Arm, data: &str, seed: u32) -> Result<Measured> {
        let log = self.scratch.join("gc.log");
        // The file arms' pages belong to the file cache: the cgroup that they are charged to can be emptied.
        let home = (!matches!(arm.store, Store::Tier)).then(|| Cgroup::create("bench")).transpose()?;
        let mut driver = Driver::start(self.command(arm, data, &log), home.as_ref())?;
        driver.ask::<Value>("build")?;
        let plain_pause = last_full_pause(&log)?;
        let moved: Moved = driver.ask("move")?;
        if !moved.in_h2 {
            bail!("the data did not move to H2");
        }
        let move_pause = last_full_pause(&log)?;
        let (settle, memory) = self.settle(arm, &mut driver)?;
        let mut measured = Measured {
            move_pause,
            plain_pause,
            moved_bytes: moved.moved_bytes,
            settle,
            memory,
            ..Measured::default()
        };
        if data == "arrays" {
            let limited = home.as_ref().map(|home| self.confine(home, &mut driver)).transpose()?;
            let sequential: Read = driver.ask("read sequential")?;
            let random: Read = driver.ask(&format!("read random {seed}"))?;
            measured.sequential = Some(per_page(sequential.seconds, &sequential));
            measured.random = Some(per_page(random.seconds, &random));
            measured.random_faults =
                matches!(arm.store, Store::Tier).then(|| per_page(random.faults as f64, &random));
            drop(driver);
            drop(limited);
        }
        Ok(measured)
    }

    fn command(&self, arm: &Arm, data: &str, log: &Path) -> Command {
        let flags = H2Flags {
            // The data, the second set, and regions that are not quite full.
            size: self.bytes + self.bytes / 2 + self.chaser() * 2,
            ..match &arm.store {
                Store::Tier => H2Flags {
                    backing: Some(Backing::Tier),
                    resident: Some(self.resident),
                    pool: Some(self.bytes + self.chaser() + GIB / 4),
                    codec: Some(self.codec),
                    ..H2Flags::default()
                },
                Store::Zram(fs) => file_flags(fs.path()),
                Store::Disk(dir) => file_flags(dir),
            }
        };
        let mut command = Command::new(&self.java);
        command
            .args(["-XX:+UseParallelGC", &format!("-Xmx{}m", self.bytes * 3 / MIB)])
            .args(flags.arguments())
            .arg(format!("-Xlog:gc:file={}", log.display()))
            .arg("-cp")
            .arg(&self.jar)
            .args(["org.ztera.demo.bench.BenchH2", data, &self.bytes.to_string(), &self.chaser().to_string()])
            .arg(&self.source);
        command
    }

    /// Waits until the moved pages are where they belong. @return the time, and the DRAM they use then
    fn settle(&self, arm: &Arm, driver: &mut Driver) -> Result<(f64, u64)> {
        let start = Instant::now();
        let settled: Settled = driver.ask("settle")?;
        let tier = settled.h2.mem_used_total + settled.h2.resident_bytes;
        match &arm.store {
            Store::Tier => Ok((settled.seconds, tier)),
            Store::Zram(fs) => {
                write_back(fs.path())?;
                Ok((start.elapsed().as_secs_f64(), fs.memory_used().context("zram has no mm_stat")?))
            }
            Store::Disk(dir) => {
                write_back(dir)?;
                Ok((start.elapsed().as_secs_f64(), 0))
            }
        }
    }

    /// Empties the file cache, then moves the JVM to a cgroup in which the file cache can only grow to the limit.
    /// What the JVM has besides stays charged to its old home.
    fn confine(&self, home: &Cgroup, driver: &mut Driver) -> Result<Cgroup> {
        home.reclaim()?;
        let limited = Cgroup::create("bench-limited")?;
        limited.set_limit(self.resident + SLACK)?;
        limited.adopt(driver.pid())?;
        Ok(limited)
    }
}

/// What the JVM newly allocates while it reads, and page tables.
const SLACK: u64 = 32 * MIB;

fn file_flags(dir: &Path) -> H2Flags {
    H2Flags { backing: Some(Backing::File), path: Some(dir.to_owned()), ..H2Flags::default() }
}

fn per_page(value: f64, read: &Read) -> f64 {
    value / read.pages as f64
}

/// Has all dirty pages of a file system written.
fn write_back(dir: &Path) -> Result<()> {
    let dir = File::open(dir)?;
    rustix::fs::syncfs(&dir).context("cannot write the file cache back")
}

fn last_full_pause(log: &Path) -> Result<f64> {
    let text = fs::read_to_string(log).with_context(|| format!("cannot read {}", log.display()))?;
    let pauses = gclog::pauses(&text);
    let full = pauses.iter().rev().find(|pause| Pause::is_full(pause));
    Ok(full.context("no full collection in the collector's log")?.seconds)
}
