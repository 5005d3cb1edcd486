// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The findings of chapter 5 of Nakaike et al., each with the value that its text gives.
//!
//! All values are quotients, shares or correlations of measurements on one machine. Swappiness is 100 where nothing
//! else is said, as it is in the paper.

mod guest;

use super::found::{Found, OF_SEED, disk_bytes, file_bytes, swap_bytes, swapped_share, throughput};
use super::plan::LINUX;
use super::point::{App, Outcome, Point, Served};
use crate::frame::claim::Expected::{AtLeast, AtMost};
use crate::frame::claim::{Claim, Expected, Measured};
use crate::frame::draft::Draft;
use crate::kit::samples::correlation;

const OVERALL: &str = "Nakaike et al., 5.1, figure 2";
const RESPONSE: &str = "Nakaike et al., 5.1, figure 3";
const FOOTPRINT: &str = "Nakaike et al., 5.1, figure 4, table 1";
const TRADING: &str = "Nakaike et al., 5.2, figure 5";
const AREAS: &str = "Nakaike et al., 5.2, figure 6";
const BOOKING: &str = "Nakaike et al., 5.3, figure 7";
const BOOKING_AREAS: &str = "Nakaike et al., 5.3, figure 8";
const SWAPPINESS: &str = "Nakaike et al., 5.4, figure 9";

/// In the order of the source.
pub fn all() -> Vec<Claim> {
    let parts =
        [overall(), dots(), eagerness(), pinning(), areas(), booking(), swappiness(), guest::in_a_guest()];
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

/// Each dot is a number of JVMs with a heap of one of three sizes.
fn dots() -> Vec<Claim> {
    let bears = |words, app: App, expected: Expected| {
        claim(words, FOOTPRINT, "times the memory", expected, 0.3, move |found| bearable(found, app))
    };
    vec![
        claim(
            "Throughput falls as I/O wait grows, over all numbers of JVMs and heaps of trading.",
            OVERALL,
            "(correlation)",
            AtMost(-0.5),
            0.0,
            |found| with_wait(found, throughput),
        ),
        claim(
            "The response time grows with I/O wait, over all numbers of JVMs and heaps of trading.",
            RESPONSE,
            "(correlation)",
            AtLeast(0.5),
            0.0,
            |found| with_wait(found, |served| served.load.mean_ms()),
        ),
        bears("Trading bears a footprint of 3,992 MB in 2,048.", App::Trading, AtLeast(1.95)),
        bears("Booking does not bear one of 3,170 MB.", App::Booking, AtMost(1.55)),
    ]
}

/// All measurements of an application in the paper's arm, with any number of JVMs and any heap.
fn configurations(found: &Found, app: App) -> Vec<&Outcome> {
    let like = base(app);
    let is_alike = |point: &Point| *point == Point { jvms: point.jvms, heap: point.heap, ..like };
    found.all().iter().filter(|outcome| outcome.served.is_some() && is_alike(&outcome.point)).collect()
}

/// Of a value with I/O wait.
fn with_wait(found: &Found, value: fn(&Served) -> f64) -> Measured {
    let served: Vec<&Served> = configurations(found, App::Trading)
        .into_iter()
        .filter_map(|outcome| outcome.served.as_ref())
        .collect();
    let waits: Vec<f64> = served.iter().map(|it| it.traffic.io_wait).collect();
    let values: Vec<f64> = served.iter().map(|it| value(it)).collect();
    correlation(&waits, &values)
        .ok_or_else(|| "configurations do not differ, or are less than three".to_owned())
}

/// The largest footprint, in times of the memory, at which the response time is no more than twice the best.
fn bearable(found: &Found, app: App) -> Measured {
    let dots: Vec<(f64, f64)> = configurations(found, app)
        .into_iter()
        .filter_map(|outcome| Some((outcome.limit_bytes, outcome.served.as_ref()?)))
        .filter(|(_, served)| served.footprint_bytes > 0)
        .map(|(limit, served)| (served.footprint_bytes as f64 / limit as f64, served.load.mean_ms()))
        .collect();
    let best = dots.iter().map(|(_, mean)| *mean).fold(f64::INFINITY, f64::min);
    let bears = dots.iter().filter(|(_, mean)| *mean <= 2.0 * best).map(|(footprint, _)| *footprint);
    let most = dots.iter().map(|(footprint, _)| *footprint).fold(0.0, f64::max);
    if most <= 1.0 {
        return Err(format!("{} was not measured with a footprint beyond the memory", app.name()));
    }
    Ok(bears.fold(0.0, f64::max))
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
        claim(
            "Of the traffic of files, more than 90 % are reads.",
            TRADING,
            "%",
            AtLeast(90.0),
            0.0,
            |found| {
                let traffic = found.at(&found.shortest(&base(App::Trading))?)?.traffic;
                let all = traffic.file_read_bytes + traffic.file_written_bytes;
                if all == 0 {
                    Err("no file was read".to_owned())
                } else {
                    Ok(100.0 * traffic.file_read_bytes as f64 / all as f64)
                }
            },
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
        claim(
            "Of booking, pinning files has less of the young generation swapped: difference of shares.",
            BOOKING_AREAS,
            "%",
            AtMost(0.0),
            0.0,
            move |found| {
                let point = found.shortest(&pinned)?;
                let young = |point: &Point| swapped_share(found.at(point)?, "young");
                Ok(100.0 * (young(&point)? - young(&Point { pinned: false, ..point })?))
            },
        ),
    ]
}

fn swappiness() -> Vec<Claim> {
    let (most, default) = (base(App::Trading), Point { swappiness: LINUX, ..base(App::Trading) });
    let (booking, by_default) = (base(App::Booking), Point { swappiness: LINUX, ..base(App::Booking) });
    vec![
        claim(
            "A swappiness of 100 gives trading more throughput than the default, which was 30 there and is 60 here.",
            SWAPPINESS,
            "times",
            AtLeast(1.0),
            0.0,
            move |found| found.quotient(&most, &default, throughput),
        ),
        claim(
            "It gives booking more throughput, too.",
            SWAPPINESS,
            "times",
            AtLeast(1.0),
            0.0,
            move |found| found.quotient(&booking, &by_default, throughput),
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
