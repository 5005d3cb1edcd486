// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Outcomes as claims look at them: by point, by medium, over all codecs of zram.

use super::point::{Outcome, Point};
use crate::frame::claim::Measured;
use crate::frame::sample::{Reasons, Sample, data_of};
use crate::kit::device_load::{self, Moment};
use crate::kit::fio::Job;

/// The job that reads, or reads and writes.
pub fn read(outcome: &Outcome) -> Job {
    outcome.read
}

/// The job that writes.
pub fn write(outcome: &Outcome) -> Job {
    outcome.write
}

/// The most processes at which the source found that bandwidth grows no more.
const LIMIT: u32 = 16;

/// All outcomes.
pub struct Found {
    outcomes: Vec<Outcome>,
    missing: Reasons,
}

impl Found {
    /// From samples.
    pub fn of(samples: &[Sample]) -> Found {
        Found { outcomes: data_of(samples), missing: Reasons::of(samples) }
    }

    /// The mean of a value while a point was read, or the reason why there is none.
    pub fn while_read(&self, point: &Point, value: fn(&Moment) -> f64) -> Measured {
        let found = device_load::mean(&self.at(point)?.reading, value);
        found.ok_or_else(|| format!("{}: nobody looked at the device meanwhile", point.key()))
    }

    /// Bandwidth of a RAID 0 with all CPUs by that of one SSD, and by the number of its disks.
    pub fn raid(&self, job: fn(&Outcome) -> Job) -> Measured {
        let is_raid = |outcome: &&Outcome| outcome.disks.is_some();
        let most = self.outcomes.iter().filter(is_raid).max_by_key(|outcome| outcome.point.jobs);
        let most = most.ok_or("it takes a RAID 0 of several SSDs: `--raid DIR` names a directory on one")?;
        let single = self.at(&Point { medium: "ssd".to_owned(), ..most.point.clone() })?;
        let times = job(most).mib_per_second / job(single).mib_per_second;
        Ok(times / f64::from(most.disks.unwrap_or(1)))
    }

    /// The findings at a point, or the reason why there are none.
    pub fn at(&self, point: &Point) -> Result<&Outcome, String> {
        let found = self.outcomes.iter().find(|outcome| outcome.point == *point);
        found.ok_or_else(|| match point.medium.strip_prefix("zram-") {
            Some(codec) if !self.outcomes.iter().any(|outcome| outcome.point.medium == point.medium) => {
                let lacks = format!("this kernel's zram has no {codec}, or it was not measured");
                self.missing.why_or(&point.key(), &lacks)
            }
            _ => self.missing.why(&point.key()),
        })
    }

    /// The speed at a point over that at another.
    pub fn speeds(&self, one: &Point, other: &Point, job: fn(&Outcome) -> Job) -> Measured {
        Ok(job(self.at(one)?).mib_per_second / job(self.at(other)?).mib_per_second)
    }

    /// The speed of writes with one compressibility over that with another, in percent both.
    pub fn writes(&self, medium: &str, one: u32, other: u32) -> Measured {
        let [one, other] = [one, other].map(|compressible| Point { compressible, ..Point::of(medium) });
        self.speeds(&one, &other, write)
    }

    /// The same of reads.
    pub fn reads(&self, medium: &str, one: u32, other: u32) -> Measured {
        let [one, other] = [one, other].map(|compressible| Point { compressible, ..Point::of(medium) });
        self.speeds(&one, &other, read)
    }

    /// The fastest over the slowest of all compressibilities.
    pub fn spread(&self, medium: &str, speed: fn(&Outcome) -> f64) -> Measured {
        let alike = |outcome: &&Outcome| {
            outcome.point == Point { compressible: outcome.point.compressible, ..Point::of(medium) }
        };
        let speeds: Vec<f64> = self.outcomes.iter().filter(alike).map(speed).collect();
        let (most, least) =
            (speeds.iter().copied().reduce(f64::max), speeds.iter().copied().reduce(f64::min));
        most.zip(least)
            .filter(|_| speeds.len() > 1)
            .map(|(most, least)| most / least)
            .ok_or_else(|| format!("{medium} was not measured with several compressibilities"))
    }

    /// Speed of the most processes over that of one, and the former itself.
    pub fn scaling(&self, medium: &str, job: fn(&Outcome) -> Job) -> Result<(f64, f64), String> {
        let (_, most) = self.most_jobs(medium)?;
        let speed = job(most).mib_per_second;
        Ok((speed / job(self.at(&Point::of(medium))?).mib_per_second, speed))
    }

    /// Speed of the most processes, as a share of so many times that of one. The source found limits at 4 to 16
    /// processes, so fewer say nothing.
    pub fn linear(&self, medium: &str, job: fn(&Outcome) -> Job) -> Measured {
        let (jobs, _) = self.most_jobs(medium)?;
        if jobs < LIMIT {
            return Err(format!(
                "it takes {LIMIT} CPUs, as the source found limits at 4 to {LIMIT} processes"
            ));
        }
        Ok(self.scaling(medium, job)?.0 / f64::from(jobs))
    }

    /// The point with the most processes, and else the defaults.
    pub fn widest(&self, medium: &str) -> Result<Point, String> {
        self.most_jobs(medium).map(|(_, outcome)| outcome.point.clone())
    }

    fn most_jobs(&self, medium: &str) -> Result<(u32, &Outcome), String> {
        let alike =
            |outcome: &&Outcome| outcome.point == Point { jobs: outcome.point.jobs, ..Point::of(medium) };
        let most = self.outcomes.iter().filter(alike).max_by_key(|outcome| outcome.point.jobs);
        let most = most.filter(|outcome| outcome.point.jobs > 1).map(|outcome| (outcome.point.jobs, outcome));
        most.ok_or_else(|| format!("{medium} was not measured with several processes"))
    }

    fn zram(&self, value: impl Fn(&str) -> Measured, pick: fn(f64, f64) -> f64) -> Measured {
        let mut media: Vec<&str> =
            self.outcomes.iter().map(|outcome| outcome.point.medium.as_str()).collect();
        media.dedup();
        let values: Vec<f64> = media
            .into_iter()
            .filter(|medium| medium.starts_with("zram-"))
            .map(value)
            .collect::<Result<_, _>>()?;
        values.into_iter().reduce(pick).ok_or_else(|| "zram was not measured".to_owned())
    }

    /// The least value of all codecs of zram.
    pub fn least_zram(&self, value: impl Fn(&str) -> Measured) -> Measured {
        self.zram(value, f64::min)
    }

    /// The most of them.
    pub fn most_zram(&self, value: impl Fn(&str) -> Measured) -> Measured {
        self.zram(value, f64::max)
    }
}
