// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Filters find the bytes that repeat in arrays of numbers.

use super::report::CodecReport;
use crate::bench::benchmark::DOCUMENT;
use crate::frame::claim::Claim;
use crate::frame::claim::Expected::{AtLeast, AtMost};
use crate::frame::draft::Draft;
use crate::frame::sample::first;

/// All of them.
pub fn claims() -> Vec<Claim> {
    let draft = |words| Draft::new(words, DOCUMENT, first::<CodecReport>);
    vec![
        draft("doubles with three decimals become 2.5 times smaller with zstd and filters")
            .expect_in(AtLeast(2.5), |report| smaller_by(report, "doubles, 3 decimals", "zstd, filters")),
        draft("dense doubles with random bits do not compress with lz4")
            .expect_in(AtMost(1.05), |report| smaller_by(report, "doubles, random", "lz4")),
    ]
}

fn smaller_by(report: &CodecReport, data: &str, arm: &str) -> Option<f64> {
    let data = report.data.iter().find(|one| one.data == data)?;
    data.arms.iter().find(|one| one.arm == arm).map(|one| one.smaller_by)
}
