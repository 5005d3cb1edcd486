// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Claims about Redis on swap.

use super::super::found::{Found, claim};
use crate::frame::claim::Claim;
use crate::frame::claim::Expected::{About, AtLeast, AtMost};
use crate::redis::{Arm, Load};

const SET: &str = "QZRAM, 5.4, figure 11a";
const GET: &str = "QZRAM, 5.4, figure 11b";
pub(super) const ZRAM: Arm = Arm::Zram("lzo");

/// Of data that servers hold, and of their throughput.
pub fn on_this_machine() -> Vec<Claim> {
    let held = |one: Arm, other: Arm| move |found: &Found| found.held(one, other);
    let set = |arm: Arm| move |found: &Found| found.beyond(arm, |load: &Load| load.sets_per_second);
    let get = |arm: Arm| move |found: &Found| found.beyond(arm, |load: &Load| load.gets_per_second);
    [
        claim("On zram, Redis holds 90 GB before a kill, without swap 80.", SET).expect(
            AtLeast(1.125),
            0.0,
            held(ZRAM, Arm::Nothing),
        ),
        claim("On ours with the model it holds 1.66 times as much as on zram.", SET).expect(
            AtLeast(1.66),
            0.0,
            held(Arm::Model, ZRAM),
        ),
        claim("On ours without an accelerator it holds 1.66 times as much as on zram.", SET).expect(
            AtLeast(1.66),
            0.0,
            held(Arm::Ours, ZRAM),
        ),
        claim("Beyond memory, zram keeps 68 % of the SETs per second.", SET).expect(
            About(0.68),
            0.25,
            set(ZRAM),
        ),
        claim("Ours with the model keeps 83 % of the SETs.", SET).expect(AtLeast(0.83), 0.0, set(Arm::Model)),
        claim("Ours without an accelerator keeps 83 % of the SETs.", SET).expect(
            AtLeast(0.83),
            0.0,
            set(Arm::Ours),
        ),
        claim("Beyond memory, zram loses 60 % of the GETs per second.", GET).expect(
            AtMost(0.4),
            0.0,
            get(ZRAM),
        ),
        claim("Ours with the model keeps 90 % of the GETs.", GET).expect(AtLeast(0.9), 0.0, get(Arm::Model)),
        claim("Ours without an accelerator keeps 90 % of the GETs.", GET).expect(
            AtLeast(0.9),
            0.0,
            get(Arm::Ours),
        ),
    ]
    .into_iter()
    .chain(after_all_sets())
    .collect()
}

/// Of reads, once all is written.
fn after_all_sets() -> [Claim; 3] {
    [
        ("zram loses 60 % of the GETs per second", AtMost(0.4), ZRAM),
        ("ours with the model keeps 90 % of the GETs", AtLeast(0.9), Arm::Model),
        ("ours without an accelerator keeps 90 % of the GETs", AtLeast(0.9), Arm::Ours),
    ]
    .map(|(words, expected, arm)| {
        let after = move |found: &Found| found.gets_after_all_sets(arm);
        claim(&format!("With GET after all SETs, {words}."), GET).expect(expected, 0.0, after)
    })
}

/// Of data alone: a guest has no times.
pub fn in_a_guest() -> Vec<Claim> {
    const TEXT: &str = "QZRAM, introduction";
    // The guest's zram has no lzo, which the QZRAM paper found to be as dense.
    let on_zram = Arm::Zram("lz4");
    let (ours, model) = (Arm::Ours, Arm::Model);
    [
        ("Redis holds 1.66 times as much on ours as without swap.", TEXT, 1.66, ours, Arm::Nothing),
        ("on ours it holds 1.66 times as much as on zram with lz4.", SET, 1.66, ours, on_zram),
        ("on ours it holds as much as on zram with zstd.", SET, 1.0, ours, Arm::Zram("zstd")),
        ("on ours with the model it holds 1.66 times as much as on zram.", SET, 1.66, model, on_zram),
    ]
    .map(|(words, source, times, one, other)| {
        let held = move |found: &Found| found.held_in_guest(one, other);
        claim(&format!("In a guest, {words}"), source).expect(AtLeast(times), 0.0, held)
    })
    .into()
}
