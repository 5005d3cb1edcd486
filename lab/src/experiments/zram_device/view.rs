// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Tables and plots of the outcomes.

mod watched;

use super::files;
use super::point::{Outcome, Point};
use crate::frame::number::number;
use crate::frame::presentation::{Presentation, Table};
use crate::frame::rounds;
use crate::frame::sample::{Sample, data_of, left_out};
use crate::kit::fio::Job;
use crate::kit::plot::{Axis, Form, Group, Plot, Row, Spread};

/// Everything.
pub fn present(samples: &[Sample]) -> Presentation {
    let (files, outcomes): (Vec<Outcome>, Vec<Outcome>) = data_of(&rounds::first(samples))
        .into_iter()
        .partition(|it: &Outcome| files::is_one(&it.point.medium));
    if outcomes.is_empty() {
        return Presentation { notes: left_out(samples), ..Presentation::default() };
    }
    Presentation {
        losing: losing(&outcomes),
        notes: left_out(samples).into_iter().chain([RANGE, FILES].map(str::to_owned)).collect(),
        plots: STUDIES
            .iter()
            .map(|study| plot(study, &outcomes))
            .chain([cpu(&outcomes), watched::queues(&outcomes), watched::shares(&outcomes)])
            .collect(),
        tables: vec![
            baselines(&outcomes),
            watched::over_time(&outcomes),
            file_systems(&files),
            everything(&outcomes),
        ],
    }
}

const RANGE: &str = "`range` is memory that our engine serves to a JVM. A driver of ours measures it, as fio cannot. \
                     Blocks of 64 KiB and more are moved into it as a collector does, and copied out. An eighth \
                     of them stays uncompressed. A write's time ends before its data are compressed; MiB/s count \
                     that. Our driver makes its data beforehand, and fio while it writes. CPU time is that of \
                     all threads, also of those that compress.";

const FILES: &str = "Compressing file systems lie in a file on the SSD, beside an ext4 that lies there, too. A driver of ours \
                     writes a file through the page cache and waits for the disk, mounts it anew, and reads each block once. \
                     The kernel's threads compress for btrfs: their CPU time is not counted.";

/// A plot in which one thing varies.
struct Study {
    name: &'static str,
    title: &'static str,
    axis: Axis,
    value: fn(Job) -> f64,
    /// The defaults, with what varies taken from the point.
    alike: fn(&Point) -> Point,
    varies: fn(&Point) -> String,
}

const SPEED: Axis =
    Axis { label: "MiB/s (logarithmic; more is better)", show: |value| format!("{value:.0}"), line: None };
const TIME: Axis = Axis {
    label: "us, the mean (logarithmic; less is better)",
    show: |value| format!("{value:.0}"),
    line: None,
};

fn speed(job: Job) -> f64 {
    job.mib_per_second
}

fn time(job: Job) -> f64 {
    job.mean_us
}

const STUDIES: [Study; 10] = [
    Study {
        name: "zram-device-compressibility",
        title: "Bandwidth by compressibility (figure 4.1)",
        axis: SPEED,
        value: speed,
        alike: |point| Point { compressible: point.compressible, ..Point::of(&point.medium) },
        varies: |point| format!("{} %", point.compressible),
    },
    Study {
        name: "zram-device-depth",
        title: "Bandwidth by requests under way (figure 4.2)",
        axis: SPEED,
        value: speed,
        alike: |point| Point { depth: point.depth, ..Point::of(&point.medium) },
        varies: |point| if point.depth == 0 { "sync".to_owned() } else { format!("depth {}", point.depth) },
    },
    Study {
        name: "zram-device-order",
        title: "Bandwidth by order (figure 4.4)",
        axis: SPEED,
        value: speed,
        alike: |point| Point { random: point.random, ..Point::of(&point.medium) },
        varies: |point| order(point).to_owned(),
    },
    Study {
        name: "zram-device-gap",
        title: "Bandwidth by order, with many requests under way and with many processes",
        axis: SPEED,
        value: speed,
        alike: |point| Point {
            random: point.random,
            depth: point.depth,
            jobs: if point.depth == 0 { point.jobs } else { 1 },
            ..Point::of(&point.medium)
        },
        varies: |point| format!("depth {}, processes: {}, {}", point.depth, point.jobs, order(point)),
    },
    Study {
        name: "zram-device-block",
        title: "Bandwidth by block size (figure 4.5)",
        axis: SPEED,
        value: speed,
        alike: |point| Point { block: point.block, ..Point::of(&point.medium) },
        varies: |point| format!("{} KiB", point.block >> 10),
    },
    Study {
        name: "zram-device-processes",
        title: "Bandwidth by processes (figure 4.6)",
        axis: SPEED,
        value: speed,
        alike: |point| Point { jobs: point.jobs, ..Point::of(&point.medium) },
        varies: |point| format!("processes: {}", point.jobs),
    },
    Study {
        name: "zram-device-latency",
        title: "Time of a request by processes (figure 4.7)",
        axis: TIME,
        value: time,
        alike: |point| Point { jobs: point.jobs, ..Point::of(&point.medium) },
        varies: |point| format!("processes: {}", point.jobs),
    },
    Study {
        name: "zram-device-large",
        title: "Time of a request of 1 MiB (figure 4.9)",
        axis: TIME,
        value: time,
        alike: |point| Point { block: 1 << 20, ..Point::of(&point.medium) },
        varies: |_| "one process".to_owned(),
    },
    Study {
        name: "zram-device-mix",
        title: "Bandwidth by share of reads (figure 4.10)",
        axis: SPEED,
        value: speed,
        alike: |point| Point { reads: point.reads, ..Point::of(&point.medium) },
        varies: |point| format!("{} % reads", point.reads),
    },
    Study {
        name: "zram-device-mix-of-many",
        title: "Bandwidth by share of reads, with many processes (figure 4.11)",
        axis: SPEED,
        value: speed,
        alike: |point| Point { reads: point.reads, jobs: point.jobs.max(2), ..Point::of(&point.medium) },
        varies: |point| format!("{} % reads, processes: {}", point.reads, point.jobs),
    },
];

fn order(point: &Point) -> &'static str {
    if point.random { "random" } else { "sequential" }
}

fn plot(study: &Study, outcomes: &[Outcome]) -> Plot {
    let mut own: Vec<&Outcome> =
        outcomes.iter().filter(|outcome| (study.alike)(&outcome.point) == outcome.point).collect();
    own.sort_by_key(|it| {
        (it.point.compressible, it.point.depth, it.point.block, it.point.jobs, it.point.reads)
    });
    Plot {
        name: study.name,
        title: study.title,
        about: "fio; 64 KiB, synchronous, sequential, one process and 50 % compressible unless it is varied"
            .to_owned(),
        axis: study.axis,
        form: Form::Dots,
        series: vec!["write", "read, or mixed"],
        groups: Group::by(own, |outcome| (study.varies)(&outcome.point), |outcome| row(study, outcome)),
        notes: Vec::new(),
    }
}

fn row(study: &Study, outcome: &Outcome) -> Row {
    let value = |job: Job| Some(Spread::exactly((study.value)(job)));
    Row::new(&outcome.point.medium, vec![value(outcome.write), value(outcome.read)])
}

/// User and system time of one process, with the defaults.
fn cpu(outcomes: &[Outcome]) -> Plot {
    let base: Vec<&Outcome> =
        outcomes.iter().filter(|outcome| outcome.point == Point::of(&outcome.point.medium)).collect();
    let group = |title: &str, job: fn(&Outcome) -> Job| Group {
        title: title.to_owned(),
        rows: base
            .iter()
            .map(|outcome| {
                let Job { user, system, .. } = job(outcome);
                let parts = vec![Some(Spread::exactly(user)), Some(Spread::exactly(system))];
                Row { sum: Some(Spread::exactly(user + system)), ..Row::new(&outcome.point.medium, parts) }
            })
            .collect(),
    };
    Plot {
        name: "zram-device-cpu",
        title: "CPU time of one process",
        about: "as a share of its time; what is left is waiting".to_owned(),
        axis: Axis {
            label: "% of one CPU (less is better)",
            show: |value| format!("{value:.0} %"),
            line: None,
        },
        form: Form::Stack,
        series: vec!["user", "system"],
        groups: vec![group("write", |outcome| outcome.write), group("read", |outcome| outcome.read)],
        notes: Vec::new(),
    }
}

/// In the form of tables 4.5 to 4.7.
fn baselines(outcomes: &[Outcome]) -> Table {
    let media = outcomes.iter().filter(|outcome| outcome.point == Point::of(&outcome.point.medium));
    let cell = |point: Point, job: fn(&Outcome) -> Job| {
        let found = outcomes.iter().find(|outcome| outcome.point == point);
        found.map_or_else(|| "-".to_owned(), |outcome| number(job(outcome).mib_per_second))
    };
    let most = outcomes.iter().map(|outcome| outcome.point.jobs).max().unwrap_or(1);
    let rows = media.map(|outcome| {
        let large = Point { block: 1 << 20, ..Point::of(&outcome.point.medium) };
        let deep = Point { depth: 128, ..large.clone() };
        let wide = Point { jobs: most, ..large.clone() };
        let points = [large, deep, wide];
        let reads = points.clone().map(|point| cell(point, |it| it.read));
        let writes = points.map(|point| cell(point, |it| it.write));
        [vec![outcome.point.medium.clone()], reads.to_vec(), writes.to_vec()].concat()
    });
    let head = ["medium", "read, sync", "depth 128", "all CPUs", "write, sync", "depth 128", "all CPUs"];
    Table { rows: rows.collect(), ..Table::new("Blocks of 1 MiB, in MiB/s (tables 4.5 to 4.7)", head) }
}

/// Writes and cold reads of 64 KiB in order, and cold random reads.
fn file_systems(outcomes: &[Outcome]) -> Table {
    let bases = outcomes.iter().filter(|outcome| outcome.point == Point::of(&outcome.point.medium));
    let read = |point: Point| {
        let found = outcomes.iter().find(|outcome| outcome.point == point);
        found.map_or_else(|| "-".to_owned(), |outcome| number(outcome.read.mib_per_second))
    };
    let rows = bases.map(|base| {
        let random = Point { random: true, ..base.point.clone() };
        let small = Point { block: 4 << 10, ..random.clone() };
        let smaller = base.smaller_by.map_or_else(String::new, number);
        let speeds = [base.write, base.read].map(|job| number(job.mib_per_second));
        [&[base.point.medium.clone()][..], &speeds, &[read(random), read(small), smaller]].concat()
    });
    let head = ["medium", "write", "read", "random", "random, 4 KiB", "smaller"];
    Table { rows: rows.collect(), ..Table::new("Compressing file systems on the SSD, in MiB/s", head) }
}

fn everything(outcomes: &[Outcome]) -> Table {
    let head = [
        "step",
        "write MiB/s",
        "mean us",
        "p99 us",
        "CPU %",
        "read MiB/s",
        "mean us",
        "p99 us",
        "CPU %",
        "smaller",
    ];
    let cells = |job: Job| {
        let cpu = format!("{:.0} + {:.0}", job.user, job.system);
        [number(job.mib_per_second), number(job.mean_us), number(job.p99_us), cpu]
    };
    let row = |outcome: &Outcome| {
        let smaller = outcome.smaller_by.map_or_else(String::new, number);
        let (write, read) = (cells(outcome.write), cells(outcome.read));
        [&[outcome.point.key()][..], &write, &read, &[smaller]].concat()
    };
    Table { rows: outcomes.iter().map(row).collect(), ..Table::new("All steps; CPU is user + system", head) }
}

/// A verb, and the job that does it.
type Side = (&'static str, fn(&Outcome) -> Job);

/// A line for each medium of ours that is slower than the kernel's with the same codec, in writing or in reading.
fn losing(outcomes: &[Outcome]) -> Vec<String> {
    let sides: [Side; 2] = [("writes", |it| it.write), ("reads", |it| it.read)];
    let mut media: Vec<&str> = outcomes.iter().map(|outcome| outcome.point.medium.as_str()).collect();
    media.sort_unstable();
    media.dedup();
    media.into_iter().flat_map(|medium| sides.map(|side| slower(outcomes, medium, side))).flatten().collect()
}

/// The number of points at which it is, and the worst.
fn slower(outcomes: &[Outcome], medium: &str, (verb, job): Side) -> Option<String> {
    let (start, way) = WAYS.into_iter().find(|(start, _)| medium.starts_with(start))?;
    let zram = format!("zram-{}", &medium[start.len()..]);
    let pair = |own: &Outcome| {
        let like = Point { medium: zram.clone(), ..own.point.clone() };
        let other = outcomes.iter().find(|other| other.point == like)?;
        Some((own.point.key(), job(own).mib_per_second, job(other).mib_per_second))
    };
    let pairs: Vec<_> = outcomes.iter().filter(|own| own.point.medium == medium).filter_map(pair).collect();
    let lost = || pairs.iter().filter(|(_, ours, theirs)| ours < theirs);
    let (point, ours, theirs) = lost().min_by(|a, b| (a.1 / a.2).total_cmp(&(b.1 / b.2)))?;
    Some(format!(
        "{medium} {verb} {way} more slowly than {zram} at {} of {} points; the worst is {point}: {} MiB/s, zram {}.",
        lost().count(),
        pairs.len(),
        number(*ours),
        number(*theirs)
    ))
}

/// Beginnings of our media, and how they are reached.
const WAYS: [(&str, &str); 2] = [("ours-", "by NBD"), ("range-", "in memory of ours")];

#[cfg(test)]
#[path = "view_test.rs"]
mod tests;
