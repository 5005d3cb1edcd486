// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The report in pictures.

use ztera_machine::units::{show_seconds, show_size};

use super::report::{ArmResult, TiersReport, WorkloadResult};
use crate::kit::missing::left_out;
use crate::kit::plot::{Axis, Form, Group, Plot, Row, Spread};
use crate::kit::samples::Samples;

/// All of them.
pub fn plots(report: &TiersReport) -> Vec<Plot> {
    vec![Plot {
        name: "tiers-time",
        title: "Programs with more live data than DRAM",
        about: format!(
            "{} of live data in {} of DRAM; median, least and most of {} rounds on {} CPUs; the reference has plenty",
            show_size(report.live_bytes),
            show_size(report.limit_bytes),
            report.rounds,
            report.cpus
        ),
        axis: Axis { label: "time of the whole run (less is better)", show: show_seconds, line: None },
        form: Form::Stack,
        series: vec!["load", "queries"],
        groups: report.workloads.iter().map(group).collect(),
        notes: left_out(&report.notes),
    }]
}

fn group(workload: &WorkloadResult) -> Group {
    Group { title: workload.workload.clone(), rows: workload.arms.iter().map(row).collect() }
}

fn row(arm: &ArmResult) -> Row {
    let parts = [&arm.runs.load_seconds, &arm.runs.query_seconds];
    let values = parts.map(|part| part.as_ref().map(|samples| Spread::exactly(samples.median)));
    Row { sum: sum(parts), missing: arm.runs.unfinished(), ..Row::new(&arm.arm, values.to_vec()) }
}

/// Of each run.
fn sum([load, queries]: [&Option<Samples>; 2]) -> Option<Spread> {
    let (load, queries) = (&load.as_ref()?.samples, &queries.as_ref()?.samples);
    let runs = load.iter().zip(queries).map(|(load, queries)| load + queries);
    Samples::of(runs.collect()).map(|samples| Spread::from(&samples))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::tiers::report::tests::report;
    use ztera_measure::plot::drawn::words;

    #[test]
    fn time_is_that_of_whole_runs_and_who_does_not_fit_is_named() {
        let plots = plots(&report());
        let tiers = &plots[0].groups[0].rows[1];
        assert_eq!(tiers.values, [10.0, 3.0].map(|seconds| Some(Spread::exactly(seconds))));
        assert_eq!(tiers.sum, Some(Spread { median: 13.0, least: 12.0, most: 14.0 }));
        let words = words(&plots[0]);
        for word in
            ["reference\n", "tier\ndoes not fit: OutOfMemoryError\n", "swap-ssd is left out: no root\n"]
        {
            assert!(words.contains(word), "{word} in\n{words}");
        }
    }
}
