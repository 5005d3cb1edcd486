// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! How pauses with H2 compare with those without, and with those on a file.

use std::collections::BTreeMap;

use super::collections::{CLEAN, WITH, WITHOUT};
use super::moves::FULL_STAGING;
use super::report::{CollectionResult, Kind, MoveResult};
use crate::kit::ratio::{Ratio, Ratios};

/// All of them.
pub fn ratios(moves: &[MoveResult], collections: &[CollectionResult]) -> Ratios {
    let moved = |arm: &str| moves.iter().find(|result| result.arm == arm).map(|r| r.pause_seconds.median);
    let collected = |kind: Kind, arm: &str| {
        let result = collections.iter().find(|result| result.kind == kind && result.arm == arm);
        result.map(|result| result.pause_seconds.median)
    };
    let quotient = |pause: f64, against: f64| (against > 0.0).then(|| pause / against);
    let tier_over = |file: &str| ratio(FULL_STAGING, moved(FULL_STAGING), file, moved(file), quotient);
    let [young, young_without] = [CLEAN, WITHOUT].map(|arm| collected(Kind::Young, arm));
    let [full, full_without] = [WITH, WITHOUT].map(|arm| collected(Kind::Full, arm));
    let milliseconds_above = |pause: f64, against: f64| Some((pause - against) * 1e3);
    BTreeMap::from([
        ("move_pause_vs_zram_file", tier_over("file-zram-limited")),
        ("move_pause_vs_ssd_file", tier_over("file-ssd-limited")),
        ("young_pause_clean_h2_ms", ratio(CLEAN, young, WITHOUT, young_without, milliseconds_above)),
        ("full_pause_with_h2", ratio(WITH, full, WITHOUT, full_without, quotient)),
    ])
}

/// The same where nothing ran.
pub fn no_ratios() -> Ratios {
    ratios(&[], &[])
}

fn ratio(
    arm: &str,
    pause: Option<f64>,
    against: &str,
    pause_against: Option<f64>,
    compare: impl Fn(f64, f64) -> Option<f64>,
) -> Ratio {
    Ratio {
        value: pause.zip(pause_against).and_then(|(pause, against)| compare(pause, against)),
        engine: pause.map(|_| arm.to_owned()),
        against: pause_against.map(|_| against.to_owned()),
        more_is_better: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::report::Measured;

    fn moved(arm: &str, pause: f64) -> MoveResult {
        MoveResult::of(arm, &[Measured { move_pause: pause, ..Measured::default() }]).unwrap()
    }

    fn collected(kind: Kind, arm: &str, pauses: &[f64]) -> CollectionResult {
        CollectionResult::of(kind, arm, pauses.to_vec(), &[], vec![0.0]).unwrap()
    }

    #[test]
    fn pauses_are_divided_or_subtracted() {
        let moves = [
            moved("tier", 1.0),
            moved(FULL_STAGING, 2.0),
            moved("file-zram", 9.0),
            moved("file-zram-limited", 4.0),
        ];
        let collections = [
            collected(Kind::Young, WITHOUT, &[0.002, 0.003, 0.9]),
            collected(Kind::Young, CLEAN, &[0.0045]),
            collected(Kind::Full, WITHOUT, &[0.2]),
            collected(Kind::Full, WITH, &[0.3, 0.2]),
        ];
        let ratios = ratios(&moves, &collections);
        let value = |name: &str| ratios[name].value.map(|value| (value * 1e6).round() / 1e6);
        assert_eq!(value("move_pause_vs_zram_file"), Some(0.5));
        assert_eq!(value("young_pause_clean_h2_ms"), Some(1.5));
        assert_eq!(value("full_pause_with_h2"), Some(1.25));
        let missing = &ratios["move_pause_vs_ssd_file"];
        assert_eq!(
            (missing.value, missing.engine.as_deref(), &missing.against),
            (None, Some(FULL_STAGING), &None)
        );
    }
}
