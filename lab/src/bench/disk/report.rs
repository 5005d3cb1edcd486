// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The report, as JSON and as a table.

use serde::{Deserialize, Serialize};
use ztera_machine::units::{KIB, show_size};

use super::arms::{Arm, Turn};
use crate::kit::samples::Samples;
use crate::kit::table::{boxed, right_aligned};

/// One arm on one kind of data, with requests of one size.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Row {
    /// The data's name.
    pub data: String,
    /// Bytes of each request.
    pub request_bytes: usize,
    /// The device.
    pub arm: String,
    /// Of uncompressed data.
    pub mib_per_second: Samples,
    /// CPU seconds of this process per GiB.
    pub cpu_seconds_per_gib: Samples,
    /// DRAM afterwards, with tables.
    pub memory_bytes: Samples,
    /// DRAM once the data were idle.
    pub idle_bytes: Samples,
}

impl Row {
    /// `None` if the arm had no turn.
    pub fn of(data: &str, request_bytes: usize, arm: &str, bytes: usize, turns: &[Turn]) -> Option<Row> {
        let samples = |of: &dyn Fn(&Turn) -> f64| Samples::of(turns.iter().map(of).collect());
        let idle = turns.iter().filter_map(|turn| turn.idle).map(|bytes| bytes as f64);
        Some(Row {
            data: data.to_owned(),
            request_bytes,
            arm: arm.to_owned(),
            mib_per_second: samples(&|turn| turn.spent.mib_per_second(bytes))?,
            cpu_seconds_per_gib: samples(&|turn| turn.spent.cpu_per_gib(bytes))?,
            memory_bytes: samples(&|turn| turn.memory as f64)?,
            idle_bytes: Samples::of(idle.collect())?,
        })
    }
}

/// Everything.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct DiskReport {
    /// How many bytes were written each time.
    pub bytes: usize,
    /// Bytes that our device compresses as one.
    pub unit_bytes: usize,
    /// How often each arm had its turn.
    pub rounds: u32,
    /// CPUs that compress.
    pub cpus: usize,
    /// Missing arms, each with the reason.
    pub notes: Vec<String>,
    /// One for each kind of data, size of request and arm.
    pub rows: Vec<Row>,
}

/// A table, and how to read it.
pub fn render(report: &DiskReport) -> String {
    let mut table = boxed([
        "data",
        "requests",
        "device",
        "MiB/s",
        "x zram",
        "CPU s/GiB",
        "DRAM",
        "x zram",
        "idle DRAM",
        "x zram",
    ]);
    table.add_rows(report.rows.iter().map(|row| cells(row, base_of(report, row))));
    let table = right_aligned(table, 3);
    let notes: String = report.notes.iter().map(|note| format!("\n{note}")).collect();
    format!(
        "{table}\n{} each time, by one writer; ours compresses units of {} with {} CPUs. Medians of {} rounds; arms took turns.{notes}",
        show_size(report.bytes as u64),
        show_size(report.unit_bytes as u64),
        report.cpus,
        report.rounds
    )
}

/// zram's row for the same data and requests.
fn base_of<'r>(report: &'r DiskReport, row: &Row) -> Option<&'r Row> {
    let is_base = |other: &&Row| {
        other.arm == Arm::Zram.name() && other.data == row.data && other.request_bytes == row.request_bytes
    };
    report.rows.iter().find(is_base)
}

fn cells(row: &Row, base: Option<&Row>) -> [String; 10] {
    let times = |of: fn(&Row) -> &Samples| {
        base.map_or_else(String::new, |base| format!("{:.2}", of(row).median / of(base).median))
    };
    [
        row.data.clone(),
        format!("{} KiB", row.request_bytes as u64 / KIB),
        row.arm.clone(),
        format!("{:.0}", row.mib_per_second.median),
        times(|row| &row.mib_per_second),
        format!("{:.2}", row.cpu_seconds_per_gib.median),
        show_size(row.memory_bytes.median as u64),
        times(|row| &row.memory_bytes),
        show_size(row.idle_bytes.median as u64),
        times(|row| &row.idle_bytes),
    ]
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::kit::clock::Spent;

    fn row(arm: Arm, seconds: u64, memory: u64) -> Row {
        let turn = |seconds, idle| {
            let spent = Spent { wall: Duration::from_secs(seconds), cpu: Duration::from_secs(1) };
            Turn { spent, memory, idle }
        };
        let turns = [turn(2 * seconds, Some(memory / 2)), turn(seconds, None), turn(seconds, None)];
        Row::of("pages", 64 << 10, arm.name(), 1 << 30, &turns).expect("three turns")
    }

    #[test]
    fn ratios_are_to_zram_of_the_same_data() {
        let (zram, ours) = (row(Arm::Zram, 4, 200), row(Arm::InProcess, 2, 100));
        let [.., mib, times, cpu, _, memory, _, idle] = cells(&ours, Some(&zram));
        assert_eq!([mib, times, cpu, memory, idle], ["512", "2.00", "1.00", "0.50", "0.50"]);
        assert_eq!(cells(&ours, None)[4], "");
        assert_eq!(Row::of("pages", 1, "none", 1, &[]), None);
    }
}
