// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! All that is shown: notes, losing cases, plots and tables.

use super::found::{Found, throughput};
use super::in_guest::{InGuest, all_back};
use super::plots;
use super::point::{Arm, Outcome, Point};
use super::tables;
use crate::frame::number::number;
use crate::frame::presentation::Presentation;
use crate::frame::sample::{Sample, left_out};
use crate::reclaim::{Hot, Lists};

/// A setting that serves this share of another's requests loses.
const LOSES: f64 = 0.95;

/// Everything.
pub fn present(samples: &[Sample]) -> Presentation {
    let found = Found::of(samples);
    let mut shown = Presentation { notes: left_out(samples), ..Presentation::default() };
    if !found.all().is_empty() {
        shown.losing = losing(&found);
        shown.notes.extend(NOTES.map(str::to_owned));
        shown.plots = plots::all(&found);
        shown.tables = tables::all(&found);
    }
    if let Ok(guest) = found.guest() {
        shown.losing.extend(losing_in_guest(guest));
        shown.notes.push(format!("The guest has Linux {}. {IN_GUEST}", guest.kernel));
        shown.tables.push(tables::in_guest(guest));
    }
    shown
}

const IN_GUEST: &str = "Its CPU is emulated, so pages are counted, and no times. A JVM takes minutes to start there, so \
                        the program is a synthetic one: each pass touches 32 MiB of hot pages, and a sixteenth of 48 MiB \
                        of cold ones. Either is of a mapped file, and the other is not. Swap is on zram, whose memory lies \
                        beside the limit. A page that was read ahead counts as read again, too.";

const NOTES: [&str; 9] = [
    "The database is in each JVM's heap; the paper's was on another machine. The JVM is HotSpot with the Parallel \
     collector; the paper's was J9.",
    "JVMs, files that they read and zram's memory share one limit. The JVMs run on a copy of the JDK that nobody else uses, \
     since the kernel charges a page of a file to the group that reads it first. The C library's pages are not counted.",
    "Pinned are libjvm, the class archive and libraries. The JDK's modules are not: a JVM maps all of them and uses few.",
    "File bytes are those that the JVMs read from disks, without swap and H2's file. Refaults are pages that came back \
     after they had been reclaimed. Bytes written to swap are the whole system's: let nothing else swap meanwhile.",
    "The footprint is all memory of the JVMs and of their files, in DRAM and in swap. A heap \"times 2\" is twice as large \
     as the others.",
    "I/O wait is time for which a CPU is idle: other programs on the machine hide it.",
    "The mean response time follows from throughput in a closed loop. The 99th percentile is wrk's, which adds what \
     requests waited for a slow one before them.",
    "H2 has rows and sessions, tagged, beside a heap of half the size. No JVM is told a share of the limit: they divide it \
     by themselves. Nothing is swapped.",
    "The kernel is this machine's, but in steps and claims of a guest.",
];

fn losing(found: &Found) -> Vec<String> {
    let second_heap = found.all().iter().filter(|outcome| !outcome.point.arm.swaps());
    let against_swap = second_heap.flat_map(|outcome| {
        let Point { app, jvms, pinned, .. } = outcome.point;
        let swaps =
            [Arm::SwapOnSsd, Arm::SwapOnZram].map(|arm| Point { pinned, ..Point::of(app, arm, jvms) });
        swaps.into_iter().filter_map(move |other| loses(found, outcome, &other))
    });
    let pinned = found.all().iter().filter(|outcome| outcome.point.pinned);
    let by_pinning =
        pinned.filter_map(|outcome| loses(found, outcome, &Point { pinned: false, ..outcome.point }));
    against_swap.chain(by_pinning).collect()
}

/// Settings in which MGLRU has more pages read again than two lists do.
fn losing_in_guest(guest: &InGuest) -> Vec<String> {
    let line = |(hot, swappiness): (Hot, u32)| {
        let back = |lists| guest.per_pass(hot, lists, swappiness, all_back).ok();
        let (mglru, two) = (back(Lists::Generations)?, back(Lists::Two)?);
        (two < LOSES * mglru).then(|| {
            format!(
                "In a guest, with {} and swappiness {swappiness}, MGLRU has {} pages read again per pass, \
                 two lists {}.",
                hot.name(),
                number(mglru),
                number(two)
            )
        })
    };
    guest.settings().into_iter().filter_map(line).collect()
}

/// A line if `other` serves more requests, or serves at all.
fn loses(found: &Found, outcome: &Outcome, other: &Point) -> Option<String> {
    let theirs = throughput(found.at(other).ok()?);
    let (point, other) = (outcome.point.key(), other.setting());
    let Some(served) = &outcome.served else {
        return Some(format!("{point} does not fit; {other} serves {} requests per second.", number(theirs)));
    };
    let ours = throughput(served);
    (ours < LOSES * theirs)
        .then(|| format!("{point} serves {} requests per second, {other} {}.", number(ours), number(theirs)))
}

#[cfg(test)]
mod tests {
    use super::super::in_guest::{InGuest, STEP};
    use super::super::point::App;
    use super::super::point::tests::{outcome, served};
    use super::*;
    use crate::frame::sample::tests::sample;
    use crate::reclaim::{Phase, phase};

    fn kept(outcome: Outcome) -> Sample {
        sample(&outcome.point.key(), outcome)
    }

    fn all() -> Vec<Sample> {
        let ssd = Point::of(App::Trading, Arm::SwapOnSsd, 4);
        let ended = Outcome {
            served: None,
            ended: Some("killed".to_owned()),
            ..outcome(Point::of(App::Trading, Arm::TwoTiers, 4), served(1, 1, 1))
        };
        vec![
            kept(outcome(ssd, served(100, 9000, 1000))),
            kept(outcome(ssd.with_files_pinned(), served(50, 10, 1000))),
            kept(outcome(Point { swappiness: 60, ..ssd }, served(120, 10, 5000))),
            kept(outcome(Point::of(App::Trading, Arm::ThreeTiers, 4), served(80, 10, 0))),
            kept(ended),
        ]
    }

    #[test]
    fn what_loses_is_told() {
        let losing = present(&all()).losing;
        assert_eq!(losing.len(), 3, "{losing:?}");
        assert!(losing.iter().any(|line| line.contains("two tiers does not fit")), "{losing:?}");
        assert!(losing.iter().any(|line| line.contains("three tiers serves 80")), "{losing:?}");
        assert!(losing.iter().any(|line| line.contains("pinned serves 50")), "{losing:?}");
    }

    #[test]
    fn a_guest_has_a_table_alone() {
        let phases = vec![
            phase(Lists::Two, 60, 100, 500, 250),
            phase(Lists::Two, 60, 100, 700, 250),
            phase(Lists::Generations, 60, 0, 0, 0),
        ];
        let shown = present(&[sample(STEP, InGuest { kernel: "6.12.1".to_owned(), samples: phases })]);
        assert!(shown.losing.is_empty(), "{:?}", shown.losing);
        assert!(shown.plots.is_empty() && shown.notes[0].contains("Linux 6.12.1"), "{:?}", shown.notes);
        let [table] = &shown.tables[..] else { panic!("{:?}", shown.tables) };
        assert_eq!(table.rows[0][..3], ["hot files, swappiness 60, two lists", "12", "6"]);
        assert_eq!(table.rows[1][..2], ["hot files, swappiness 60, MGLRU", "-"]);
        assert!(table.rows.iter().all(|row| row.len() == table.head.len()));
    }

    /// The report once said that MGLRU reads less again, and nothing of cold files, where it swaps out hot pages.
    #[test]
    fn settings_in_which_mglru_loses_are_told() {
        let cold = |lists, files_back, swapped| Phase {
            hot: Hot::Others,
            ..phase(lists, 60, 100, files_back, swapped)
        };
        let phases = vec![
            phase(Lists::Two, 60, 100, 500, 200),
            phase(Lists::Generations, 60, 100, 300, 200),
            cold(Lists::Two, 1000, 0),
            cold(Lists::Generations, 1200, 1600),
        ];
        let losing = losing_in_guest(&InGuest { kernel: "6.12.1".to_owned(), samples: phases });
        assert_eq!(
            losing,
            [
                "In a guest, with cold files and swappiness 60, MGLRU has 20 pages read again per pass, two lists 10."
            ]
        );
    }

    /// The page said that each JVM has an equal share of the limit, and none is told one.
    #[test]
    fn no_jvm_is_said_to_have_a_share() {
        assert!(NOTES.iter().all(|note| !note.contains("equal share")));
    }

    #[test]
    fn everything_is_in_tables_and_plots() {
        let shown = present(&all());
        assert_eq!(shown.tables[0].rows.len(), 5);
        assert!(shown.tables.iter().all(|table| table.rows.iter().all(|row| row.len() == table.head.len())));
        assert!(shown.plots.iter().all(|plot| !plot.is_empty()), "{:?}", shown.plots);
    }
}
