// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! One writer is what the kernel's zram is slow for: it compresses in that thread.

use ztera_machine::units::KIB;

use super::arms::Arm;
use super::report::{DiskReport, Row};
use crate::bench::benchmark::DOCUMENT;
use crate::frame::claim::Expected::{AtLeast, AtMost};
use crate::frame::claim::{Claim, Expected};
use crate::frame::draft::Draft;
use crate::frame::sample::first;
use crate::kit::samples::Samples;

/// All of them.
pub fn claims() -> Vec<Claim> {
    let speed = |kib, arm, place: &str, times| {
        let words = format!(
            "{kib} KiB at a time, one writer writes to ours {place} so many times as fast as to zram"
        );
        over_zram(&words, AtLeast(times), arm, kib, |row| &row.mib_per_second)
    };
    let idle = "idle data take at most 0.7 of zram's DRAM in ours";
    vec![
        speed(64, Arm::InProcess, "in process", 1.5),
        speed(1024, Arm::InProcess, "in process", 1.5),
        speed(64, Arm::Nbd, "by NBD", 1.0),
        speed(1024, Arm::Nbd, "by NBD", 1.0),
        over_zram(idle, AtMost(0.7), Arm::InProcess, 64, |row| &row.idle_bytes),
    ]
}

fn over_zram(words: &str, expected: Expected, arm: Arm, kib: u64, of: fn(&Row) -> &Samples) -> Claim {
    let draft = Draft::new(words, DOCUMENT, first::<DiskReport>);
    draft.expect_in(expected, move |report| {
        let fits = |row: &&Row, arm: Arm| row.arm == arm.name() && row.request_bytes as u64 == kib * KIB;
        let row = |arm| report.rows.iter().find(|row| fits(row, arm)).map(|row| of(row).median);
        Some(row(arm)? / row(Arm::Zram)?)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::claim::Judgement::{Confirmed, NotTestableHere, Refuted};
    use crate::frame::sample::tests::sample;

    #[test]
    fn arms_are_compared_with_zram() {
        let row = |arm: Arm, request_bytes, speed: f64| {
            let one = Samples::of(vec![speed]).unwrap();
            Row {
                data: "synthetic".to_owned(),
                request_bytes,
                arm: arm.name().to_owned(),
                mib_per_second: one.clone(),
                cpu_seconds_per_gib: one.clone(),
                memory_bytes: one.clone(),
                idle_bytes: one,
            }
        };
        let rows = vec![
            row(Arm::Zram, 64 << 10, 10.0),
            row(Arm::InProcess, 64 << 10, 15.0),
            row(Arm::Zram, 1 << 20, 10.0),
            row(Arm::InProcess, 1 << 20, 14.0),
        ];
        let report = DiskReport { bytes: 1, unit_bytes: 1, rounds: 1, cpus: 1, notes: Vec::new(), rows };
        let samples = [sample("all", report)];
        let found: Vec<_> = claims().iter().map(|claim| claim.judge("toy", &samples)).collect();
        let found: Vec<_> = found.iter().map(|it| (it.verdict, it.measured)).collect();
        assert_eq!(found[..2], [(Confirmed, Some(1.5)), (Refuted, Some(1.4))]);
        assert_eq!(found[2], (NotTestableHere, None), "NBD did not run");
    }
}
