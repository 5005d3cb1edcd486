// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The findings of section 5, each with the value that a table, figure or text gives. Machines differ, so all values
//! but two densities and a latency are quotients on one machine.

mod redis;

use super::found::{Found, Which, claim, read, write};
use super::point::{Point, Side, Way};
use crate::frame::claim::Expected::{About, AtLeast, AtMost};
use crate::frame::claim::{Claim, Measured};

const LZO: &str = "zram-lzo";
const MODEL: &str = "ours-model";
const MODEL_16K: &str = "ours-model-16k";
const DIRECT: &str = "ours-model-direct";

/// In the order of the source.
pub fn all() -> Vec<Claim> {
    let parts: [fn() -> Vec<Claim>; 7] =
        [density, cpu, blocks, patterns, jobs, redis::on_this_machine, redis::in_a_guest];
    parts.into_iter().flat_map(|part| part()).collect()
}

/// Pages in order by one job, of no arm yet.
fn page(way: Way) -> Point {
    Point::of("", way)
}

/// The same in random order, as single pages go to swap.
fn random() -> Point {
    Point { random: true, ..page(Way::Calls) }
}

fn density() -> Vec<Claim> {
    const SOURCE: &str = "QZRAM, 2.3 and 5.3, tables 1 and 2";
    let dram =
        |found: &Found, arm: &str| -> Measured { Ok(found.at(&Point::of(arm, Way::Calls))?.density.dram) };
    let denser = "Deflate of the model makes DRAM 1.51 times smaller than lzo does, our tables included.";
    let of_units = "With units of 16 KiB, deflate of the model makes DRAM 1.51 times smaller than lzo does.";
    vec![
        claim("zram with lzo makes the corpus 1.49 times smaller.", SOURCE).expect(
            About(1.49),
            0.1,
            move |found| dram(found, LZO),
        ),
        claim("zram with lz4 makes it 1.51 times smaller.", SOURCE)
            .expect(About(1.51), 0.1, move |found| dram(found, "zram-lz4")),
        claim("Deflate of the model makes it 2.25 times smaller.", SOURCE).expect(
            About(2.25),
            0.1,
            move |found| dram(found, MODEL),
        ),
        claim(denser, SOURCE)
            .expect(AtLeast(1.51), 0.0, move |found| Ok(dram(found, MODEL)? / dram(found, LZO)?)),
        claim(of_units, SOURCE).expect(AtLeast(1.51), 0.0, move |found| {
            let like = Point { block: 32 << 10, ..Point::of(MODEL_16K, Way::Calls) };
            Ok(found.at(&like)?.density.dram / dram(found, LZO)?)
        }),
        claim("Deflate on the CPU writes a tenth as fast as lzo does.", SOURCE).expect(
            AtMost(0.098),
            0.2,
            |found| found.quotient(&page(Way::Calls), ["ours-deflate", LZO], write, speed),
        ),
    ]
}

fn cpu() -> Vec<Claim> {
    const TABLE: &str = "QZRAM, 5.3, table 2";
    const TEXT: &str = "QZRAM, introduction";
    let writes = |way: Way| move |found: &Found| found.quotient(&page(way), [MODEL, LZO], write, cost);
    let means = |way: Way| move |found: &Found| found.mean(way, [MODEL, LZO], write, cost);
    vec![
        claim("With the model, writing pages takes a third of lzo's CPU time.", TABLE).expect(
            AtMost(0.336),
            0.0,
            writes(Way::Calls),
        ),
        claim("By NBD, writing pages takes a third of lzo's CPU time, the server's included.", TABLE).expect(
            AtMost(0.336),
            0.0,
            writes(Way::Fio),
        ),
        claim("The model saves 43 % of lzo's CPU time: mean of all block sizes.", TEXT).expect(
            AtMost(0.57),
            0.0,
            means(Way::Calls),
        ),
        claim("By NBD, the model saves 43 % of lzo's CPU time: mean of all block sizes.", TEXT).expect(
            AtMost(0.57),
            0.0,
            means(Way::Fio),
        ),
        claim("With units of 16 KiB, the model saves 43 % of lzo's CPU time: mean.", TEXT).expect(
            AtMost(0.57),
            0.0,
            |found| found.mean(Way::Calls, [MODEL_16K, LZO], write, cost),
        ),
    ]
}

fn blocks() -> Vec<Claim> {
    const FIGURE: &str = "QZRAM, 5.3, figure 7";
    const TEXT: &str = "QZRAM, introduction";
    let direct = |found: &Found, value: Value| found.quotient(&page(Way::Calls), [DIRECT, LZO], write, value);
    vec![
        claim("With the model, writes are 1.6 times faster than lzo's: mean of block sizes.", TEXT).expect(
            AtLeast(1.6),
            0.0,
            |found| found.mean(Way::Calls, [MODEL, LZO], write, speed),
        ),
        claim("By NBD, writes with the model are 1.6 times faster than lzo's: mean.", TEXT).expect(
            AtLeast(1.6),
            0.0,
            |found| found.mean(Way::Fio, [MODEL, LZO], write, speed),
        ),
        claim("With units of 16 KiB, writes are 1.6 times faster than lzo's: mean.", TEXT).expect(
            AtLeast(1.6),
            0.0,
            |found| found.mean(Way::Calls, [MODEL_16K, LZO], write, speed),
        ),
        claim("Writes with the model are faster at every block size: the least.", FIGURE).expect(
            AtLeast(1.0),
            0.0,
            |found| {
                let all = found.by_block(Way::Calls, [MODEL, LZO], write, speed)?;
                Ok(all.into_iter().fold(f64::INFINITY, f64::min))
            },
        ),
        claim("Writes of 32 KiB with the model are 1.71 times faster.", FIGURE).expect(
            AtLeast(1.71),
            0.0,
            |found| {
                let like = Point { block: 32 << 10, ..page(Way::Calls) };
                found.quotient(&like, [MODEL, LZO], write, speed)
            },
        ),
        claim("Direct offloading to the model writes a tenth as fast as lzo.", FIGURE).expect(
            AtMost(0.1),
            0.0,
            move |found| direct(found, speed),
        ),
        claim("The latency of direct offloading is ten times lzo's.", FIGURE).expect(
            AtLeast(10.0),
            0.0,
            move |found| direct(found, |side| side.mean_us),
        ),
    ]
}

fn patterns() -> Vec<Claim> {
    const FIGURE: &str = "QZRAM, 5.3, figure 8";
    const LATENCY: &str = "QZRAM, 5.3, figure 10";
    let of = |way: Way, which: Which, value: Value| {
        move |found: &Found| found.quotient(&page(way), [MODEL, LZO], which, value)
    };
    let later = |way: Way| {
        move |found: &Found| {
            let mean = |arm: &str| -> Measured { Ok(found.at(&Point::of(arm, way))?.read.mean_us) };
            Ok(mean(MODEL)? - mean(LZO)?)
        }
    };
    let half = "Pages of the model are read at half of lzo's speed; the paper's at 0.38 of it.";
    vec![
        claim(half, FIGURE).expect(AtLeast(0.5), 0.0, of(Way::Calls, read, speed)),
        claim("By NBD, they are read at half of lzo's speed.", FIGURE).expect(
            AtLeast(0.5),
            0.0,
            of(Way::Fio, read, speed),
        ),
        claim("Reading pages of the model takes 0.36 of lzo's CPU time.", FIGURE).expect(
            AtMost(0.36),
            0.0,
            of(Way::Calls, read, cost),
        ),
        claim("Pages are written with the model about as fast as with lzo.", FIGURE).expect(
            AtLeast(1.0),
            0.1,
            of(Way::Calls, write, speed),
        ),
        claim("In random order, pages of the model are read at half of lzo's speed.", FIGURE).expect(
            AtLeast(0.5),
            0.0,
            |found| found.quotient(&random(), [MODEL, LZO], read, speed),
        ),
        claim("In random order, pages are written with the model about as fast as with lzo.", FIGURE).expect(
            AtLeast(1.0),
            0.1,
            |found| found.quotient(&random(), [MODEL, LZO], write, speed),
        ),
        claim("In random order, writing pages takes a third less of lzo's CPU time.", FIGURE).expect(
            AtMost(0.633),
            0.0,
            |found| found.quotient(&random(), [MODEL, LZO], write, cost),
        ),
        claim("A write of a page to the model takes as long as lzo's.", LATENCY).expect(
            AtMost(1.0),
            0.1,
            of(Way::Calls, write, |side| side.mean_us),
        ),
        claim("By NBD, a write of a page takes as long as lzo's.", LATENCY).expect(
            AtMost(1.0),
            0.1,
            of(Way::Fio, write, |side| side.mean_us),
        ),
        claim("A read of a page of the model takes 54 us longer than lzo's.", LATENCY).in_unit("us").expect(
            AtMost(54.0),
            0.0,
            later(Way::Calls),
        ),
        claim("By NBD, a read of a page takes 54 us longer than lzo's.", LATENCY).in_unit("us").expect(
            AtMost(54.0),
            0.0,
            later(Way::Fio),
        ),
    ]
}

fn jobs() -> Vec<Claim> {
    const FIGURE: &str = "QZRAM, 5.3, figure 9";
    let of = |way: Way, value: Value| {
        move |found: &Found| {
            let like = Point { jobs: 16, ..page(way) };
            found.quotient(&like, [MODEL, LZO], write, value)
        }
    };
    vec![
        claim("Sixteen jobs write with the model as fast as with lzo.", FIGURE).expect(
            AtLeast(1.0),
            0.1,
            of(Way::Calls, speed),
        ),
        claim("By NBD, sixteen jobs write with the model as fast as with lzo.", FIGURE).expect(
            AtLeast(1.0),
            0.1,
            of(Way::Fio, speed),
        ),
        claim("The CPU time of sixteen jobs is 49.2 % less than lzo's.", FIGURE).expect(
            AtMost(0.508),
            0.0,
            of(Way::Calls, cost),
        ),
        claim("By NBD, the CPU time of sixteen jobs is 49.2 % less.", FIGURE).expect(
            AtMost(0.508),
            0.0,
            of(Way::Fio, cost),
        ),
    ]
}

fn speed(side: Side) -> f64 {
    side.mib_per_second
}

fn cost(side: Side) -> f64 {
    side.cpu_per_gib
}

type Value = fn(Side) -> f64;

#[cfg(test)]
#[path = "claims_test.rs"]
mod tests;
