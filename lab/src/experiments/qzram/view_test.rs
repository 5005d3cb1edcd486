// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

use super::super::point::{Density, Way};
use super::*;
use crate::frame::sample::tests::sample;
use crate::kit::ending::Ending;
use crate::redis::{Arm, Load};

fn outcome(arm: &str, block: u64, speed: f64) -> Sample {
    let side = Side { mib_per_second: speed, mean_us: 1.0, p99_us: 2.0, cpu_per_gib: 3.0 };
    let point = Point { block, ..Point::of(arm, Way::Calls) };
    let density = Density { objects: 2.0, dram: 1.9 };
    sample(&point.key(), Outcome { point, write: side, read: side, density, offloaded: None })
}

fn held(arm: Arm, held_mib: u64) -> Curve {
    let load = Load { data_bytes: 64 << 20, sets_per_second: 9e4, gets_per_second: 8e4 };
    Curve {
        redis: arm.name(),
        limit_bytes: 64 << 20,
        servers: 2,
        gets_follow: false,
        loads: vec![load],
        held_bytes: held_mib << 20,
        ending: Ending::Killed,
        words: "killed".to_owned(),
        swap_peak_bytes: 0,
        swap_fixed_bytes: 7 << 20,
    }
}

fn curve(arm: Arm, held_mib: u64) -> Sample {
    sample(&format!("redis, {}", arm.name()), held(arm, held_mib))
}

#[test]
fn the_worst_point_of_an_arm_is_told() {
    let samples = [
        outcome("zram-lz4", 4096, 200.0),
        outcome("ours-lz4", 4096, 100.0),
        outcome("zram-lz4", 65536, 200.0),
        outcome("ours-lz4", 65536, 150.0),
    ];
    let shown = present(&samples);
    assert_eq!(shown.losing.len(), 2, "{:?}", shown.losing);
    let words = "ours-lz4 by calls, 4 KiB, sequential, jobs 1 writes 100 MiB/s, zram-lz4 200.";
    assert_eq!(shown.losing[0], words);
}

#[test]
fn all_is_in_tables_and_plots() {
    let samples = [
        outcome("zram-lzo", 4096, 200.0),
        curve(Arm::Nothing, 60),
        curve(Arm::Zram("lzo"), 90),
        curve(Arm::Ours, 80),
        sample("redis, GET after all SETs, no swap", Curve { gets_follow: true, ..held(Arm::Nothing, 32) }),
    ];
    let shown = present(&samples);
    assert_eq!(shown.losing, ["Redis with swap on ours holds 80 MiB, with swap on zram-lzo 90."]);
    assert_eq!(shown.tables.iter().map(|table| table.rows.len()).collect::<Vec<_>>(), [1, 3, 1]);
    assert!(shown.tables.iter().all(|table| table.rows.iter().all(|row| row.len() == table.head.len())));
    assert!(shown.plots.iter().all(|plot| !plot.is_empty()) && shown.plots.len() == 6);
}

#[test]
fn a_guest_shows_what_was_held_and_no_times() {
    let curves = vec![
        held(Arm::Zram("lzo"), 90),
        held(Arm::Zram("zstd"), 120),
        held(Arm::Ours, 100),
        held(Arm::Model, 130),
    ];
    let shown =
        present(&[sample("redis, in a guest", InGuest { kernel: "6.12.1".to_owned(), samples: curves })]);
    assert_eq!(
        shown.losing,
        ["In a guest, Redis with swap on ours holds 100 MiB, with swap on zram-zstd 120."]
    );
    let table = &shown.tables[0];
    assert_eq!(table.rows[3], ["swap on ours-model", "130", "killed", "0", "7"]);
    assert!(!table.head.iter().any(|title| title.contains("/s")) && shown.plots.is_empty());
    assert!(shown.notes[0].contains("Linux 6.12.1"), "{:?}", shown.notes);
}
