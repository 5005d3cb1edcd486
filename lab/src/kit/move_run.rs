// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! One run of `org.ztera.demo.bench.BenchH2` on an arm: it moves data to H2, and may read them there.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use serde_json::Value;
use ztera_machine::cgroup::Cgroup;
use ztera_machine::jvm_flags::{Backing, Codec, H2Flags, HeapFlags};
use ztera_machine::units::{GIB, MIB};

use super::arms::{Arm, Store};
use super::driver::{Driver, Moved, Read, Settled};
use super::filesystem;
use super::free_memory;
use super::gclog::{self, Pause, Phase};
use super::program::Program;

/// The data that are moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Data {
    /// Arrays of 1 MiB full of source text
    Arrays,
    /// The index of `ztera demo`
    Objects,
    /// Half such arrays, half lines of source text as small objects
    Mixed,
}

/// How a run reads the pages of H2.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Order {
    Sequential,
    Random { seed: u32 },
}

/// One run of one arm.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measured {
    /// The full collection that moved the data.
    pub move_pause: f64,
    /// The parts of that.
    pub phases: Vec<Phase>,
    /// A full collection just before, which moved nothing.
    pub plain_pause: f64,
    /// How much was moved.
    pub moved_bytes: u64,
    /// From the end of the pause until all was compressed (tier), or written (file).
    pub settle: f64,
    /// DRAM that the moved data uses outside H1 then.
    pub memory: u64,
    /// Seconds per page.
    pub sequential: Option<f64>,
    /// Seconds per page.
    pub random: Option<f64>,
    /// How many of the sequential reads found the page missing, per page (tier).
    pub sequential_faults: Option<f64>,
    /// The same of the random reads.
    pub random_faults: Option<f64>,
}

/// The settings that all runs share.
#[derive(Clone)]
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
    /// Data that are copied and not compressed yet may have a quarter of that and no more (tier); otherwise what the
    /// pool leaves, too.
    pub strict_staging: bool,
    /// The codec (tier).
    pub codec: Codec,
    /// For the collector's log.
    pub scratch: PathBuf,
}

impl Job {
    /// A job without strict staging that logs to `scratch`. Fails if the program is not there.
    pub fn new(program: &Program, bytes: u64, resident: u64, codec: Codec, scratch: &Path) -> Result<Job> {
        Ok(Job {
            java: program.java()?,
            jar: program.jar()?,
            source: program.source()?,
            bytes,
            resident,
            strict_staging: false,
            codec,
            scratch: scratch.to_owned(),
        })
    }

    /// The second set of blocks, whose reading pushes the first one out of memory.
    fn chaser(&self) -> u64 {
        self.resident * 2
    }

    /// Room for the data, the second set, and regions that are not quite full.
    pub fn h2_size(&self) -> u64 {
        self.bytes + self.bytes / 2 + self.chaser() * 2
    }

    /// One run of an arm with one kind of data. The seed chooses the random order.
    ///
    /// The file arms get each order in a JVM of its own. The read-ahead that is good for the one is bad for the other,
    /// and a file keeps the one that it was opened with.
    pub fn run(&self, arm: &Arm, data: &str, seed: u32) -> Result<Measured> {
        let orders = [Order::Sequential, Order::Random { seed }];
        match (data, arm.store.disk()) {
            ("arrays", None) => self.run_jvm(arm, data, &orders),
            ("arrays", Some(disk)) => {
                let sequential = self.run_with_read_ahead(arm, data, &disk, USUAL_READ_AHEAD, orders[0])?;
                let random = self.run_with_read_ahead(arm, data, &disk, NO_READ_AHEAD, orders[1])?;
                Ok(Measured { random: random.random, ..sequential })
            }
            _ => self.run_jvm(arm, data, &[]),
        }
    }

    fn run_with_read_ahead(
        &self,
        arm: &Arm,
        data: &str,
        disk: &str,
        kib: u32,
        order: Order,
    ) -> Result<Measured> {
        let _set = filesystem::read_ahead(disk, kib)?;
        self.run_jvm(arm, data, &[order])
    }

    fn run_jvm(&self, arm: &Arm, data: &str, orders: &[Order]) -> Result<Measured> {
        // The file arms' pages belong to the file cache: the cgroup that they are charged to can be emptied.
        let home = (!matches!(arm.store, Store::Tier)).then(|| Cgroup::create("bench")).transpose()?;
        let (mut driver, mut measured) = self.moved(arm, data, home.as_ref(), None)?;
        if let (Some(home), false) = (&home, orders.is_empty()) {
            confine(home, &mut driver, self.resident + SLACK)?;
        }
        for order in orders {
            measured.read(*order, &mut driver)?;
        }
        Ok(measured)
    }

    /// The move alone. With a limit, the file cache can grow no larger meanwhile, what the JVM newly allocates
    /// included.
    pub fn run_move(&self, arm: &Arm, data: &str, limit: Option<u64>) -> Result<Measured> {
        let home = limit.map(|_| Cgroup::create("bench")).transpose()?;
        Ok(self.moved(arm, data, home.as_ref(), limit)?.1)
    }

    /// A JVM whose data lies in H2, compressed.
    pub fn driver_with_data_in_h2(&self, arm: &Arm, data: &str) -> Result<Driver> {
        Ok(self.moved(arm, data, None, None)?.0)
    }

    /// A JVM whose data has moved, and what that took.
    fn moved(
        &self,
        arm: &Arm,
        data: &str,
        home: Option<&Cgroup>,
        limit: Option<u64>,
    ) -> Result<(Driver, Measured)> {
        let log = self.scratch.join("gc.log");
        let mut driver = Driver::start(self.command(arm, data, &log), home)?;
        driver.ask::<Value>("build")?;
        let plain_pause = last_full_pause(&log)?;
        if let (Some(home), Some(limit)) = (home, limit) {
            confine(home, &mut driver, limit)?;
        }
        // All that moves, once more compressed, and what the JVM needs for it.
        free_memory::touch(self.bytes * 2)?;
        let moved: Moved = driver.ask("move")?;
        if !moved.in_h2 {
            bail!("the data did not move to H2");
        }
        let move_pause = last_full_pause(&log)?;
        let phases = gclog::last_full_phases(&fs::read_to_string(&log)?);
        let (settle, memory) = self.settle(arm, &mut driver)?;
        let moved_bytes = moved.moved_bytes;
        Ok((
            driver,
            Measured { move_pause, plain_pause, moved_bytes, phases, settle, memory, ..Measured::default() },
        ))
    }

    fn command(&self, arm: &Arm, data: &str, log: &Path) -> Command {
        let h2 = arm.store.file_flags().unwrap_or_else(|| self.tier_flags());
        let flags = H2Flags { size: self.h2_size(), ..h2 };
        let mut command = Command::new(&self.java);
        if self.strict_staging {
            command.env("ZTERA_STRICT_STAGING", "1");
        }
        command
            .args(HeapFlags { max: Some(self.bytes * 3), ..HeapFlags::parallel() }.arguments())
            .args(flags.arguments())
            .arg(format!("-Xlog:gc,gc+phases:file={}", log.display()))
            .arg("-cp")
            .arg(&self.jar)
            .args(["org.ztera.demo.bench.BenchH2", data, &self.bytes.to_string(), &self.chaser().to_string()])
            .arg(&self.source);
        command
    }

    /// The pool never fills, so that nothing is compressed anew.
    fn tier_flags(&self) -> H2Flags {
        H2Flags {
            backing: Some(Backing::Tier),
            resident: Some(self.resident),
            pool: Some(self.bytes + self.chaser() + GIB / 4),
            codec: Some(self.codec),
            ..H2Flags::default()
        }
    }

    /// Waits until the moved pages are where they belong. Returns the time in seconds, and the bytes of DRAM that they
    /// use then
    fn settle(&self, arm: &Arm, driver: &mut Driver) -> Result<(f64, u64)> {
        let start = Instant::now();
        let settled: Settled = driver.ask("settle")?;
        let Some(folder) = arm.store.folder() else {
            return Ok((settled.seconds, settled.h2.mem_used_total + settled.h2.resident_bytes));
        };
        write_back(folder)?;
        let seconds = start.elapsed().as_secs_f64();
        match &arm.store {
            Store::Zram(fs) => Ok((seconds, fs.memory_used().context("zram has no mm_stat")?)),
            _ => Ok((seconds, 0)),
        }
    }
}

/// Empties the file cache, then moves the JVM to a cgroup in which the file cache can only grow to the limit.
/// Other memory of the JVM stays charged to its old home.
fn confine(home: &Cgroup, driver: &mut Driver, limit: u64) -> Result<()> {
    home.reclaim()?;
    let limited = Cgroup::create("bench-limited")?;
    limited.set_limit(limit)?;
    driver.enter(limited)
}

impl Measured {
    fn read(&mut self, order: Order, driver: &mut Driver) -> Result<()> {
        let command = match order {
            Order::Sequential => "read sequential".to_owned(),
            Order::Random { seed } => format!("read random {seed}"),
        };
        let read: Read = driver.ask(&command)?;
        let seconds = Some(read.seconds / read.pages as f64);
        let faults = (read.faults > 0).then(|| read.faults as f64 / read.pages as f64);
        match order {
            Order::Sequential => (self.sequential, self.sequential_faults) = (seconds, faults),
            Order::Random { .. } => (self.random, self.random_faults) = (seconds, faults),
        }
        Ok(())
    }
}

/// Linux's default, in KiB.
const USUAL_READ_AHEAD: u32 = 128;
const NO_READ_AHEAD: u32 = 0;

/// New memory of the JVM while it reads, and page tables.
const SLACK: u64 = 32 * MIB;

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
