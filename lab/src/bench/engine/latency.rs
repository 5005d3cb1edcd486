// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Percentiles of many short times.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::kit::samples::percentile;

/// The times below which the given share of all lies, in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Latency {
    /// A half.
    pub p50: f64,
    /// 99 of 100.
    pub p99: f64,
    /// 999 of 1000.
    pub p999: f64,
}

impl Latency {
    /// All zero if there are no times.
    pub fn of(mut times: Vec<Duration>) -> Latency {
        times.sort_unstable();
        let below = |per_mille| percentile(&times, per_mille).unwrap_or_default().as_secs_f64();
        Latency { p50: below(500), p99: below(990), p999: below(999) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_in_seconds() {
        let times: Vec<_> = (1..=1000).rev().map(Duration::from_millis).collect();
        assert_eq!(Latency::of(times), Latency { p50: 0.5, p99: 0.99, p999: 0.999 });
    }

    #[test]
    fn few_times_have_percentiles_too() {
        assert_eq!(Latency::of(vec![]), Latency::default());
        let one = Latency::of(vec![Duration::from_secs(2)]);
        assert_eq!(one, Latency { p50: 2.0, p99: 2.0, p999: 2.0 });
    }
}
