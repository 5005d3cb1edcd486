// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The figures that say how the engine does beside the kernel's zram: each is defined here, once.

use super::report::EngineReport;
use super::results::{ArmResult, Measure, Metric};
use super::tier::{DENSE, USUAL};
use crate::bench::benchmark::DOCUMENT;
use crate::frame::claim::Expected::{AtLeast, AtMost};
use crate::frame::claim::{Claim, Relation};
use crate::frame::figure::{self, Figure, Outcome};
use crate::frame::sample::first;

/// Arms on zram with this algorithm are what the engine is compared with.
const ZRAM: &str = "zram-lz4";
/// Arms of the engine with its like.
const ENGINE: &str = "engine-lz4";

/// All of them, over the results of all pages, those of the arrays of doubles among them.
pub const FIGURES: [Figure<[ArmResult]>; 9] = [
    Figure {
        name: "fault_random_p50",
        unit: "times",
        expected: AtMost(0.7),
        meaning: "first touch of a cold page, in random order: ours by a mapped file on zram",
        formula: |results| fault(results, Metric::P50Seconds),
    },
    Figure {
        name: "fault_random_p99",
        unit: "times",
        expected: AtMost(1.0),
        meaning: "the same of the slowest touch of a hundred",
        formula: |results| fault(results, Metric::P99Seconds),
    },
    Figure {
        name: "scan_sequential",
        unit: "times",
        expected: AtLeast(1.5),
        meaning: "speed of a thread that reads cold pages in order: ours by the same file",
        formula: |results| speed(results, Measure::ScanSequential),
    },
    Figure {
        name: "store_one_writer",
        unit: "times",
        expected: AtLeast(1.8),
        meaning: "speed until all is compressed, from one thread: ours by direct writes to zram",
        formula: |results| speed(results, Measure::StoreOneWriter),
    },
    Figure {
        name: "store_all_cores",
        unit: "times",
        expected: AtLeast(1.3),
        meaning: "the same with a writer per CPU",
        formula: |results| speed(results, Measure::StoreAllCores),
    },
    Figure {
        name: "density",
        unit: "times",
        expected: AtMost(0.7),
        meaning: "DRAM for the same pages: ours with zstd by zram's",
        formula: |results| {
            let arm = |name| named(results, Measure::Density, Metric::DramBytes, name);
            over(arm(DENSE.name), arm(ZRAM), Metric::DramBytes)
        },
    },
    Figure {
        name: "vectors_3_decimals",
        unit: "times",
        expected: AtLeast(2.5),
        meaning: "bytes of doubles with three decimals by the DRAM that they take",
        formula: |results| alone(results, Measure::VectorsThreeDecimals, Metric::Factor, DENSE.name),
    },
    Figure {
        name: "metadata_bytes_per_page",
        unit: "bytes",
        expected: AtMost(16.0),
        meaning: "the engine's tables by pages of 4 KiB",
        formula: |results| alone(results, Measure::Density, Metric::TableBytesPerPage, USUAL.name),
    },
    Figure {
        name: "pool_fragmentation",
        unit: "share",
        expected: AtMost(0.05),
        meaning: "part of the pool that no object fills, after churn and compaction",
        formula: |results| {
            alone(results, Measure::PoolFragmentation, Metric::LostAfterChurnCompacted, USUAL.name)
        },
    },
];

/// The claims that they are as wanted, for pages of the first kind.
pub fn claims() -> Vec<Claim> {
    figure::claims(&FIGURES, DOCUMENT, |samples| {
        let EngineReport { data, vectors, .. } = first(samples)?;
        Some([data.into_iter().next()?.results, vectors].concat())
    })
}

/// Both percentiles are of the same arms.
fn fault(results: &[ArmResult], metric: Metric) -> Outcome {
    let arm = |is_one: fn(&str) -> bool| {
        best(results, Measure::FaultRandom, Metric::P50Seconds, Relation::AtMost, is_one)
    };
    over(arm(is_engine), arm(is_zram), metric)
}

fn speed(results: &[ArmResult], measure: Measure) -> Outcome {
    let arm =
        |is_one: fn(&str) -> bool| best(results, measure, Metric::MibPerSecond, Relation::AtLeast, is_one);
    over(arm(is_engine), arm(is_zram), Metric::MibPerSecond)
}

/// The best of the arms that `is_one` names.
fn best(
    results: &[ArmResult],
    measure: Measure,
    metric: Metric,
    relation: Relation,
    is_one: fn(&str) -> bool,
) -> Option<&ArmResult> {
    let arms = results.iter().filter(|arm| arm.measure == measure && is_one(&arm.arm));
    let known = arms.filter_map(|arm| Some((arm.median(metric)?, arm)));
    let (_, arm) = known.min_by(|(a, _), (b, _)| match relation {
        Relation::AtMost => a.total_cmp(b),
        _ => b.total_cmp(a),
    })?;
    Some(arm)
}

fn named<'a>(
    results: &'a [ArmResult],
    measure: Measure,
    metric: Metric,
    name: &str,
) -> Option<&'a ArmResult> {
    results.iter().find(|arm| arm.measure == measure && arm.arm == name && arm.median(metric).is_some())
}

fn over(engine: Option<&ArmResult>, against: Option<&ArmResult>, metric: Metric) -> Outcome {
    let median = |arm: Option<&ArmResult>| arm.and_then(|arm| arm.median(metric));
    let name = |arm: Option<&ArmResult>| arm.map(|arm| arm.arm.clone());
    let quotient = |engine: f64, against: f64| (against > 0.0).then(|| engine / against);
    Outcome {
        value: median(engine).zip(median(against)).and_then(|(engine, against)| quotient(engine, against)),
        arm: name(engine),
        against: name(against),
    }
}

fn alone(results: &[ArmResult], measure: Measure, metric: Metric, name: &str) -> Outcome {
    let arm = named(results, measure, metric, name);
    Outcome {
        value: arm.and_then(|arm| arm.median(metric)),
        arm: arm.map(|arm| arm.arm.clone()),
        against: None,
    }
}

fn is_engine(arm: &str) -> bool {
    arm.starts_with(ENGINE)
}

fn is_zram(arm: &str) -> bool {
    arm.contains(ZRAM)
}

#[cfg(test)]
mod tests {
    use super::super::results::Results;
    use super::*;
    use crate::frame::figure::{Reached, judge};

    fn results() -> Vec<ArmResult> {
        let mut results = Results::default();
        let faults =
            [("engine-lz4-8k", 4.0), ("engine-lz4-4k", 3.0), ("engine-zstd-8k", 1.0), ("mmap-zram-lz4", 6.0)];
        // Nobody limits them.
        let roomy = [("engine-roomy-lz4-4k", 2.0), ("mmap-zram-roomy-lz4", 1.0)];
        for (arm, p50) in faults.into_iter().chain(roomy) {
            let found = [(Metric::P50Seconds, p50), (Metric::P99Seconds, 100.0 / p50)];
            results.add(Measure::FaultRandom, arm, found);
        }
        for (arm, speed) in [("engine-lz4-8k", 300.0), ("zram-lz4-64k", 100.0), ("zram-lz4-1m", 150.0)] {
            results.add(Measure::StoreOneWriter, arm, [(Metric::MibPerSecond, speed)]);
        }
        results.add(Measure::Density, "engine-zstd-8k", [(Metric::DramBytes, 80.0)]);
        results.add(Measure::Density, "zram-lz4", [(Metric::DramBytes, 100.0)]);
        results.finish()
    }

    fn figure(results: &[ArmResult], name: &str) -> Reached {
        judge(&FIGURES, results).into_iter().find(|verdict| verdict.name == name).unwrap()
    }

    #[test]
    fn the_best_arm_with_lz4_stands_for_the_engine() {
        let fault = figure(&results(), "fault_random_p50");
        assert_eq!((fault.value, fault.arm.as_deref()), (Some(0.5), Some("engine-lz4-4k")));
        assert_eq!(fault.against.as_deref(), Some("mmap-zram-lz4"));
        assert_eq!(figure(&results(), "fault_random_p99").arm.as_deref(), Some("engine-lz4-4k"));
    }

    #[test]
    fn the_best_of_zram_is_what_it_is_compared_with() {
        let store = figure(&results(), "store_one_writer");
        assert_eq!((store.value, store.against.as_deref()), (Some(2.0), Some("zram-lz4-1m")));
        assert_eq!(figure(&results(), "density").value, Some(0.8));
    }

    #[test]
    fn what_is_missing_has_no_value_but_a_name() {
        assert!(judge(&FIGURES, &[]).iter().all(|verdict| verdict.value.is_none()));
    }
}
