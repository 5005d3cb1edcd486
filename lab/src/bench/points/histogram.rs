// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Times of very many reads in little memory: that of the process that reads is limited.

use std::time::Duration;

/// Buckets per power of two: times are known to a sixteenth.
const PARTS: usize = 16;

/// How many times lie in each bucket.
pub struct Histogram(Vec<u64>);

impl Default for Histogram {
    fn default() -> Self {
        Self(vec![0; 64 * PARTS])
    }
}

impl Histogram {
    /// Adds a time.
    pub fn add(&mut self, time: Duration) {
        self.0[bucket(time.as_nanos() as u64)] += 1;
    }

    /// Adds all of another's.
    pub fn add_all(&mut self, other: &Histogram) {
        self.0.iter_mut().zip(&other.0).for_each(|(sum, count)| *sum += count);
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Seconds below which so many of a thousand lie; 0 if there are none.
    pub fn below(&self, per_mille: u64) -> f64 {
        let rank = (self.count() * per_mille).div_ceil(1000);
        let mut seen = 0;
        let found = self.0.iter().position(|count| {
            seen += count;
            seen >= rank && seen > 0
        });
        found.map_or(0.0, |bucket| upper(bucket) / 1e9)
    }
}

fn bucket(ns: u64) -> usize {
    if ns < PARTS as u64 {
        return ns as usize;
    }
    let power = ns.ilog2() as usize;
    (power - 3) * PARTS + (ns >> (power - 4)) as usize - PARTS
}

/// The upper end of a bucket.
fn upper(bucket: usize) -> f64 {
    if bucket < PARTS {
        return (bucket + 1) as f64;
    }
    let (power, part) = (bucket / PARTS + 3, bucket % PARTS);
    ((PARTS + part + 1) as f64) * 2f64.powi(power as i32 - 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_time_lies_in_its_bucket() {
        for ns in (0..20_000).chain([1 << 30, (1 << 40) + 5]) {
            let end = upper(bucket(ns));
            assert!(ns as f64 <= end && end <= (ns as f64 * 1.07).max(ns as f64 + 1.0), "{ns}: {end}");
            assert!(bucket(ns) <= bucket(ns + 1));
        }
    }

    #[test]
    fn percentiles_are_those_of_all() {
        let (mut one, mut other) = (Histogram::default(), Histogram::default());
        assert_eq!(one.below(500), 0.0);
        (0..990).for_each(|_| one.add(Duration::from_nanos(100)));
        (0..10).for_each(|_| other.add(Duration::from_micros(100)));
        one.add_all(&other);
        assert_eq!(one.count(), 1000);
        assert!(one.below(990) < 110e-9 && one.below(991) > 90e-6);
    }
}
