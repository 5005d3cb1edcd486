// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The figures: ours by zram's, at the number of threads and the order where they are worst.

use super::arm::Arm;
use super::child::Measured;
use super::report::{Fit, Found};
use crate::frame::claim::Expected::{AtLeast, AtMost};
use crate::frame::figure::{Figure, Outcome};

type Value = fn(&Measured) -> f64;

const READS: Value = |measured| measured.reads_per_second;
const P99: Value = |measured| measured.p99;
const P999: Value = |measured| measured.p999;

/// All of them.
pub const FIGURES: [Figure<[Found]>; 6] = [
    Figure {
        name: "reads_nearly_fitting",
        unit: "times",
        expected: AtLeast(1.0),
        meaning: "reads per second where memory has room for nearly all values: ours by swap on zram",
        formula: |found| worst(found, Fit::Nearly, READS, f64::min),
    },
    Figure {
        name: "reads_tight",
        unit: "times",
        expected: AtLeast(1.0),
        meaning: "the same with three fifths of it",
        formula: |found| worst(found, Fit::Tight, READS, f64::min),
    },
    Figure {
        name: "p99_nearly_fitting",
        unit: "times",
        expected: AtMost(1.0),
        meaning: "the time that one read of a hundred exceeds: ours by swap on zram",
        formula: |found| worst(found, Fit::Nearly, P99, f64::max),
    },
    Figure {
        name: "p99_tight",
        unit: "times",
        expected: AtMost(1.0),
        meaning: "the same with three fifths of the memory",
        formula: |found| worst(found, Fit::Tight, P99, f64::max),
    },
    Figure {
        name: "p999_nearly_fitting",
        unit: "times",
        expected: AtMost(1.0),
        meaning: "the time that one read of a thousand exceeds",
        formula: |found| worst(found, Fit::Nearly, P999, f64::max),
    },
    Figure {
        name: "p999_tight",
        unit: "times",
        expected: AtMost(1.0),
        meaning: "the same with three fifths of the memory",
        formula: |found| worst(found, Fit::Tight, P999, f64::max),
    },
];

fn worst(found: &[Found], fit: Fit, value: Value, worse: fn(f64, f64) -> f64) -> Outcome {
    let of = |arm: Arm| found.iter().filter(move |found| found.fit == fit && found.arm == arm.name());
    let quotients = of(Arm::Engine).flat_map(|ours| {
        let theirs = of(Arm::Zram).find(|theirs| theirs.choice == ours.choice);
        let theirs = theirs.map(|theirs| theirs.by_threads.as_slice()).unwrap_or_default();
        ours.by_threads.iter().filter_map(|one| {
            let other = theirs.iter().find(|other| other.threads == one.threads)?;
            (value(other) > 0.0).then(|| value(one) / value(other))
        })
    });
    Outcome {
        value: quotients.reduce(worse),
        arm: Some(Arm::Engine.name().to_owned()),
        against: Some(Arm::Zram.name().to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::report::tests::found;
    use super::*;
    use crate::frame::figure::{judge, values};

    #[test]
    fn the_worst_number_of_threads_counts() {
        let all = [
            found(Arm::Engine, Fit::Tight, &[(1, 100.0), (2, 300.0)]),
            found(Arm::Zram, Fit::Tight, &[(1, 50.0), (2, 200.0)]),
        ];
        let values = values(&judge(&FIGURES, &all[..]));
        assert_eq!((values["reads_tight"], values["p99_tight"]), (Some(1.5), Some(200.0 / 300.0)));
        assert_eq!(values["reads_nearly_fitting"], None);
    }
}
