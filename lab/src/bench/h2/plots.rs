// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The report of `ztera bench h2` in pictures.

use ztera_machine::units::{show_seconds, show_size};

use super::report::{ArmResult, BenchReport};
use crate::kit::missing::left_out;
use crate::kit::plot::{Axis, Form, Group, Plot, Row, Spread};
use crate::kit::samples::Samples;

/// All of them.
pub fn plots(report: &BenchReport) -> Vec<Plot> {
    vec![pauses(report), reads(report)]
}

fn pauses(report: &BenchReport) -> Plot {
    Plot {
        name: "h2-pauses",
        title: "Full collections before the data moves to H2, and that move it",
        about: about(report),
        axis: Axis { label: "time of the pause (less is better)", show: show_seconds, line: None },
        form: Form::Bars,
        series: vec!["moves it", "moves nothing"],
        groups: groups(report, |arm| {
            vec![Some(&arm.moved.pause_seconds), Some(&arm.moved.plain_pause_seconds)]
        }),
        notes: left_out(&report.notes),
    }
}

fn reads(report: &BenchReport) -> Plot {
    let read = |arm: &ArmResult| arm.sequential_read_seconds_per_page.is_some();
    let mut groups = groups(report, |arm| {
        vec![arm.sequential_read_seconds_per_page.as_ref(), arm.random_read_seconds_per_page.as_ref()]
    });
    // Of some kinds of data no arm was read.
    groups.retain(|group| report.results.iter().any(|arm| arm.data == group.title && read(arm)));
    Plot {
        name: "h2-reads",
        title: "First reads of pages in H2",
        about: about(report),
        axis: Axis {
            label: "time per page of 4 KiB (logarithmic; less is better)",
            show: show_seconds,
            line: None,
        },
        form: Form::Dots,
        series: vec!["in order", "random"],
        groups,
        notes: left_out(&report.notes),
    }
}

fn about(report: &BenchReport) -> String {
    format!(
        "{} of live data, {} of it uncompressed while it is read; median, least and most of {} rounds on {} CPUs",
        show_size(report.bytes),
        show_size(report.resident_bytes),
        report.rounds,
        report.cpus
    )
}

/// One per kind of data.
fn groups(report: &BenchReport, values: impl Fn(&ArmResult) -> Vec<Option<&Samples>>) -> Vec<Group> {
    let row = |arm: &ArmResult| {
        Row::new(&arm.moved.arm, values(arm).into_iter().map(|value| value.map(Spread::from)).collect())
    };
    Group::by(&report.results, |arm| arm.data.clone(), |arm| row(arm))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::move_run::Measured;
    use ztera_measure::plot::drawn::words;

    #[test]
    fn data_that_nobody_read_has_pauses_alone() {
        let run =
            Measured { move_pause: 0.5, sequential: Some(1.5e-6), random: Some(9e-6), ..Measured::default() };
        let unread = Measured { move_pause: 0.75, ..Measured::default() };
        let results =
            [ArmResult::of("arrays", "tier", &[run]), ArmResult::of("objects", "file-ssd", &[unread])];
        let report = BenchReport {
            bytes: 1 << 30,
            resident_bytes: 64 << 20,
            rounds: 1,
            cpus: 2,
            notes: vec!["file-zram is left out: no root".to_owned()],
            results: results.into_iter().flatten().collect(),
        };
        let pauses = words(&pauses(&report));
        for word in [
            "arrays",
            "tier",
            "500.0 ms",
            "objects",
            "file-ssd",
            "750.0 ms",
            "file-zram is left out: no root",
        ] {
            assert!(pauses.contains(word), "{word} in\n{pauses}");
        }
        let reads = words(&reads(&report));
        assert!(reads.contains("tier") && !reads.contains("objects"), "{reads}");
    }
}
