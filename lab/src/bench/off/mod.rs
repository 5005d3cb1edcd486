// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera bench off`: what a JVM with ZTera in it costs those who do not switch it on.
//!
//! ```text
//!  workload, arm -> job: one run -> report (noise: is a difference chance?) -> table
//! ```

mod arm;
mod claims;
mod job;
mod noise;
mod report;
mod table;
mod workload;

use std::path::PathBuf;

use anyhow::{Result, ensure};
use ztera_machine::jvm_flags::value_name;
use ztera_machine::units::{parse_size, show_seconds};
use ztera_machine::view::Jdk;

use crate::bench::benchmark::Benchmark;
use crate::kit::output::Output;
use crate::kit::program::Program;
use arm::Arm;
pub use claims::claims;
use job::{Job, Measured};
use report::{OffReport, Runs};
use workload::Workload;

/// Measure the JVM without H2 against the stock one
///
/// Programs that know nothing of H2 run on the stock JDK and on the JDK view without H2. Both have the Parallel
/// collector, and a heap of the same fixed size. Each run is a JVM of its own. It does the same work some times to warm
/// up, and some times to be measured. Its checksum must be the same everywhere.
///
/// Arms take turns, and so does the one that begins a round. `stock-again` is the stock JDK once more: its quotients by
/// `stock` are what chance makes. `view-h2` has a second heap into which nothing is moved.
///
/// Is a difference more than noise? In each round, an arm is slower than both runs of the stock JDK, or faster, or
/// between them. If it was a stock JDK itself, the three would be equally likely. `chance` is how likely it would then
/// be to be slower (less faster), or faster (less slower), as often as was seen. A chance that is not below 0.05 is
/// called noise; fewer than 4 rounds cannot show anything else. Of 20 comparisons without any difference about one
/// falls below all the same.
///
/// Time by the clock is what a user waits for. CPU time, of all threads of the process, suffers less from what else the
/// machine does.
#[derive(clap::Args)]
pub struct Args {
    /// The workloads
    #[arg(long, value_enum, value_delimiter = ',', default_values_t = Workload::ALL)]
    workload: Vec<Workload>,
    /// Also an arm with a second heap, of 1 GiB, with nothing in it
    #[arg(long)]
    empty_h2: bool,
    /// How often each arm has its turn
    #[arg(long, default_value_t = 5, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    rounds: u32,
    /// The heap
    #[arg(long, default_value = "768m", value_name = "SIZE", value_parser = parse_size)]
    heap: u64,
    /// The young generation, a part of it
    #[arg(long, default_value = "64m", value_name = "SIZE", value_parser = parse_size)]
    young: u64,
    /// One more option for the JVMs of all arms; may be given several times
    #[arg(long = "jvm-option", value_name = "OPTION", allow_hyphen_values = true)]
    jvm_options: Vec<String>,
    /// The stock JDK [default: the one that the view was made from]
    #[arg(long, value_name = "DIR")]
    stock: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    program: Program,
}

impl Benchmark for Args {
    type Report = OffReport;

    const RENDER: fn(&OffReport) -> String = table::render;

    fn output(&self) -> Result<Output> {
        Output::new(self.json, None)
    }

    fn measure(&self) -> Result<OffReport> {
        let view = self.program.jdk()?;
        let job = Job {
            stock: Jdk::stock(self.stock.as_deref(), &view)?,
            view,
            jar: self.program.jar()?,
            source: self.program.source()?,
            options: job::options(self.heap, self.young, &self.jvm_options),
        };
        Ok(OffReport::of(self.rounds, &job.options, &measure(self, &job)?))
    }
}

/// One entry per workload.
fn measure(args: &Args, job: &Job) -> Result<Vec<Runs>> {
    let arms = Arm::wanted(args.empty_h2);
    let mut all: Vec<Runs> =
        args.workload.iter().map(|workload| Runs::new(&value_name(workload), &arms)).collect();
    for round in 0..args.rounds {
        for (workload, runs) in args.workload.iter().zip(&mut all) {
            eprintln!("{}, round {} of {}", value_name(workload), round + 1, args.rounds);
            for arm in turns(&arms, round) {
                let measured = job.run(*workload, arm)?;
                eprintln!("  {} {}", arm.name(), show_seconds(measured.seconds));
                check(&runs.name, arm, &measured, runs.checksum())?;
                runs.add(arm, measured);
            }
        }
    }
    Ok(all)
}

/// Another one begins in each round, so that none always follows the same.
fn turns(arms: &[Arm], round: u32) -> impl Iterator<Item = Arm> {
    let first = round as usize % arms.len();
    let forwards = (round as usize / arms.len()).is_multiple_of(2);
    (0..arms.len()).map(move |turn| {
        let step = if forwards { turn } else { arms.len() - turn };
        arms[(first + step) % arms.len()]
    })
}

fn check(workload: &str, arm: Arm, measured: &Measured, wanted: Option<&str>) -> Result<()> {
    let found = measured.checksum.as_str();
    let wanted = wanted.unwrap_or(found);
    ensure!(found == wanted, "{workload} on {} found {found}, and {wanted} before: it is broken", arm.name());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_arm_has_each_place_and_each_neighbour() {
        let arms = Arm::wanted(false);
        let places: Vec<Vec<&str>> =
            (0..6).map(|round| turns(&arms, round).map(Arm::name).collect()).collect();
        assert_eq!(places[0], ["stock", "view", "stock-again"]);
        assert_eq!(places[1], ["view", "stock-again", "stock"]);
        let distinct: std::collections::BTreeSet<_> = places.iter().collect();
        assert_eq!(distinct.len(), 6, "all orders of three: {places:?}");
    }

    #[test]
    fn another_checksum_is_an_error() {
        let measured = Measured { checksum: "ab".to_owned(), ..Measured::default() };
        assert!(check("maps", Arm::View, &measured, None).is_ok());
        assert!(check("maps", Arm::View, &measured, Some("ab")).is_ok());
        let error = check("maps", Arm::View, &measured, Some("cd")).unwrap_err().to_string();
        assert!(error.contains("maps on view found ab, and cd before"), "{error}");
    }
}
