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

    /// On two cores.
    #[test]
    fn the_quick_forms_take_thirty_five_minutes_at_most() {
        let minutes: Vec<(&str, u32)> =
            ALL.iter().map(|experiment| (experiment.name(), experiment.minutes().quick)).collect();
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
