// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Everything that is shown of heaps.

use super::found::{Kind, Program, Ssd, together};
use super::{plots, tables};
use crate::frame::number::number;
use crate::frame::presentation::Presentation;
use crate::frame::sample::{Sample, data_of, left_out};

/// A heap that shrinks less gains little from compression.
const LITTLE: f64 = 1.25;

/// All of it.
pub fn present(samples: &[Sample]) -> Presentation {
    let programs = together(data_of(samples));
    let ssd: Option<Ssd> = data_of(samples).pop();
    Presentation {
        losing: programs.iter().flat_map(losing).collect(),
        notes: left_out(samples),
        plots: plots::all(&programs, ssd),
        tables: tables::all(&programs),
    }
}

/// Data that hardly compress, whatever is done.
fn losing(program: &Program) -> Vec<String> {
    let dumps = [Kind::Live, Kind::Old, Kind::H2].into_iter().filter_map(|kind| program.last(kind));
    let line = |dump: &super::found::Dump| {
        let best = dump.ours.iter().map(|found| found.smaller_by).reduce(f64::max)?;
        (best < LITTLE).then(|| {
            let (name, kind) = (&program.program, dump.kind.words());
            format!("{name} ({kind}) becomes only {} times smaller, by any codec of ours.", number(best))
        })
    };
    dumps.filter_map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::super::found::tests::program;
    use super::*;
    use crate::frame::sample::tests::sample;

    #[test]
    fn a_heap_that_hardly_compresses_is_a_losing_case() {
        let shown = present(&[sample("rows", program("rows", 0.6)), sample("b", program("b", 2.0))]);
        assert_eq!(shown.losing.len(), 3);
        let line = "rows (live, HPROF) becomes only 1.2 times smaller, by any codec of ours.";
        assert_eq!(shown.losing[0], line);
    }

    #[test]
    fn all_figures_of_the_chapter_are_there() {
        let shown = present(&[sample("a", program("a", 2.0))]);
        for figure in ["4.12", "4.13", "4.14", "4.15", "4.16", "4.17"] {
            let found = shown.plots.iter().find(|plot| plot.title.contains(figure));
            assert!(found.is_some_and(|plot| !plot.is_empty()), "{figure}");
        }
        assert!(shown.tables[0].title.contains("table 4.8"));
        for table in &shown.tables {
            assert!(!table.rows.is_empty(), "{}", table.title);
            assert!(table.rows.iter().all(|row| row.len() == table.head.len()), "{}", table.title);
        }
    }
}
