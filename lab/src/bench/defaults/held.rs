// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Where the data of an arm lay at the end of its runs, so that one can check how much really moved.

use serde::Serialize;
use ztera_machine::jvm_flags::value_name;
use ztera_machine::units::KIB;

use super::arm::ArmName;
use super::plan::Sizes;
use super::run::Run;
use crate::kit::h2_stats::H2Info;
use crate::kit::run::ProgramRun;
use crate::kit::samples::Samples;
use crate::kit::table::{boxed, median_size, or_dash, right_aligned};

/// The line above the table.
pub const CAPTION: &str = "where the data lay at the end:";

/// Dependencies are counted per so many bytes: H2 has a shape for each block of that size.
const BLOCK: u64 = 16 * KIB;

/// Of the runs that finished and told of their second heap.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Held {
    /// Left in the first heap by its last full collection. No collection is made just to know.
    pub h1_bytes: Option<Samples>,
    /// Used in H2.
    pub h2_bytes: Option<Samples>,
    /// Bytes moved over those that did not return.
    pub moves_per_object: Option<Samples>,
    /// Memory of the shapes of H2's blocks.
    pub shape_bytes: Option<Samples>,
    /// Dependencies between regions per 16 KiB of H2.
    pub dependencies_per_16_kib: Option<Samples>,
    /// How many there were.
    pub full_collections: Option<Samples>,
    /// The share of the run's time that all pauses took.
    pub pauses_share: Option<Samples>,
}

impl Held {
    /// None if no run told.
    pub fn of(runs: &[&Run]) -> Option<Held> {
        let finished = runs.iter().filter(|run| run.run.finished());
        let told: Vec<_> = finished.filter_map(|run| Some((&run.run, run.details.h2?))).collect();
        let all = |value: fn(&ProgramRun, &H2Info) -> Option<f64>| {
            Samples::of(told.iter().filter_map(|(run, h2)| value(run, h2)).collect())
        };
        (!told.is_empty()).then(|| Held {
            h1_bytes: all(|run, _| Some(run.pauses?.left_bytes? as f64)),
            h2_bytes: all(|_, h2| Some(h2.used_bytes as f64)),
            moves_per_object: all(|_, h2| h2.moves_per_object()),
            shape_bytes: all(|_, h2| Some(h2.shape_bytes as f64)),
            dependencies_per_16_kib: all(|_, h2| h2.dependencies_per(BLOCK)),
            full_collections: all(|run, _| Some(run.pauses?.full as f64)),
            pauses_share: all(|run, _| Some(run.pauses?.total_seconds / run.seconds)),
        })
    }

    fn row(&self, arm: ArmName, sizes: &Sizes) -> [String; 10] {
        [
            value_name(&arm),
            or_dash(median_size(&self.h1_bytes)),
            median(&self.h1_bytes, |bytes| percent(bytes / sizes.live as f64)),
            or_dash(median_size(&self.h2_bytes)),
            median(&self.moves_per_object, |moves| format!("{moves:.2}")),
            or_dash(median_size(&self.shape_bytes)),
            median(&self.shape_bytes, |bytes| percent(bytes / sizes.limit as f64)),
            median(&self.dependencies_per_16_kib, |count| format!("{count:.3}")),
            median(&self.full_collections, |count| count.to_string()),
            median(&self.pauses_share, percent),
        ]
    }
}

/// A row per arm, for people. Nothing where there is no arm.
pub fn table(arms: &[(ArmName, &Held)], sizes: &Sizes) -> String {
    if arms.is_empty() {
        return String::new();
    }
    let mut table = boxed([
        "arm",
        "H1 after its last full GC",
        "of live data",
        "H2",
        "moves per object",
        "shapes",
        "of limit",
        "dependencies between regions per 16 KiB",
        "full GCs",
        "time in pauses",
    ]);
    for (arm, held) in arms {
        table.add_row(held.row(*arm, sizes));
    }
    format!("{CAPTION}\n{}\n", right_aligned(table, 1))
}

fn median(samples: &Option<Samples>, words: impl Fn(f64) -> String) -> String {
    or_dash(samples.as_ref().map(|samples| words(samples.median)))
}

fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::defaults::run::tests::{ended, sample, telling};
    use crate::kit::ending::Ending;
    use crate::kit::gclog::Pauses;
    use ztera_machine::units::MIB;

    /// A run of 10 s with three full collections, half a second of pauses, and so much left in the first heap.
    fn run(round: u32, left_mib: u64, h2_mib: u64) -> Run {
        let h2 = H2Info {
            used_bytes: h2_mib * MIB,
            moved_bytes: 900 * MIB,
            returned_bytes: 150 * MIB,
            shape_bytes: 10 * MIB,
            dependencies: 9600,
        };
        let mut run = telling(ArmName::Three, round, h2);
        let pauses = run.run.pauses.unwrap_or_default();
        run.run.pauses = Some(Pauses { left_bytes: Some(left_mib * MIB), ..pauses });
        run
    }

    fn held(runs: &[Run]) -> Option<Held> {
        Held::of(&runs.iter().collect::<Vec<_>>())
    }

    /// The cells of the only row, of 768 MiB of live data in 512.
    fn row(held: &Held) -> Vec<String> {
        let text = table(&[(ArmName::Three, held)], &Sizes::plan(512 * MIB, 1.5));
        let row = text.lines().find(|line| line.contains("three")).unwrap();
        row.trim_matches('│').split('┆').map(|cell| cell.trim().to_owned()).collect()
    }

    #[test]
    fn each_column_is_of_its_own_numbers() {
        let row = row(&held(&[run(1, 96, 600)]).unwrap());
        let wanted =
            ["three", "96.0 MiB", "12.5 %", "600 MiB", "1.20", "10.0 MiB", "2.0 %", "0.250", "3", "5.0 %"];
        assert_eq!(row, wanted);
    }

    #[test]
    fn medians_are_of_rounds_that_finished_and_told() {
        let stopped = Run { run: ended(ArmName::Three, 4, Ending::Stopped).run, ..run(4, 1, 1) };
        let runs = [run(1, 90, 500), run(2, 100, 600), sample(ArmName::Three, 3, 99.0), stopped];
        let held = held(&runs).unwrap();
        assert_eq!(held.h1_bytes.as_ref().unwrap().samples, [90.0, 100.0].map(|mib| mib * MIB as f64));
        assert_eq!(row(&held)[1..4], ["95.0 MiB", "12.4 %", "550 MiB"]);
        assert_eq!(held.full_collections.unwrap().samples.len(), 2);
    }

    #[test]
    fn numbers_that_are_missing_are_dashes() {
        let mut bare = telling(ArmName::Three, 1, H2Info::default());
        bare.run.pauses = None;
        let row = row(&held(&[bare]).unwrap());
        assert_eq!(row, ["three", "-", "-", "0 B", "-", "0 B", "0.0 %", "-", "-", "-"]);
    }

    #[test]
    fn runs_of_an_earlier_version_have_no_table() {
        assert_eq!(held(&[sample(ArmName::Three, 1, 9.0)]), None);
        assert_eq!(held(&[]), None);
        assert_eq!(table(&[], &Sizes::plan(512 * MIB, 1.5)), "");
    }

    #[test]
    fn medians_and_samples_are_json() {
        let json = serde_json::to_value(held(&[run(1, 96, 600)])).unwrap();
        assert_eq!(json["dependencies_per_16_kib"]["median"], 0.25);
        assert_eq!(json["h1_bytes"]["samples"], serde_json::json!([(96 * MIB) as f64]));
    }
}
