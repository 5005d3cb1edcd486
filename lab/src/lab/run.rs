// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera lab run`

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Error, Result, bail};
use ztera_machine::interrupt::{self, Interrupted};
use ztera_machine::units::MIB;

use super::common::Common;
use super::report;
use crate::experiments::ALL;
use crate::frame::context::{Context, Scale};
use crate::frame::experiment::{Experiment, Question};
use crate::frame::machine::Machine;
use crate::frame::need;
use crate::frame::number::counted;
use crate::frame::record::{Header, forget};
use crate::frame::steps::{Finished, Steps};
use crate::kit::filesystem::ensure_free;

/// More than all samples and the report take.
const ROOM: u64 = 16 * MIB;
/// The exit status of a run that came to its end and left out steps.
const STEPS_LEFT_OUT: u8 = 3;

/// Run experiments, and make the report
///
/// Steps that are in the samples already are not taken again, unless --again is given. An experiment that lacks
/// something says so in one line per thing, before anything is measured. Ctrl-C undoes what was set up.
///
/// The exit status is 0 if every step of every experiment that ran has data. It is 3 if steps were left out: their
/// reasons are printed, and the next run tries them again. It is 1 if an experiment failed, or was named and lacks
/// something.
#[derive(clap::Args)]
pub struct Args {
    /// Names of experiments, as `ztera lab list` prints them
    #[arg(required_unless_present = "all", value_name = "NAME")]
    names: Vec<String>,
    /// Run every experiment that has what it needs
    #[arg(long, conflicts_with = "names")]
    all: bool,
    /// Measure for a few minutes each [the default]
    #[arg(long, conflicts_with_all = ["full", "tiny"])]
    quick: bool,
    /// Measure everything
    #[arg(long, conflicts_with = "tiny")]
    full: bool,
    /// Measure as little as tests do
    #[arg(long, hide = true)]
    tiny: bool,
    /// Forget the samples of earlier runs
    #[arg(long)]
    again: bool,
    /// Directory on a RAID 0 of several SSDs, which `zram-device` holds against the one of --ssd
    #[arg(long, value_name = "DIR")]
    raid: Option<PathBuf>,
    #[command(flatten)]
    common: Common,
}

impl Args {
    fn scale(&self) -> Scale {
        match (self.full, self.tiny) {
            (true, _) => Scale::Full,
            (_, true) => Scale::Tiny,
            _ => Scale::Quick,
        }
    }

    fn chosen(&self) -> Result<Vec<&'static dyn Experiment>> {
        if self.all {
            return Ok(ALL.to_vec());
        }
        self.names.iter().map(|name| find(name)).collect()
    }

    fn folder(&self, experiment: &dyn Experiment) -> PathBuf {
        self.common.out.join(experiment.name())
    }
}

fn find(name: &str) -> Result<&'static dyn Experiment> {
    let Some(found) = ALL.iter().find(|experiment| experiment.name() == name) else {
        let names: Vec<&str> = ALL.iter().map(|experiment| experiment.name()).collect();
        bail!("there is no experiment `{name}`; there are {}", names.join(", "));
    };
    Ok(*found)
}

/// Runs those that can run, and makes the report. Fails if one that was named cannot run. If none can, the report stays
/// as it is.
pub fn run(args: &Args) -> Result<ExitCode> {
    interrupt::watch()?;
    let context = Context { raid: args.raid.clone(), ..Context::of(args.scale(), &args.common.ssd) };
    let (able, unable) = sift(args.chosen()?, &context);
    if able.is_empty() {
        return Ok(ExitCode::FAILURE);
    }
    make_folder(&args.common.out)?;
    let (mut failed, mut left_out) = (unable > 0 && !args.all, 0);
    for experiment in able {
        match measure(experiment, args, &context) {
            Ok(steps) => left_out += steps,
            Err(error) if error.is::<Interrupted>() || is_of_full_disk(&error) => return Err(error),
            Err(error) => {
                eprintln!("ztera: {} failed: {error:#}", experiment.name());
                failed = true;
            }
        }
    }
    report::make(&args.common)?;
    Ok(match (failed, left_out) {
        (true, _) => ExitCode::FAILURE,
        (false, 0) => ExitCode::SUCCESS,
        _ => ExitCode::from(STEPS_LEFT_OUT),
    })
}

/// Those that have all they need, and how many others there are; says what these lack.
fn sift(chosen: Vec<&'static dyn Experiment>, context: &Context) -> (Vec<&'static dyn Experiment>, usize) {
    let lacks = |experiment: &&dyn Experiment| {
        let missing = need::missing(&experiment.needs(), context);
        missing.iter().for_each(|line| eprintln!("ztera: {} is left out: {line}", experiment.name()));
        !missing.is_empty()
    };
    let (unable, able): (Vec<_>, Vec<_>) = chosen.into_iter().partition(lacks);
    (able, unable.len())
}

/// The folder of all samples. On a full disk each experiment would fail by itself.
fn make_folder(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    ensure_free(folder, ROOM).context("there is no room for samples: name another folder with --out DIR")
}

/// Whether samples had no room. A step that has none is no error.
fn is_of_full_disk(error: &Error) -> bool {
    let mut kinds = error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>()).map(io::Error::kind);
    kinds.any(|kind| kind == ErrorKind::StorageFull)
}

/// Takes the steps of an experiment. Returns how many have no data.
fn measure(experiment: &dyn Experiment, args: &Args, context: &Context) -> Result<usize> {
    let folder = args.folder(experiment);
    if args.again {
        forget(&folder)?;
    }
    let Question { name, about, minutes, .. } = experiment.question();
    let minutes = if context.scale == Scale::Full { minutes.full } else { minutes.quick };
    let time = counted(minutes, "minute");
    eprintln!("{name}: {about} About {time}.");
    let machine = Machine::here();
    let machine = if experiment.uses_ssd() { machine.with_disk(&context.ssd) } else { machine };
    let header = Header { scale: context.scale, machine };
    let mut steps = Steps::open(name, &folder, &header)?;
    experiment.run(context, &mut steps)?;
    let Finished { taken, skipped, left_out } = steps.finish()?;
    let taken = counted(taken as u64, "step");
    eprintln!("{name}: {taken} taken, {skipped} were done before, {left_out} without data");
    Ok(left_out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_told_from_other_failures() {
        let of = |kind: ErrorKind| Error::from(io::Error::from(kind)).context("cannot write samples.jsonl");
        assert!(is_of_full_disk(&of(ErrorKind::StorageFull)));
        assert!(!is_of_full_disk(&of(ErrorKind::PermissionDenied)) && !is_of_full_disk(&Interrupted.into()));
    }
}
