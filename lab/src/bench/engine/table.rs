// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The report for people: the figures, then a table per measure.

use comfy_table::Table;
use ztera_machine::units::{show_seconds, show_size};

use super::report::{DataReport, EngineReport};
use super::results::{ArmResult, Measure, Metric};
use crate::frame::figure_table::{COMPARED, figures};
use crate::kit::data::Origin;
use crate::kit::samples::Samples;
use crate::kit::table::{boxed, or_dash, right_aligned, with_notes};

/// Titles of the tables.
const MEASURES: [(Measure, &str); 8] = [
    (Measure::FaultRandom, "first touch of cold pages, random"),
    (Measure::ScanSequential, "cold pages in order"),
    (Measure::StoreOneWriter, "store, one writer"),
    (Measure::StoreAllCores, "store, a writer per CPU"),
    (Measure::Density, "density"),
    (Measure::VectorsThreeDecimals, "density: double[], 3 decimals"),
    (Measure::VectorsRandom, "density: double[], random"),
    (Measure::PoolFragmentation, "memory lost between objects"),
];

type Show = fn(f64) -> String;

/// Titles of the columns, and how their values are shown.
const METRICS: [(Metric, &str, Show); 16] = [
    (Metric::P50Seconds, "p50", show_seconds),
    (Metric::P99Seconds, "p99", show_seconds),
    (Metric::P999Seconds, "p99.9", show_seconds),
    (Metric::DecodeSeconds, "of it codec", show_seconds),
    (Metric::MibPerSecond, "MiB/s", |speed| format!("{speed:.0}")),
    (Metric::CpuSecondsPerGib, "CPU s/GiB", |seconds| format!("{seconds:.2}")),
    (Metric::ObjectBytes, "objects", size),
    (Metric::PoolBytes, "pool", size),
    (Metric::TableBytesPerPage, "tables/page", |bytes| format!("{bytes:.1} B")),
    (Metric::DramBytes, "DRAM", size),
    (Metric::Factor, "smaller by", |factor| format!("{factor:.2}")),
    (Metric::LostWhenNew, "stored once", percent),
    (Metric::LostAfterChurn, "after churn", percent),
    (Metric::LostAfterChurnCompacted, "compacted", percent),
    (Metric::LostAfterDiscard, "half discarded", percent),
    (Metric::LostAfterDiscardCompacted, "compacted", percent),
];

/// Of these the least and the most are shown too; of the others only in JSON, as there is no room for all.
const SPREAD: [Metric; 3] = [Metric::P50Seconds, Metric::P99Seconds, Metric::MibPerSecond];

fn size(bytes: f64) -> String {
    show_size(bytes as u64)
}

fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// All of it, and how to read it.
pub fn render(report: &EngineReport) -> String {
    let mut text = String::new();
    for data in &report.data {
        text.push_str(&render_data(data, report.synthetic_noise));
    }
    text.push_str(&format!("Arrays of doubles (synthetic)\n{}", tables(&report.vectors)));
    text.push_str(&format!(
        "{} of pages. Median (least .. most) of {} rounds on {} CPUs; arms took turns. Density and churn ran once.",
        show_size(report.bytes as u64),
        report.rounds,
        report.cpus
    ));
    with_notes(text, &report.notes)
}

fn render_data(data: &DataReport, noise: f64) -> String {
    let title = match data.pages {
        Origin::Real => "REAL pages, of the file".to_owned(),
        Origin::Synthetic => format!("SYNTHETIC pages, {:.0} % of their words random", noise * 100.0),
    };
    format!("{title}\n{}\n\n{}", figures(&data.figures, &COMPARED), tables(&data.results))
}

fn tables(results: &[ArmResult]) -> String {
    let table = |(measure, title): (Measure, &str)| {
        let arms: Vec<&ArmResult> =
            results.iter().filter(|arm| arm.measure == measure && !arm.metrics.is_empty()).collect();
        (!arms.is_empty()).then(|| format!("{}\n", table_of(title, &arms)))
    };
    MEASURES.into_iter().filter_map(table).collect()
}

fn table_of(title: &str, arms: &[&ArmResult]) -> Table {
    let known = |metric| arms.iter().any(|arm| arm.metrics.contains_key(&metric));
    let columns: Vec<_> = METRICS.into_iter().filter(|&(metric, ..)| known(metric)).collect();
    let titles: Vec<&str> =
        std::iter::once(title).chain(columns.iter().map(|&(_, title, _)| title)).collect();
    let mut table = boxed(titles);
    for arm in arms {
        let cell = |(metric, _, show): &(Metric, &str, Show)| match arm.metrics.get(metric) {
            Some(samples) if SPREAD.contains(metric) && samples.min < samples.max => spread(samples, *show),
            Some(samples) => show(samples.median),
            None => or_dash(None),
        };
        table.add_row(std::iter::once(arm.arm.clone()).chain(columns.iter().map(cell)));
    }
    right_aligned(table, 1)
}

fn spread(samples: &Samples, show: Show) -> String {
    let [median, min, max] = [samples.median, samples.min, samples.max].map(show);
    format!("{median} ({min} .. {max})")
}

#[cfg(test)]
mod tests {
    use super::super::figures::FIGURES;
    use super::super::results::Results;
    use super::*;
    use crate::frame::figure::judge;

    fn report(pages: Origin) -> EngineReport {
        let mut results = Results::default();
        for p50 in [4e-6, 5e-6, 6e-6] {
            results.add(Measure::FaultRandom, "engine-lz4-8k", [(Metric::P50Seconds, p50)]);
        }
        results.add(Measure::FaultRandom, "mmap-zram-lz4", [(Metric::P50Seconds, 10e-6)]);
        let results = results.finish();
        let data = DataReport::new(pages, judge(&FIGURES, results.as_slice()), results);
        EngineReport {
            pages,
            synthetic_noise: 0.25,
            bytes: 1 << 20,
            rounds: 3,
            cpus: 2,
            notes: vec!["no zram".to_owned()],
            ratios: data.ratios.clone(),
            data: vec![data],
            vectors: Vec::new(),
        }
    }

    #[test]
    fn the_table_shows_ratios_and_spread() {
        let text = render(&report(Origin::Real));
        for words in ["REAL", "5.00 us (4.00 us .. 6.00 us)", "0.500", "- no zram", "1.00 MiB of pages"] {
            assert!(text.contains(words), "{words} in\n{text}");
        }
        assert!(!text.contains("CPU s/GiB"), "a column without a value in\n{text}");
    }

    #[test]
    fn synthetic_pages_are_called_so() {
        assert!(render(&report(Origin::Synthetic)).contains("SYNTHETIC pages, 25 % of their words random"));
        let json = serde_json::to_value(report(Origin::Synthetic)).unwrap();
        assert_eq!(
            (json["pages"].as_str(), json["ratios"]["fault_random_p50"].as_f64()),
            (Some("synthetic"), Some(0.5))
        );
        assert!(json["ratios"]["density"].is_null());
    }
}
