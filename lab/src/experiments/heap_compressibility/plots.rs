// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Figures 4.12 to 4.17, and those that the source does not have.

use super::found::{Dump, Kind, Program, Speed, Ssd, Zram};
use super::pack::UNITS;
use crate::kit::plot::{Axis, Form, Group, Plot, Row, Spread};
use crate::kit::samples::Samples;

const PAGE: u64 = 4 << 10;

/// Codecs of zram that plots of speeds show, as far as the kernel has them.
const ON_ZRAM: [(&str, &str); 3] = [("lz4", "zram, lz4"), ("lzo", "zram, lzo"), ("zstd", "zram, zstd")];

/// In the order of the source.
pub fn all(programs: &[Program], ssd: Option<Ssd>) -> Vec<Plot> {
    vec![
        ratios(programs, Kind::Heap, "heap-direct", "Whole heaps, direct dumps (figure 4.12)"),
        ratios(programs, Kind::Live, "heap-hprof", "Live objects, dumps by HPROF (figure 4.13)"),
        speeds(programs, ssd, Threads::ONE),
        speeds(programs, ssd, Threads::ALL),
        incompressible(programs),
        same_filled(programs),
        long_lived(programs),
        units(programs),
    ]
}

type Value = fn(&Dump) -> Option<f64>;

/// With its spread over all dumps of a kind, if there is one.
fn spread(program: &Program, kind: Kind, value: Value) -> Option<Spread> {
    Samples::of(program.all(kind).filter_map(value).collect()).as_ref().map(Spread::from)
}

fn dots(name: &'static str, title: &'static str, axis: &'static str) -> Plot {
    Plot {
        name,
        title,
        about: String::new(),
        axis: Axis { label: axis, show: |value| format!("{value:.1}"), line: None },
        form: Form::Dots,
        series: Vec::new(),
        groups: Vec::new(),
        notes: Vec::new(),
    }
}

const SMALLER: &str = "times smaller (logarithmic; more is better)";

fn ratios(programs: &[Program], kind: Kind, name: &'static str, title: &'static str) -> Plot {
    let values: [Value; 3] = [
        |dump| Some(dump.zram("lz4")?.smaller_by),
        |dump| Some(dump.ours("lz4", false, PAGE)?.smaller_by),
        |dump| Some(dump.ours("zstd", false, PAGE)?.smaller_by),
    ];
    let row = |program: &Program| {
        Row::new(&program.program, values.map(|value| spread(program, kind, value)).to_vec())
    };
    let plot = dots(name, title, SMALLER);
    Plot {
        about: "pages of 4 KiB without filters; least, median and most of all moments".to_owned(),
        series: vec!["zram, lz4", "ours, lz4", "ours, zstd"],
        groups: group("program", programs.iter().map(row)),
        axis: Axis { line: Some(1.0), ..plot.axis },
        ..plot
    }
}

fn group(title: &str, rows: impl Iterator<Item = Row>) -> Vec<Group> {
    vec![Group { title: title.to_owned(), rows: rows.collect() }]
}

/// How many threads, and where their speeds are.
struct Threads {
    name: &'static str,
    title: &'static str,
    of_zram: fn(&Zram) -> Speed,
    of_ssd: fn(&Ssd) -> Speed,
}

impl Threads {
    const ONE: Threads = Threads {
        name: "heap-one-process",
        title: "One thread on zram and on the SSD (figure 4.14)",
        of_zram: |it| it.one,
        of_ssd: |it| it.ssd_one,
    };
    const ALL: Threads = Threads {
        name: "heap-all-processes",
        title: "As many threads as CPUs (figure 4.15)",
        of_zram: |it| it.all,
        of_ssd: |it| it.ssd_all,
    };
}

fn speeds(programs: &[Program], ssd: Option<Ssd>, threads: Threads) -> Plot {
    let known = |(codec, _): &(&str, &str)| {
        programs.iter().filter_map(|it| it.last(Kind::Live)).any(|dump| dump.zram(codec).is_some())
    };
    let codecs: Vec<_> = ON_ZRAM.into_iter().filter(known).collect();
    let rows = |way: fn(Speed) -> f64| {
        let row = |program: &Program| {
            let dump = program.last(Kind::Live)?;
            let value =
                |(codec, _): &(&str, &str)| Some(Spread::exactly(way((threads.of_zram)(dump.zram(codec)?))));
            Some(Row::new(&program.program, codecs.iter().map(value).collect()))
        };
        let ssd =
            ssd.map(|ssd| Row::new("the SSD", vec![Some(Spread::exactly(way((threads.of_ssd)(&ssd))))]));
        programs.iter().filter_map(row).chain(ssd).collect()
    };
    let plot = dots(threads.name, threads.title, "MiB/s (logarithmic; more is better)");
    let groups = [
        Group { title: "write".to_owned(), rows: rows(|speed| speed.write) },
        Group { title: "read".to_owned(), rows: rows(|speed| speed.read) },
    ];
    Plot {
        about: "live objects by HPROF, the last moment; blocks of 64 KiB past the page cache".to_owned(),
        axis: Axis { show: |value| format!("{value:.0}"), ..plot.axis },
        // The SSD alone is no reason for a plot.
        groups: if codecs.is_empty() { Vec::new() } else { groups.into() },
        series: codecs.into_iter().map(|(_, series)| series).collect(),
        ..plot
    }
}

fn incompressible(programs: &[Program]) -> Plot {
    let row = |program: &Program| {
        let dump = program.last(Kind::Live)?;
        let ours = |codec| Some(dump.ours(codec, false, PAGE)?.incompressible);
        let values = [dump.zram("lz4").map(|it| it.incompressible), ours("lz4"), ours("zstd")];
        Some(Row::new(&program.program, values.map(|value| value.map(Spread::exactly)).to_vec()))
    };
    let title = "Pages that do not compress (figure 4.16)";
    let series = vec!["zram, lz4", "ours, lz4", "ours, zstd"];
    bars("heap-incompressible", title, series, programs.iter().filter_map(row))
}

fn same_filled(programs: &[Program]) -> Plot {
    let row = |program: &Program| {
        let value = |kind| Some(program.last(kind)?.ours("lz4", false, PAGE)?.same_filled);
        let values = [value(Kind::Live), value(Kind::Heap)].map(|value| value.map(Spread::exactly));
        Row::new(&program.program, values.to_vec())
    };
    let title = "Pages that repeat one word (figure 4.17)";
    bars("heap-same-filled", title, vec!["live, HPROF", "heap, direct"], programs.iter().map(row))
}

fn bars(
    name: &'static str,
    title: &'static str,
    series: Vec<&'static str>,
    rows: impl Iterator<Item = Row>,
) -> Plot {
    Plot {
        about: "pages of 4 KiB, the last moment".to_owned(),
        axis: Axis { label: "% of all pages", show: |value| format!("{value:.0} %"), line: None },
        form: Form::Bars,
        groups: group("program", rows),
        series,
        ..dots(name, title, "")
    }
}

/// The question that the source leaves open.
fn long_lived(programs: &[Program]) -> Plot {
    let kinds = [Kind::LiveDirect, Kind::Old, Kind::H2];
    let zstd: Value = |dump| Some(dump.ours("zstd", false, PAGE)?.smaller_by);
    let row = |program: &Program| {
        Row::new(&program.program, kinds.map(|kind| spread(program, kind, zstd)).to_vec())
    };
    let plot = dots("heap-long-lived", "All live data and long-lived data alone", SMALLER);
    Plot {
        about: "zstd, pages of 4 KiB; old: survived young collections; H2: grouped by the program".to_owned(),
        series: vec!["all live", "old", "H2"],
        groups: group("program", programs.iter().map(row)),
        axis: Axis { line: Some(1.0), ..plot.axis },
        ..plot
    }
}

/// The mean of all programs would hide those that lose: median, least and most.
fn units(programs: &[Program]) -> Plot {
    let row = |codec: &str, unit: usize| {
        let value = |filters| {
            let dumps = programs.iter().filter_map(|program| program.last(Kind::LiveDirect));
            let ratios = dumps.filter_map(|dump| Some(dump.ours(codec, filters, unit as u64)?.smaller_by));
            Samples::of(ratios.collect()).as_ref().map(Spread::from)
        };
        Row::new(&format!("{} KiB", unit >> 10), vec![value(false), value(true)])
    };
    let of = |codec: &str| Group {
        title: codec.to_owned(),
        rows: if programs.is_empty() { Vec::new() } else { UNITS.map(|unit| row(codec, unit)).into() },
    };
    let plot = dots("heap-units", "Sizes of units, and filters", SMALLER);
    Plot {
        about: "live objects, direct; median, least and most of all programs".to_owned(),
        series: vec!["no filters", "filters"],
        groups: vec![of("lz4"), of("zstd")],
        axis: Axis { line: Some(1.0), ..plot.axis },
        ..plot
    }
}
