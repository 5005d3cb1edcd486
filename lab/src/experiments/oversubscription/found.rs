// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Outcomes by their points, and quotients of them.

use super::in_guest::{self, InGuest};
use super::point::{Arm, Outcome, Point, Served};
use crate::frame::claim::Measured;
use crate::frame::sample::{Reasons, Sample, data_of};

/// Of a measurement.
pub type Value = fn(&Served) -> f64;

/// All outcomes, and why others are missing.
pub struct Found {
    outcomes: Vec<Outcome>,
    guest: Option<InGuest>,
    missing: Reasons,
}

impl Found {
    /// In samples.
    pub fn of(samples: &[Sample]) -> Found {
        Found { outcomes: data_of(samples), guest: data_of(samples).pop(), missing: Reasons::of(samples) }
    }

    /// Outcomes at all points.
    pub fn all(&self) -> &[Outcome] {
        &self.outcomes
    }

    /// The findings of a guest, or why there are none.
    pub fn guest(&self) -> Result<&InGuest, String> {
        self.guest.as_ref().ok_or_else(|| self.missing.why(in_guest::STEP))
    }

    /// The measurement at a point, or why there is none.
    pub fn at(&self, point: &Point) -> Result<&Served, String> {
        let key = point.key();
        let Some(outcome) = self.outcomes.iter().find(|outcome| outcome.point == *point) else {
            return Err(self.missing.why(&key));
        };
        let ended = outcome.ended.as_deref().unwrap_or("nothing is known");
        outcome.served.as_ref().ok_or_else(|| format!("{key} does not fit: {ended}"))
    }

    /// Numbers of JVMs that were served at points like this one.
    pub fn jvms(&self, like: &Point) -> Vec<u32> {
        let alike = |outcome: &&Outcome| outcome.point == Point { jvms: outcome.point.jvms, ..*like };
        let served = self.outcomes.iter().filter(alike).filter(|outcome| outcome.served.is_some());
        let mut jvms: Vec<u32> = served.map(|outcome| outcome.point.jvms).collect();
        jvms.sort_unstable();
        jvms
    }

    /// Points like this one at which memory was short.
    pub fn short(&self, like: &Point) -> Vec<Point> {
        let points = self.jvms(like).into_iter().map(|jvms| Point { jvms, ..*like });
        points.filter(|point| self.at(point).is_ok_and(is_short)).collect()
    }

    /// The one of these with the most JVMs.
    pub fn shortest(&self, like: &Point) -> Result<Point, String> {
        let point = self.short(like).last().copied();
        point.ok_or_else(|| format!("{} was not measured with too little memory", without_jvms(like)))
    }

    /// A value of `one` by that of `other`, with the number of JVMs. Both were measured there, and memory was short for
    /// one of them. Numbers at which `other` has none are left out.
    pub fn quotients(&self, one: &Point, other: &Point, value: Value) -> Vec<(u32, f64)> {
        let pair = |jvms| {
            let [one, other] = [one, other].map(|like| self.at(&Point { jvms, ..*like }));
            let (one, other) = (one.ok()?, other.ok()?);
            let is_one = is_short(one) || is_short(other);
            (is_one && value(other) > 0.0).then(|| (jvms, value(one) / value(other)))
        };
        self.jvms(one).into_iter().filter_map(pair).collect()
    }

    /// That quotient for the most JVMs.
    pub fn quotient(&self, one: &Point, other: &Point, value: Value) -> Measured {
        let last = self.quotients(one, other, value).pop();
        last.map(|(_, quotient)| quotient).ok_or_else(|| self.no_quotient(one, other))
    }

    /// The least or the most of them.
    pub fn extreme(&self, one: &Point, other: &Point, value: Value, pick: fn(f64, f64) -> f64) -> Measured {
        let all = self.quotients(one, other, value).into_iter().map(|(_, quotient)| quotient);
        all.reduce(pick).ok_or_else(|| self.no_quotient(one, other))
    }

    fn no_quotient(&self, one: &Point, other: &Point) -> String {
        let [one, other] = [one, other].map(without_jvms);
        format!("{one} and {other} were not both measured with too little memory")
    }
}

/// Whether pages left memory and came back.
fn is_short(served: &Served) -> bool {
    let traffic = &served.traffic;
    traffic.swap_bytes() + traffic.h2_bytes() + traffic.file_refaults > 0
}

fn without_jvms(point: &Point) -> String {
    format!("{}, {}", point.app.name(), point.setting())
}

/// Requests per second.
pub fn throughput(served: &Served) -> f64 {
    served.load.per_second()
}

/// Bytes read from files, per request.
pub fn file_bytes(served: &Served) -> f64 {
    per_request(served, served.traffic.file_read_bytes)
}

/// Bytes read from and written to swap, per request.
pub fn swap_bytes(served: &Served) -> f64 {
    per_request(served, served.traffic.swap_bytes())
}

/// Both. It is all that disks do if swap is on the SSD.
pub fn disk_bytes(served: &Served) -> f64 {
    file_bytes(served) + swap_bytes(served)
}

/// Bytes or events per request.
pub fn per_request(served: &Served, amount: u64) -> f64 {
    amount as f64 / served.load.requests.max(1) as f64
}

/// The share of an area that is in swap, from 0 to 1.
pub fn swapped_share(served: &Served, area: &str) -> Measured {
    let found = served.areas.iter().find(|it| it.area == area);
    let area = found.ok_or_else(|| format!("the JVM has no area {area}"))?;
    Ok(area.swapped as f64 / (area.swapped + area.anonymous + area.file).max(1) as f64)
}

/// The arm of the paper.
pub const OF_SEED: Arm = Arm::SwapOnSsd;
