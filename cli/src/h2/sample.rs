// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A second heap at one moment.

use std::time::{Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};
use serde_json::Value;
use ztera_machine::jvm::{Collector, Jvm, pauses};
use ztera_metrics::{Histogram, Stats, Tier};

use super::info::{Engine, Info, Times};

/// A JVM's answer, and its time.
#[derive(Clone, Debug)]
pub struct Sample {
    /// For rates.
    pub at: Instant,
    /// For people.
    pub time: SystemTime,
    /// Its JSON as it is.
    pub told: Value,
    /// The same, understood.
    pub info: Info,
    /// Its collections.
    pub pauses: Vec<Collector>,
}

impl Sample {
    /// Asks the JVM.
    pub fn take(jvm: &Jvm) -> Result<Sample> {
        let told = jvm.h2_info()?;
        Sample::of(told, pauses(jvm))
    }

    /// Of an answer that came just now.
    pub fn of(told: Value, pauses: Vec<Collector>) -> Result<Sample> {
        let info = serde_json::from_value(told.clone())
            .context("the JVM's answer is not as expected; it may be of another version of ZTera")?;
        Ok(Sample { at: Instant::now(), time: SystemTime::now(), told, info, pauses })
    }

    /// Statistics of the tier below; all 0 where that is a file.
    pub fn stats(&self) -> Stats {
        self.info.engine.as_ref().map(|Engine(stats)| *stats).unwrap_or_default()
    }

    /// How long faults of a tier took so far; none if the JVM does not tell.
    pub fn fault_times(&self, tier: Tier) -> Option<&Histogram> {
        let of_tier = self.info.faults.iter().find(|it| it.tier == tier.name())?;
        let Times(times) = &of_tier.fault_ns;
        Some(times)
    }

    /// Hours, minutes and seconds of the day, here.
    pub fn time_of_day(&self) -> String {
        let time = jiff::Timestamp::try_from(self.time).unwrap_or_default();
        time.to_zoned(jiff::tz::TimeZone::system()).strftime("%H:%M:%S").to_string()
    }

    /// Seconds since 1970.
    pub fn unix_seconds(&self) -> f64 {
        self.time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64()
    }
}
