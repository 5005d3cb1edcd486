// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The findings of seed 002's chapter 5, each with the value that its text gives.
//!
//! All values are quotients or shares of measurements on one machine. The seed's default swappiness is 100, where
//! nothing else is said; ours is Linux's.

mod guest;

use super::found::{Found, OF_SEED, disk_bytes, file_bytes, swap_bytes, swapped_share, throughput};
use super::point::{App, Point};
use crate::frame::claim::Expected::{AtLeast, AtMost};
use crate::frame::claim::{Claim, Expected, Measured};
use crate::frame::draft::Draft;

const OVERALL: &str = "seed 002, 5.1, figure 2";
const TRADING: &str = "seed 002, 5.2, figure 5";
const AREAS: &str = "seed 002, 5.2, figure 6";
const BOOKING: &str = "seed 002, 5.3, figure 7";
const SWAPPINESS: &str = "seed 002, 5.4, figure 9";

/// In the order of the source.
pub fn all() -> Vec<Claim> {
    let parts = [overall(), eagerness(), pinning(), areas(), booking(), swappiness(), guest::in_a_guest()];
    parts.into_iter().flatten().collect()
}

fn base(app: App) -> Point {
    Point::of(app, OF_SEED, 0)
}

fn overall() -> Vec<Claim> {
    let words = [
        (App::Trading, "Too many JVMs cost trading most of its throughput: 84 % from 10 to 12 JVMs.", 84.0),
        (App::Booking, "They cost booking as much: 88 % from 8 to 10 JVMs.", 88.0),
    ];
    let of = |(app, words, expected): (App, &'static str, f64)| {
        claim(words, OVERALL, "%", AtLeast(expected), 0.5, move |found| lost(found, app))
    };
    let waiting = claim(
        "They wait for disks: 72 % of the time of trading's 12 JVMs is I/O wait.",
        OVERALL,
        "%",
        AtLeast(72.0),
        0.5,
        |found| Ok(100.0 * found.at(&found.shortest(&base(App::Trading))?)?.traffic.io_wait),
    );
    words.into_iter().map(of).chain([waiting]).collect()
}

/// The share of the best throughput that the most JVMs lose, in percent.
fn lost(found: &Found, app: App) -> Measured {
    let most = found.shortest(&base(app))?;
    let fewer = found.jvms(&base(app)).into_iter().filter(|jvms| *jvms < most.jvms);
    let speeds = fewer.filter_map(|jvms| found.at(&Point { jvms, ..most }).ok()).map(throughput);
    let best = speeds.reduce(f64::max);
    let best = best.ok_or_else(|| format!("{} was measured on no fewer JVMs", app.name()))?;
    Ok(100.0 * (1.0 - throughput(found.at(&most)?) / best))
}

fn eagerness() -> Vec<Claim> {
    vec![
        claim(
            "The page cache is reclaimed too eagerly: files are read again more than swap is used, bytes per request.",
            TRADING,
            "times",
            AtLeast(1.0),
            0.0,
            |found| by_swap(found, f64::min),
        ),
        claim(
            "Of 12 JVMs it is five times as much: 83 KB per request by 17.",
            TRADING,
            "times",
            AtLeast(4.9),
            0.5,
            |found| by_swap(found, f64::max),
        ),
    ]
}

/// Bytes from files by bytes of swap, the least or the most over all numbers of JVMs that are too many.
fn by_swap(found: &Found, pick: fn(f64, f64) -> f64) -> Measured {
    let points = found.short(&base(App::Trading));
    let served = points.iter().filter_map(|point| found.at(point).ok());
    let swapped = served.filter(|served| swap_bytes(served) > 0.0);
    let quotients = swapped.map(|served| file_bytes(served) / swap_bytes(served));
    quotients.reduce(pick).ok_or_else(|| "no JVM of trading was swapped".to_owned())
}

fn pinning() -> Vec<Claim> {
    let (pinned, not) = (base(App::Trading).with_files_pinned(), base(App::Trading));
    vec![
        claim(
            "Pinning files makes the traffic of files almost negligible.",
            TRADING,
            "of that without",
            AtMost(0.1),
            0.5,
            move |found| found.quotient(&pinned, &not, file_bytes),
        ),
        claim(
            "Pinning files makes all disk accesses five times fewer: 18 KB per request from 100.",
            TRADING,
            "times fewer",
            AtLeast(5.0),
            0.2,
            move |found| found.quotient(&not, &pinned, disk_bytes),
        ),
        claim(
            "Pinning files improves throughput wherever memory is short.",
            TRADING,
            "times",
            AtLeast(1.1),
            0.0,
            move |found| found.extreme(&pinned, &not, throughput, f64::min),
        ),
    ]
}

fn areas() -> Vec<Claim> {
    let value = |found: &Found| -> Measured {
        let pinned = base(App::Trading).with_files_pinned();
        let served = found.at(&found.shortest(&pinned)?)?;
        let [old, young] = ["old", "young"].map(|area| swapped_share(served, area));
        Ok(100.0 * (old? - young?))
    };
    vec![claim(
        "With files pinned, the old generation is swapped, and more of it than of the young: difference of shares.",
        AREAS,
        "%",
        AtLeast(0.0),
        0.0,
        value,
    )]
}

fn booking() -> Vec<Claim> {
    let (pinned, not) = (base(App::Booking).with_files_pinned(), base(App::Booking));
    vec![
        claim(
            "Pinning files removes most of booking's traffic of files.",
            BOOKING,
            "of that without",
            AtMost(0.5),
            0.0,
            move |found| found.quotient(&pinned, &not, file_bytes),
        ),
        claim(
            "Pinning files improves booking's throughput, too.",
            BOOKING,
            "times",
            AtLeast(1.1),
            0.0,
            move |found| found.quotient(&pinned, &not, throughput),
        ),
        claim(
            "Of booking, pinning files reduces swap's traffic besides.",
            BOOKING,
            "of that without",
            AtMost(1.0),
            0.0,
            move |found| found.quotient(&pinned, &not, swap_bytes),
        ),
    ]
}

fn swappiness() -> Vec<Claim> {
    let (most, default) = (Point { swappiness: 100, ..base(App::Trading) }, base(App::Trading));
    vec![
        claim(
            "A swappiness of 100 gives more throughput than the default, which was 30 there and is 60 here.",
            SWAPPINESS,
            "times",
            AtLeast(1.0),
            0.0,
            move |found| found.quotient(&most, &default, throughput),
        ),
        claim(
            "A lower swappiness has files read more often: bytes per request at 100 by those at the default.",
            SWAPPINESS,
            "times",
            AtMost(1.0),
            0.0,
            move |found| found.quotient(&most, &default, file_bytes),
        ),
    ]
}

fn claim(
    words: &str,
    source: &'static str,
    unit: &'static str,
    expected: Expected,
    tolerance: f64,
    value: impl Fn(&Found) -> Measured + 'static,
) -> Claim {
    Draft::new(words, source, Found::of).in_unit(unit).expect(expected, tolerance, value)
}

#[cfg(test)]
#[path = "claims_test.rs"]
mod tests;
