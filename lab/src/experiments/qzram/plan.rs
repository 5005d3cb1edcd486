// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The points that are measured. Arms take turns at each.

use std::time::Duration;

use ztera_machine::units::MIB;

use super::arm::{ALL, Arm, Kind};
use super::point::{Point, Way};
use crate::frame::context::Scale;

/// Bytes of each device.
pub fn size(scale: Scale) -> usize {
    let mib = match scale {
        Scale::Tiny => 4,
        Scale::Quick => 32,
        Scale::Full => 128,
    };
    mib * MIB as usize
}

/// Of writing, and of reading.
pub fn time(scale: Scale) -> Duration {
    Duration::from_millis(match scale {
        Scale::Tiny => 10,
        Scale::Quick => 250,
        Scale::Full => 2000,
    })
}

/// All points of a way with their arms, in order.
pub fn points(scale: Scale, way: Way) -> Vec<(&'static Arm, Point)> {
    let of_shape = |shape: Shape| {
        let arms = ALL.iter().filter(move |arm| is_measured(arm, scale, way, shape));
        arms.map(move |arm| {
            let Shape { block, random, jobs } = shape;
            (arm, Point { block, random, jobs, ..Point::of(arm.name, way) })
        })
    };
    shapes(scale).into_iter().flat_map(of_shape).collect()
}

/// A point without its arm.
#[derive(Clone, Copy)]
struct Shape {
    block: u64,
    random: bool,
    jobs: u32,
}

fn shapes(scale: Scale) -> Vec<Shape> {
    let (blocks, random, jobs): (&[u64], &[u64], &[u32]) = match scale {
        Scale::Tiny => (&[4, 64], &[], &[2]),
        Scale::Quick => (&[4, 32, 256, 4096], &[4], &[4, 16]),
        Scale::Full => (&[4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096], &[4, 64], &[2, 4, 8, 16]),
    };
    let shape = |kib: u64| Shape { block: kib << 10, random: false, jobs: 1 };
    let blocks = blocks.iter().map(|&kib| shape(kib));
    let random = random.iter().map(|&kib| Shape { random: true, ..shape(kib) });
    let jobs = jobs.iter().map(|&jobs| Shape { jobs, ..shape(4) });
    blocks.chain(random).chain(jobs).collect()
}

/// Some arms are there for comparison, and for block sizes alone.
fn is_measured(arm: &Arm, scale: Scale, way: Way, shape: Shape) -> bool {
    if scale == Scale::Tiny {
        return ["zram-lzo", "ours-model"].contains(&arm.name);
    }
    let is_simple = way == Way::Calls && !shape.random && shape.jobs == 1;
    match (arm.name, arm.kind) {
        ("ours-deflate" | "ours-model-16k", Kind::Ours(ours)) => {
            is_simple && shape.block >= u64::from(ours.unit)
        }
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    const SCALES: [Scale; 3] = [Scale::Tiny, Scale::Quick, Scale::Full];

    fn all(scale: Scale) -> Vec<Point> {
        [Way::Calls, Way::Fio]
            .into_iter()
            .flat_map(|way| points(scale, way))
            .map(|(_, point)| point)
            .collect()
    }

    #[test]
    fn no_point_is_measured_twice() {
        for scale in SCALES {
            let keys: Vec<String> = all(scale).iter().map(Point::key).collect();
            assert_eq!(keys.iter().collect::<BTreeSet<_>>().len(), keys.len(), "{scale:?}");
        }
    }

    #[test]
    fn the_quick_form_leaves_redis_a_minute_of_four() {
        let seconds = |point: &Point| {
            let start = if point.way == Way::Fio { 0.5 } else { 0.1 };
            2.0 * (time(Scale::Quick).as_secs_f64() + start)
        };
        let sum: f64 = all(Scale::Quick).iter().map(seconds).sum();
        assert!(sum < 180.0, "{sum} s");
    }

    #[test]
    fn a_device_has_room_for_each_job() {
        for scale in SCALES {
            for point in all(scale) {
                assert!(point.block * u64::from(point.jobs) <= size(scale) as u64, "{}", point.key());
            }
        }
    }
}
