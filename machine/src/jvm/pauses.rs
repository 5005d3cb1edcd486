// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The pauses of a JVM's collector, by its counters. The JVM does not notice that they are read.

use std::time::Duration;

use super::perf_data::PerfData;
use super::running::Jvm;

/// One kind of collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Collector {
    /// Its name: `young` or `full`.
    pub name: &'static str,
    /// Collections so far.
    pub collections: u64,
    /// The sum of their pauses.
    pub time: Duration,
    /// The pause of the last one; none while one is under way, or before the first.
    pub last: Option<Duration>,
}

/// The collections of young and of all objects. Empty where the JVM shows no counters.
pub fn pauses(jvm: &Jvm) -> Vec<Collector> {
    let Some(data) = PerfData::of(&jvm.place) else { return Vec::new() };
    ["young", "full"].into_iter().zip(0..).filter_map(|(name, number)| read(&data, name, number)).collect()
}

fn read(data: &PerfData, name: &'static str, number: u32) -> Option<Collector> {
    let counter = |what: &str| data.number(&format!("sun.gc.collector.{number}.{what}"));
    let frequency = data.number("sun.os.hrt.frequency").filter(|ticks| *ticks > 0)?;
    let span = |ticks: u64| Duration::from_secs_f64(ticks as f64 / frequency as f64);
    let last = counter("lastExitTime").zip(counter("lastEntryTime"));
    Some(Collector {
        name,
        collections: counter("invocations")?,
        time: span(counter("time")?),
        last: last.and_then(|(exit, entry)| exit.checked_sub(entry)).filter(|it| *it > 0).map(span),
    })
}
