// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The report in pictures, as in the thesis's figures 6.2 and 6.1.

use ztera_machine::jvm_flags::value_name;
use ztera_machine::units::{show_seconds, show_size};

use super::cell::{ArmResult, CellResult};
use super::report::SparkReport;
use crate::kit::missing::left_out;
use crate::kit::plot::{Axis, Form, Group, Plot, Row, Spread};

/// All of them.
pub fn plots(report: &SparkReport) -> Vec<Plot> {
    vec![time(report), compression(report)]
}

fn time(report: &SparkReport) -> Plot {
    Plot {
        name: "spark-time",
        title: "Spark with more cached data than DRAM",
        about: format!(
            "about {} cached; median, least and most of {} rounds on {} CPUs; none has no limit",
            show_size(report.scale.cached),
            report.rounds,
            report.cpus
        ),
        axis: Axis { label: "time to build and compute (less is better)", show: show_seconds, line: None },
        form: Form::Stack,
        series: vec!["mutator", "minor GC", "major GC", "moves"],
        groups: report.cells.iter().map(|cell| group(cell, time_row)).collect(),
        notes: left_out(&report.notes),
    }
}

fn compression(report: &SparkReport) -> Plot {
    Plot {
        name: "spark-compression",
        title: "How many times smaller H2's data become",
        about: "pages that H2 held compressed at the end of a run".to_owned(),
        axis: Axis { label: "times (more is better)", show: |times| format!("{times:.1}"), line: Some(1.0) },
        form: Form::Bars,
        series: vec![""],
        groups: report.cells.iter().map(|cell| group(cell, compression_row)).collect(),
        notes: left_out(&report.notes),
    }
}

fn group(cell: &CellResult, row: fn(&ArmResult) -> Option<Row>) -> Group {
    Group {
        title: format!("{} at {}", value_name(&cell.cell.workload), cell.cell.factor),
        rows: cell.arms.iter().filter_map(row).collect(),
    }
}

fn time_row(arm: &ArmResult) -> Option<Row> {
    let values = match arm.split {
        Some(split) => split.parts().map(|part| Some(Spread::exactly(part))).to_vec(),
        None => vec![None; 4],
    };
    let sum = arm.work_seconds.as_ref().map(Spread::from);
    Some(Row { sum, missing: arm.runs.unfinished(), ..Row::new(&value_name(&arm.arm), values) })
}

fn compression_row(arm: &ArmResult) -> Option<Row> {
    let times = Spread::from(arm.compressed_times.as_ref()?);
    Some(Row::new(&value_name(&arm.arm), vec![Some(times)]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::spark::report::tests::report;
    use ztera_measure::plot::drawn::words;

    #[test]
    fn parts_are_stacked_and_who_does_not_fit_is_named() {
        let plots = plots(&report(8.0));
        let rows = &plots[0].groups[0].rows;
        assert_eq!(rows[5].values, [4.0, 1.0, 2.0, 1.0].map(|part| Some(Spread::exactly(part))));
        assert_eq!(plots[1].groups[0].rows.len(), 1);
        assert!(words(&plots[0]).contains("memory-only\ndoes not fit: it was so\n"), "{}", words(&plots[0]));
    }
}
