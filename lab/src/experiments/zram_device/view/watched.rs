// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Devices and CPUs while they were looked at.

use super::super::point::{Outcome, Point};
use crate::frame::number::number;
use crate::frame::presentation::Table;
use crate::kit::device_load::{Moment, mean};
use crate::kit::plot::{Axis, Form, Group, Plot, Row, Spread};
use crate::kit::samples::Samples;

/// Queues of devices with 128 requests under way, with their spread over time.
pub fn queues(outcomes: &[Outcome]) -> Plot {
    let deep = |outcome: &&Outcome| outcome.point == Point { depth: 128, ..Point::of(&outcome.point.medium) };
    let row = |outcome: &Outcome| {
        let queue = Samples::of(outcome.reading.iter().map(|it| it.queue).collect())?;
        (queue.max > 0.0).then(|| Row::new(&outcome.point.medium, vec![Some(Spread::from(&queue))]))
    };
    Plot {
        name: "zram-device-queue",
        title: "Requests in a device's queue, of 128 that one process has under way (figure 4.3)",
        about: "fio reads 64 KiB in order; each whisker goes from the least to the most over time".to_owned(),
        axis: Axis { label: "requests", show: number, line: None },
        form: Form::Bars,
        series: vec!["queue"],
        groups: vec![Group {
            title: "read".to_owned(),
            rows: outcomes.iter().filter(deep).filter_map(row).collect(),
        }],
        notes: Vec::new(),
    }
}

/// Shares of all CPUs while a process on each reads.
pub fn shares(outcomes: &[Outcome]) -> Plot {
    let most = outcomes.iter().map(|outcome| outcome.point.jobs).max().unwrap_or(1);
    let wide = |outcome: &&Outcome| outcome.point == Point { jobs: most, ..Point::of(&outcome.point.medium) };
    let row = |outcome: &Outcome| {
        let parts = PARTS.iter().map(|part| mean(&outcome.reading, *part));
        let percent: Vec<f64> = parts.map(|part| Some(100.0 * part?)).collect::<Option<_>>()?;
        let values = percent.iter().map(|part| Some(Spread::exactly(*part))).collect();
        Some(Row {
            sum: Some(Spread::exactly(percent.iter().sum())),
            ..Row::new(&outcome.point.medium, values)
        })
    };
    Plot {
        name: "zram-device-shares",
        title: "All CPUs while a process on each reads (figure 4.8)",
        about: "fio reads 64 KiB in order; other programs of the machine count, too".to_owned(),
        axis: Axis { label: "% of all CPUs", show: number, line: None },
        form: Form::Stack,
        series: vec!["user", "system", "I/O wait", "idle"],
        groups: vec![Group {
            title: "read".to_owned(),
            rows: outcomes.iter().filter(wide).filter_map(row).collect(),
        }],
        notes: Vec::new(),
    }
}

const PARTS: [fn(&Moment) -> f64; 4] = [|it| it.user, |it| it.system, |it| it.wait, |it| it.idle];

/// Every moment of every point that was looked at.
pub fn over_time(outcomes: &[Outcome]) -> Table {
    let row = |outcome: &Outcome| {
        let series = |show: &dyn Fn(&Moment) -> String| {
            outcome.reading.iter().map(show).collect::<Vec<String>>().join(" ")
        };
        let parts = PARTS.map(|part| series(&|it| format!("{:.0}", 100.0 * part(it))));
        [&[outcome.point.key(), series(&|it| number(it.queue))][..], &parts].concat()
    };
    let head = ["step", "queue", "user %", "system %", "I/O wait %", "idle %"];
    let rows = outcomes.iter().filter(|outcome| !outcome.reading.is_empty()).map(row).collect();
    Table { rows, ..Table::new("Over time, while it was read: the device's queue, and all CPUs", head) }
}
