// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The report in pictures: the figures at a glance, and those of the parts.

use super::report::AllReport;
use crate::bench::{engine, pauses};
use crate::frame::glance::at_a_glance;
use crate::kit::missing::left_out;
use crate::kit::plot::Plot;

/// All of them.
pub fn plots(report: &AllReport) -> Vec<Plot> {
    let about = format!(
        "of medians of {} rounds on {} CPUs; docs/performance.md says what is divided by what",
        report.engine.rounds, report.engine.cpus
    );
    let figures = at_a_glance("figures", about, &report.figures, left_out(&report.notes));
    let pauses = report.pauses.as_ref().map(pauses::plots).unwrap_or_default();
    [vec![figures], pauses, engine::plots(&report.engine)].concat()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::bench::engine::EngineReport;
    use crate::kit::data::Origin;

    #[test]
    fn parts_that_ran_have_plots_too() {
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
        let report = AllReport::new(engine, None, Vec::new(), Duration::ZERO);
        let names: Vec<&str> = plots(&report).iter().map(|plot| plot.name).collect();
        assert_eq!(names[..2], ["figures", "engine-fault"]);
        assert!(!names.iter().any(|name| name.starts_with("pauses")), "{names:?}");
    }
}
