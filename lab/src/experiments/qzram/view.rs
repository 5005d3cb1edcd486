// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Tables and plots of devices.

mod curves;

use super::in_guest::InGuest;
use super::point::{Outcome, Point, Side};
use crate::frame::number::number;
use crate::frame::presentation::{Presentation, Table};
use crate::frame::sample::{Sample, data_of, left_out};
use crate::kit::plot::{Axis, Form, Group, Plot, Row, Spread};
use crate::redis::Curve;

/// Everything.
pub fn present(samples: &[Sample]) -> Presentation {
    let outcomes: Vec<Outcome> = data_of(samples);
    let (rounds, curves): (Vec<Curve>, Vec<Curve>) =
        data_of(samples).into_iter().partition(|curve: &Curve| curve.gets_follow);
    let mut shown = Presentation { notes: left_out(samples), ..Presentation::default() };
    if !outcomes.is_empty() {
        shown.notes.push(MODEL.to_owned());
        shown.losing = losing(&outcomes);
        shown.plots = STUDIES.iter().map(|study| plot(study, &outcomes)).collect();
        shown.tables = vec![everything(&outcomes)];
    }
    if !curves.is_empty() {
        shown.losing.extend(curves::losing("Redis", &curves));
        shown.plots.push(curves::plot(&curves));
        shown.tables.push(curves::table("Redis: where each ends", &curves));
    }
    if !rounds.is_empty() {
        shown.tables.push(curves::table("Redis: GET after all SETs, round by round", &rounds));
    }
    for guest in data_of::<InGuest>(samples) {
        shown.losing.extend(curves::losing("In a guest, Redis", &guest.samples));
        shown.tables.push(curves::held(&guest.samples));
        let kernel = format!("The guest has Linux {} and an emulated CPU.", guest.kernel);
        shown.notes.push(format!("{kernel} So it shows what Redis held, and no times."));
    }
    shown
}

const MODEL: &str = "Arms with `model` in their names use a model of the source's accelerator. It answers as late as the \
                     source says, and outputs are computed before a measurement; their figures are the model's. It does \
                     not decompress: reads are the CPU's. Redis' pages are new to it, so there a CPU compresses them.";

/// A plot in which one or two things vary.
struct Study {
    name: &'static str,
    title: &'static str,
    axis: Axis,
    /// The defaults, with what varies taken from the point.
    alike: fn(&Point) -> Point,
    varies: fn(&Point) -> String,
    value: fn(Side) -> f64,
}

const SPEED: Axis =
    Axis { label: "MiB/s (logarithmic; more is better)", show: |value| format!("{value:.0}"), line: None };

const TIME: Axis = Axis {
    label: "microseconds (logarithmic; less is better)",
    show: |value| format!("{value:.0}"),
    line: None,
};

const STUDIES: [Study; 5] = [
    Study {
        name: "qzram-block",
        title: "Throughput by block size (figures 7 and 8)",
        axis: SPEED,
        alike: |point| Point { block: point.block, ..Point::of(&point.arm, point.way) },
        varies: |point| format!("{} KiB", point.block >> 10),
        value: |side| side.mib_per_second,
    },
    Study {
        name: "qzram-block-latency",
        title: "Time of a request by block size (figure 7)",
        axis: TIME,
        alike: |point| Point { block: point.block, ..Point::of(&point.arm, point.way) },
        varies: |point| format!("{} KiB", point.block >> 10),
        value: |side| side.mean_us,
    },
    Study {
        name: "qzram-cpu",
        title: "CPU time by block size (table 2 and figure 8)",
        axis: Axis {
            label: "CPU seconds per GiB (logarithmic; less is better)",
            show: |value| format!("{value:.1}"),
            line: None,
        },
        alike: |point| Point { block: point.block, ..Point::of(&point.arm, point.way) },
        varies: |point| format!("{} KiB", point.block >> 10),
        value: |side| side.cpu_per_gib,
    },
    Study {
        name: "qzram-jobs",
        title: "Throughput by jobs (figure 9)",
        axis: SPEED,
        alike: |point| Point { jobs: point.jobs, ..Point::of(&point.arm, point.way) },
        varies: |point| format!("jobs: {}", point.jobs),
        value: |side| side.mib_per_second,
    },
    Study {
        name: "qzram-latency",
        title: "Time of a request of a page (figure 10)",
        axis: TIME,
        alike: |point| Point { random: point.random, jobs: point.jobs, ..Point::of(&point.arm, point.way) },
        varies: |point| {
            format!("{}, jobs: {}", if point.random { "random" } else { "sequential" }, point.jobs)
        },
        value: |side| side.mean_us,
    },
];

fn plot(study: &Study, outcomes: &[Outcome]) -> Plot {
    let mut own: Vec<&Outcome> =
        outcomes.iter().filter(|outcome| (study.alike)(&outcome.point) == outcome.point).collect();
    own.sort_by_key(|it| (it.point.block, it.point.random, it.point.jobs));
    let row = |outcome: &&Outcome| {
        let sides = [outcome.write, outcome.read];
        let values = sides.map(|side| Some(Spread::exactly((study.value)(side))));
        Row::new(&outcome.point.name(), values.to_vec())
    };
    Plot {
        name: study.name,
        title: study.title,
        about:
            "By calls with the corpus, by fio with invented data. 4 KiB, in order, one job unless it varies"
                .to_owned(),
        axis: study.axis,
        form: Form::Dots,
        series: vec!["write", "read"],
        groups: Group::by(own, |outcome| (study.varies)(&outcome.point), row),
        notes: Vec::new(),
    }
}

fn everything(outcomes: &[Outcome]) -> Table {
    let head = [
        "step",
        "write MiB/s",
        "mean us",
        "p99 us",
        "CPU s/GiB",
        "read MiB/s",
        "mean us",
        "p99 us",
        "CPU s/GiB",
        "smaller",
        "in DRAM",
        "by the device",
    ];
    let cells = |side: Side| [side.mib_per_second, side.mean_us, side.p99_us, side.cpu_per_gib].map(number);
    let row = |outcome: &Outcome| {
        let density = [outcome.density.objects, outcome.density.dram].map(number);
        let share = outcome.offloaded.map_or_else(String::new, |share| format!("{:.0} %", share * 100.0));
        [&[outcome.point.key()][..], &cells(outcome.write), &cells(outcome.read), &density, &[share]].concat()
    };
    Table { rows: outcomes.iter().map(row).collect(), ..Table::new("All steps", head) }
}

/// For each of our arms, way and side the point at which it loses most to zram.
fn losing(outcomes: &[Outcome]) -> Vec<String> {
    let mut worst: Vec<(f64, String, String)> = Vec::new();
    for own in outcomes.iter().filter(|outcome| outcome.point.arm.starts_with("ours-")) {
        let other = if own.point.arm == "ours-lz4" { "zram-lz4" } else { "zram-lzo" };
        let like = Point { arm: other.to_owned(), ..own.point.clone() };
        let Some(zram) = outcomes.iter().find(|outcome| outcome.point == like) else { continue };
        for (verb, ours, theirs) in [("writes", own.write, zram.write), ("reads", own.read, zram.read)] {
            let share = ours.mib_per_second / theirs.mib_per_second;
            if share >= 1.0 {
                continue;
            }
            let (what, speeds) = (
                format!("{} {verb}", own.point.name()),
                [ours, theirs].map(|side| number(side.mib_per_second)),
            );
            let words = format!("{} {verb} {} MiB/s, {other} {}.", own.point.key(), speeds[0], speeds[1]);
            match worst.iter_mut().find(|(_, known, _)| *known == what) {
                Some(known) if known.0 <= share => {}
                Some(known) => *known = (share, what, words),
                None => worst.push((share, what, words)),
            }
        }
    }
    worst.into_iter().map(|(_, _, words)| words).collect()
}

#[cfg(test)]
#[path = "view_test.rs"]
mod tests;
