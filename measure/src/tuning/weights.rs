// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! How much each quality counts.

use std::str::FromStr;

use serde::Serialize;

/// Weights, whose sum is 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Weights {
    /// Of MiB per second.
    pub throughput: f64,
    /// Of reads per second.
    pub iops: f64,
    /// Of the mean time of a read.
    pub latency: f64,
    /// Of the ratio of compression.
    pub ratio: f64,
}

impl Default for Weights {
    /// Those of the Zram notes.
    fn default() -> Weights {
        Weights { throughput: 0.2, iops: 0.0, latency: 0.4, ratio: 0.4 }
    }
}

impl Weights {
    /// The same with another weight of the ratio, from 0 to 1; the others keep their proportions.
    pub fn with_ratio(self, ratio: f64) -> Weights {
        let others = self.throughput + self.iops + self.latency;
        // Without others to keep, latency is as good as any.
        let (scale, latency) = if others > 0.0 {
            ((1.0 - ratio) / others, self.latency * (1.0 - ratio) / others)
        } else {
            (0.0, 1.0 - ratio)
        };
        Weights { throughput: self.throughput * scale, iops: self.iops * scale, latency, ratio }
    }
}

impl FromStr for Weights {
    type Err = String;

    /// Reads `latency=2,ratio=1`; qualities that are not named do not count.
    fn from_str(text: &str) -> Result<Weights, String> {
        let mut weights = Weights { throughput: 0.0, iops: 0.0, latency: 0.0, ratio: 0.0 };
        for part in text.split(',') {
            let wrong = || {
                format!(
                    "`{part}` is no weight: give throughput, iops, latency or ratio, as in latency=0.4,ratio=0.6"
                )
            };
            let (name, value) = part.split_once('=').ok_or_else(wrong)?;
            let value =
                value.trim().parse().ok().filter(|value| (0.0..1e6).contains(value)).ok_or_else(wrong)?;
            match name.trim() {
                "throughput" => weights.throughput = value,
                "iops" => weights.iops = value,
                "latency" => weights.latency = value,
                "ratio" => weights.ratio = value,
                _ => return Err(wrong()),
            }
        }
        let sum = weights.throughput + weights.iops + weights.latency + weights.ratio;
        if sum <= 0.0 {
            return Err("one weight at least must be greater than 0".to_owned());
        }
        Ok(Weights {
            throughput: weights.throughput / sum,
            iops: weights.iops / sum,
            latency: weights.latency / sum,
            ratio: weights.ratio / sum,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_become_shares() {
        let weights: Weights = "latency=1,ratio=3".parse().unwrap();
        assert_eq!(weights, Weights { throughput: 0.0, iops: 0.0, latency: 0.25, ratio: 0.75 });
        assert_eq!("throughput=.2,latency=.4,ratio=.4".parse(), Ok(Weights::default()));
        for wrong in ["", "latency", "speed=1", "ratio=-1", "ratio=x", "ratio=0", "ratio=NaN"] {
            assert!(wrong.parse::<Weights>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_others_keep_their_proportions() {
        let more = Weights::default().with_ratio(0.7);
        assert!((more.latency - 0.2).abs() < 1e-9 && (more.throughput - 0.1).abs() < 1e-9, "{more:?}");
        let only: Weights = "ratio=1".parse().unwrap();
        assert_eq!(only.with_ratio(0.5).latency, 0.5);
    }
}
