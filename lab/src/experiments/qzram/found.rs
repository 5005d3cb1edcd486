// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Values that follow from samples, or the reason why there is none.

use super::in_guest::{self, InGuest};
use super::point::{Outcome, Point, Side, Way};
use crate::frame::claim::Measured;
use crate::frame::draft::Draft;
use crate::frame::sample::{Reasons, Sample, data_of};
use crate::kit::ending::Ending;
use crate::kit::samples::{Samples, mean};
use crate::redis::{self, Arm, Curve, Load};

/// All samples of the experiment.
pub struct Found {
    outcomes: Vec<Outcome>,
    curves: Vec<Curve>,
    /// Of these GET follows all SETs.
    rounds: Vec<Curve>,
    guest: Vec<Curve>,
    missing: Reasons,
}

/// Writing or reading.
pub type Which = fn(&Outcome) -> Side;

impl Found {
    /// Of samples.
    pub fn of(samples: &[Sample]) -> Found {
        let guest = data_of(samples).into_iter().flat_map(|guest: InGuest| guest.samples);
        let (rounds, curves) = data_of(samples).into_iter().partition(|curve: &Curve| curve.gets_follow);
        Found {
            outcomes: data_of(samples),
            curves,
            rounds,
            guest: guest.collect(),
            missing: Reasons::of(samples),
        }
    }

    /// The findings at a point.
    pub fn at(&self, point: &Point) -> Result<&Outcome, String> {
        let found = self.outcomes.iter().find(|outcome| outcome.point == *point);
        found.ok_or_else(|| self.missing.why(&point.key()))
    }

    /// A value of one arm over that of another, at points that are alike.
    pub fn quotient(
        &self,
        like: &Point,
        [one, other]: [&str; 2],
        which: Which,
        value: fn(Side) -> f64,
    ) -> Measured {
        let of = |arm: &str| {
            Ok::<_, String>(value(which(self.at(&Point { arm: arm.to_owned(), ..like.clone() })?)))
        };
        Ok(of(one)? / of(other)?)
    }

    /// The same at each size of a request that both were measured with, in the order of sizes.
    pub fn by_block(
        &self,
        way: Way,
        arms: [&str; 2],
        which: Which,
        value: fn(Side) -> f64,
    ) -> Result<Vec<f64>, String> {
        let base = Point::of(arms[0], way);
        let mut blocks: Vec<u64> = self
            .outcomes
            .iter()
            .filter(|outcome| outcome.point == Point { block: outcome.point.block, ..base.clone() })
            .map(|outcome| outcome.point.block)
            .collect();
        blocks.sort_unstable();
        if blocks.is_empty() {
            return Err(self.missing.why(&base.key()));
        }
        blocks
            .into_iter()
            .map(|block| self.quotient(&Point { block, ..base.clone() }, arms, which, value))
            .collect()
    }

    /// The mean of that over all sizes.
    pub fn mean(&self, way: Way, arms: [&str; 2], which: Which, value: fn(Side) -> f64) -> Measured {
        let all = self.by_block(way, arms, which, value)?;
        mean(&all).ok_or_else(|| self.missing.why(&Point::of(arms[0], way).key()))
    }

    /// Redis on a kind of swap.
    pub fn curve(&self, arm: Arm) -> Result<&Curve, String> {
        let found = self.curves.iter().find(|curve| curve.redis == arm.name());
        found.ok_or_else(|| self.missing.why(&format!("redis, {}", arm.name())))
    }

    /// How much more data servers held on one kind of swap than on another.
    pub fn held(&self, one: Arm, other: Arm) -> Measured {
        Ok(self.curve(one)?.held_bytes as f64 / self.curve(other)?.held_bytes as f64)
    }

    /// The same in a guest, whose runs may also have ended otherwise than by the kernel.
    pub fn held_in_guest(&self, one: Arm, other: Arm) -> Measured {
        let held = |arm: Arm| {
            let found = self.guest.iter().find(|curve| curve.redis == arm.name());
            let curve = found.ok_or_else(|| self.missing.why(in_guest::STEP))?;
            match curve.ending {
                Ending::Killed => Ok(curve.held_bytes as f64),
                _ => Err(format!("{}, {}: {}", in_guest::STEP, curve.redis, curve.words)),
            }
        };
        Ok(held(one)? / held(other)?)
    }

    /// GETs per second on swap over those without, where GET follows all SETs. The medians of all rounds.
    pub fn gets_after_all_sets(&self, arm: Arm) -> Measured {
        let of = |arm: Arm| {
            let key = redis::gets_follow(arm);
            let runs: Vec<&Curve> = self.rounds.iter().filter(|run| run.redis == arm.name()).collect();
            let rates: Vec<f64> =
                runs.iter().filter_map(|run| run.loads.first()).map(|load| load.gets_per_second).collect();
            let short = runs.iter().find(|run| run.ending != Ending::Finished);
            match short {
                Some(run) => Err(format!("{key}: {}", run.words)),
                None => Samples::of(rates).map(|rates| rates.median).ok_or_else(|| self.missing.why(&key)),
            }
        };
        Ok(of(arm)? / of(Arm::Nothing)?)
    }

    /// Throughput on swap, with data for which memory alone had no room, over throughput without swap.
    pub fn beyond(&self, arm: Arm, rate: fn(&Load) -> f64) -> Measured {
        let (own, none) = (self.curve(arm)?, self.curve(Arm::Nothing)?);
        let beyond = own.loads.iter().filter(|load| load.data_bytes > none.held_bytes).map(rate);
        let median = |rates: Vec<f64>| Samples::of(rates).map(|rates| rates.median);
        let (beyond, none) = (median(beyond.collect()), median(none.loads.iter().map(rate).collect()));
        let too_soon = || format!("{} ended before data were larger than memory", arm.name());
        Ok(beyond.ok_or_else(too_soon)? / none.ok_or("no swap: nothing was measured")?)
    }
}

/// A claim whose formula looks at them.
pub fn claim(words: &str, source: &'static str) -> Draft<Found> {
    Draft::new(words, source, Found::of)
}

/// Of writing.
pub fn write(outcome: &Outcome) -> Side {
    outcome.write
}

/// Of reading.
pub fn read(outcome: &Outcome) -> Side {
    outcome.read
}
