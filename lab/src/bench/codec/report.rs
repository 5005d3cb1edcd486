// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The findings, as JSON and as a table.

use serde::{Deserialize, Serialize};
use ztera_machine::units::show_size;

use crate::kit::samples::Samples;
use crate::kit::table::{boxed, right_aligned};

/// The arm that others are compared with.
pub const BASE: &str = "lz4";

/// One way to compress one kind of data.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct ArmResult {
    /// Codec and filters.
    pub arm: String,
    /// How many times smaller the data became.
    pub smaller_by: f64,
    /// Units to which a filter was applied, from 0 to 1.
    pub filtered_share: f64,
    /// Units that are kept as they are.
    pub raw_share: f64,
    /// Of uncompressed data.
    pub encode_mib_per_second: Samples,
    /// The same.
    pub decode_mib_per_second: Samples,
}

/// One kind of data.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct DataResult {
    /// Its name.
    pub data: String,
    /// One entry per way.
    pub arms: Vec<ArmResult>,
}

/// Everything.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct CodecReport {
    /// Bytes that are compressed as one.
    pub unit_bytes: usize,
    /// How many bytes of each kind of data.
    pub bytes: usize,
    /// How often each arm had its turn.
    pub rounds: u32,
    /// One entry per kind.
    pub data: Vec<DataResult>,
}

/// A table, and how to read it.
pub fn render(report: &CodecReport) -> String {
    let titles = ["", "", "smaller by", "filtered", "raw", "encode MiB/s", "x lz4", "decode MiB/s", "x lz4"];
    let mut table = boxed(titles);
    table.add_rows(report.data.iter().flat_map(rows));
    let table = right_aligned(table, 2);
    format!(
        "{table}\n{} of each kind in units of {}. Medians of {} rounds; arms took turns.",
        show_size(report.bytes as u64),
        show_size(report.unit_bytes as u64),
        report.rounds
    )
}

fn rows(data: &DataResult) -> Vec<[String; 9]> {
    let base = data.arms.iter().find(|arm| arm.arm == BASE);
    let percent = |share: f64| format!("{:.0} %", share * 100.0);
    let row = |(i, arm): (usize, &ArmResult)| {
        let speed = |of: fn(&ArmResult) -> &Samples| {
            let (own, base) = (of(arm).median, base.map(|base| of(base).median));
            let times = base.map_or_else(String::new, |base| format!("{:.2}", own / base));
            [format!("{own:.0}"), times]
        };
        let name = if i == 0 { data.data.as_str() } else { "" };
        let [encode, encode_times] = speed(|arm| &arm.encode_mib_per_second);
        let [decode, decode_times] = speed(|arm| &arm.decode_mib_per_second);
        let (smaller, filtered, raw) =
            (format!("{:.2}", arm.smaller_by), percent(arm.filtered_share), percent(arm.raw_share));
        [name.to_owned(), arm.arm.clone(), smaller, filtered, raw, encode, encode_times, decode, decode_times]
    };
    data.arms.iter().enumerate().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speeds_are_compared_with_lz4_alone() {
        let arm = |arm: &str, speed| ArmResult {
            arm: arm.to_owned(),
            smaller_by: 2.5,
            filtered_share: 0.5,
            raw_share: 0.0,
            encode_mib_per_second: Samples::of(vec![speed]).unwrap(),
            decode_mib_per_second: Samples::of(vec![3.0 * speed]).unwrap(),
        };
        let data =
            vec![DataResult { data: "doubles".to_owned(), arms: vec![arm("lz4", 100.0), arm("zstd", 25.0)] }];
        let text = render(&CodecReport { unit_bytes: 16384, bytes: 1 << 20, rounds: 3, data });
        for words in ["doubles", "2.50", "50 %", "0.25", "300", "units of 16.0 KiB"] {
            assert!(text.contains(words), "{words} in\n{text}");
        }
    }
}
