// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Everything that was found.

use std::thread;

use serde::{Deserialize, Serialize};

use super::arm::Arm;
use super::job::Measured;
use super::noise::{self, Difference};
use crate::kit::samples::{Samples, geometric_mean};

/// All runs of a workload: those of one arm side by side, round by round.
pub struct Runs {
    /// The workload.
    pub name: String,
    arms: Vec<(Arm, Vec<Measured>)>,
}

impl Runs {
    /// None yet. The first of the arms is the one that the others are compared with.
    pub fn new(name: &str, arms: &[Arm]) -> Runs {
        Runs { name: name.to_owned(), arms: arms.iter().map(|arm| (*arm, Vec::new())).collect() }
    }

    /// One more.
    pub fn add(&mut self, arm: Arm, measured: Measured) {
        let runs = self.arms.iter_mut().find(|(known, _)| *known == arm);
        runs.expect("an arm that was announced").1.push(measured);
    }

    /// The result of the first run.
    pub fn checksum(&self) -> Option<&str> {
        self.arms.iter().find_map(|(_, runs)| runs.first()).map(|run| run.checksum.as_str())
    }

    fn times(&self, arm: Arm, clock: Clock) -> Vec<f64> {
        let runs = self.arms.iter().filter(|(known, _)| *known == arm).flat_map(|(_, runs)| runs);
        runs.map(|run| clock.of(run)).collect()
    }

    /// Per round: the time by that of the stock JDK.
    fn quotients(&self, arm: Arm, clock: Clock) -> Vec<f64> {
        let stock = self.times(Arm::Stock, clock);
        self.times(arm, clock).iter().zip(&stock).map(|(time, stock)| time / stock).collect()
    }

    /// Per round: where it came beside both runs of the stock JDK.
    fn places(&self, arm: Arm, clock: Clock) -> Vec<i32> {
        let [stock, again] = [Arm::Stock, Arm::StockAgain].map(|arm| self.times(arm, clock));
        let stock = stock.iter().zip(&again);
        self.times(arm, clock).iter().zip(stock).map(|(time, (s, a))| noise::place(*time, *s, *a)).collect()
    }

    fn others(&self) -> impl Iterator<Item = Arm> {
        self.arms.iter().map(|(arm, _)| *arm).filter(|arm| *arm != Arm::Stock)
    }
}

/// The clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// The time that a user waits.
    Wall,
    /// CPU time of all threads of the process.
    Cpu,
}

impl Clock {
    fn of(self, run: &Measured) -> f64 {
        match self {
            Clock::Wall => run.seconds,
            Clock::Cpu => run.cpu_seconds,
        }
    }
}

/// An arm beside the stock JDK.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Comparison {
    /// Its name.
    pub arm: String,
    /// Its time by that of the stock JDK, one per round.
    pub quotient: Samples,
    /// How likely it is that a stock JDK would be slower, or faster, than both runs of the stock JDK as often. None for
    /// `stock-again`, which is one of them.
    pub chance: Option<f64>,
    /// The consequence.
    pub verdict: Option<Difference>,
}

impl Comparison {
    /// None if there was no round.
    fn of(arm: Arm, quotients: Vec<f64>, places: &[i32]) -> Option<Comparison> {
        let judged = !arm.is_stock();
        Some(Comparison {
            arm: arm.name().to_owned(),
            quotient: Samples::of(quotients)?,
            chance: judged.then(|| noise::chance(places)),
            verdict: judged.then(|| Difference::of(places)),
        })
    }
}

/// All runs of an arm.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct ArmResult {
    /// Its name.
    pub arm: String,
    /// By the clock.
    pub seconds: Samples,
    /// Of all threads.
    pub cpu_seconds: Samples,
    /// How often the collector ran meanwhile.
    pub collections: Samples,
    /// For how long.
    pub collecting_seconds: Samples,
}

impl ArmResult {
    fn of(arm: Arm, runs: &[Measured]) -> Option<ArmResult> {
        let all = |value: fn(&Measured) -> f64| Samples::of(runs.iter().map(value).collect());
        Some(ArmResult {
            arm: arm.name().to_owned(),
            seconds: all(|run| run.seconds)?,
            cpu_seconds: all(|run| run.cpu_seconds)?,
            collections: all(|run| run.collections as f64)?,
            collecting_seconds: all(|run| run.collecting_seconds)?,
        })
    }
}

/// A workload on all arms.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct WorkloadResult {
    /// Its name.
    pub workload: String,
    /// Of all runs.
    pub checksum: String,
    /// One entry per arm.
    pub arms: Vec<ArmResult>,
    /// By the clock: one entry per arm but the first.
    pub time: Vec<Comparison>,
    /// By CPU time.
    pub cpu: Vec<Comparison>,
}

impl WorkloadResult {
    fn of(runs: &Runs) -> WorkloadResult {
        let compared = |clock| {
            let of = |arm| Comparison::of(arm, runs.quotients(arm, clock), &runs.places(arm, clock));
            runs.others().filter_map(of).collect()
        };
        WorkloadResult {
            workload: runs.name.clone(),
            checksum: runs.checksum().unwrap_or_default().to_owned(),
            arms: runs.arms.iter().filter_map(|(arm, runs)| ArmResult::of(*arm, runs)).collect(),
            time: compared(Clock::Wall),
            cpu: compared(Clock::Cpu),
        }
    }
}

/// Everything.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct OffReport {
    /// How often each arm had its turn.
    pub rounds: u32,
    /// CPUs.
    pub cpus: usize,
    /// Of all JVMs.
    pub options: Vec<String>,
    /// One entry per workload.
    pub workloads: Vec<WorkloadResult>,
    /// By the clock: per round, the geometric mean of the quotients of all workloads; judged by the places in all of
    /// them.
    pub mean_time: Vec<Comparison>,
    /// By CPU time.
    pub mean_cpu: Vec<Comparison>,
}

impl OffReport {
    /// Of all workloads.
    pub fn of(rounds: u32, options: &[String], all: &[Runs]) -> OffReport {
        OffReport {
            rounds,
            cpus: thread::available_parallelism().map_or(1, usize::from),
            options: options.to_vec(),
            workloads: all.iter().map(WorkloadResult::of).collect(),
            mean_time: mean(rounds, all, Clock::Wall),
            mean_cpu: mean(rounds, all, Clock::Cpu),
        }
    }
}

fn mean(rounds: u32, all: &[Runs], clock: Clock) -> Vec<Comparison> {
    let Some(first) = all.first() else { return Vec::new() };
    let of = |arm: Arm| {
        let quotients: Vec<Vec<f64>> = all.iter().map(|runs| runs.quotients(arm, clock)).collect();
        let round = |round| {
            let of_round: Vec<f64> =
                quotients.iter().filter_map(|of_workload| of_workload.get(round)).copied().collect();
            geometric_mean(&of_round).unwrap_or(1.0)
        };
        let places: Vec<i32> = all.iter().flat_map(|runs| runs.places(arm, clock)).collect();
        Comparison::of(arm, (0..rounds as usize).map(round).collect(), &places)
    };
    first.others().filter_map(of).collect()
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// Runs of three arms with such times; CPU time is half of it.
    pub fn runs(name: &str, stock: &[f64], view: &[f64], again: &[f64]) -> Runs {
        let mut runs = Runs::new(name, &Arm::wanted(false));
        for (arm, times) in [(Arm::Stock, stock), (Arm::View, view), (Arm::StockAgain, again)] {
            for seconds in times {
                let measured = Measured {
                    seconds: *seconds,
                    cpu_seconds: seconds / 2.0,
                    checksum: "ab".to_owned(),
                    ..Measured::default()
                };
                runs.add(arm, measured);
            }
        }
        runs
    }

    fn median(comparisons: &[Comparison], arm: &str) -> f64 {
        comparisons.iter().find(|comparison| comparison.arm == arm).unwrap().quotient.median
    }

    #[test]
    fn quotients_are_of_runs_of_the_same_round() {
        // The machine is slower from round to round, so medians of times would say something else.
        let runs = runs("maps", &[1.0, 2.0, 4.0, 8.0], &[1.1, 2.2, 4.4, 8.8], &[1.0, 2.02, 3.96, 8.0]);
        let result = WorkloadResult::of(&runs);
        assert!((median(&result.time, "view") - 1.1).abs() < 1e-9);
        assert!((median(&result.cpu, "view") - 1.1).abs() < 1e-9);
        let again = &result.time[1];
        assert_eq!((again.arm.as_str(), again.chance, again.verdict), ("stock-again", None, None));
        assert_eq!((again.quotient.min, again.quotient.max), (3.96 / 4.0, 2.02 / 2.0));
        assert_eq!(result.time[0].verdict, Some(Difference::Slower));
        assert_eq!(result.time[0].chance, Some(noise::chance(&[1; 4])));
        assert_eq!((result.arms[0].arm.as_str(), result.arms[0].seconds.median), ("stock", 3.0));
    }

    #[test]
    fn the_mean_is_over_workloads_and_the_median_over_rounds() {
        let halved = runs("maps", &[1.0, 1.0], &[0.5, 0.5], &[1.0, 1.0]);
        let doubled = runs("text", &[1.0, 1.0], &[2.0, 8.0], &[1.0, 1.0]);
        let report = OffReport::of(2, &[], &[halved, doubled]);
        let view = &report.mean_time[0];
        let rounded: Vec<f64> = view.quotient.samples.iter().map(|mean| (mean * 1e9).round() / 1e9).collect();
        assert_eq!(rounded, [1.0, 2.0]);
        assert_eq!((view.chance, view.verdict), (Some(1.0), Some(Difference::Noise)));
        assert_eq!(median(&report.mean_cpu, "stock-again"), 1.0);
    }

    #[test]
    fn workloads_together_show_what_each_by_itself_does_not() {
        let slower = |name| runs(name, &[1.0, 1.0], &[1.01, 1.01], &[1.0, 1.0]);
        let report = OffReport::of(2, &[], &[slower("maps"), slower("text")]);
        assert_eq!(report.workloads[0].time[0].verdict, Some(Difference::Noise));
        assert_eq!(report.mean_time[0].verdict, Some(Difference::Slower));
    }

    #[test]
    fn nothing_is_compared_where_nothing_ran() {
        let report = OffReport::of(1, &[], &[Runs::new("maps", &Arm::wanted(true))]);
        assert_eq!((report.workloads[0].arms.len(), report.workloads[0].time.len()), (0, 0));
        assert_eq!(OffReport::of(1, &[], &[]).mean_time, []);
    }
}
