// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

use super::super::medium::RAID;
use super::super::plan;
use super::*;
use crate::frame::claim::{Judgement, Verdict};
use crate::frame::context::Scale;
use crate::frame::sample::Sample;
use crate::frame::sample::tests::sample;

fn outcome(point: Point, write: f64, read: f64) -> Sample {
    let job = |speed: f64| Job {
        mib_per_second: speed,
        mean_us: 1e3 / speed,
        p99_us: 1.0,
        user: 2.0,
        system: if point.medium == "ssd" { 10.0 } else { 97.0 },
        ..Job::default()
    };
    let key = point.key();
    let reading = if point.is_watched() {
        vec![Moment { queue: 1.5, system: 0.9, ..Moment::default() }]
    } else {
        Vec::new()
    };
    let disks = (point.medium == RAID).then_some(4);
    sample(&key, Outcome { write: job(write), read: job(read), point, smaller_by: None, disks, reading })
}

fn verdict(samples: &[Sample], start: &str) -> Verdict {
    let claim = all().into_iter().find(|claim| claim.claim.starts_with(start)).expect(start);
    claim.judge("zram-device", samples)
}

#[test]
fn the_worst_codec_decides() {
    let of = |medium: &str, compressible| Point { compressible, ..Point::of(medium) };
    let samples = [
        outcome(of("zram-lz4", 90), 300.0, 1.0),
        outcome(of("zram-lz4", 10), 100.0, 1.0),
        outcome(of("zram-lzo", 90), 80.0, 1.0),
        outcome(of("zram-lzo", 10), 100.0, 1.0),
    ];
    let found = verdict(&samples, "Hypothesis 1: zram writes data");
    assert_eq!((found.verdict, found.measured), (Judgement::Refuted, Some(0.8)));
    assert_eq!(verdict(&samples[..2], "Hypothesis 1: zram writes data").verdict, Judgement::Confirmed);
}

#[test]
fn a_codec_that_the_kernel_lacks_is_not_testable() {
    let found = verdict(&[outcome(Point::of(ZRAM), 1.0, 1.0)], "Hypothesis 2: zstd");
    assert_eq!(found.verdict, Judgement::NotTestableHere);
    let reason = found.reason.unwrap();
    assert!(reason.starts_with("zram-zstd 50 % compressible"), "the reason names the point: {reason}");
    assert!(reason.ends_with(": this kernel's zram has no zstd, or it was not measured"), "{reason}");
}

#[test]
fn processes_are_held_against_a_straight_line() {
    let samples = [
        outcome(Point::of(ZRAM), 100.0, 100.0),
        outcome(Point { jobs: 16, ..Point::of(ZRAM) }, 800.0, 1440.0),
    ];
    let linear = |start| verdict(&samples, start);
    assert_eq!(linear("Hypothesis 2: zram's reads scale").verdict, Judgement::Confirmed);
    let writes = linear("Hypothesis 2: so do its writes");
    assert_eq!((writes.verdict, writes.measured), (Judgement::Refuted, Some(0.5)));
}

/// A limit at 4 to 16 processes was refuted and confirmed on two CPUs.
#[test]
fn few_cpus_say_nothing_of_a_limit_of_many() {
    let samples =
        [outcome(Point::of(ZRAM), 100.0, 100.0), outcome(Point { jobs: 2, ..Point::of(ZRAM) }, 200.0, 200.0)];
    let found = verdict(&samples, "Hypothesis 2: so do its writes");
    assert_eq!(found.verdict, Judgement::NotTestableHere);
    assert!(found.reason.unwrap().starts_with("it takes 16 CPUs"));
}

/// The claim was a constant in the source, even where there was a RAID.
#[test]
fn a_raid_is_held_against_one_ssd_and_its_disks() {
    let wide = |medium: &str| Point { jobs: 2, ..Point::of(medium) };
    let samples = [outcome(wide("ssd"), 100.0, 100.0), outcome(wide(RAID), 300.0, 300.0)];
    let found = verdict(&samples, "Hypothesis 3: a RAID 0");
    assert_eq!((found.verdict, found.measured), (Judgement::Refuted, Some(0.75)));
    let without = verdict(&samples[..1], "Hypothesis 3: a RAID 0");
    assert!(without.reason.unwrap().contains("--raid DIR"));
}

/// `lab list` promised figures that no step of the plan measured.
#[test]
fn every_claim_follows_from_the_plan() {
    let codecs = ["lzo-rle", "lzo", "lz4", "zstd"].map(str::to_owned);
    let plan = plan::all(Scale::Full, &codecs, 16, true);
    let points = plan.into_iter().flat_map(|(_, points)| points);
    let samples: Vec<Sample> = points.map(|point| outcome(point, 100.0, 100.0)).collect();
    for claim in all() {
        let value = (claim.measure)(&samples);
        assert!(value.is_ok(), "{}: {value:?}", claim.claim);
    }
}

#[test]
fn a_disk_that_does_not_look_at_data_has_no_spread() {
    let of = |compressible, speed| outcome(Point { compressible, ..Point::of("ssd") }, speed, speed);
    let found = verdict(&[of(0, 100.0), of(50, 110.0), of(100, 105.0)], "Hypothesis 3: the SSD's writes");
    assert_eq!((found.verdict, found.measured), (Judgement::Confirmed, Some(1.1)));
    assert_eq!(
        verdict(&[of(0, 100.0)], "Hypothesis 3: the SSD's writes").verdict,
        Judgement::NotTestableHere
    );
}
