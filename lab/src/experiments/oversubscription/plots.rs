// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Pictures in the manner of the paper's figures.

mod dots;

use super::found::{Found, OF_SEED, per_request};
use super::point::{App, Outcome, Point, Served};
use crate::frame::number::number;
use crate::kit::plot::{Axis, Form, Group, Plot, Row, Spread};

/// Those that have anything to show.
pub fn all(found: &Found) -> Vec<Plot> {
    let plots = STUDIES.iter().map(|study| plot(study, found)).chain(dots::all(found)).chain([areas(found)]);
    plots.filter(|plot| !plot.is_empty()).collect()
}

/// A picture with a group per application and number of JVMs.
struct Study {
    name: &'static str,
    title: &'static str,
    about: &'static str,
    label: &'static str,
    form: Form,
    series: &'static [&'static str],
    values: fn(&Served) -> Vec<f64>,
    shown: fn(&Point) -> bool,
}

const STUDIES: [Study; 4] = [
    Study {
        name: "oversubscription-throughput",
        title: "Throughput by JVMs under one limit (figures 5c and 7c)",
        about: "all JVMs together",
        label: "requests per second (more is better)",
        form: Form::Bars,
        series: &["throughput"],
        values: |served| vec![served.load.per_second()],
        shown: has_default_swappiness,
    },
    Study {
        name: "oversubscription-response",
        title: "Response time",
        about: "mean, and what 99 of 100 requests stay below",
        label: "ms (logarithmic; less is better)",
        form: Form::Dots,
        series: &["mean", "99th percentile"],
        values: |served| vec![served.load.mean_ms(), served.load.p99_ms],
        shown: has_default_swappiness,
    },
    Study {
        name: "oversubscription-disk",
        title: "Bytes per request, by what they are for (figures 5 and 7)",
        about: "swap on zram is memory, all else the SSD",
        label: "KiB per request (less is better)",
        form: Form::Stack,
        series: &["files, read", "swap, read", "swap, written", "H2"],
        values: |served| {
            let traffic = &served.traffic;
            let parts = [
                traffic.file_read_bytes,
                traffic.swap_read_bytes,
                traffic.swap_written_bytes,
                traffic.h2_bytes(),
            ];
            parts.map(|bytes| per_request(served, bytes) / 1024.0).to_vec()
        },
        shown: has_default_swappiness,
    },
    Study {
        name: "oversubscription-swappiness",
        title: "Throughput by swappiness (figure 9)",
        about: "nothing pinned",
        label: "requests per second (more is better)",
        form: Form::Bars,
        series: &["throughput"],
        values: |served| vec![served.load.per_second()],
        shown: |point| point.arm.swaps() && !point.pinned,
    },
];

fn has_default_swappiness(point: &Point) -> bool {
    point.swappiness == Point::of(point.app, point.arm, point.jvms).swappiness
}

fn plot(study: &Study, found: &Found) -> Plot {
    let mut shown: Vec<&Outcome> = found.all().iter().filter(|it| (study.shown)(&it.point)).collect();
    shown.sort_by_key(|it| {
        (it.point.app as u8, it.point.jvms, it.point.arm as u8, it.point.swappiness, it.point.pinned)
    });
    let title = |outcome: &&Outcome| format!("{}, JVMs: {}", outcome.point.app.name(), outcome.point.jvms);
    Plot {
        name: study.name,
        title: study.title,
        about: study.about.to_owned(),
        axis: Axis { label: study.label, show: number, line: None },
        form: study.form,
        series: study.series.to_vec(),
        groups: Group::by(shown, title, |outcome| row(study, outcome)),
        notes: Vec::new(),
    }
}

fn row(study: &Study, outcome: &Outcome) -> Row {
    let name = outcome.point.setting();
    let Some(served) = &outcome.served else {
        let none = vec![None; study.series.len()];
        return Row { missing: "does not fit".to_owned(), ..Row::new(&name, none) };
    };
    stack(study.form, &name, (study.values)(served))
}

/// In a stack, with its sum.
fn stack(form: Form, name: &str, values: Vec<f64>) -> Row {
    let sum = (form == Form::Stack).then(|| Spread::exactly(values.iter().sum()));
    let values = values.into_iter().map(|value| Some(Spread::exactly(value))).collect();
    Row { sum, ..Row::new(name, values) }
}

/// The memory of a JVM where memory was shortest.
fn areas(found: &Found) -> Plot {
    let bases = [App::Trading, App::Booking].map(|app| Point::of(app, OF_SEED, 0));
    let likes = bases.into_iter().flat_map(|base| [base, base.with_files_pinned()]);
    let points = likes.filter_map(|like| found.shortest(&like).ok());
    let groups = points
        .filter_map(|point| Some(Group { title: point.key(), rows: area_rows(found.at(&point).ok()?) }));
    Plot {
        name: "oversubscription-areas",
        title: "Memory of a JVM by area (figures 6 and 8)",
        about: "after the load, where memory is shortest; the mean of the JVMs that were looked at"
            .to_owned(),
        axis: Axis { label: "MiB", show: number, line: None },
        form: Form::Stack,
        series: vec!["anonymous", "of files", "swapped"],
        groups: groups.collect(),
        notes: Vec::new(),
    }
}

fn area_rows(served: &Served) -> Vec<Row> {
    let mib = |bytes: u64| bytes as f64 / f64::from(served.looked_at.max(1)) / f64::from(1 << 20);
    let mut areas: Vec<_> = served.areas.iter().collect();
    areas.sort_by_key(|area| std::cmp::Reverse(area.anonymous + area.file + area.swapped));
    let row = |area: &&super::point::AreaBytes| {
        stack(Form::Stack, &area.area, [area.anonymous, area.file, area.swapped].map(mib).to_vec())
    };
    areas.iter().map(row).collect()
}
