// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

use super::super::found::Speed;
use super::super::found::tests::{dump, program};
use super::*;
use crate::frame::claim::{Judgement, Verdict};
use crate::frame::sample::tests::sample;

fn judged(samples: &[Sample], beginning: &str) -> Verdict {
    let claim = all().into_iter().find(|claim| claim.claim.starts_with(beginning));
    claim.unwrap_or_else(|| panic!("no claim `{beginning}`")).judge("heap", samples)
}

fn two() -> Vec<Sample> {
    vec![sample("a", program("a", 2.0)), sample("b", program("b", 4.0))]
}

#[test]
fn ratios_are_means_of_programs() {
    let samples = two();
    let measured = |beginning: &str| judged(&samples, beginning).measured;
    assert_eq!(measured("Dumps by HPROF become 2.84 times smaller with lz4"), Some(3.0));
    assert_eq!(measured("zstd compresses 1.5 times"), Some(2.0));
    assert_eq!(measured("Our lz4"), Some(1.0));
    assert_eq!(measured("Programs differ"), Some(2.0));
    assert_eq!(measured("Some program has a significant part"), Some(5.0));
    assert_eq!(judged(&samples, "zstd is denser").verdict, Judgement::Confirmed);
}

#[test]
fn a_codec_that_the_kernel_lacks_cannot_be_tested() {
    let verdict = judged(&two(), "Dumps by HPROF become 4.51");
    assert_eq!(verdict.verdict, Judgement::NotTestableHere);
    assert_eq!(verdict.reason.as_deref(), Some("this kernel's zram has no zstd"));
    let mut without = program("a", 2.0);
    without.dumps.iter_mut().for_each(|dump| dump.zram.clear());
    let verdict = judged(&[sample("a", without)], "Dumps by HPROF become 2.84");
    assert!(verdict.reason.is_some_and(|reason| reason.contains("no zram here")));
}

/// The open question: the same method on both sides, program by program.
#[test]
fn long_lived_data_are_held_against_live_data_of_the_same_program() {
    let mut less = program("a", 4.0);
    less.dumps.retain(|dump| !matches!(dump.kind, Kind::Old | Kind::H2));
    less.dumps.push(dump(Kind::Old, 2.0));
    let samples = [sample("a", less), sample("b", program("b", 3.0))];
    let verdict = judged(&samples, "Long-lived data");
    assert_eq!((verdict.measured, verdict.verdict), (Some(0.75), Judgement::Confirmed));
    // Only one of both has a second heap.
    assert_eq!(judged(&samples, "So do data").measured, Some(1.0));
}

#[test]
fn speeds_are_held_against_the_ssd() {
    let speed = |write, read| Speed { write, read };
    let ssd = Ssd { ssd_one: speed(1000.0, 500.0), ssd_all: speed(1600.0, 900.0) };
    let samples = [sample("ssd", ssd), sample("a", program("a", 2.0))];
    let measured = |beginning: &str| judged(&samples, beginning).measured;
    assert_eq!(measured("One process writes"), Some(2.0));
    assert_eq!(measured("One process reads"), Some(0.5));
    assert_eq!(measured("Many processes write"), Some(0.5));
    assert_eq!(measured("Many processes read"), Some(2.0));
    assert!(judged(&two(), "One process reads").reason.is_some_and(|reason| reason.contains("--ssd")));
}
