// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

use std::time::Duration;

use super::*;
use crate::bench::engine::EngineReport;
use crate::kit::data::Origin;
use crate::kit::figure::tests::verdict;
use ztera_measure::plot::drawn::words;

/// Without a JVM; of two figures of the engine one is met.
fn report() -> AllReport {
    let engine = EngineReport {
        pages: Origin::Real,
        synthetic_noise: 0.25,
        bytes: 1 << 20,
        rounds: 3,
        cpus: 2,
        notes: Vec::new(),
        ratios: Default::default(),
        data: Vec::new(),
        vectors: Vec::new(),
    };
    let notes = vec!["the JVM's pauses are left out: no JDK".to_owned()];
    let mut report = AllReport::new(engine, None, notes, Duration::ZERO);
    report.figures.extend([
        verdict("density", Some(0.5), Direction::AtMost, 0.7),
        verdict("scan_sequential", Some(0.75), Direction::AtLeast, 1.5),
        verdict("vectors_3_decimals", Some(1e6), Direction::AtLeast, 2.5),
        verdict("pool_fragmentation", Some(-0.1), Direction::AtMost, 0.05),
    ]);
    report
}

#[test]
fn every_figure_stands_beside_its_target() {
    let words = words(&at_a_glance(&report()));
    for word in [
        "density: 0.500, at most 0.7\n",
        "scan_sequential: 0.750, at least 1.5\n",
        "full_pause_with_h2: at most 1.1\nmissing\n",
        "the JVM's pauses are left out: no JDK\n",
    ] {
        assert!(words.contains(word), "{word} in\n{words}");
    }
}

#[test]
fn what_is_met_is_right_of_the_line_and_has_a_shape_of_its_own() {
    let plot = at_a_glance(&report());
    let values = |name: &str| {
        let row = plot.groups[0].rows.iter().find(|row| row.name.starts_with(name)).unwrap();
        [0, 1].map(|series| row.values[series].map(|value: Spread| value.median))
    };
    assert_eq!(values("density"), [Some(0.7 / 0.5), None]);
    assert_eq!(values("scan_sequential"), [None, Some(0.5)]);
    assert_eq!(values("full_pause_with_h2"), [None, None]);
    // Better than can be shown, and better than nothing at all.
    assert_eq!((values("vectors_3_decimals")[0], values("pool_fragmentation")[0]), (Some(10.0), Some(10.0)));
}

#[test]
fn parts_that_ran_have_plots_too() {
    let names: Vec<&str> = plots(&report()).iter().map(|plot| plot.name).collect();
    assert_eq!(names[..2], ["figures", "engine-fault"]);
    assert!(!names.iter().any(|name| name.starts_with("pauses")), "{names:?}");
}
