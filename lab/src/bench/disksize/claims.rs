// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The study's claims, judged by our runs and by the authors' own; pure.

use super::data::Data;
use super::grid::{Grid, OUT_OF_MEMORY, Run};
use crate::frame::claim::{Claim, Expected, Measured};
use crate::frame::matrix::distinct;
use crate::frame::sample::Sample;
use crate::kit::samples::Samples;

/// Whose runs judge a claim.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Whose {
    Ours,
    Theirs,
}

/// One claim, for runs of any origin.
struct Statement {
    claim: &'static str,
    source: &'static str,
    unit: &'static str,
    expected: Expected,
    tolerance: f64,
    measure: fn(&Grid) -> Measured,
}

const SPEEDUP: &str = "speedup";
const AUTHORS_ABSENT: &str = "the authors' CSV files are not here: put the folder `results` of \
                              github.com/Guilherme-Eduardo/ZRAM at ../shared/data/npb-zram-paper";

/// The statements on machines that our cells are scaled from.
static SCALED: [Statement; 10] = [
    Statement {
        claim: "With 8 GB, no size of zram changes a kernel's time by more than 3 %.",
        source: "Silva et al., 6.1, figure 2, conclusion I",
        unit: "share",
        expected: Expected::AtMost(0.03),
        tolerance: 0.0,
        measure: |grid| farthest("8 GB", &grid.programs(), grid).map(|speedup| (speedup - 1.0).abs()),
    },
    Statement {
        claim: "With 8 GB, EP is 1.03 times as fast with zram of 25 %.",
        source: "Silva et al., 6.1, figure 2",
        unit: SPEEDUP,
        expected: Expected::About(1.03),
        tolerance: 0.01,
        measure: |grid| {
            grid.speedup("8 GB", "ep", 25).ok_or_else(|| missing("EP with 8 GB and zram of 25 %"))
        },
    },
    Statement {
        claim: "With 4 GB, IS is neither faster nor slower.",
        source: "Silva et al., 6.2, figure 3",
        unit: SPEEDUP,
        expected: Expected::About(1.0),
        tolerance: 0.05,
        measure: |grid| farthest("4 GB", &["is"], grid),
    },
    Statement {
        claim: "With 4 GB, MG is neither faster nor slower.",
        source: "Silva et al., 6.2, figure 3",
        unit: SPEEDUP,
        expected: Expected::About(1.0),
        tolerance: 0.05,
        measure: |grid| farthest("4 GB", &["mg"], grid),
    },
    Statement {
        claim: "With 4 GB, zram makes no kernel slower.",
        source: "Silva et al., 6.2, conclusion II",
        unit: SPEEDUP,
        expected: Expected::AtLeast(1.0),
        tolerance: 0.05,
        measure: |grid| least("4 GB", grid),
    },
    Statement {
        claim: "With 4 GB, FT does not fit, whatever the size of zram.",
        source: "Silva et al., 6.2",
        unit: "share of runs",
        expected: Expected::AtLeast(1.0),
        tolerance: 0.0,
        measure: |grid| share_out("4 GB", &["ft"], grid),
    },
    Statement {
        claim: "With 1 GB, CG, FT, IS and MG do not fit, whatever the size of zram.",
        source: "Silva et al., 6.3",
        unit: "share of runs",
        expected: Expected::AtLeast(1.0),
        tolerance: 0.0,
        measure: |grid| share_out("1 GB", &["cg", "ft", "is", "mg"], grid),
    },
    Statement {
        claim: "With 1 GB, zram lets some kernels run that do not run without it.",
        source: "Silva et al., 6.3, conclusion III",
        unit: "kernels",
        expected: Expected::AtLeast(1.0),
        tolerance: 0.0,
        measure: |grid| enabled("1 GB", grid),
    },
    Statement {
        claim: "With 1 GB, EP is up to 1.39 times as fast.",
        source: "Silva et al., 6.3, figure 4, conclusions III and IV",
        unit: SPEEDUP,
        expected: Expected::AtLeast(1.39),
        tolerance: 0.05,
        measure: |grid| {
            grid.speedups("1 GB", "ep").into_iter().reduce(f64::max).ok_or_else(|| missing("EP with 1 GB"))
        },
    },
    Statement {
        claim: "Zram makes EP faster: without it, its runs differ by less than the gain of 3 %.",
        source: "Silva et al., 6.1 and conclusion IV, which leaves the reason open",
        unit: "slowest to fastest run",
        expected: Expected::AtMost(1.03),
        tolerance: 0.0,
        measure: |grid| spread("8 GB", "ep", grid),
    },
];

/// The statements on a machine that nobody has here, and on the files themselves.
static THEIR_OWN: [Statement; 3] = [
    Statement {
        claim: "With 4 GB of DDR3, MG is 1.10 times as fast.",
        source: "Silva et al., 6.4, figure 5",
        unit: SPEEDUP,
        expected: Expected::About(1.1),
        tolerance: 0.03,
        measure: |grid| median("4 GB, DDR3", "mg", grid),
    },
    Statement {
        claim: "With 4 GB of DDR3, IS is 0.9 times as fast.",
        source: "Silva et al., 6.4, figure 5",
        unit: SPEEDUP,
        expected: Expected::About(0.9),
        tolerance: 0.03,
        measure: |grid| median("4 GB, DDR3", "is", grid),
    },
    Statement {
        claim: "With 1 GB, runs of one cell end alike: all finish, or none does.",
        source: "Silva et al., 6.3, figure 4",
        unit: "share of cells where they do not",
        expected: Expected::AtMost(0.0),
        tolerance: 0.0,
        measure: |grid| share_unlike("1 GB", grid),
    },
];

/// All claims.
pub fn claims() -> Vec<Claim> {
    let ours = SCALED.iter().map(|statement| statement.by(Whose::Ours));
    let theirs = SCALED.iter().chain(&THEIR_OWN).map(|statement| statement.by(Whose::Theirs));
    ours.chain(theirs).collect()
}

impl Statement {
    fn by(&'static self, whose: Whose) -> Claim {
        let claim = match whose {
            Whose::Ours => self.claim.to_owned(),
            Whose::Theirs => format!("{} (By the authors' own runs.)", self.claim),
        };
        let measure = move |samples: &[Sample]| {
            let data = Data::of(samples);
            match whose {
                Whose::Ours => (self.measure)(&data.ours()),
                Whose::Theirs if data.theirs.is_empty() => Err(AUTHORS_ABSENT.to_owned()),
                Whose::Theirs => (self.measure)(&data.theirs()),
            }
        };
        Claim {
            claim,
            source: self.source,
            unit: self.unit,
            expected: self.expected,
            tolerance: self.tolerance,
            measure: Box::new(measure),
            noise: None,
        }
    }
}

fn missing(what: &str) -> String {
    format!("no run of {what} finished")
}

/// All speedups of these kernels.
fn speedups(machine: &str, kernels: &[&str], grid: &Grid) -> Result<Vec<f64>, String> {
    let found: Vec<f64> = kernels.iter().flat_map(|kernel| grid.speedups(machine, kernel)).collect();
    if found.is_empty() { Err(missing(&format!("{} with {machine}", kernels.join(", ")))) } else { Ok(found) }
}

/// The speedup that is farthest from 1.
fn farthest(machine: &str, kernels: &[&str], grid: &Grid) -> Measured {
    let far = |speedup: &f64| (speedup - 1.0).abs();
    let all = speedups(machine, kernels, grid)?;
    Ok(all.into_iter().max_by(|a, b| far(a).total_cmp(&far(b))).unwrap_or(1.0))
}

fn least(machine: &str, grid: &Grid) -> Measured {
    Ok(speedups(machine, &grid.programs(), grid)?.into_iter().fold(f64::INFINITY, f64::min))
}

fn median(machine: &str, kernel: &str, grid: &Grid) -> Measured {
    let samples = Samples::of(speedups(machine, &[kernel], grid)?);
    samples.map(|samples| samples.median).ok_or_else(|| missing(kernel))
}

/// The cells of a machine that have runs, by kernel and size.
fn cells<'g>(machine: &str, grid: &'g Grid) -> Vec<(&'g str, u32)> {
    let of_machine = grid.0.iter().filter(|run| run.machine == machine);
    distinct(of_machine.map(|run| (run.program.as_str(), run.size)))
}

/// The share of runs that are out of memory. A claim about kernels is about each of them, so all have to have run.
fn share_out(machine: &str, kernels: &[&str], grid: &Grid) -> Measured {
    let of_machine = |run: &&Run| run.machine == machine && kernels.contains(&run.program.as_str());
    let runs: Vec<&Run> = grid.0.iter().filter(of_machine).collect();
    let absent: Vec<&str> =
        kernels.iter().copied().filter(|kernel| !runs.iter().any(|run| run.program == *kernel)).collect();
    if !absent.is_empty() {
        return Err(format!("{} did not run with {machine}", absent.join(", ")));
    }
    let out = runs.iter().filter(|run| run.seconds.is_none() && run.word == OUT_OF_MEMORY).count();
    Ok(out as f64 / runs.len() as f64)
}

/// How many kernels finish with swap alone.
fn enabled(machine: &str, grid: &Grid) -> Measured {
    let needs_it = |kernel: &&&str| grid.is_out(machine, kernel, 0);
    let runs =
        |kernel: &&&str| grid.sizes().into_iter().any(|size| grid.median(machine, kernel, size).is_some());
    let kernels = distinct(cells(machine, grid).into_iter().map(|(kernel, _)| kernel));
    if kernels.is_empty() {
        return Err(format!("no kernel ran with {machine}"));
    }
    Ok(kernels.iter().filter(needs_it).filter(runs).count() as f64)
}

/// The slowest run without swap, in fastest ones.
fn spread(machine: &str, kernel: &str, grid: &Grid) -> Measured {
    let samples = Samples::of(grid.seconds(machine, kernel, 0)).filter(|samples| samples.samples.len() > 1);
    let too_few = || format!("{kernel} with {machine} has fewer than two runs without swap");
    samples.map(|samples| samples.max / samples.min).ok_or_else(too_few)
}

/// The share of cells with runs that finished, and others that did not.
fn share_unlike(machine: &str, grid: &Grid) -> Measured {
    let cells = cells(machine, grid);
    let unlike = |(kernel, size): &&(&str, u32)| {
        let runs = grid.0.iter().filter(|run| {
            (run.machine.as_str(), run.program.as_str(), run.size) == (machine, *kernel, *size)
        });
        distinct(runs.map(|run| run.seconds.is_some())).len() > 1
    };
    if grid.0.iter().filter(|run| run.machine == machine).count() <= cells.len() {
        return Err(format!("no kernel ran twice with {machine}"));
    }
    Ok(cells.iter().filter(unlike).count() as f64 / cells.len() as f64)
}

#[cfg(test)]
#[path = "claims_test.rs"]
mod tests;
