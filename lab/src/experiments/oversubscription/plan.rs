// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The points that are measured, and how large everything is.

use ztera_machine::units::MIB;

use super::point::{App, Arm, Point};
use crate::frame::context::Scale;

/// Sizes and times that are the same at all points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// For all JVMs.
    pub limit: u64,
    /// `-Xms` and `-Xmx` of each that has no second heap.
    pub heap: u64,
    /// Of each.
    pub data: u64,
    /// Seconds of load before anything is counted.
    pub warm: u32,
    /// Seconds that are counted.
    pub seconds: u32,
    /// Seconds that JVMs have to start.
    pub patience: u32,
    /// JVMs whose areas and answers are looked at, at most.
    pub looked_at: u32,
}

impl Size {
    /// At the full scale, limit and heap are those of the paper.
    pub fn of(scale: Scale) -> Size {
        let [limit, heap, data] = match scale {
            Scale::Tiny => [320, 64, 4],
            Scale::Quick => [288, 64, 24],
            Scale::Full => [2048, 256, 128],
        }
        .map(|mib| mib * MIB);
        let (warm, seconds, patience, looked_at) = match scale {
            Scale::Tiny => (1, 1, 120, 1),
            Scale::Quick => (1, 3, 35, 1),
            Scale::Full => (30, 60, 600, 14),
        };
        Size { limit, heap, data, warm, seconds, patience, looked_at }
    }

    /// `-Xms` and `-Xmx` of each. Beside a second heap, which has the data, half of it is enough.
    pub fn heap_of(&self, point: &Point) -> u64 {
        u64::from(point.heap) * if point.arm.swaps() { self.heap } else { self.heap / 2 }
    }

    /// Room in swap for all JVMs.
    pub fn swap(&self, point: &Point) -> u64 {
        (2 * self.heap_of(point) + 256 * MIB) * u64::from(point.jvms)
    }
}

/// Linux's default today. On the paper's system the default was 30, and all its figures but half of figure 9 have 100.
pub const LINUX: u32 = 60;

/// In the order in which they are measured.
pub fn points(scale: Scale) -> Vec<Point> {
    match scale {
        Scale::Tiny => tiny(),
        Scale::Quick => quick(),
        Scale::Full => full(),
    }
}

fn tiny() -> Vec<Point> {
    let ssd = Point::of(App::Trading, Arm::SwapOnSsd, 1);
    vec![
        ssd,
        ssd.with_files_pinned(),
        Point::of(App::Booking, Arm::SwapOnZram, 1),
        Point::of(App::Trading, Arm::TwoTiers, 1),
        Point::of(App::Booking, Arm::ThreeTiers, 1),
    ]
}

fn quick() -> Vec<Point> {
    const MOST: u32 = 4;
    let on = |arm: Arm, jvms: &[u32]| {
        jvms.iter().map(move |jvms| Point::of(App::Trading, arm, *jvms)).collect::<Vec<Point>>()
    };
    let mut points = [
        on(Arm::SwapOnSsd, &[1, 2, MOST]),
        on(Arm::SwapOnZram, &[2, MOST]),
        on(Arm::TwoTiers, &[2, 3]),
        on(Arm::ThreeTiers, &[2, 3]),
    ]
    .concat();
    let ssd = Point::of(App::Trading, Arm::SwapOnSsd, MOST);
    points.push(ssd.with_files_pinned());
    let [few, most] = [2, MOST].map(|jvms| Point::of(App::Booking, Arm::SwapOnSsd, jvms));
    points.extend([few, most, most.with_files_pinned()]);
    points.extend([ssd, most].map(|point| Point { swappiness: LINUX, ..point }));
    points.push(Point { heap: 2, jvms: 2, ..ssd });
    points
}

fn full() -> Vec<Point> {
    let mut points = Vec::new();
    for app in [App::Trading, App::Booking] {
        for arm in Arm::ALL {
            for jvms in 1..=14 {
                let point = Point::of(app, arm, jvms);
                points.push(point);
                if jvms >= 6 {
                    points.push(point.with_files_pinned());
                }
                if jvms >= 8 && jvms % 2 == 0 && arm.swaps() {
                    points.extend([0, 30, LINUX, 150, 200].map(|swappiness| Point { swappiness, ..point }));
                }
            }
        }
        for (heap, jvms) in [(2, [4, 6, 8, 10]), (4, [2, 3, 4, 5])] {
            points.extend(jvms.map(|jvms| Point { heap, ..Point::of(app, Arm::SwapOnSsd, jvms) }));
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn no_point_is_measured_twice() {
        for scale in [Scale::Tiny, Scale::Quick, Scale::Full] {
            let points = points(scale);
            let keys: BTreeSet<String> = points.iter().map(Point::key).collect();
            assert_eq!(keys.len(), points.len(), "{scale:?}");
        }
    }

    #[test]
    fn everything_is_pinned_and_not_somewhere() {
        let points = points(Scale::Full);
        for arm in Arm::ALL {
            assert!(points.iter().any(|point| point.arm == arm && point.pinned), "{arm:?}");
            assert!(points.iter().any(|point| point.arm == arm && point.jvms == 14), "{arm:?}");
        }
        let values: BTreeSet<u32> = points.iter().map(|point| point.swappiness).collect();
        assert_eq!(values, BTreeSet::from([0, 30, 60, 100, 150, 200]));
    }

    #[test]
    fn the_quick_form_takes_four_minutes_at_most() {
        let size = Size::of(Scale::Quick);
        // On two idle cores: a JVM starts and loads in a second and a half, the rest of a step takes four and the load.
        let step = |point: &Point| 4.0 + f64::from(size.warm + size.seconds) + 1.5 * f64::from(point.jvms);
        // At one point memory is so short that the JVMs do not start.
        let seconds = points(Scale::Quick).iter().map(step).sum::<f64>() + f64::from(size.patience);
        assert!(seconds < 240.0, "{seconds} s");
    }
}
