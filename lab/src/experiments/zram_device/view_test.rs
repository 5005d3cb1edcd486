// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

use super::*;
use crate::frame::sample::tests::sample;
use crate::kit::device_load::Moment;

fn outcome(medium: &str, speed: f64) -> Sample {
    at(Point::of(medium), speed)
}

fn at(point: Point, speed: f64) -> Sample {
    let job =
        Job { mib_per_second: speed, mean_us: 1.0, p99_us: 2.0, user: 3.0, system: 90.0, ..Job::default() };
    let moment = Moment { queue: 90.0, system: 0.25, idle: 0.75, ..Moment::default() };
    let reading =
        if point.is_watched() { vec![moment, Moment { queue: 100.4, ..moment }] } else { Vec::new() };
    sample(
        &point.key(),
        Outcome { point, write: job, read: job, smaller_by: Some(2.0), disks: None, reading },
    )
}

#[test]
fn slower_points_of_ours_are_told() {
    let ours = [outcome("ours-lz4", 100.0), outcome("range-lz4", 150.0), outcome("range-zstd", 1.0)];
    let shown = present(&[&[outcome("zram-lz4", 200.0)][..], &ours].concat());
    assert_eq!(shown.losing.len(), 4);
    let words = "range-lz4 reads in memory of ours more slowly than zram-lz4 at 1 of 1 points; ";
    let last = &shown.losing[3];
    assert!(last.starts_with(words) && last.ends_with(": 150 MiB/s, zram 200."), "{last}");
    assert!(shown.losing[0].starts_with("ours-lz4 writes by NBD more slowly "), "{}", shown.losing[0]);
}

#[test]
fn every_outcome_is_in_the_table_and_in_each_plot() {
    let large = Point { block: 1 << 20, ..Point::of("ssd") };
    let deep = Point { depth: 128, ..Point::of("ssd") };
    let wide = Point { jobs: 2, ..Point::of("ssd") };
    let again = sample(&rounds::key(&Point::of("ssd").key(), 2), outcome("ssd", 1.0).data);
    let all = [
        outcome("zram-lz4", 200.0),
        outcome("ssd", 100.0),
        at(large, 300.0),
        at(deep, 400.0),
        at(wide, 500.0),
        outcome("files-ext4", 600.0),
        at(Point { random: true, ..Point::of("files-ext4") }, 700.0),
    ];
    let shown = present(&[&all[..], &[again]].concat());
    let rows: Vec<usize> = shown.tables.iter().map(|table| table.rows.len()).collect();
    assert_eq!(rows, [2, 2, 1, 5], "a second round is no other row, and files have a table of their own");
    assert_eq!(shown.tables[2].rows[0][1..], ["600", "600", "700", "-", "2"]);
    assert_eq!(shown.tables[1].rows[0][1..], ["90 100", "0 0", "25 25", "0 0", "75 75"]);
    assert!(shown.tables.iter().all(|table| table.rows.iter().all(|row| row.len() == table.head.len())));
    assert!(shown.plots.iter().all(|plot| !plot.is_empty()));
}
