// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

use super::super::in_guest::{InGuest, STEP};
use super::super::plan;
use super::super::point::{Density, Outcome};
use super::redis::ZRAM;
use super::*;
use crate::frame::claim::{Judgement, Verdict};
use crate::frame::context::Scale;
use crate::frame::rounds;
use crate::frame::sample::Sample;
use crate::frame::sample::tests::sample;
use crate::kit::ending::Ending;
use crate::redis::{Arm, Curve, Load};

fn outcome(point: Point, speed: f64, objects: f64) -> Sample {
    let side = Side { mib_per_second: speed, mean_us: 1e3 / speed, p99_us: 1.0, cpu_per_gib: 100.0 / speed };
    let key = point.key();
    sample(
        &key,
        Outcome {
            write: side,
            read: side,
            point,
            density: Density { objects, dram: objects },
            offloaded: None,
        },
    )
}

fn held(arm: Arm, held_bytes: u64) -> Curve {
    Curve {
        redis: arm.name(),
        limit_bytes: 100,
        servers: 2,
        gets_follow: false,
        loads: Vec::new(),
        held_bytes,
        ending: Ending::Killed,
        words: String::new(),
        swap_peak_bytes: 0,
        swap_fixed_bytes: 0,
    }
}

fn curve(arm: Arm, held_bytes: u64, rates: &[(u64, f64)]) -> Sample {
    let load = |&(data_bytes, rate): &(u64, f64)| Load {
        data_bytes,
        sets_per_second: rate,
        gets_per_second: rate / 2.0,
    };
    let loads = rates.iter().map(load).collect();
    sample(&format!("redis, {}", arm.name()), Curve { loads, ..held(arm, held_bytes) })
}

fn verdict(samples: &[Sample], start: &str) -> Verdict {
    let claim = all().into_iter().find(|claim| claim.claim.starts_with(start)).expect(start);
    claim.judge("qzram", samples)
}

/// Random order was measured, and no claim judged it. Each claim takes points that the plan has.
#[test]
fn every_claim_on_devices_follows_from_the_plan() {
    for scale in [Scale::Quick, Scale::Full] {
        let points = [Way::Calls, Way::Fio].into_iter().flat_map(|way| plan::points(scale, way));
        let samples: Vec<Sample> = points.map(|(_, point)| outcome(point, 100.0, 2.0)).collect();
        for claim in [density(), cpu(), blocks(), patterns(), jobs()].into_iter().flatten() {
            let value = (claim.measure)(&samples);
            assert!(value.is_ok(), "{scale:?}: {}: {value:?}", claim.claim);
        }
    }
}

fn at(arm: &str, block: u64) -> Point {
    Point { block, ..Point::of(arm, Way::Calls) }
}

#[test]
fn speeds_are_compared_at_each_block_size() {
    let samples = [
        outcome(at(LZO, 4 << 10), 100.0, 1.5),
        outcome(at(MODEL, 4 << 10), 120.0, 2.4),
        outcome(at(LZO, 32 << 10), 100.0, 1.5),
        outcome(at(MODEL, 32 << 10), 210.0, 2.4),
    ];
    let mean = verdict(&samples, "With the model, writes are 1.6");
    assert_eq!((mean.verdict, mean.measured), (Judgement::Confirmed, Some(1.65)));
    assert_eq!(verdict(&samples, "Writes with the model are faster").measured, Some(1.2));
    assert_eq!(verdict(&samples, "Writes of 32 KiB").measured, Some(2.1));
    let denser = verdict(&samples, "Deflate of the model makes DRAM");
    assert_eq!((denser.verdict, denser.measured), (Judgement::Confirmed, Some(2.4 / 1.5)));
    let cpu = verdict(&samples, "With the model, writing pages");
    assert_eq!((cpu.verdict, cpu.measured), (Judgement::Refuted, Some(100.0 / 120.0)));
}

#[test]
fn an_arm_that_was_measured_alone_proves_nothing() {
    let found = verdict(&[outcome(at(MODEL, 4 << 10), 100.0, 2.0)], "With the model, writes are 1.6");
    assert_eq!(found.verdict, Judgement::NotTestableHere);
    assert!(found.reason.unwrap().starts_with("zram-lzo by calls, 4 KiB"));
}

#[test]
fn redis_is_judged_by_what_it_held_and_how_fast_it_was_beyond_memory() {
    let samples = [
        curve(Arm::Nothing, 80, &[(40, 100.0), (80, 100.0)]),
        curve(Arm::Zram("lzo"), 120, &[(40, 100.0), (80, 90.0), (120, 70.0)]),
        curve(Arm::Ours, 210, &[(80, 100.0), (120, 90.0), (160, 80.0), (200, 70.0)]),
    ];
    let value = |start| verdict(&samples, start).measured;
    assert_eq!(value("On zram, Redis holds"), Some(1.5));
    assert_eq!(value("On ours without an accelerator"), Some(1.75));
    assert_eq!(value("Beyond memory, zram keeps"), Some(0.7));
    assert_eq!(value("Ours without an accelerator keeps 83"), Some(0.8));
    let model = verdict(&samples, "On ours with the model");
    assert_eq!(model.verdict, Judgement::NotTestableHere);
    let early = verdict(&[samples[0].clone(), curve(Arm::Zram("lzo"), 70, &[])], "Beyond memory, zram keeps");
    assert_eq!(early.reason.unwrap(), "swap on zram-lzo ended before data were larger than memory");
}

/// GETs followed each growth, and there was one round: what the paper did not do.
#[test]
fn gets_after_all_sets_are_judged_by_three_rounds() {
    let round = |arm: Arm, gets_per_second: f64| {
        let loads = vec![Load { data_bytes: 9, sets_per_second: 1.0, gets_per_second }];
        Curve { loads, gets_follow: true, ending: Ending::Finished, ..held(arm, 9) }
    };
    let three = |arm: Arm, rates: [f64; 3]| {
        let step = crate::redis::gets_follow(arm);
        (1..).zip(rates).map(move |(number, rate)| sample(&rounds::key(&step, number), round(arm, rate)))
    };
    let none = three(Arm::Nothing, [100.0, 100.0, 100.0]);
    let alike = none.clone().chain(three(ZRAM, [30.0, 36.0, 33.0])).collect::<Vec<_>>();
    let found = verdict(&alike, "With GET after all SETs, zram");
    assert_eq!((found.verdict, found.measured), (Judgement::Confirmed, Some(0.33)));
    let unlike = none.clone().chain(three(ZRAM, [30.0, 50.0, 31.0])).collect::<Vec<_>>();
    assert_eq!(verdict(&unlike, "With GET after all SETs, zram").verdict, Judgement::TooNoisy);
    let killed = Curve { words: "killed".to_owned(), ending: Ending::Killed, ..round(ZRAM, 1.0) };
    let killed =
        none.chain([sample("redis, GET after all SETs, swap on zram-lzo", killed)]).collect::<Vec<_>>();
    let reason = verdict(&killed, "With GET after all SETs, zram").reason;
    assert_eq!(reason.unwrap(), "redis, GET after all SETs, swap on zram-lzo: killed");
    assert_eq!(verdict(&alike, "Beyond memory, zram keeps").verdict, Judgement::NotTestableHere);
}

#[test]
fn swap_that_is_refused_says_why() {
    let refused = Sample {
        missing: Some("it takes CAP_SYS_RESOURCE".to_owned()),
        ..sample("redis, swap on ours-model", ())
    };
    let found = verdict(&[refused, curve(Arm::Zram("lzo"), 70, &[])], "On ours with the model");
    assert_eq!(found.reason.unwrap(), "redis, swap on ours-model: it takes CAP_SYS_RESOURCE");
}

#[test]
fn a_guest_judges_what_was_held_where_this_machine_cannot() {
    let curves = vec![
        held(Arm::Nothing, 60),
        held(Arm::Zram("lz4"), 100),
        held(Arm::Ours, 120),
        Curve { words: "too slow: stopped".to_owned(), ending: Ending::Stopped, ..held(Arm::Model, 150) },
    ];
    let guest = sample(STEP, InGuest { kernel: "6.12.1".to_owned(), samples: curves });
    let samples = [guest, curve(Arm::Nothing, 1000, &[])];
    let found = |start| verdict(&samples, start);
    let more = found("In a guest, Redis holds 1.66 times");
    assert_eq!((more.verdict, more.measured), (Judgement::Confirmed, Some(2.0)));
    let on_zram = found("In a guest, on ours it holds 1.66");
    assert_eq!((on_zram.verdict, on_zram.measured), (Judgement::Refuted, Some(1.2)));
    let stopped = found("In a guest, on ours with the model");
    assert_eq!(stopped.reason.unwrap(), "redis, in a guest, swap on ours-model: too slow: stopped");
    // Samples of the machine itself say nothing of ours, and a guest's nothing of times.
    for start in ["On ours without", "Ours without an accelerator keeps 83"] {
        assert_eq!(found(start).verdict, Judgement::NotTestableHere, "{start}");
    }
}

#[test]
fn a_guest_that_does_not_boot_says_why() {
    let refused = Sample { missing: Some("the guest needs QEMU".to_owned()), ..sample(STEP, ()) };
    let found = verdict(&[refused], "In a guest, Redis holds");
    assert_eq!(found.reason.unwrap(), "redis, in a guest: the guest needs QEMU");
}
