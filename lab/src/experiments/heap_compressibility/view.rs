// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Tables and plots of heaps.

use super::moment::{Moment, Program, Units};
use crate::frame::number::number;
use crate::frame::presentation::{Presentation, Table};
use crate::frame::sample::{Sample, data_of, left_out};
use crate::kit::plot::{Axis, Form, Group, Plot, Row, Spread};

/// A heap that shrinks less gains little from compression.
const LITTLE: f64 = 1.25;

/// Everything.
pub fn present(samples: &[Sample]) -> Presentation {
    let programs: Vec<Program> = data_of(samples);
    Presentation {
        losing: programs.iter().filter_map(losing).collect(),
        notes: left_out(samples),
        plots: vec![ratios(&programs), incompressible(&programs)],
        tables: vec![table(&programs)],
    }
}

fn losing(program: &Program) -> Option<String> {
    let units = program.last()?.units.last()?;
    let best = units.smaller_by(units.zstd);
    (best < LITTLE)
        .then(|| format!("{} becomes only {} times smaller with zstd.", program.program, number(best)))
}

fn ratios(programs: &[Program]) -> Plot {
    let value = |units: &Units| [units.smaller_by(units.lz4), units.smaller_by(units.zstd)];
    Plot {
        title: "Heaps by codec and size of unit (figure 4.13)",
        axis: Axis {
            label: "times smaller (logarithmic; more is better)",
            show: |value| format!("{value:.1}"),
            line: Some(1.0),
        },
        form: Form::Dots,
        ..plot("heap-compressibility-ratios", programs, value)
    }
}

fn incompressible(programs: &[Program]) -> Plot {
    let value =
        |units: &Units| [units.lz4, units.zstd].map(|packing| units.share(packing.incompressible_units));
    plot("heap-compressibility-incompressible", programs, value)
}

fn plot(name: &'static str, programs: &[Program], value: impl Fn(&Units) -> [f64; 2]) -> Plot {
    let row = |units: &Units| {
        let values = value(units).map(|value| Some(Spread::exactly(value)));
        Row::new(&format!("{} KiB", units.unit_bytes >> 10), values.to_vec())
    };
    let group = |program: &Program| Group {
        title: program.program.clone(),
        rows: program.last().map_or_else(Vec::new, |moment| moment.units.iter().map(row).collect()),
    };
    Plot {
        name,
        title: "Units that do not compress (figure 4.16)",
        about: "of live objects, at the last dump of each program".to_owned(),
        axis: Axis {
            label: "% of all units (less is better)",
            show: |value| format!("{value:.0} %"),
            line: None,
        },
        form: Form::Bars,
        series: vec!["lz4", "zstd"],
        groups: programs.iter().map(group).collect(),
        notes: Vec::new(),
    }
}

fn table(programs: &[Program]) -> Table {
    let head = [
        "program",
        "moment",
        "unit",
        "MiB",
        "same-filled",
        "lz4",
        "incompressible",
        "zstd",
        "incompressible",
    ];
    let cells = |program: &Program, moment: &Moment, units: &Units| {
        let share = |part| format!("{:.1} %", units.share(part));
        [
            program.program.clone(),
            moment.at.clone(),
            format!("{} KiB", units.unit_bytes >> 10),
            (moment.bytes >> 20).to_string(),
            share(units.same_filled_units),
            number(units.smaller_by(units.lz4)),
            share(units.lz4.incompressible_units),
            number(units.smaller_by(units.zstd)),
            share(units.zstd.incompressible_units),
        ]
        .to_vec()
    };
    let mut table = Table::new("All dumps", head);
    for program in programs {
        for moment in &program.moments {
            table.rows.extend(moment.units.iter().map(|units| cells(program, moment, units)));
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::super::moment::Packing;
    use super::*;
    use crate::frame::sample::tests::sample;

    #[test]
    fn a_heap_that_hardly_compresses_is_a_losing_case() {
        let units = Units {
            unit_bytes: 16 << 10,
            units: 10,
            same_filled_units: 1,
            lz4: Packing { stored_bytes: 160 << 10, incompressible_units: 9 },
            zstd: Packing { stored_bytes: 150 << 10, incompressible_units: 8 },
        };
        let moment = Moment { at: "query 50 %".to_owned(), bytes: 160 << 10, units: vec![units] };
        let program = Program { program: "rows".to_owned(), moments: vec![moment] };
        let shown = present(&[sample("rows", program)]);
        assert_eq!(shown.losing, ["rows becomes only 1.07 times smaller with zstd."]);
        assert_eq!(
            (shown.tables[0].rows.len(), shown.tables[0].rows[0].len()),
            (1, shown.tables[0].head.len())
        );
        assert!(shown.plots.iter().all(|plot| !plot.is_empty()));
    }
}
