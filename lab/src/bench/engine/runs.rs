// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! One set of pages through all arms, which take turns.

use std::path::Path;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use ztera_machine::interrupt;

use super::churn::churn;
use super::file::Mapped;
use super::latency::Latency;
use super::order::{STRIDE, scattered};
use super::reader::{Reading, sum_at};
use super::results::{Measure, Metric, Results};
use super::tier::{DENSE, DENSE_LARGE, DENSE_SMALL, Engine, HANDLER, ROOMY, SMALL, Tier, USUAL};
use crate::kit::clock::Spent;
use crate::kit::data::Data;
use crate::kit::data::pages::{PAGE, sum};
use crate::kit::missing::Missing;
use crate::kit::zram::raw::Raw;

/// zram's algorithms: what the engine has too, and the kernel's default.
const ALGORITHMS: [&str; 2] = ["lz4", "lzo-rle"];
/// Blocks in which zram is written to, with their names.
const BLOCKS: [(&str, usize); 2] = [("64k", 64 << 10), ("1m", 1 << 20)];
/// The engine's arms whose speed is measured.
const FAST: [Engine; 5] = [USUAL, SMALL, DENSE, HANDLER, ROOMY];
/// The engine's arms whose density is measured.
const DENSITIES: [Engine; 5] = [USUAL, SMALL, DENSE_SMALL, DENSE, DENSE_LARGE];

/// One set of pages.
pub struct Runs<'a> {
    data: &'a Data,
    /// The progress, for people.
    title: &'a str,
    writers: usize,
    scan_sum: u64,
    /// The findings so far.
    pub results: Results,
}

impl<'a> Runs<'a> {
    /// None yet.
    pub fn new(title: &'a str, data: &'a Data) -> Self {
        let writers = thread::available_parallelism().map_or(1, usize::from);
        Self { data, title, writers, scan_sum: sum(data.bytes()), results: Results::default() }
    }

    /// Speed: so many rounds, in each of which every arm has its turn.
    pub fn speed(&mut self, rounds: u32, ssd: &Path, missing: &mut Missing) -> Result<()> {
        let bytes = self.data.bytes();
        let engines: Vec<&Engine> = FAST
            .iter()
            .filter(|engine| missing.unless(engine.name, engine.open(STRIDE * PAGE)).is_some())
            .collect();
        let files = self.files(ssd, missing)?;
        let devices: Vec<&str> = ALGORITHMS
            .into_iter()
            .filter(|name| missing.unless(&format!("zram-{name}"), Raw::create(PAGE, name)).is_some())
            .collect();
        for round in 1..=rounds {
            let seed = u64::from(round);
            let offsets = scattered(bytes.len(), seed);
            for engine in &engines {
                self.say(&format!("round {round} of {rounds}: {}", engine.name))?;
                self.engine(engine, &offsets).with_context(|| engine.name.to_owned())?;
            }
            for file in &files {
                self.say(&format!("round {round} of {rounds}: {}", file.name))?;
                self.file(file, seed, &offsets, missing).with_context(|| file.name.clone())?;
            }
            for algorithm in &devices {
                self.say(&format!("round {round} of {rounds}: zram-{algorithm}"))?;
                self.device(algorithm).with_context(|| format!("zram-{algorithm}"))?;
            }
        }
        Ok(())
    }

    fn files(&self, ssd: &Path, missing: &mut Missing) -> Result<Vec<Mapped>> {
        self.say("writing the files of the arms that map one")?;
        let bytes = self.data.bytes();
        let mut files: Vec<Mapped> = Vec::new();
        for algorithm in ALGORITHMS {
            files
                .extend(missing.unless(&format!("mmap-zram-{algorithm}"), Mapped::on_zram(algorithm, bytes)));
        }
        let roomy = Mapped::roomy_on_zram(ALGORITHMS[0], bytes);
        files.extend(missing.unless(&format!("mmap-zram-roomy-{}", ALGORITHMS[0]), roomy));
        files.extend(missing.unless("mmap-ssd", Mapped::on_ssd(ssd, bytes)));
        files.extend(missing.unless("mmap-tmpfs", Mapped::in_memory(bytes)));
        Ok(files)
    }

    /// Stores all twice, from one thread and from all: first touches follow the one, a scan the other.
    fn engine(&mut self, engine: &Engine, offsets: &[usize]) -> Result<()> {
        let bytes = self.data.bytes();
        let tier = engine.open(bytes.len())?;
        let one = speed(&tier.store(bytes, 1)?, bytes.len());
        let before = tier.stats();
        let (latency, reading) = tier.memory().touch(offsets);
        check(&reading, sum_at(bytes, offsets))?;
        let mut found = touches(latency, &reading, offsets.len());
        let decoding = Duration::from_nanos(tier.stats().decompress_ns - before.decompress_ns);
        found.push((Metric::DecodeSeconds, decoding.as_secs_f64() / offsets.len() as f64));
        found.push((Metric::DramBytes, tier.dram() as f64));
        self.results.add(Measure::FaultRandom, engine.name, found);
        drop(tier);

        let tier = engine.open(bytes.len())?;
        let all = speed(&tier.store(bytes, self.writers)?, bytes.len());
        let reading = tier.memory().scan();
        check(&reading, self.scan_sum)?;
        self.results.add(Measure::ScanSequential, engine.name, speed(&reading.spent, bytes.len()));
        // Stores take the same time whoever serves faults, and however many pages are resident.
        if ![HANDLER, ROOMY].contains(engine) {
            self.results.add(Measure::StoreOneWriter, engine.name, one);
            self.results.add(Measure::StoreAllCores, engine.name, all);
        }
        Ok(())
    }

    /// Touches some, then scans all. An eighth of few pages is not enough for what the kernel reads ahead, and then
    /// what is left out is said.
    fn file(&mut self, file: &Mapped, seed: u64, offsets: &[usize], missing: &mut Missing) -> Result<()> {
        let bytes = self.data.bytes();
        if let Some(touched) = missing.unless(&file.name, file.touch(bytes, seed).context("touches")) {
            check(&touched.reading, sum_at(bytes, offsets))?;
            let mut found = touches(touched.latency, &touched.reading, offsets.len());
            found.push((Metric::DramBytes, touched.dram as f64));
            self.results.add(Measure::FaultRandom, &file.name, found);
        }
        if let Some(reading) = missing.unless(&file.name, file.scan().context("scan")) {
            check(&reading, self.scan_sum)?;
            let found = speed(&reading.spent, bytes.len());
            self.results.add(Measure::ScanSequential, &file.name, found);
        }
        Ok(())
    }

    fn device(&mut self, algorithm: &str) -> Result<()> {
        let bytes = self.data.bytes();
        for (name, block) in BLOCKS {
            for (measure, writers) in [(Measure::StoreOneWriter, 1), (Measure::StoreAllCores, self.writers)] {
                let spent = Raw::create(bytes.len(), algorithm)?.store(bytes, block, writers)?;
                self.results.add(measure, &format!("zram-{algorithm}-{name}"), speed(&spent, bytes.len()));
            }
        }
        Ok(())
    }

    /// The memory of all pages, measured once: it hardly differs from run to run.
    pub fn density(&mut self, measure: Measure, missing: &mut Missing) -> Result<()> {
        for engine in &DENSITIES {
            self.say(&format!("density: {}", engine.name))?;
            let found = missing.unless(engine.name, self.density_of_engine(engine));
            self.results.add(measure, engine.name, found.into_iter().flatten());
        }
        for algorithm in ALGORITHMS {
            self.say(&format!("density: zram-{algorithm}"))?;
            let arm = format!("zram-{algorithm}");
            let found = missing.unless(&arm, self.density_of_zram(algorithm));
            self.results.add(measure, &arm, found.into_iter().flatten());
        }
        Ok(())
    }

    fn density_of_engine(&self, engine: &Engine) -> Result<Vec<(Metric, f64)>> {
        let tier = self.filled(engine)?;
        let stats = tier.stats();
        let table = tier.table_bytes() as f64;
        let mut found = density(self.data.bytes().len(), stats.compr_data_size, stats.mem_used_total, table);
        let pages = self.data.bytes().len() / PAGE;
        found.extend([(Metric::TableBytes, table), (Metric::TableBytesPerPage, table / pages as f64)]);
        Ok(found)
    }

    fn density_of_zram(&self, algorithm: &str) -> Result<Vec<(Metric, f64)>> {
        let usage = self.filled_zram(algorithm)?.usage()?;
        Ok(density(self.data.bytes().len(), usage.compressed, usage.used, 0.0))
    }

    /// The memory lost between objects after many came and went.
    pub fn fragmentation(&mut self, missing: &mut Missing) -> Result<()> {
        let bytes = self.data.bytes();
        for engine in [&USUAL, &DENSE] {
            self.say(&format!("churn: {}", engine.name))?;
            let found = self.filled(engine).and_then(|tier| churn(&tier, bytes, engine.unit, 1));
            let found = missing.unless(engine.name, found);
            self.results.add(Measure::PoolFragmentation, engine.name, found.into_iter().flatten());
        }
        for algorithm in ALGORITHMS {
            self.say(&format!("churn: zram-{algorithm}"))?;
            let arm = format!("zram-{algorithm}");
            let found = self.filled_zram(algorithm).and_then(|raw| churn(&raw, bytes, USUAL.unit, 1));
            let found = missing.unless(&arm, found);
            self.results.add(Measure::PoolFragmentation, &arm, found.into_iter().flatten());
        }
        Ok(())
    }

    fn filled(&self, engine: &Engine) -> Result<Tier> {
        let tier = engine.open(self.data.bytes().len())?;
        tier.store(self.data.bytes(), self.writers)?;
        Ok(tier)
    }

    fn filled_zram(&self, algorithm: &str) -> Result<Raw> {
        let raw = Raw::create(self.data.bytes().len(), algorithm)?;
        raw.store(self.data.bytes(), BLOCKS[0].1, self.writers)?;
        Ok(raw)
    }

    /// Progress; and the place at which Ctrl-C ends it.
    fn say(&self, what: &str) -> Result<()> {
        interrupt::check()?;
        eprintln!("{}, {what}", self.title);
        Ok(())
    }
}

fn check(reading: &Reading, expected: u64) -> Result<()> {
    if reading.sum != expected {
        bail!("the bytes read are not those stored");
    }
    Ok(())
}

fn touches(latency: Latency, reading: &Reading, touched: usize) -> Vec<(Metric, f64)> {
    vec![
        (Metric::P50Seconds, latency.p50),
        (Metric::P99Seconds, latency.p99),
        (Metric::P999Seconds, latency.p999),
        (Metric::CpuSecondsPerGib, reading.spent.cpu_per_gib(touched * PAGE)),
    ]
}

fn speed(spent: &Spent, bytes: usize) -> Vec<(Metric, f64)> {
    vec![
        (Metric::MibPerSecond, spent.mib_per_second(bytes)),
        (Metric::CpuSecondsPerGib, spent.cpu_per_gib(bytes)),
    ]
}

fn density(bytes: usize, objects: u64, pool: u64, table: f64) -> Vec<(Metric, f64)> {
    let dram = pool as f64 + table;
    vec![
        (Metric::ObjectBytes, objects as f64),
        (Metric::PoolBytes, pool as f64),
        (Metric::DramBytes, dram),
        (Metric::Factor, bytes as f64 / dram),
    ]
}
