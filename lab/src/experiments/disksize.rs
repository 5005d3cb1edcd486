// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The experiment `disksize`: the study's cells on machines scaled to our kernels, and arms that it did not have.

use std::path::{Path, PathBuf};
use std::thread;

use anyhow::Result;
use clap::ValueEnum;
use ztera_npb::{Class, Kernel};

use crate::bench::disksize::arm::Arm;
use crate::bench::disksize::claims::claims;
use crate::bench::disksize::data::Theirs;
use crate::bench::disksize::paper;
use crate::bench::disksize::program::Program;
use crate::bench::disksize::sweep::Plan;
use crate::bench::disksize::view::present;
use crate::frame::claim::Claim;
use crate::frame::context::{Context, Scale};
use crate::frame::experiment::{Experiment, Minutes, Question};
use crate::frame::need::Need;
use crate::frame::presentation::Presentation;
use crate::frame::rounds;
use crate::frame::sample::Sample;
use crate::frame::steps::Steps;

/// The authors' files, beside the repository.
const AUTHORS: &str = "../shared/data/npb-zram-paper";
/// The key of the steps that read them, one for each repetition. They are no part of the repository: most machines do
/// without.
const THEIRS: &str = "the authors' runs";

/// The experiment.
pub struct Disksize;

impl Experiment for Disksize {
    fn question(&self) -> Question {
        Question {
            name: "disksize",
            about: "Which size of compressed swap suits programs that compute, under which limit?",
            source: "Silva et al., figures 2 to 5, and their summary",
            minutes: Minutes { quick: 3, full: 450 },
        }
    }

    fn needs(&self) -> Vec<Need> {
        vec![Need::Root, Need::Zram, Need::Cgroup]
    }

    /// For zswap.
    fn uses_ssd(&self) -> bool {
        true
    }

    fn claims(&self) -> Vec<Claim> {
        claims()
    }

    fn run(&self, context: &Context, steps: &mut Steps) -> Result<()> {
        let plan = plan(context)?;
        let theirs = Path::new(AUTHORS).exists().then(|| paper::read(Path::new(AUTHORS))).transpose()?;
        let theirs = paper::by_round(theirs.unwrap_or_default());
        let keys: Vec<String> = (1..=theirs.len() as u32).map(|round| rounds::key(THEIRS, round)).collect();
        steps.plan(keys.iter().cloned().chain(plan.keys()))?;
        for (key, their_runs) in keys.iter().zip(theirs) {
            steps.take(key, || Ok(Theirs { their_runs }))?;
        }
        plan.run(steps)
    }

    fn present(&self, samples: &[Sample]) -> Presentation {
        present(samples)
    }
}

fn plan(context: &Context) -> Result<Plan> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let programs = |kernels: &[(Kernel, Class)]| {
        kernels
            .iter()
            .map(|(kernel, class)| Program::ours(*kernel, *class, threads))
            .collect::<Result<Vec<_>>>()
    };
    let ssd: PathBuf = context.ssd.clone();
    let small = |programs, study, limits, sizes| Plan {
        programs,
        limits,
        study,
        sizes,
        arms: vec![Arm::of_study()],
        rounds: 1,
        ssd: ssd.clone(),
    };
    Ok(match context.scale {
        Scale::Tiny => small(programs(&[(Kernel::Is, Class::W)])?, vec![4], vec![60], vec![0, 100]),
        Scale::Quick => {
            let kernels = [
                (Kernel::Ep, Class::W),
                (Kernel::Is, Class::A),
                (Kernel::Cg, Class::W),
                (Kernel::Mg, Class::A),
                (Kernel::Ft, Class::W),
            ];
            Plan { rounds: 5, ..small(programs(&kernels)?, vec![8, 4, 1], vec![60], vec![0, 25, 100]) }
        }
        Scale::Full => {
            // Of class A, these take much longer than the others.
            let class = |kernel| match kernel {
                Kernel::Bt | Kernel::Sp | Kernel::Lu | Kernel::Ua => Class::W,
                _ => Class::A,
            };
            let kernels: Vec<_> =
                Kernel::value_variants().iter().map(|kernel| (*kernel, class(*kernel))).collect();
            let arms = Arm::all_zram()?
                .into_iter()
                .chain([Arm::Huge(64), Arm::Huge(2048), Arm::Zswap, Arm::Disk])
                .collect();
            let sizes = vec![0, 25, 50, 75, 100];
            Plan { arms, rounds: 5, ..small(programs(&kernels)?, vec![8, 4, 1], vec![75, 50], sizes) }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::disksize::data::CellRun;
    use crate::frame::sample::tests::sample;
    use crate::kit::ending::Ending;

    /// All cells of a plan, each of which finished.
    fn samples(plan: &Plan) -> Vec<Sample> {
        let mut samples = Vec::new();
        for round in 1..=plan.rounds {
            for program in &plan.programs {
                for cell in plan.cells(program) {
                    let run = CellRun {
                        program: program.name.clone(),
                        kernel: program.kernel.clone(),
                        arm: cell.arm.name(),
                        machine: cell.machine.name.clone(),
                        size_percent: cell.size_percent,
                        limit_bytes: 1,
                        swap_bytes: 1,
                        ending: Ending::Finished,
                        words: String::new(),
                        run_seconds: 1.0,
                        cgroup_peak_bytes: None,
                        swap_peak_bytes: 0,
                    };
                    let step = format!("{}, {} %, {}", run.program, run.size_percent, run.machine);
                    samples.push(sample(&rounds::key(&step, round), run));
                }
            }
        }
        samples
    }

    /// `lab list` promises figures 2 to 5. A kernel that the quick form left out kept a claim from being judged.
    #[test]
    fn every_claim_on_our_runs_follows_from_the_quick_plan() {
        let plan = plan(&Context::of(Scale::Quick, ".")).expect("kernels of ours need nothing");
        let samples = samples(&plan);
        for claim in claims().iter().filter(|claim| !claim.claim.contains("By the authors' own runs")) {
            let value = (claim.measure)(&samples);
            assert!(value.is_ok(), "{}: {value:?}", claim.claim);
        }
    }
}
