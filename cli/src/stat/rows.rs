// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A second heap in rows, one for each moment, as `vmstat` has them.

use serde_json::{Map, Value, json};
use ztera_machine::jvm::Collector;
use ztera_machine::units::{show_count, show_short};
use ztera_metrics::{ALL, Histogram, Kind, Tier};

use crate::h2::sample::Sample;
use crate::h2::span::{Span, packed};

/// The titles come again after so many rows.
pub const ROWS_PER_TITLE: u64 = 20;

/// Columns with their widths: sizes now, then rates per second.
const COLUMNS: [(&str, usize); 11] = [
    ("time", 8),
    ("h2", 6),
    ("resident", 9),
    ("packed", 7),
    ("pool", 6),
    ("ssd", 6),
    ("faults/s", 9),
    ("moved/s", 8),
    ("ssdr/s", 7),
    ("ssdw/s", 7),
    ("gc%", 5),
];

/// The text of `--help` on the columns.
pub const LEGEND: &str = "\
Examples:
  ztera stat PID
  ztera stat --interval 1 PID
  ztera stat --interval 10 --count 6 --json org.example.Main

Columns of --interval. Sizes are as they are now, rates since the row before:
  h2        bytes of objects in the second heap
  resident  uncompressed pages in DRAM
  packed    pages that are compressed in DRAM, by their size before compression
  pool      the memory that these take
  ssd       pages on the SSD, by their size before compression
  faults/s  page faults that brought a unit of H2 into DRAM
  moved/s   bytes that collections moved from the ordinary heap to H2
  ssdr/s    bytes read from the SSD
  ssdw/s    bytes written to it
  gc%       the share of the time that the program stood still for collections

--json has one line per sample: what the JVM tells, and in `sample` the time, pauses, the rate of
each counter, and the number and percentiles of the faults of each tier since the line before.";

/// The titles.
pub fn title() -> String {
    line(COLUMNS.map(|(title, _)| title.to_owned()))
}

/// A row. Without an earlier sample it has no rates.
pub fn row(before: Option<&Sample>, after: &Sample) -> String {
    let (info, stats) = (&after.info, after.stats());
    let span = before.map(|before| Span { before, after });
    let rated =
        |show: &dyn Fn(&Span) -> Option<String>| span.as_ref().and_then(show).unwrap_or("-".to_owned());
    line([
        after.time_of_day(),
        show_short(info.used_bytes),
        show_short(stats.resident_bytes),
        show_short(packed(&stats)),
        show_short(stats.mem_used_total),
        show_short(stats.bd_data_size),
        rated(&|span| Some(show_count(span.rate(|it| it.fault_count)))),
        rated(&|span| Some(show_short(span.moved_bytes() as u64))),
        rated(&|span| Some(show_short(span.rate(|it| it.bd_read_bytes) as u64))),
        rated(&|span| Some(show_short(span.rate(|it| it.bd_write_bytes) as u64))),
        rated(&|span| Some(format!("{:.0}", 100.0 * span.paused()?))),
    ])
}

fn line(cells: [String; COLUMNS.len()]) -> String {
    cells.iter().zip(COLUMNS).map(|(cell, (_, width))| format!("{cell:>width$}")).collect()
}

/// The JVM's own JSON, and what follows from the sample before.
pub fn json(pid: u32, before: Option<&Sample>, after: &Sample) -> Value {
    let mut told = after.told.clone();
    let pauses: Map<String, Value> = after.pauses.iter().map(|it| (it.name.to_owned(), pause(it))).collect();
    let mut sample = json!({"pid": pid, "time_seconds": after.unix_seconds(), "pauses": pauses});
    if let Some(before) = before {
        let span = Span { before, after };
        sample["seconds"] = span.seconds().into();
        sample["per_second"] = rates(&span);
        sample["faults"] = faults(&span);
    }
    told["sample"] = sample;
    told
}

fn pause(collector: &Collector) -> Value {
    let last = collector.last.map(|last| last.as_secs_f64());
    json!({"collections": collector.collections, "seconds": collector.time.as_secs_f64(), "last_seconds": last})
}

/// The rate of each counter that the engine has.
fn rates(span: &Span) -> Value {
    let counters = ALL.iter().zip(0..).filter(|(statistic, _)| statistic.kind == Kind::Counter);
    counters
        .map(|(statistic, at): (_, usize)| (statistic.name, span.rate(|stats| stats.values()[at])))
        .collect()
}

/// The faults of each tier that the JVM tells of.
fn faults(span: &Span) -> Value {
    let all = Tier::ALL.into_iter().filter_map(|tier| Some((tier.name(), times(&span.fault_times(tier)?))));
    all.collect()
}

fn times(times: &Histogram) -> Value {
    let below = |per_mille| times.below(per_mille);
    json!({"count": times.count(), "p50_seconds": below(500), "p99_seconds": below(990), "p999_seconds": below(999)})
}
