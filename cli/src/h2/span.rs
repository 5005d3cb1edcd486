// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Changes of a second heap between two moments.

use std::time::Duration;

use ztera_metrics::{Histogram, Stats, Tier};

use super::sample::Sample;

/// Two samples of one JVM.
#[derive(Clone, Copy)]
pub struct Span<'a> {
    /// The earlier one.
    pub before: &'a Sample,
    /// The later one.
    pub after: &'a Sample,
}

impl Span<'_> {
    /// The time between them.
    pub fn seconds(&self) -> f64 {
        self.after.at.duration_since(self.before.at).as_secs_f64()
    }

    /// How often something was counted per second.
    pub fn rate(&self, counter: impl Fn(&Stats) -> u64) -> f64 {
        let grown = counter(&self.after.stats()).saturating_sub(counter(&self.before.stats()));
        grown as f64 / self.seconds().max(f64::MIN_POSITIVE)
    }

    /// Bytes per second that moved to the second heap.
    pub fn moved_bytes(&self) -> f64 {
        let grown = self.after.info.moved_bytes.saturating_sub(self.before.info.moved_bytes);
        grown as f64 / self.seconds().max(f64::MIN_POSITIVE)
    }

    /// The mean time of something of which a counter has all nanoseconds; none if it did not happen.
    pub fn mean(&self, nanoseconds: impl Fn(&Stats) -> u64, times: impl Fn(&Stats) -> u64) -> Option<f64> {
        let times = self.rate(times);
        (times > 0.0).then(|| self.rate(nanoseconds) / times / 1e9)
    }

    /// How long the faults of a tier took; none if the JVM does not tell.
    pub fn fault_times(&self, tier: Tier) -> Option<Histogram> {
        Some(self.after.fault_times(tier)?.since(self.before.fault_times(tier)?))
    }

    /// The share of the time that the program stood still for collections. None if the JVM does not tell.
    pub fn paused(&self) -> Option<f64> {
        let sum = |sample: &Sample| sample.pauses.iter().map(|it| it.time).sum::<Duration>();
        let paused = sum(self.after).saturating_sub(sum(self.before)).as_secs_f64();
        (!self.after.pauses.is_empty()).then(|| (paused / self.seconds()).clamp(0.0, 1.0))
    }
}

/// Units that were brought in from compressed memory.
pub fn from_pool(stats: &Stats) -> u64 {
    stats.units_loaded.saturating_sub(stats.bd_reads)
}

/// Uncompressed size of what is compressed in DRAM.
pub fn packed(stats: &Stats) -> u64 {
    stats.orig_data_size.saturating_sub(stats.bd_data_size)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::json;
    use ztera_machine::jvm::Collector;

    use super::*;

    fn samples() -> [Sample; 2] {
        let young = |seconds| Collector {
            name: "young",
            collections: 1,
            time: Duration::from_secs(seconds),
            last: None,
        };
        let sample = |faults: u64, seconds| {
            let engine = json!({"fault_count": faults, "bd_reads": faults / 2, "bd_read_ns": faults * 1000});
            let pool =
                json!({"tier": "pool", "fault_ns": {"sum": 1000 * faults, "buckets": [[1024, faults]]}});
            let told = json!({"enabled": true, "engine": engine, "faults": [pool]});
            Sample::of(told, vec![young(seconds)]).unwrap()
        };
        let before = sample(100, 5);
        let after = Sample { at: before.at + Duration::from_secs(2), ..sample(700, 6) };
        [before, after]
    }

    #[test]
    fn rates_are_per_second() {
        let [before, after] = samples();
        let span = Span { before: &before, after: &after };
        assert_eq!(span.rate(|stats| stats.fault_count), 300.0);
        assert_eq!(span.mean(|stats| stats.bd_read_ns, |stats| stats.bd_reads), Some(2e-6));
        assert_eq!(span.mean(|stats| stats.compress_ns, |stats| stats.units_stored), None);
        assert_eq!(span.paused(), Some(0.5));
        assert_eq!(span.fault_times(Tier::Pool).map(|it| it.count()), Some(600));
        assert_eq!(span.fault_times(Tier::Ssd), None);
    }

    #[test]
    fn a_counter_that_began_anew_is_no_rate() {
        let [before, after] = samples();
        let back =
            Span { before: &Sample { at: before.at, ..after }, after: &Sample { at: after.at, ..before } };
        assert_eq!((back.rate(|stats| stats.fault_count), back.paused()), (0.0, Some(0.0)));
    }
}
