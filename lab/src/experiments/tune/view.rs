// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Scores and candidates.

use super::compile::{Compiled, Whole};
use super::on_swap::OnSwap;
use super::table::{Table as Found, Whose};
use crate::frame::number::number;
use crate::frame::presentation::{Presentation, Table};
use crate::frame::sample::{Sample, data_of, left_out};
use crate::kit::plot::{Axis, Form, Group, Plot, Row, Spread};
use crate::kit::swap_faults::Faults;
use ztera_measure::tuning::{Formula, Scored, Weights, name, rank};

/// Candidates of a table that a plot shows.
const SHOWN: usize = 8;

/// Everything.
pub fn present(samples: &[Sample]) -> Presentation {
    let found: Vec<Found> = data_of(samples);
    let reasons =
        found.iter().flat_map(|table| table.reasons.iter().map(|why| format!("{}: {why}", table.title())));
    Presentation {
        losing: found.iter().filter_map(losing).collect(),
        notes: left_out(samples).into_iter().chain(reasons).collect(),
        plots: vec![scores(&found, Formula::Notes), scores(&found, Formula::Bounded)],
        tables: found
            .iter()
            .map(candidates)
            .chain(files(&found))
            .chain(faults(samples))
            .chain(compiles(samples))
            .collect(),
    }
}

fn ranked(table: &Found, formula: Formula) -> Vec<Scored> {
    rank(&table.measured, Weights::default(), formula)
}

/// The notes' text against their score.
fn losing(table: &Found) -> Option<String> {
    let ranked = ranked(table, Formula::Notes);
    let first = ranked.first().filter(|_| table.whose == Whose::Notes)?;
    let advised =
        ranked.iter().position(|it| it.measured.codec == "zstd" && it.measured.page_cluster == 0)?;
    (advised > 0).then(|| {
        format!(
            "The notes advise {}, to which their own score gives {} and place {}; {} has {}.",
            name(&ranked[advised].measured),
            number(ranked[advised].score),
            advised + 1,
            name(&first.measured),
            number(first.score)
        )
    })
}

fn scores(found: &[Found], formula: Formula) -> Plot {
    let row = |scored: &Scored| {
        let parts = &scored.parts;
        let parts = [parts.throughput, parts.latency, parts.ratio];
        let values = parts.map(|part| Some(Spread::exactly(part))).to_vec();
        Row { sum: Some(Spread::exactly(scored.score)), ..Row::new(&short(scored), values) }
    };
    let group = |table: &Found| Group {
        title: table.title(),
        rows: ranked(table, formula).iter().take(SHOWN).map(row).collect(),
    };
    let (name, title) = match formula {
        Formula::Notes => {
            ("tune-score-notes", "Scores by the formula of the Zram notes: latency by the worst")
        }
        Formula::Bounded => ("tune-score-bounded", "Scores with all qualities on one scale: by the best"),
    };
    Plot {
        name,
        title,
        about: format!(
            "weights: throughput 0.2, latency 0.4, ratio 0.4; the {SHOWN} best of each; codec and page-cluster"
        ),
        axis: Axis { label: "score (more is better)", show: |value| format!("{value:.2}"), line: None },
        form: Form::Stack,
        series: vec!["throughput", "latency", "ratio"],
        groups: found.iter().map(group).collect(),
        notes: Vec::new(),
    }
}

fn short(scored: &Scored) -> String {
    format!("{}, {}", scored.measured.codec, scored.measured.page_cluster)
}

/// In the form of the notes' tables, with both scores.
fn candidates(table: &Found) -> Table {
    let head = [
        "codec",
        "page-cluster",
        "MiB/s",
        "IOPS",
        "mean us",
        "99 % us",
        "ratio",
        "s for a GiB written",
        "notes' score",
        "score",
    ];
    let [by_notes, bounded] = [Formula::Notes, Formula::Bounded].map(|formula| ranked(table, formula));
    let rows = table.measured.iter().map(|it| {
        let score = |all: &[Scored]| {
            let own = all.iter().find(|scored| scored.measured == *it);
            own.map_or_else(String::new, |scored| number(scored.score))
        };
        let numbers =
            [it.mib_per_second, it.iops, it.mean_ns / 1e3, it.p99_ns / 1e3, it.ratio, it.copy_seconds]
                .map(number)
                .to_vec();
        [
            vec![it.codec.clone(), it.page_cluster.to_string()],
            numbers,
            vec![score(&by_notes), score(&bounded)],
        ]
        .concat()
    });
    Table { rows: rows.collect(), ..Table::new(&table.title(), head) }
}

/// Page faults on swap, if they were measured.
fn faults(samples: &[Sample]) -> Option<Table> {
    let row = |own: OnSwap| {
        let Faults { faults, pages_per_fault, mean_ns, p99_ns } = own.faults;
        let numbers = [pages_per_fault, mean_ns / 1e3, p99_ns / 1e3].map(number);
        [&[own.swap.name(), faults.to_string()][..], &numbers].concat()
    };
    let rows: Vec<Vec<String>> = data_of(samples).into_iter().map(row).collect();
    let head = ["step", "faults", "pages for each", "mean us", "99 % us"];
    (!rows.is_empty()).then(|| Table { rows, ..Table::new("Page faults on swap, one page in sixteen", head) })
}

/// Compiles on swap, if they were measured.
fn compiles(samples: &[Sample]) -> Option<Table> {
    let whole = data_of::<Whole>(samples).pop()?;
    let mib = |bytes: u64| number(bytes as f64 / f64::from(1 << 20));
    let row =
        |name: String, limit: String, zram: String, seconds: f64| vec![name, limit, zram, number(seconds)];
    let without = row("no limit".to_owned(), mib(whole.compile_bytes), String::new(), whole.compile_seconds);
    let on_swap = |own: Compiled| {
        row(own.compiled_on.name(), mib(own.limit_bytes), mib(own.zram_peak_bytes), own.seconds)
    };
    let rows = [without].into_iter().chain(data_of(samples).into_iter().map(on_swap)).collect();
    let head = ["setting", "memory, MiB", "of it zram's, MiB", "seconds"];
    Some(Table { rows, ..Table::new("javac compiles packages of java.base, each round", head) })
}

/// The files that are advised here, if anything was measured.
fn files(found: &[Found]) -> Option<Table> {
    let mut table = Table::new("Files that `ztera tune --apply` writes", ["for", "file", "text"]);
    for own in found {
        let settings =
            |text: &str| text.lines().filter(|line| !line.starts_with('#')).collect::<Vec<_>>().join("; ");
        table.rows.extend(
            own.files
                .iter()
                .map(|(path, text)| vec![own.title(), path.display().to_string(), settings(text)]),
        );
    }
    (!table.rows.is_empty()).then_some(table)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::sample::tests::sample;

    #[test]
    fn the_contradiction_of_the_notes_is_a_losing_case() {
        let shown = present(&[sample("the notes' table", Found::of_notes().unwrap())]);
        assert_eq!(
            shown.losing,
            ["The notes advise zstd with page-cluster 0, to which their own score gives 3.34 and place 8; \
              lz4 with page-cluster 0 has 10.1."]
        );
        assert!(shown.plots.iter().all(|plot| plot.groups[0].rows.len() == SHOWN));
        assert_eq!((shown.tables.len(), shown.tables[0].rows.len()), (1, 16));
        assert!(shown.tables[0].rows.iter().all(|row| row.len() == shown.tables[0].head.len()));
    }

    #[test]
    fn reasons_and_files_of_this_machine_are_shown() {
        let table = Found {
            whose: Whose::Here,
            reasons: vec!["It wins.".to_owned()],
            files: vec![("etc/a".into(), "# why\nb = 1\nc = 2\n".to_owned())],
            ..Found::of_notes().unwrap()
        };
        let shown = present(&[sample("zram", table)]);
        assert_eq!(shown.notes, ["zram here, as of the table: It wins."]);
        assert_eq!(shown.tables[1].rows, [["zram here, as of the table", "etc/a", "b = 1; c = 2"]]);
    }
}
