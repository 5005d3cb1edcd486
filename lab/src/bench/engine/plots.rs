// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The report in pictures.

use ztera_machine::units::{show_seconds, show_size};

use super::report::{DataReport, EngineReport};
use super::results::{ArmResult, Measure, Metric};
use crate::kit::data::Origin;
use crate::kit::missing::left_out;
use crate::kit::plot::{Axis, Form, Group, Plot, Row, Spread};

/// All of them.
pub fn plots(report: &EngineReport) -> Vec<Plot> {
    vec![faults(report), scan(report), store(report), density(report)]
}

fn faults(report: &EngineReport) -> Plot {
    let wanted = [Metric::P50Seconds, Metric::P99Seconds, Metric::P999Seconds];
    Plot {
        name: "engine-fault",
        title: "First touch of a cold page, in random order",
        about: about(report),
        axis: Axis { label: "time of a touch (logarithmic; less is better)", show: show_seconds, line: None },
        form: Form::Dots,
        series: vec!["p50", "p99", "p99.9"],
        groups: of_all_data(report, &wanted.map(|metric| (Measure::FaultRandom, metric))),
        notes: left_out(&report.notes),
    }
}

const SPEED: Axis = Axis {
    label: "MiB of pages per second (more is better)",
    show: |speed| format!("{speed:.0}"),
    line: None,
};

fn scan(report: &EngineReport) -> Plot {
    Plot {
        name: "engine-scan",
        title: "One thread reads all cold pages in order",
        about: about(report),
        axis: SPEED,
        form: Form::Bars,
        series: Vec::new(),
        groups: of_all_data(report, &[(Measure::ScanSequential, Metric::MibPerSecond)]),
        notes: left_out(&report.notes),
    }
}

fn store(report: &EngineReport) -> Plot {
    let measures = [Measure::StoreOneWriter, Measure::StoreAllCores];
    Plot {
        name: "engine-store",
        title: "Storing pages, until all are compressed",
        about: about(report),
        axis: SPEED,
        form: Form::Bars,
        series: vec!["one writer (the engine compresses with all CPUs all the same)", "a writer per CPU"],
        groups: of_all_data(report, &measures.map(|measure| (measure, Metric::MibPerSecond))),
        notes: left_out(&report.notes),
    }
}

fn density(report: &EngineReport) -> Plot {
    let mut groups = of_all_data(report, &[(Measure::Density, Metric::Factor)]);
    for (measure, title) in [
        (Measure::VectorsThreeDecimals, "double[], 3 decimals (synthetic)"),
        (Measure::VectorsRandom, "double[], random (synthetic)"),
    ] {
        let rows = rows(&report.vectors, &[(measure, Metric::Factor)]);
        groups.push(Group { title: title.to_owned(), rows });
    }
    let values =
        groups.iter_mut().flat_map(|group| &mut group.rows).flat_map(|row| &mut row.values).flatten();
    values.for_each(|factor| *factor = factor.map(|factor| 100.0 / factor));
    Plot {
        name: "engine-density",
        title: "DRAM for compressed pages",
        about: format!("{} of pages, stored once", show_size(report.bytes as u64)),
        axis: Axis {
            label: "DRAM, of the engine with its tables, in % of the pages (less is better)",
            show: |percent| format!("{percent:.1} %"),
            line: None,
        },
        form: Form::Bars,
        series: Vec::new(),
        groups,
        notes: left_out(&report.notes),
    }
}

fn about(report: &EngineReport) -> String {
    format!(
        "{} of pages; median, least and most of {} rounds on {} CPUs; arms took turns",
        show_size(report.bytes as u64),
        report.rounds,
        report.cpus
    )
}

fn of_all_data(report: &EngineReport, wanted: &[(Measure, Metric)]) -> Vec<Group> {
    let group = |data: &DataReport| Group {
        title: match data.pages {
            Origin::Real => "real pages".to_owned(),
            Origin::Synthetic => {
                format!("synthetic pages, {:.0} % of their words random", report.synthetic_noise * 100.0)
            }
        },
        rows: rows(&data.results, wanted),
    };
    report.data.iter().map(group).collect()
}

/// One per arm that did any of this.
fn rows(results: &[ArmResult], wanted: &[(Measure, Metric)]) -> Vec<Row> {
    let mut arms: Vec<&str> = Vec::new();
    for result in results.iter().filter(|result| wanted.iter().any(|(measure, _)| *measure == result.measure))
    {
        if !arms.contains(&result.arm.as_str()) {
            arms.push(&result.arm);
        }
    }
    let value = |arm: &str, (measure, metric): (Measure, Metric)| {
        let result = results.iter().find(|result| result.measure == measure && result.arm == arm)?;
        result.metrics.get(&metric).map(Spread::from)
    };
    let row = |arm: &str| Row::new(arm, wanted.iter().map(|&of| value(arm, of)).collect());
    arms.into_iter().map(row).collect()
}

#[cfg(test)]
#[path = "plots_test.rs"]
mod tests;
