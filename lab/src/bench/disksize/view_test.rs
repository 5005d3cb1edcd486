// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

use ztera_machine::units::MIB;

use super::*;
use crate::bench::disksize::data::{Reference, TheirRun, Theirs};
use crate::frame::sample::tests::sample;
use crate::kit::ending::Ending;
use ztera_measure::plot::drawn::words;

fn cell(arm: &str, machine: &str, size_percent: u32, run_seconds: f64, ending: Ending) -> CellRun {
    CellRun {
        program: "is A".to_owned(),
        kernel: Some("is".to_owned()),
        arm: arm.to_owned(),
        machine: machine.to_owned(),
        size_percent,
        limit_bytes: 60 * MIB,
        swap_bytes: 30 * MIB,
        ending,
        words: "it was so".to_owned(),
        run_seconds,
        cgroup_peak_bytes: Some(50 * MIB),
        swap_peak_bytes: 10 * MIB,
    }
}

fn samples() -> Vec<Sample> {
    let reference =
        Reference { program: "is A".to_owned(), footprint_bytes: 67 * MIB, unlimited_seconds: 0.5 };
    let their = |size_percent, seconds| TheirRun {
        machine: "4 GB".to_owned(),
        kernel: "is".to_owned(),
        size_percent,
        seconds,
    };
    let their_runs = vec![their(0, Some(6.0)), their(50, Some(6.0)), their(100, None)];
    let cells = [
        cell(OF_STUDY, "4 GB", 0, 1.0, Ending::Finished),
        cell(OF_STUDY, "4 GB", 50, 2.0, Ending::Finished),
        cell(OF_STUDY, "4 GB", 100, 2.0, Ending::Killed),
        cell(OF_STUDY, "60 %", 50, 2.0, Ending::Stopped),
        cell("our disk", "4 GB", 50, 3.0, Ending::Finished),
    ];
    let mut samples = vec![sample("reference", reference), sample("authors", Theirs { their_runs })];
    samples.extend(cells.iter().map(|cell| sample("cell", cell)));
    samples
}

#[test]
fn maps_have_multiples_and_x() {
    let shown = present(&samples());
    let [times, study] = &shown.plots[..] else { panic!("{:?}", shown.plots) };
    let times = words(times);
    let wanted = [
        "is A, zram lzo-rle\nis A\n0 %\n50 %\n100 %\n4 GB\n2.00\n4.00\nX\n60 %\nstopped\n",
        "is A, our disk\nis A\n50 %\n4 GB\n6.00\n",
    ];
    assert!(wanted.iter().all(|part| times.replace("\n\n", "\n").contains(part)), "{times}");
    let study = words(study);
    let wanted = "is, theirs\n1.00\n1.00\nX\nis, ours\n1.00\n0.50\nX\n";
    assert!(study.contains("4 GB of DRAM") && study.contains(wanted), "{study}");
}

#[test]
fn equal_cells_stand_beside_each_other() {
    let shown = present(&samples());
    let overlay = shown.tables.iter().find(|table| table.title.contains("theirs and ours")).unwrap();
    let rows: Vec<String> = overlay.rows.iter().map(|row| row.join("|")).collect();
    let expected = ["4 GB|is|0 %|1.00|1.00|1.00", "4 GB|is|50 %|1.00|0.50|0.50", "4 GB|is|100 %|X|X|both X"];
    assert_eq!(rows, expected);
    assert!(shown.notes.iter().any(|note| note.contains("killed runs")));
}

#[test]
fn losing_cases_are_told() {
    let losing = present(&samples()).losing;
    let expected = [
        "is A with 4 GB of DRAM: zram lzo-rle makes it up to 2.00 times slower",
        "our disk is slower than zram lzo-rle in 1 of 1 cells, up to 1.50 times",
    ];
    assert_eq!(losing, expected);
    assert!(present(&[]).losing.is_empty() && present(&[]).plots.is_empty());
}
