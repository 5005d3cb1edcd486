// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The dumps of a running program: direct ones before and after a full collection, HPROF, and H2.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use ztera_codec::CodecKind;
use ztera_machine::h2_dump;
use ztera_machine::interrupt::Interrupted;
use ztera_machine::jvm::Jvm;
use ztera_machine::jvm_flags::HeapFlags;
use ztera_machine::units::MIB;
use ztera_machine::view::Jdk;

use super::found::{self, Dump, Kind};
use super::heap::Generations;
use super::pack;
use super::pages::Sample;
use super::programs::{Program, Start};
use super::running::{Moment, Running};
use super::zram::{self, Effort};
use crate::kit::own_command;

/// Full collections after which a group that is finished has moved.
const COLLECTIONS: u32 = 5;

/// How much is dumped, and of what it is compressed by.
#[derive(Clone, Debug)]
pub struct Plan {
    /// When programs that say how far they are are dumped.
    pub progress: Vec<Moment>,
    /// When others are.
    pub times: Vec<Moment>,
    /// When programs for Spark are, which start slowly.
    pub spark_times: Vec<Moment>,
    /// Live data, where they can be chosen.
    pub live_mib: u32,
    /// The heap.
    pub heap_mib: u32,
    /// How much of a dump is compressed.
    pub sample: usize,
    /// The engine's codecs.
    pub codecs: Vec<CodecKind>,
    /// Those of zram; none where there is no zram.
    pub zram: Vec<String>,
    /// How zram is written and read.
    pub effort: Effort,
}

impl Plan {
    fn moments(&self, program: &Program) -> &[Moment] {
        match program.start {
            Start::Library => &self.progress,
            Start::Tool(..) | Start::Main(..) => &self.times,
            Start::Spark(_) => &self.spark_times,
        }
    }

    /// Generations of fixed sizes, so that their addresses stay. The young one is small, so that objects grow old.
    fn flags(&self) -> Vec<String> {
        let bytes = u64::from(self.heap_mib) * MIB;
        HeapFlags { is_fixed: true, ..HeapFlags::of_size(bytes, bytes / 8) }.arguments()
    }

    fn found(&self, kind: Kind, moment: Moment, sample: &Sample) -> Result<Dump> {
        let codecs = if kind.is_on_zram() { &self.zram[..] } else { &[] };
        let zram = codecs.iter().map(|codec| zram::measure(codec, &sample.data, self.effort));
        Ok(Dump {
            kind,
            at: moment.words(),
            bytes: sample.bytes,
            sample_bytes: sample.data.bytes().len() as u64,
            ours: pack::measure(sample.data.bytes(), &self.codecs)?,
            zram: zram.collect::<Result<_>>()?,
        })
    }
}

/// Runs the program on the stock JDK, and ends it after the last moment.
pub fn take(program: &Program, plan: &Plan) -> Result<found::Program> {
    let scratch = tempfile::Builder::new().prefix("ztera-dumps-").tempdir()?;
    let jdk = Jdk::stock(None, &Jdk::view(None)?)?;
    let command = program.command(&jdk, &plan.flags(), plan.live_mib, scratch.path())?;
    let mut look = Look { running: Running::start(command)?, scratch: scratch.path() };
    let mut dumps = Vec::new();
    for &moment in plan.moments(program) {
        if !look.running.reaches(moment)? {
            break;
        }
        match look.at(moment, plan) {
            Ok(more) => dumps.extend(more),
            // It ended while it was looked at.
            Err(error) if !error.is::<Interrupted>() && look.running.is_ending()? => break,
            Err(error) => return Err(error),
        }
    }
    if dumps.is_empty() {
        bail!("{} ended before it could be dumped: {}", program.name, look.running.last_words());
    }
    Ok(found::Program { program: program.name.to_owned(), dumps })
}

/// A program that is looked at.
struct Look<'a> {
    running: Running,
    scratch: &'a Path,
}

impl Look<'_> {
    /// All dumps of a moment. The program stands still while its pages are read and compressed.
    fn at(&mut self, moment: Moment, plan: &Plan) -> Result<Vec<Dump>> {
        let jvm = Jvm::of(self.running.pid())?;
        let now = Generations::of(&jvm)?;
        let before = self.running.while_stopped(|pid| {
            let heap = Sample::of_process(pid, &now.all(), plan.sample)?;
            Ok([(Kind::Heap, heap), (Kind::Old, Sample::of_process(pid, &now.old_objects(), plan.sample)?)])
        })?;
        let file = self.scratch.join("heap.hprof");
        jvm.ask(&["GC.heap_dump", &file.to_string_lossy()])?;
        let now = Generations::of(&jvm)?;
        let scratch = self.scratch;
        self.running.while_stopped(|pid| {
            let direct = Sample::of_process(pid, &now.old_objects(), plan.sample)?;
            let live = pages_of_hprof(&file, scratch, plan.sample)?;
            let after = [(Kind::Live, live), (Kind::LiveDirect, direct)];
            let samples = before.into_iter().chain(after).filter_map(|(kind, sample)| Some((kind, sample?)));
            samples.map(|(kind, sample)| plan.found(kind, moment, &sample)).collect()
        })
    }
}

/// A sample of the objects of a heap dump, which goes.
fn pages_of_hprof(dump: &Path, scratch: &Path, sample: usize) -> Result<Option<Sample>> {
    let pages = scratch.join("heap.pages");
    let mut command = own_command::ztera()?;
    command.arg("analyze").arg(dump).arg("--out").arg(&pages).args(["--json", "--sample", "64k"]);
    own_command::quiet_output(command)?;
    fs::remove_file(dump)?;
    let sample = Sample::of_file(&pages, sample);
    fs::remove_file(&pages)?;
    sample
}

/// Runs a program that groups its data on our JVM, and dumps its second heap once all groups are there.
pub fn take_h2(program: &Program, plan: &Plan) -> Result<found::Program> {
    let scratch = tempfile::Builder::new().prefix("ztera-dumps-").tempdir()?;
    let jdk = Jdk::view(None)?;
    let flags = [plan.flags(), vec!["-XX:H2Size=8g".to_owned()]].concat();
    let command = program.command(&jdk, &flags, plan.live_mib, scratch.path())?;
    let mut running = Running::start(command)?;
    let moment = Moment::Progress("load", 95);
    if !running.reaches(moment)? {
        bail!("{} ended before it could be dumped: {}", program.name, running.last_words());
    }
    let jvm = Jvm::of(running.pid())?;
    let file = scratch.path().join("h2.pages");
    let mut sample = None;
    for _ in 0..COLLECTIONS {
        jvm.ask(&["GC.run"])?;
        if h2_dump::dump(&jvm, None, &file).is_ok() {
            sample = Sample::of_file(&file, plan.sample)?;
            fs::remove_file(&file)?;
        }
        if sample.as_ref().is_some_and(|sample| sample.bytes >= plan.sample as u64) {
            break;
        }
    }
    let sample = sample.context("H2 has less than a block of data")?;
    let dump = running.while_stopped(|_| plan.found(Kind::H2, moment, &sample))?;
    Ok(found::Program { program: program.name.to_owned(), dumps: vec![dump] })
}
