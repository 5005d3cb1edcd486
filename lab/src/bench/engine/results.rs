// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The measurements, by measure and arm.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::kit::samples::Samples;

/// The work of the arms.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// One thread touches cold pages in random order.
    FaultRandom,
    /// One thread reads all cold pages in order.
    ScanSequential,
    /// One thread stores all pages.
    StoreOneWriter,
    /// A thread per CPU does.
    StoreAllCores,
    /// Their memory once they are stored.
    Density,
    /// The same of doubles with three decimals.
    #[serde(rename = "vectors_3_decimals")]
    VectorsThreeDecimals,
    /// The same of random doubles.
    VectorsRandom,
    /// Memory that is lost between objects.
    PoolFragmentation,
}

/// The knowledge of an arm then.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Metric {
    /// Half of the touches took less.
    P50Seconds,
    /// 99 % did.
    P99Seconds,
    /// 99.9 % did.
    P999Seconds,
    /// Of the time of a touch, what the engine's codec takes: the mean.
    DecodeSeconds,
    /// Of uncompressed pages.
    MibPerSecond,
    /// CPU time of the process per GiB of pages: where a part of them is touched, of that part.
    CpuSecondsPerGib,
    /// Size of the objects.
    ObjectBytes,
    /// DRAM for them: `mem_used_total`.
    PoolBytes,
    /// Tables of the engine.
    TableBytes,
    /// The same per page of 4 KiB.
    TableBytesPerPage,
    /// DRAM of all that: pool, tables, and uncompressed pages.
    DramBytes,
    /// Bytes of pages per byte of DRAM.
    Factor,
    /// The part of the pool without objects, when all was stored once.
    LostWhenNew,
    /// After churn, with every object where it was stored.
    LostAfterChurn,
    /// Once objects were moved together then.
    LostAfterChurnCompacted,
    /// After half of the units went.
    LostAfterDiscard,
    /// Once objects were moved together then.
    LostAfterDiscardCompacted,
}

/// One arm, all rounds.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct ArmResult {
    /// The work that it did.
    pub measure: Measure,
    /// Its name.
    pub arm: String,
    /// The knowledge of it.
    #[serde(flatten)]
    pub metrics: BTreeMap<Metric, Samples>,
}

impl ArmResult {
    /// The median of a metric.
    pub fn median(&self, metric: Metric) -> Option<f64> {
        self.metrics.get(&metric).map(|samples| samples.median)
    }
}

/// The samples that come together while arms take turns, in the order in which they came first.
#[derive(Default)]
pub struct Results(Vec<(Measure, String, BTreeMap<Metric, Vec<f64>>)>);

impl Results {
    /// The measurements of one arm in one round.
    pub fn add(&mut self, measure: Measure, arm: &str, found: impl IntoIterator<Item = (Metric, f64)>) {
        let known = self.0.iter().position(|(of, name, _)| *of == measure && name == arm);
        let at = known.unwrap_or_else(|| {
            self.0.push((measure, arm.to_owned(), BTreeMap::new()));
            self.0.len() - 1
        });
        for (metric, value) in found {
            self.0[at].2.entry(metric).or_default().push(value);
        }
    }

    /// All arms.
    pub fn finish(self) -> Vec<ArmResult> {
        let arm = |(measure, arm, metrics): (Measure, String, BTreeMap<Metric, Vec<f64>>)| {
            let samples = |(metric, values)| Some((metric, Samples::of(values)?));
            ArmResult { measure, arm, metrics: metrics.into_iter().filter_map(samples).collect() }
        };
        self.0.into_iter().map(arm).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_come_together() {
        let mut results = Results::default();
        for speed in [3.0, 1.0, 2.0] {
            results.add(Measure::ScanSequential, "a", [(Metric::MibPerSecond, speed)]);
            results.add(Measure::StoreOneWriter, "a", [(Metric::MibPerSecond, speed * 10.0)]);
        }
        let results = results.finish();
        let medians: Vec<_> = results.iter().map(|arm| arm.median(Metric::MibPerSecond)).collect();
        assert_eq!(medians, [Some(2.0), Some(20.0)]);
        assert_eq!(results[0].median(Metric::Factor), None);
        let json = serde_json::to_value(&results[0]).unwrap();
        assert_eq!(json["mib_per_second"]["max"], 3.0);
        assert_eq!(json["measure"], "scan_sequential");
    }
}
