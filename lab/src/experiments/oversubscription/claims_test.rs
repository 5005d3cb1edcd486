// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

use super::super::in_guest::{InGuest, STEP};
use super::super::plan;
use super::super::point::tests::{outcome, served};
use super::super::point::{AreaBytes, Outcome, Served};
use super::*;
use crate::frame::claim::{Judgement, Verdict};
use crate::frame::context::Scale;
use crate::frame::sample::Sample;
use crate::frame::sample::tests::sample;
use crate::reclaim::{Hot, Lists, Phase, phase};

fn verdict(samples: &[Sample], start: &str) -> Verdict {
    let claim = all().into_iter().find(|claim| claim.claim.starts_with(start)).expect(start);
    claim.judge("oversubscription", samples)
}

fn kept(outcome: Outcome) -> Sample {
    sample(&outcome.point.key(), outcome)
}

/// Of trading on so many JVMs: requests, and bytes of files and of swap.
fn at(jvms: u32, requests: u64, file: u64, swap: u64) -> Outcome {
    outcome(Point { jvms, ..base(App::Trading) }, served(requests, file, swap))
}

#[test]
fn more_file_bytes_than_swap_bytes_confirm_the_finding() {
    let eager = [kept(at(4, 100, 500, 100)), kept(at(6, 100, 300, 200))];
    let found = verdict(&eager, "The page cache");
    assert_eq!((found.verdict, found.measured), (Judgement::Confirmed, Some(1.5)));
    let found = verdict(&[kept(at(4, 100, 100, 500))], "The page cache");
    assert_eq!((found.verdict, found.measured), (Judgement::Refuted, Some(0.2)));
}

#[test]
fn without_pressure_nothing_can_be_said() {
    let found = verdict(&[kept(at(1, 100, 0, 0))], "The page cache");
    assert_eq!(found.verdict, Judgement::NotTestableHere);
    assert_eq!(verdict(&[kept(at(1, 100, 0, 0))], "Too many JVMs").verdict, Judgement::NotTestableHere);
}

#[test]
fn throughput_is_lost_from_the_best_to_the_most() {
    let samples = [kept(at(1, 800, 0, 0)), kept(at(2, 1000, 0, 0)), kept(at(4, 250, 9, 9))];
    assert_eq!(verdict(&samples, "Too many JVMs").measured, Some(75.0));
    assert_eq!(verdict(&samples[2..], "Too many JVMs").verdict, Judgement::NotTestableHere);
}

#[test]
fn pinned_is_held_against_not_pinned_at_the_same_number() {
    let pinned = |jvms, requests, file, swap| {
        let point = Point { jvms, ..base(App::Trading) }.with_files_pinned();
        kept(outcome(point, served(requests, file, swap)))
    };
    let samples = [
        kept(at(4, 100, 8000, 2000)),
        kept(at(6, 100, 9000, 1000)),
        pinned(4, 200, 0, 2000),
        pinned(6, 150, 150, 1350),
    ];
    let of = |start| verdict(&samples, start).measured.unwrap();
    assert!((of("Pinning files makes the traffic") - 1.0 / 90.0).abs() < 1e-9);
    assert!((of("Pinning files makes all disk accesses") - 10.0).abs() < 1e-9);
    assert_eq!(of("Pinning files improves throughput"), 1.5);
}

/// `lab list` promised figures that no step of the plan measured, and a figure at another swappiness than the paper's.
#[test]
fn every_claim_of_this_machine_follows_from_the_plan() {
    let measured = |(number, point): (usize, Point)| {
        let wait = number as f64 / 1e3;
        let young = AreaBytes { area: "young".to_owned(), anonymous: 50, file: 0, swapped: 50 };
        let mut served = Served { footprint_bytes: 500 << 20, ..served(1000 - number as u64, 9000, 1000) };
        served.areas.push(young);
        served.traffic.io_wait = wait;
        kept(outcome(point, served))
    };
    let samples: Vec<Sample> = plan::points(Scale::Full).into_iter().enumerate().map(measured).collect();
    for claim in all().iter().filter(|claim| !claim.claim.starts_with("In a guest")) {
        let value = (claim.measure)(&samples);
        assert!(value.is_ok(), "{}: {value:?}", claim.claim);
    }
    assert_eq!(base(App::Booking).swappiness, 100, "the paper's");
}

#[test]
fn a_footprint_is_bearable_while_answers_take_no_more_than_twice_the_best() {
    let dot = |jvms, heap, requests, footprint: u64| {
        let point = Point { jvms, heap, ..base(App::Trading) };
        kept(outcome(point, Served { footprint_bytes: footprint << 20, ..served(requests, 1, 1) }))
    };
    // The memory has 384 MiB.
    let samples = [dot(1, 1, 1000, 192), dot(2, 1, 600, 576), dot(3, 1, 100, 960), dot(2, 2, 550, 768)];
    assert_eq!(verdict(&samples, "Trading bears").measured, Some(2.0));
    let enough = verdict(&samples[..1], "Trading bears").reason.unwrap();
    assert_eq!(enough, "trading was not measured with a footprint beyond the memory");
}

#[test]
fn jvms_that_do_not_fit_are_named() {
    let point = Point { jvms: 4, ..base(App::Trading) };
    let ended = Outcome { served: None, ended: Some("killed".to_owned()), ..at(4, 1, 1, 1) };
    let found = Found::of(&[kept(ended)]);
    let reason = found.at(&point).unwrap_err();
    assert!(reason.contains("does not fit: killed") && reason.contains("JVMs 4"), "{reason}");
}

#[test]
fn shares_of_generations_are_compared() {
    let area =
        |name: &str, anonymous, swapped| AreaBytes { area: name.to_owned(), anonymous, file: 0, swapped };
    let areas = vec![area("old", 25, 75), area("young", 50, 50)];
    let point = Point { jvms: 6, ..base(App::Trading) }.with_files_pinned();
    let samples = [kept(outcome(point, Served { areas, ..served(100, 10, 10) }))];
    let found = verdict(&samples, "With files pinned, the old generation");
    assert_eq!((found.verdict, found.measured), (Judgement::Confirmed, Some(25.0)));
}

#[test]
fn a_guest_judges_two_lists_and_mglru() {
    use Lists::{Generations, Two};
    let phases = vec![
        phase(Two, 60, 100, 500, 250),
        phase(Generations, 60, 200, 600, 900),
        phase(Two, 100, 100, 100, 700),
        phase(Generations, 100, 100, 9000, 0),
        Phase { hot: Hot::Others, ..phase(Two, 60, 100, 800, 0) },
        Phase { hot: Hot::Others, ..phase(Generations, 60, 100, 800, 1600) },
    ];
    let samples = [sample(STEP, InGuest { kernel: "6.12.1".to_owned(), samples: phases })];
    let of = |start| {
        let found = verdict(&samples, start);
        (found.verdict, found.measured)
    };
    assert_eq!(of("In a guest, two lists"), (Judgement::Confirmed, Some(2.0)));
    let eager = of("In a guest, MGLRU does so");
    assert!(eager.0 == Judgement::Refuted && (eager.1.unwrap() - 600.0 / 900.0).abs() < 1e-9, "{eager:?}");
    assert_eq!(of("In a guest, with MGLRU the kernel reads back"), (Judgement::Confirmed, Some(0.6)));
    assert_eq!(of("In a guest, where files are cold, MGLRU"), (Judgement::Refuted, Some(2.0)));
    assert_eq!(of("In a guest, a lower swappiness"), (Judgement::Confirmed, Some(0.2)));
    // It says nothing of the machine itself.
    assert_eq!(of("The page cache").0, Judgement::NotTestableHere);
}

/// Where two lists had no page read again and MGLRU had many, nothing was said.
#[test]
fn mglru_loses_to_lists_that_read_nothing_again() {
    let judge = |generations| {
        let phases =
            vec![phase(Lists::Two, 60, 100, 0, 50), phase(Lists::Generations, 60, 100, generations, 50)];
        let guest = InGuest { kernel: "6.12.1".to_owned(), samples: phases };
        verdict(&[sample(STEP, guest)], "In a guest, with MGLRU the kernel reads back").verdict
    };
    assert_eq!(judge(600), Judgement::Refuted);
    assert_eq!(judge(0), Judgement::NotTestableHere);
}

#[test]
fn a_guest_that_does_not_boot_says_why() {
    let refused = Sample { missing: Some("the guest needs QEMU".to_owned()), ..sample(STEP, ()) };
    let found = verdict(&[refused], "In a guest, with MGLRU");
    assert_eq!(found.reason.unwrap(), "synthetic, in a guest: the guest needs QEMU");
}
