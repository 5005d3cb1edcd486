// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Young and full collections with much data in H2, and without H2.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use serde::Deserialize;
use ztera_machine::interrupt;
use ztera_machine::jvm_flags::{H2Flags, HeapFlags};
use ztera_machine::units::MIB;

use super::report::{CollectionResult, Kind};
use crate::kit::driver::{Driver, SettledH2};
use crate::kit::gclog::{self, Pause, Phase};
use crate::kit::missing::Missing;
use crate::kit::move_run::Job;

/// Collections of each kind per arm and round.
const YOUNG: u32 = 15;
const FULL: u32 = 5;

/// Arms of young collections with data in H2, with the share of it that is written to before each.
const DIRTY: [(&str, f64); 3] = [(CLEAN, 0.0), ("h2-dirty-0.1%", 0.001), ("h2-dirty-1%", 0.01)];

/// The arm without H2.
pub const WITHOUT: &str = "no-h2";
/// Young collections with H2, to which nobody writes.
pub const CLEAN: &str = "h2-clean";
/// Full collections with H2.
pub const WITH: &str = "h2";

/// Size of the young generation: of garbage per collection.
const YOUNG_BYTES: u64 = 128 * MIB;
/// The data loaded in one part, before it goes to H2, and copies of it that are garbage.
const PART_BYTES: u64 = 384 * MIB;
/// DRAM for uncompressed pages: more than what is written to between two collections.
const RESIDENT: u64 = 256 * MIB;

/// The settings that all rounds share.
pub struct Collector<'a> {
    /// The JVM, its data, and where it logs.
    pub job: &'a Job,
    /// Live data in the first heap.
    pub h1: u64,
    /// Data in H2.
    pub h2: u64,
}

/// The answer to all commands.
#[derive(Deserialize)]
struct Answer {
    h2: SettledH2,
}

/// One JVM of a pair.
struct Jvm {
    driver: Driver,
    log: PathBuf,
    /// Arms of young collections, with the share of H2 that is written to before each.
    young: &'static [(&'static str, f64)],
    full: &'static str,
    /// DRAM for H2.
    memory: u64,
}

impl Collector<'_> {
    /// With H2 and without, in turns: both JVMs run at the same time, and one waits while the other collects.
    pub fn measure(&self, rounds: u32, missing: &mut Missing) -> Result<Vec<CollectionResult>> {
        let mut results = Vec::new();
        for round in 1..=rounds {
            interrupt::check()?;
            eprintln!("collections, round {round} of {rounds}");
            missing.unless("a round of collections", self.round(&mut results));
        }
        Ok(results.into_iter().filter_map(Gathered::finish).collect())
    }

    fn round(&self, results: &mut Vec<Gathered>) -> Result<()> {
        let mut jvms = [self.start(0)?, self.start(self.h2)?];
        for _ in 0..YOUNG {
            for jvm in &mut jvms {
                for (arm, share) in jvm.young {
                    let pause = jvm.collect(&format!("young 1 {share}"), Kind::Young)?;
                    gathered(results, Kind::Young, arm).pauses.push(pause);
                }
            }
        }
        for _ in 0..FULL {
            for jvm in &mut jvms {
                let pause = jvm.collect("full 1", Kind::Full)?;
                gathered(results, Kind::Full, jvm.full).pauses.push(pause);
            }
        }
        for jvm in &jvms {
            let full = gathered(results, Kind::Full, jvm.full);
            full.phases.push(gclog::last_full_phases(&fs::read_to_string(&jvm.log)?));
            for result in results.iter_mut().filter(|result| jvm.has(result)) {
                result.memory.push(jvm.memory as f64);
            }
        }
        Ok(())
    }

    /// A JVM with all of its data, `h2` bytes of them in H2.
    fn start(&self, h2: u64) -> Result<Jvm> {
        let log = self.job.scratch.join(if h2 > 0 { "gc-h2.log" } else { "gc.log" });
        let mut driver = Driver::start(self.command(h2, &log), None)?;
        if h2 > 0 {
            driver.ask::<Answer>(&format!("fill {h2}"))?;
        }
        driver.ask::<Answer>(&format!("live {}", self.h1))?;
        let settled = driver.ask::<Answer>("settle")?.h2;
        // The first ones touch memory that is new, and move what was just built.
        for command in ["young 2 0", "full 1"] {
            driver.ask::<Answer>(command)?;
        }
        let (young, full): (&[_], _) = if h2 > 0 { (&DIRTY, WITH) } else { (&[(WITHOUT, 0.0)], WITHOUT) };
        Ok(Jvm { driver, log, young, full, memory: settled.mem_used_total + settled.resident_bytes })
    }

    fn command(&self, h2: u64, log: &Path) -> Command {
        let bytes = 2 * self.h1 + PART_BYTES + YOUNG_BYTES;
        let heap = HeapFlags { is_fixed: true, ..HeapFlags::of_size(bytes, YOUNG_BYTES) };
        // The pool never fills, so that nothing is compressed anew meanwhile; regions are never quite full.
        let flags = H2Flags {
            size: h2 + h2 / 4 + 256 * MIB,
            resident: Some(RESIDENT),
            pool: Some(h2 + 64 * MIB),
            codec: Some(self.job.codec),
            ..H2Flags::default()
        };
        let mut command = Command::new(&self.job.java);
        command
            .args(heap.arguments())
            .args(if h2 > 0 { flags.arguments() } else { Vec::new() })
            .arg(format!("-Xlog:gc,gc+phases:file={}", log.display()))
            .arg("-cp")
            .arg(&self.job.jar)
            .arg("org.ztera.demo.bench.BenchPauses")
            .arg(&self.job.source);
        command
    }
}

impl Jvm {
    /// The pause, in seconds, of the one collection that a command makes.
    fn collect(&mut self, command: &str, kind: Kind) -> Result<f64> {
        let before = self.pauses()?.len();
        self.driver.ask_quietly::<Answer>(command)?;
        let pauses = self.pauses()?;
        let wanted = |pause: &&Pause| pause.is_full() == (kind == Kind::Full);
        let pause = pauses[before..].iter().rfind(wanted);
        Ok(pause.with_context(|| format!("no such collection in the log after `{command}`"))?.seconds)
    }

    fn pauses(&self) -> Result<Vec<Pause>> {
        let log = fs::read_to_string(&self.log);
        Ok(gclog::pauses(&log.with_context(|| format!("cannot read {}", self.log.display()))?))
    }

    fn has(&self, result: &Gathered) -> bool {
        match result.kind {
            Kind::Young => self.young.iter().any(|(arm, _)| *arm == result.arm),
            Kind::Full => self.full == result.arm,
        }
    }
}

/// Of all rounds so far.
struct Gathered {
    kind: Kind,
    arm: &'static str,
    pauses: Vec<f64>,
    phases: Vec<Vec<Phase>>,
    memory: Vec<f64>,
}

impl Gathered {
    fn finish(self) -> Option<CollectionResult> {
        CollectionResult::of(self.kind, self.arm, self.pauses, &self.phases, self.memory)
    }
}

/// The entry of a kind and arm, empty if it is the first of them.
fn gathered<'a>(results: &'a mut Vec<Gathered>, kind: Kind, arm: &'static str) -> &'a mut Gathered {
    let known = results.iter().position(|result| result.kind == kind && result.arm == arm);
    let at = known.unwrap_or_else(|| {
        results.push(Gathered { kind, arm, pauses: Vec::new(), phases: Vec::new(), memory: Vec::new() });
        results.len() - 1
    });
    &mut results[at]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_of_a_kind_and_arm_come_together() {
        let mut results = Vec::new();
        for seconds in [3.0, 1.0, 2.0] {
            for (kind, arm) in [(Kind::Young, WITHOUT), (Kind::Young, CLEAN), (Kind::Full, WITHOUT)] {
                let result = gathered(&mut results, kind, arm);
                result.pauses.push(seconds);
                result.memory.push(7.0);
            }
        }
        let results: Vec<_> = results.into_iter().filter_map(Gathered::finish).collect();
        let shown: Vec<_> = results.iter().map(|result| (result.kind, result.arm.as_str())).collect();
        assert_eq!(shown, [(Kind::Young, WITHOUT), (Kind::Young, CLEAN), (Kind::Full, WITHOUT)]);
        assert!(results.iter().all(|result| result.pause_seconds.samples == [3.0, 1.0, 2.0]));
    }
}
