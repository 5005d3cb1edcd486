// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! All experiments, one folder each.

mod benches;
mod disksize;
mod heap_compressibility;
mod oversubscription;
mod qzram;
mod tune;
mod zram_device;

use crate::frame::experiment::Experiment;
use benches::{CODEC, DEFAULTS, DISK, ENGINE, OFF, PAUSES, SPARK, TIERS};
use disksize::Disksize;
use heap_compressibility::HeapCompressibility;
use oversubscription::Oversubscription;
use qzram::Qzram;
use tune::Tune;
use zram_device::ZramDevice;

/// In the order of the report.
pub const ALL: &[&dyn Experiment] = &[
    &ZramDevice,
    &HeapCompressibility,
    &Oversubscription,
    &CODEC,
    &ENGINE,
    &DISK,
    &PAUSES,
    &TIERS,
    &DEFAULTS,
    &SPARK,
    &OFF,
    &Disksize,
    &Tune,
    &Qzram,
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_differ_and_fit_folders() {
        let names: BTreeSet<&str> = ALL.iter().map(|experiment| experiment.name()).collect();
        assert_eq!(names.len(), ALL.len());
        let fits = |name: &str| {
            !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')
        };
        assert!(names.iter().all(|name| fits(name)), "{names:?}");
    }

    #[test]
    fn claims_are_whole_and_without_samples_not_testable() {
        for experiment in ALL {
            assert!(!experiment.claims().is_empty(), "{}", experiment.name());
            for verdict in experiment.judge(&[]) {
                assert!(verdict.reason.is_some() && !verdict.source.is_empty(), "{verdict:?}");
            }
        }
    }

    /// The figures and tables that a text names: `figures 2 and 4.1 to 4.3, table 5` are five.
    fn places(text: &str) -> BTreeSet<String> {
        let (mut found, mut kind, mut last, mut is_range) = (BTreeSet::new(), None, None, false);
        for word in text.split_whitespace() {
            let word = word.trim_end_matches([',', '.', ';', ':']);
            match (word, number(word), kind) {
                ("figure" | "figures", ..) => kind = Some("figure"),
                ("table" | "tables", ..) => kind = Some("table"),
                ("to", ..) => is_range = true,
                ("and", ..) => {}
                (_, Some((chapter, own)), Some(kind)) => {
                    let first = last.filter(|_| is_range).map_or(own, |last: u32| last + 1);
                    found.extend((first..=own).map(|number| format!("{kind} {chapter}{number}")));
                    (last, is_range) = (Some(own), false);
                }
                _ => kind = None,
            }
        }
        found
    }

    /// `4.` and 11 of `4.11`, nothing and 5 of `5c`.
    fn number(word: &str) -> Option<(&str, u32)> {
        let word = word.trim_end_matches(|last: char| last.is_ascii_lowercase());
        let (chapter, own) = word.rfind('.').map_or(("", word), |point| word.split_at(point + 1));
        Some((chapter, own.parse().ok()?))
    }

    #[test]
    fn figures_and_tables_are_found_in_a_text() {
        let found = places("ZTera thesis, 4.2, figures 4.1 to 4.3 and 4.11, table 5; chapter 6, figure 7a");
        let expected = ["figure 4.1", "figure 4.11", "figure 4.2", "figure 4.3", "figure 7", "table 5"];
        assert_eq!(found, expected.map(str::to_owned).into());
        assert!(places("Zram notes, table of a user, 2023").is_empty());
    }

    /// A reader of a verdict finds its source in docs/sources.md, by the name that the verdict has.
    #[test]
    fn sources_are_listed_once() {
        let list = include_str!("../../../docs/sources.md");
        let names: Vec<&str> =
            list.lines().filter_map(|line| line.strip_prefix("| ")?.split(" |").next()).collect();
        let is_ours = |source: &str| source.starts_with("docs/") || source.starts_with("design:");
        let is_listed = |source: &str| names.contains(&source.split(',').next().unwrap_or_default());
        for experiment in ALL {
            let claims = experiment.claims();
            let sources = claims.iter().map(|claim| claim.source).chain([experiment.question().source]);
            let unknown: Vec<&str> = sources.filter(|it| !is_ours(it) && !is_listed(it)).collect();
            assert!(unknown.is_empty(), "{}: {unknown:?}", experiment.name());
        }
    }

    /// `ztera lab list` promised figures 4.3 and 4.11 of the ZTera thesis, and figure 4 of Nakaike et al. No claim
    /// judged them.
    #[test]
    fn each_figure_that_the_list_promises_is_judged() {
        for experiment in ALL {
            let judged: BTreeSet<String> =
                experiment.claims().iter().flat_map(|claim| places(claim.source)).collect();
            let open: Vec<String> =
                places(experiment.question().source).difference(&judged).cloned().collect();
            assert!(open.is_empty(), "{} judges no {}", experiment.name(), open.join(", "));
        }
    }

    /// On two cores.
    #[test]
    fn the_quick_forms_take_thirty_five_minutes_at_most() {
        let minutes: Vec<(&str, u32)> =
            ALL.iter().map(|experiment| (experiment.name(), experiment.question().minutes.quick)).collect();
        assert!(minutes.iter().map(|(_, quick)| quick).sum::<u32>() <= 35, "{minutes:?}");
        assert!(minutes.iter().all(|(_, quick)| *quick > 0), "{minutes:?}");
    }

    /// Samples of these go on with any `--ssd`.
    #[test]
    fn some_do_without_an_ssd() {
        let without = ALL.iter().filter(|experiment| !experiment.uses_ssd());
        let names: Vec<&str> = without.map(|experiment| experiment.name()).collect();
        assert_eq!(names, ["codec", "disk", "off", "qzram"]);
    }

    #[test]
    fn nothing_is_shown_of_nothing() {
        for experiment in ALL {
            let shown = experiment.present(&[]);
            assert!(shown.losing.is_empty(), "{}", experiment.name());
        }
    }
}
