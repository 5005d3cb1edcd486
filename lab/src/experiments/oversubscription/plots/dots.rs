// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Figures in which each dot is a number of JVMs with a heap: rows from the least to the most of the other axis.

use super::super::found::{Found, OF_SEED};
use super::super::point::{App, Outcome, Point, SWAPPINESS, Served};
use crate::frame::number::number;
use crate::kit::plot::{Axis, Form, Group, Plot, Row, Spread};

/// A figure of dots.
struct Dots {
    name: &'static str,
    title: &'static str,
    label: &'static str,
    value: fn(&Served) -> f64,
    by: fn(&Outcome, &Served) -> f64,
    words: fn(f64) -> String,
}

const FIGURES: [Dots; 3] = [
    Dots {
        name: "oversubscription-throughput-by-wait",
        title: "Throughput by I/O wait (figure 2)",
        label: "requests per second (logarithmic; more is better)",
        value: |served| served.load.per_second(),
        by: |_, served| served.traffic.io_wait,
        words: wait,
    },
    Dots {
        name: "oversubscription-response-by-wait",
        title: "Response time by I/O wait (figure 3)",
        label: "ms, the mean (logarithmic; less is better)",
        value: |served| served.load.mean_ms(),
        by: |_, served| served.traffic.io_wait,
        words: wait,
    },
    Dots {
        name: "oversubscription-response-by-footprint",
        title: "Response time by footprint (figure 4)",
        label: "ms, the mean (logarithmic; less is better)",
        value: |served| served.load.mean_ms(),
        by: |outcome, served| served.footprint_bytes as f64 / outcome.limit_bytes as f64,
        words: |times| format!("{} of the memory", number(times)),
    },
];

fn wait(share: f64) -> String {
    format!("{:.0} % I/O wait", 100.0 * share)
}

/// All of them, of the paper's arm with its settings.
pub fn all(found: &Found) -> impl Iterator<Item = Plot> {
    FIGURES.iter().map(|figure| plot(figure, found))
}

fn plot(figure: &Dots, found: &Found) -> Plot {
    let group = |app: App| {
        let is_alike = |point: &Point| {
            (point.app, point.arm, point.pinned, point.swappiness) == (app, OF_SEED, false, SWAPPINESS)
        };
        let dot = |outcome: &Outcome| {
            let served = outcome.served.as_ref()?;
            Some((outcome.point, (figure.by)(outcome, served), (figure.value)(served)))
        };
        let outcomes = found.all().iter().filter(|outcome| is_alike(&outcome.point));
        let mut dots: Vec<(Point, f64, f64)> = outcomes.filter_map(dot).collect();
        dots.sort_by(|a, b| a.1.total_cmp(&b.1));
        let row = |(point, by, value): (Point, f64, f64)| {
            let name = format!("{}: JVMs {}, heap times {}", (figure.words)(by), point.jvms, point.heap);
            Row::new(&name, vec![Some(Spread::exactly(value))])
        };
        Group { title: app.name().to_owned(), rows: dots.into_iter().map(row).collect() }
    };
    Plot {
        name: figure.name,
        title: figure.title,
        about: "swap on SSD, nothing pinned; each dot is a number of JVMs with a heap".to_owned(),
        axis: Axis { label: figure.label, show: number, line: None },
        form: Form::Dots,
        series: vec!["mean"],
        groups: [App::Trading, App::Booking].map(group).into(),
        notes: Vec::new(),
    }
}
