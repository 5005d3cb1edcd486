// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The figures that say at a glance how the engine does beside the kernel's zram.

use std::collections::BTreeMap;

use super::results::{ArmResult, Measure, Metric};
use super::tier::{DENSE, USUAL};
use crate::kit::ratio::{Ratio, Ratios};

/// Arms on zram with this algorithm are what the engine is compared with.
const ZRAM: &str = "zram-lz4";
/// Arms of the engine with its like.
const ENGINE: &str = "engine-lz4";

#[derive(Clone, Copy, PartialEq)]
enum Better {
    Less,
    More,
}

/// The best of the arms that `is_one` names.
fn best(
    results: &[ArmResult],
    measure: Measure,
    metric: Metric,
    better: Better,
    is_one: impl Fn(&str) -> bool,
) -> Option<&ArmResult> {
    let arms = results.iter().filter(|arm| arm.measure == measure && is_one(&arm.arm));
    let known = arms.filter_map(|arm| Some((arm.median(metric)?, arm)));
    let (_, arm) = known.min_by(|(a, _), (b, _)| match better {
        Better::Less => a.total_cmp(b),
        Better::More => b.total_cmp(a),
    })?;
    Some(arm)
}

fn over(
    engine: Option<&ArmResult>,
    against: Option<&ArmResult>,
    metric: Metric,
    more_is_better: bool,
) -> Ratio {
    let median = |arm: Option<&ArmResult>| arm.and_then(|arm| arm.median(metric));
    let name = |arm: Option<&ArmResult>| arm.map(|arm| arm.arm.clone());
    let quotient = |engine: f64, against: f64| (against > 0.0).then(|| engine / against);
    Ratio {
        value: median(engine).zip(median(against)).and_then(|(engine, against)| quotient(engine, against)),
        engine: name(engine),
        against: name(against),
        more_is_better,
    }
}

fn alone(arm: Option<&ArmResult>, metric: Metric, more_is_better: bool) -> Ratio {
    Ratio {
        value: arm.and_then(|arm| arm.median(metric)),
        engine: arm.map(|arm| arm.arm.clone()),
        against: None,
        more_is_better,
    }
}

/// All of them. `vectors` are the results of the arrays of doubles.
pub fn ratios(results: &[ArmResult], vectors: &[ArmResult]) -> Ratios {
    let named =
        |results, measure, metric, name| best(results, measure, metric, Better::Less, |arm| arm == name);
    // Both percentiles are of the same arms.
    let fault =
        |name: fn(&str) -> bool| best(results, Measure::FaultRandom, Metric::P50Seconds, Better::Less, name);
    let faults = |metric| over(fault(is_engine), fault(is_zram), metric, false);
    let speed = |measure| {
        let fastest =
            |name: fn(&str) -> bool| best(results, measure, Metric::MibPerSecond, Better::More, name);
        over(fastest(is_engine), fastest(is_zram), Metric::MibPerSecond, true)
    };
    let dense = |name| named(results, Measure::Density, Metric::DramBytes, name);
    let vector = named(vectors, Measure::VectorsThreeDecimals, Metric::Factor, DENSE.name);
    let compacted = Metric::LostAfterChurnCompacted;
    let churned = named(results, Measure::PoolFragmentation, compacted, USUAL.name);
    BTreeMap::from([
        ("fault_random_p50", faults(Metric::P50Seconds)),
        ("fault_random_p99", faults(Metric::P99Seconds)),
        ("scan_sequential", speed(Measure::ScanSequential)),
        ("store_one_writer", speed(Measure::StoreOneWriter)),
        ("store_all_cores", speed(Measure::StoreAllCores)),
        ("density", over(dense(DENSE.name), dense(ZRAM), Metric::DramBytes, false)),
        ("vectors_3_decimals", alone(vector, Metric::Factor, true)),
        ("metadata_bytes_per_page", alone(dense(USUAL.name), Metric::TableBytesPerPage, false)),
        ("pool_fragmentation", alone(churned, compacted, false)),
    ])
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

    #[test]
    fn the_best_arm_with_lz4_stands_for_the_engine() {
        let ratios = ratios(&results(), &[]);
        let fault = &ratios["fault_random_p50"];
        assert_eq!((fault.value, fault.engine.as_deref()), (Some(0.5), Some("engine-lz4-4k")));
        assert_eq!(fault.against.as_deref(), Some("mmap-zram-lz4"));
        assert_eq!(ratios["fault_random_p99"].engine.as_deref(), Some("engine-lz4-4k"));
    }

    #[test]
    fn the_best_of_zram_is_what_it_is_compared_with() {
        let ratios = ratios(&results(), &[]);
        let store = &ratios["store_one_writer"];
        assert_eq!((store.value, store.against.as_deref()), (Some(2.0), Some("zram-lz4-1m")));
        assert_eq!(ratios["density"].value, Some(0.8));
    }

    #[test]
    fn what_is_missing_has_no_value_but_a_name() {
        let ratios = ratios(&[], &[]);
        assert_eq!(ratios.len(), 9);
        assert!(ratios.values().all(|ratio| ratio.value.is_none()));
    }
}
