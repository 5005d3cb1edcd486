// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! How pauses with H2 compare with those without, and with those on a file: each figure is defined here, once.

use super::collections::{CLEAN, WITH, WITHOUT};
use super::moves::FULL_STAGING;
use super::report::{Found, Kind};
use crate::bench::benchmark::DOCUMENT;
use crate::frame::claim::Claim;
use crate::frame::claim::Expected::AtMost;
use crate::frame::figure::{self, Figure, Outcome};
use crate::frame::sample::first;

/// All of them.
pub const FIGURES: [Figure<Found>; 4] = [
    Figure {
        name: "move_pause_vs_zram_file",
        unit: "times",
        expected: AtMost(0.4),
        meaning: "full collection that moves data: on the tier by H2 on a file on zram, on equal memory",
        formula: |found| moved_over(found, "file-zram-limited"),
    },
    Figure {
        name: "move_pause_vs_ssd_file",
        unit: "times",
        expected: AtMost(0.6),
        meaning: "the same with the file on SSD",
        formula: |found| moved_over(found, "file-ssd-limited"),
    },
    Figure {
        name: "young_pause_clean_h2_ms",
        unit: "ms",
        expected: AtMost(1.0),
        meaning: "young collection with data in H2, less one without H2",
        formula: |found| {
            let pause = |arm| found.collection(Kind::Young, arm);
            compare(CLEAN, pause(CLEAN), WITHOUT, pause(WITHOUT), |with, without| {
                Some((with - without) * 1e3)
            })
        },
    },
    Figure {
        name: "full_pause_with_h2",
        unit: "times",
        expected: AtMost(1.1),
        meaning: "full collection with data in H2 by one without H2",
        formula: |found| {
            let pause = |arm| found.collection(Kind::Full, arm);
            compare(WITH, pause(WITH), WITHOUT, pause(WITHOUT), quotient)
        },
    },
];

/// The claims that they are as wanted.
pub fn claims() -> Vec<Claim> {
    figure::claims(&FIGURES, DOCUMENT, first::<Found>)
}

fn moved_over(found: &Found, file: &str) -> Outcome {
    compare(FULL_STAGING, found.moved(FULL_STAGING), file, found.moved(file), quotient)
}

fn quotient(pause: f64, against: f64) -> Option<f64> {
    (against > 0.0).then(|| pause / against)
}

fn compare(
    arm: &str,
    pause: Option<f64>,
    against: &str,
    pause_against: Option<f64>,
    by: fn(f64, f64) -> Option<f64>,
) -> Outcome {
    Outcome {
        value: pause.zip(pause_against).and_then(|(pause, against)| by(pause, against)),
        arm: pause.map(|_| arm.to_owned()),
        against: pause_against.map(|_| against.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::pauses::report::CollectionResult;
    use crate::frame::figure::judge;
    use crate::kit::move_run::Measured;
    use crate::kit::moved::MoveResult;

    fn moved(arm: &str, pause: f64) -> MoveResult {
        MoveResult::of(arm, &[Measured { move_pause: pause, ..Measured::default() }]).unwrap()
    }

    fn collected(kind: Kind, arm: &str, pauses: &[f64]) -> CollectionResult {
        CollectionResult::of(kind, arm, pauses.to_vec(), &[], vec![0.0]).unwrap()
    }

    #[test]
    fn pauses_are_divided_or_subtracted() {
        let moves = vec![
            moved("tier", 1.0),
            moved(FULL_STAGING, 2.0),
            moved("file-zram", 9.0),
            moved("file-zram-limited", 4.0),
        ];
        let collections = vec![
            collected(Kind::Young, WITHOUT, &[0.002, 0.003, 0.9]),
            collected(Kind::Young, CLEAN, &[0.0045]),
            collected(Kind::Full, WITHOUT, &[0.2]),
            collected(Kind::Full, WITH, &[0.3, 0.2]),
        ];
        let figures = judge(&FIGURES, &Found { moves, collections });
        let values: Vec<_> =
            figures.iter().map(|figure| figure.value.map(|value| (value * 1e6).round() / 1e6)).collect();
        assert_eq!(values, [Some(0.5), None, Some(1.5), Some(1.25)]);
        assert_eq!((figures[1].arm.as_deref(), &figures[1].against), (Some(FULL_STAGING), &None));
    }
}
