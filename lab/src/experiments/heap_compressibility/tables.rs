// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Table 4.8, and all dumps.

use super::found::{Dump, Kind, Program};
use super::programs;
use crate::frame::number::number;
use crate::frame::presentation::Table;
use crate::kit::samples;

const PAGE: u64 = 4 << 10;
const UNIT: u64 = 16 << 10;

/// All of them.
pub fn all(programs: &[Program]) -> Vec<Table> {
    vec![means(programs), names(programs), dumps(programs), speeds(programs)]
}

fn show(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), number)
}

/// The mean of all programs, of their last dumps.
fn means(programs: &[Program]) -> Table {
    let values: [fn(&Dump) -> Option<f64>; 6] = [
        |dump| Some(dump.zram("lz4")?.smaller_by),
        |dump| Some(dump.zram("lzo")?.smaller_by),
        |dump| Some(dump.zram("zstd")?.smaller_by),
        |dump| Some(dump.ours("lz4", false, PAGE)?.smaller_by),
        |dump| Some(dump.ours("zstd", false, PAGE)?.smaller_by),
        |dump| Some(dump.ours("zstd", true, UNIT)?.smaller_by),
    ];
    let head = [
        "dump",
        "programs",
        "zram: lz4",
        "zram: lzo",
        "zram: zstd",
        "ours: lz4",
        "ours: zstd",
        "ours: zstd, 16 KiB, filters",
        "source: lz4, lzo, zstd",
    ];
    let row = |kind: Kind| {
        let dumps: Vec<&Dump> = programs.iter().filter_map(|program| program.last(kind)).collect();
        let mean = |value: fn(&Dump) -> Option<f64>| {
            samples::mean(&dumps.iter().filter_map(|dump| value(dump)).collect::<Vec<f64>>())
        };
        let source = match kind {
            Kind::Heap => "3.44, 3.49, 4.82",
            Kind::Live => "2.84, 3.07, 4.51",
            _ => "-",
        };
        let start = vec![kind.words().to_owned(), dumps.len().to_string()];
        [start, values.map(|value| show(mean(value))).to_vec(), vec![source.to_owned()]].concat()
    };
    let kinds = [Kind::Heap, Kind::Live, Kind::LiveDirect, Kind::Old, Kind::H2];
    let title = "How many times smaller, the mean of all programs (table 4.8)";
    Table { rows: kinds.map(row).into(), ..Table::new(title, head) }
}

fn names(all: &[Program]) -> Table {
    let row = |program: &Program| {
        let known = programs::ALL.iter().find(|known| known.name == program.program);
        let about = known.map_or("Spark, with data in its cache", |known| known.about);
        vec![program.program.clone(), about.to_owned()]
    };
    Table { rows: all.iter().map(row).collect(), ..Table::new("Programs", ["program", "what it is"]) }
}

fn dumps(programs: &[Program]) -> Table {
    let head = [
        "program",
        "moment",
        "dump",
        "MiB",
        "same-filled",
        "lz4: 4 KiB",
        "lz4: 16 KiB",
        "lz4: 64 KiB",
        "zstd: 4 KiB",
        "zstd: 16 KiB",
        "zstd: 64 KiB",
        "zstd, filters: 16 KiB",
        "raw by zstd",
        "zram: lz4",
        "raw by zram",
    ];
    let cells = |program: &Program, dump: &Dump| {
        let ratio = |codec, filters, kib: u64| {
            show(dump.ours(codec, filters, kib << 10).map(|found| found.smaller_by))
        };
        let percent = |share: Option<f64>| share.map_or_else(|| "-".to_owned(), |it| format!("{it:.1} %"));
        let (plain, zram) = (dump.ours("zstd", false, PAGE), dump.zram("lz4"));
        vec![
            program.program.clone(),
            dump.at.clone(),
            dump.kind.words().to_owned(),
            (dump.bytes >> 20).to_string(),
            percent(plain.map(|found| found.same_filled)),
            ratio("lz4", false, 4),
            ratio("lz4", false, 16),
            ratio("lz4", false, 64),
            ratio("zstd", false, 4),
            ratio("zstd", false, 16),
            ratio("zstd", false, 64),
            ratio("zstd", true, 16),
            percent(plain.map(|found| found.incompressible)),
            show(zram.map(|found| found.smaller_by)),
            percent(zram.map(|found| found.incompressible)),
        ]
    };
    let rows = programs.iter().flat_map(|it| it.dumps.iter().map(move |dump| cells(it, dump)));
    Table {
        rows: rows.collect(),
        ..Table::new("All dumps: how many times smaller, and shares of pages of 4 KiB", head)
    }
}

/// Of live objects by HPROF, at the last moment.
fn speeds(programs: &[Program]) -> Table {
    let head = [
        "program",
        "write: zram, lz4",
        "write: all threads",
        "write: our lz4",
        "write: our zstd",
        "read: zram, lz4",
        "read: all threads",
        "read: our lz4",
        "read: our zstd",
    ];
    let row = |program: &Program| {
        let dump = program.last(Kind::Live)?;
        let zram = dump.zram("lz4");
        let ours = ["lz4", "zstd"].map(|codec| dump.ours(codec, true, UNIT).map(|found| found.speed));
        let [lz4, zstd] = ours;
        Some(vec![
            program.program.clone(),
            show(zram.map(|it| it.one.write)),
            show(zram.map(|it| it.all.write)),
            show(lz4.map(|it| it.write)),
            show(zstd.map(|it| it.write)),
            show(zram.map(|it| it.one.read)),
            show(zram.map(|it| it.all.read)),
            show(lz4.map(|it| it.read)),
            show(zstd.map(|it| it.read)),
        ])
    };
    let title = "MiB/s: zram past the page cache, our codecs in memory by one thread, 16 KiB with filters";
    Table { rows: programs.iter().filter_map(row).collect(), ..Table::new(title, head) }
}
