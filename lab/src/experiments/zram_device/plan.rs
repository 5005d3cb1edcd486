// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The points that are measured: each study varies one thing of the defaults.

use std::thread;

use ztera_machine::units::GIB;

use super::medium::RAID;
use super::point::Point;
use crate::frame::context::Scale;
use crate::frame::rounds;

/// Bytes of each process's file.
pub fn size(scale: Scale) -> u64 {
    match scale {
        Scale::Tiny => 1 << 20,
        Scale::Quick => 64 << 20,
        Scale::Full => 256 << 20,
    }
}

/// Bytes of a device that holds the files of all processes.
pub fn capacity(size: u64, cpus: u32) -> u64 {
    (size * u64::from(cpus) * 3 / 2).max(64 << 20)
}

/// GiB that files of all processes take on the SSD: in the quick form, and in the full one.
pub fn gib(cpus: u32) -> [u64; 2] {
    [Scale::Quick, Scale::Full].map(|scale| capacity(size(scale), cpus).div_ceil(GIB))
}

/// Milliseconds of each job.
pub fn time(scale: Scale) -> u32 {
    match scale {
        Scale::Tiny => 20,
        Scale::Quick => 300,
        Scale::Full => 4000,
    }
}

/// Of this machine.
pub fn cpus() -> u32 {
    thread::available_parallelism().map_or(1, |cpus| cpus.get() as u32)
}

/// How often the defaults of each medium are measured: their spread is that of all quotients by them.
fn rounds(scale: Scale) -> u32 {
    if scale == Scale::Tiny { 1 } else { 3 }
}

/// The points of a medium with the keys of their steps. The first has several rounds, one before the others, one in
/// their middle, and one behind them.
pub fn turns(scale: Scale, points: &[Point]) -> Vec<(String, &Point)> {
    let mut turns: Vec<(String, &Point)> = points.iter().map(|point| (point.key(), point)).collect();
    let Some(base) = points.first() else { return turns };
    for round in 2..=rounds(scale) {
        let place = if round == 2 { points.len().div_ceil(2) } else { turns.len() };
        turns.insert(place, (rounds::key(&base.key(), round), base));
    }
    turns
}

/// Points by medium, each medium once.
pub fn all(scale: Scale, codecs: &[String], cpus: u32, has_raid: bool) -> Vec<(String, Vec<Point>)> {
    let zram = codecs.iter().map(|codec| format!("zram-{codec}"));
    let others = ["ssd", "tmpfs", "ours-lz4", "ours-zstd", "range-lz4", "range-zstd"].map(str::to_owned);
    let mut media: Vec<String> = zram.chain(others).collect();
    match scale {
        Scale::Tiny => media.retain(|it| ["zram-lz4", "ssd", "tmpfs", "range-lz4"].contains(&it.as_str())),
        Scale::Quick => media.retain(|it| it != "range-zstd"),
        Scale::Full => {}
    }
    let raid = has_raid.then(|| (RAID.to_owned(), of_raid(cpus)));
    media.into_iter().map(|medium| (medium.clone(), points(scale, &medium, cpus))).chain(raid).collect()
}

/// The points at which a RAID is held against one SSD.
fn of_raid(cpus: u32) -> Vec<Point> {
    [1, cpus].map(|jobs| Point { jobs, ..Point::of(RAID) }).into()
}

/// A file system on the SSD, and its points. The scale of tests has one.
pub fn of_files(scale: Scale, medium: String) -> (String, Vec<Point>) {
    let base = Point::of(&medium);
    let random = Point { random: true, ..base.clone() };
    let small = Point { block: 4 << 10, ..random.clone() };
    let points = if scale == Scale::Tiny { vec![base] } else { vec![base, random, small] };
    (medium, points)
}

fn points(scale: Scale, medium: &str, cpus: u32) -> Vec<Point> {
    let base = || Point::of(medium);
    let mut points = vec![base()];
    let mut add = |more: Point| {
        if !points.contains(&more) {
            points.push(more);
        }
    };
    compressibilities(scale, medium).iter().for_each(|&compressible| add(Point { compressible, ..base() }));
    let (depths, blocks, reads): (&[u32], &[u64], &[u32]) = match scale {
        Scale::Tiny => (&[16], &[4], &[90]),
        Scale::Quick => (&[1, 16, 128], &[4, 1024], &[90, 50]),
        Scale::Full => (&[1, 4, 16, 64, 128], &[4, 16, 256, 1024], &[99, 90, 75, 50, 25, 0]),
    };
    depths.iter().for_each(|&depth| add(Point { depth, ..base() }));
    blocks.iter().for_each(|&kib| add(Point { block: kib << 10, ..base() }));
    add(Point { random: true, ..base() });
    add(Point { random: true, block: 4 << 10, ..base() });
    reads.iter().for_each(|&reads| add(Point { reads, ..base() }));
    let processes = (1..=cpus).filter(|jobs| jobs.is_power_of_two() || *jobs == cpus);
    processes.for_each(|jobs| add(Point { jobs, ..base() }));
    // The gap between orders where many requests are under way, and the mix of many processes.
    let deepest = depths.iter().copied().max().unwrap_or(1);
    add(Point { random: true, depth: deepest, ..base() });
    add(Point { random: true, jobs: cpus, ..base() });
    reads.iter().for_each(|&reads| add(Point { reads, jobs: cpus, ..base() }));
    add(Point { random: true, reads: 90, ..base() });
    // Tables 4.5 to 4.7.
    let large = Point { block: 1 << 20, ..base() };
    add(Point { depth: 128, ..large.clone() });
    add(Point { jobs: cpus, ..large });
    if medium.starts_with("range-") {
        // Its jobs wait for what they ask, and either write or read. Each block has a staging buffer of 1 MiB to
        // itself, and no collector would hand over one with a page in it.
        points.retain(|point| point.depth == 0 && point.reads == 100 && point.block >= 64 << 10);
    }
    points
}

/// Our device and tmpfs are baselines, of which a few are enough.
fn compressibilities(scale: Scale, medium: &str) -> &'static [u32] {
    match scale {
        _ if medium == "tmpfs" => &[50],
        Scale::Tiny => &[0, 100],
        Scale::Quick if medium == "range-lz4" => &[0, 50, 100],
        Scale::Quick => &[0, 10, 50, 90, 100],
        Scale::Full => &[0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn no_point_is_measured_twice() {
        let codecs = ["lz4".to_owned(), "zstd".to_owned()];
        for scale in [Scale::Tiny, Scale::Quick, Scale::Full] {
            let plan = all(scale, &codecs, 6, true);
            let keys: Vec<String> = plan.iter().flat_map(|(_, points)| points).map(Point::key).collect();
            assert_eq!(keys.iter().collect::<BTreeSet<_>>().len(), keys.len(), "{scale:?}");
        }
    }

    /// A fixed number was too little for more than sixteen CPUs, each of which has a file of its own.
    #[test]
    fn room_grows_with_the_cpus() {
        assert_eq!([gib(2), gib(16), gib(64)], [[1, 1], [2, 6], [6, 24]]);
    }

    #[test]
    fn memory_of_ours_is_measured_by_its_own_rules() {
        let plan = all(Scale::Quick, &[], 2, false);
        let (_, points) = plan.iter().find(|(medium, _)| medium == "range-lz4").unwrap();
        assert!(points.len() > 5, "{points:?}");
        assert!(
            points.iter().all(|it| it.depth == 0 && it.reads == 100 && it.block >= 64 << 10),
            "{points:?}"
        );
    }

    #[test]
    fn every_codec_of_the_kernel_is_measured() {
        let plan = all(Scale::Quick, &["lzo".to_owned(), "842".to_owned()], 2, false);
        let media: Vec<&str> = plan.iter().map(|(medium, _)| medium.as_str()).collect();
        assert_eq!(media, ["zram-lzo", "zram-842", "ssd", "tmpfs", "ours-lz4", "ours-zstd", "range-lz4"]);
    }

    #[test]
    fn the_defaults_have_several_rounds() {
        let points = points(Scale::Quick, "ssd", 2);
        let keys: Vec<String> = turns(Scale::Quick, &points).into_iter().map(|(key, _)| key).collect();
        let rounds: Vec<&String> = keys.iter().filter(|key| key.contains(", round ")).collect();
        assert_eq!(rounds, [&rounds::key(&keys[0], 2), &rounds::key(&keys[0], 3)]);
        assert_eq!(keys.last(), Some(rounds[1]));
        assert_eq!(keys.iter().collect::<BTreeSet<_>>().len(), points.len() + 2);
        assert_eq!(turns(Scale::Tiny, &points).len(), points.len());
    }

    #[test]
    fn the_quick_form_takes_three_minutes_at_most_on_two_cpus() {
        let points: usize = all(Scale::Quick, &["lz4", "lzo", "lzo-rle"].map(str::to_owned), 2, false)
            .iter()
            .map(|(_, points)| turns(Scale::Quick, points).len())
            .sum();
        // Two jobs each, and as much again to start fio and to lay files out.
        let seconds = points as f64 * f64::from(time(Scale::Quick)) / 1e3 * 2.0 * 1.6;
        assert!(seconds < 180.0, "{points} points, {seconds} s");
    }
}
