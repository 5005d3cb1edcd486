// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The hypotheses and findings of chapter 4.2, each with the value that its text or table gives.
//!
//! Machines differ, so all values but two are quotients of measurements on one machine.

use super::found::{Found, read, write};
use super::point::{Outcome, Point};
use crate::frame::claim::Expected::{About, AtLeast, AtMost};
use crate::frame::claim::{Claim, Measured};
use crate::frame::draft::Draft;
use crate::kit::device_load::Moment;
use crate::kit::fio::Job;

/// The codec that stands for zram where the source does not name one.
const ZRAM: &str = "zram-lz4";
const DEEP: u32 = 128;
const LARGE: u64 = 1 << 20;
const SMALL: u64 = 4 << 10;

/// In the order of the source.
pub fn all() -> Vec<Claim> {
    let parts: [fn() -> Vec<Claim>; 9] =
        [compressibility, codecs, depth, order, blocks, processes, cpu, mix, baselines];
    parts.into_iter().flat_map(|part| part()).collect()
}

const COMPRESSIBILITY: &str = "ZTera thesis, 4.2.2, figure 4.1";

fn compressibility() -> Vec<Claim> {
    vec![
        claim(
            "Hypothesis 1: zram writes data of 90 % faster than data of 10 %, with each codec.",
            COMPRESSIBILITY,
        )
        .expect(AtLeast(1.0), 0.0, |found| found.least_zram(|zram| found.writes(zram, 90, 10))),
        claim("Zero pages are written 5 to 10 times faster than data of 90 %.", COMPRESSIBILITY).expect(
            AtLeast(5.0),
            0.0,
            |found| found.least_zram(|zram| found.writes(zram, 100, 90)),
        ),
        claim(
            "zram reads incompressible data, which it keeps raw, faster than data of 10 %.",
            COMPRESSIBILITY,
        )
        .expect(AtLeast(1.0), 0.0, |found| found.least_zram(|zram| found.reads(zram, 0, 10))),
        claim(
            "Compressibility matters more to zram's writes than to its reads, from 90 % to 10 %.",
            COMPRESSIBILITY,
        )
        .expect(AtLeast(1.0), 0.0, |found| {
            found.least_zram(|zram| Ok(found.writes(zram, 90, 10)? / found.reads(zram, 90, 10)?))
        }),
        claim("zram reads several times faster than it writes: 3 to 4 GB/s against 1.", COMPRESSIBILITY)
            .expect(AtLeast(3.0), 0.25, |found| {
                let base = found.at(&Point::of(ZRAM))?;
                Ok(base.read.mib_per_second / base.write.mib_per_second)
            }),
        claim(
            "Hypothesis 3: the SSD's writes do not depend on compressibility: fastest over slowest.",
            COMPRESSIBILITY,
        )
        .expect(AtMost(1.0), 0.2, |found| found.spread("ssd", |outcome| outcome.write.mib_per_second)),
        claim("Hypothesis 3: nor do its reads.", COMPRESSIBILITY)
            .expect(AtMost(1.0), 0.2, |found| found.spread("ssd", |outcome| outcome.read.mib_per_second)),
    ]
}

fn codecs() -> Vec<Claim> {
    vec![
        claim("Hypothesis 2: zstd writes 10 times slower than lz4 at 50 %.", COMPRESSIBILITY).expect(
            AtLeast(10.0),
            0.5,
            |found| found.speeds(&Point::of(ZRAM), &Point::of("zram-zstd"), write),
        ),
        claim("The gap of reads is much less: lz4 4 GB/s, zstd 3.5.", COMPRESSIBILITY).expect(
            About(1.14),
            0.3,
            |found| found.speeds(&Point::of(ZRAM), &Point::of("zram-zstd"), read),
        ),
        claim("lz4 and lzo write about equally fast at 50 %.", COMPRESSIBILITY).expect(
            About(1.0),
            0.3,
            |found| found.speeds(&Point::of(ZRAM), &Point::of("zram-lzo"), write),
        ),
    ]
}

const DEPTH: &str = "ZTera thesis, 4.2.3, figure 4.2";
const QUEUE: &str = "ZTera thesis, 4.2.3, figure 4.3";

fn depth() -> Vec<Claim> {
    let deep = |medium: &str| Point { depth: DEEP, ..Point::of(medium) };
    let flat = |medium: &str| Point { depth: 1, ..Point::of(medium) };
    vec![
        claim("The SSD reads faster with 128 requests under way than with one.", DEPTH).expect(
            AtLeast(2.0),
            0.0,
            move |found| found.speeds(&deep("ssd"), &flat("ssd"), read),
        ),
        claim("zram gains nothing: reads of depth 128 over depth 1, the most of all codecs.", DEPTH).expect(
            AtMost(1.0),
            0.15,
            move |found| found.most_zram(|zram| found.speeds(&deep(zram), &flat(zram), read)),
        ),
        claim("Nor do zram's writes.", DEPTH).expect(AtMost(1.0), 0.15, move |found| {
            found.most_zram(|zram| found.speeds(&deep(zram), &flat(zram), write))
        }),
        claim("zram at depth 128 keeps no more than one CPU busy: share of one CPU.", DEPTH)
            .in_unit("%")
            .expect(AtMost(100.0), 0.05, move |found| {
                found.most_zram(|zram| found.at(&deep(zram)).map(|it| it.read.user + it.read.system))
            }),
        claim("zram's queue holds 1 or 2 requests at depth 128: the mean, the most of all codecs.", QUEUE)
            .in_unit("requests")
            .expect(AtMost(2.0), 0.0, move |found| {
                found.most_zram(|zram| found.while_read(&deep(zram), |it| it.queue))
            }),
        claim("The SSD's queue becomes very large: its mean by zram's.", QUEUE).expect(
            AtLeast(10.0),
            0.5,
            move |found| {
                let queue = |medium: &str| found.while_read(&deep(medium), |it| it.queue);
                Ok(queue("ssd")? / queue(ZRAM)?)
            },
        ),
        claim("One thread at depth 128 reads the SSD faster than zram.", DEPTH).expect(
            AtLeast(1.0),
            0.0,
            move |found| found.speeds(&deep("ssd"), &deep(ZRAM), read),
        ),
    ]
}

const ORDER: &str = "ZTera thesis, 4.2.4, figure 4.4";
const CLOSING: &str = "ZTera thesis, 4.2.4";

fn order() -> Vec<Claim> {
    let gap = |found: &Found, medium: &str, job: fn(&Outcome) -> Job| {
        found.speeds(&Point::of(medium), &Point { random: true, ..Point::of(medium) }, job)
    };
    vec![
        claim("zram has hardly a gap between sequential and random reads, with each codec.", ORDER).expect(
            AtMost(1.2),
            0.1,
            move |found| found.most_zram(|zram| gap(found, zram, read)),
        ),
        claim("The same of writes.", ORDER)
            .expect(AtMost(1.2), 0.1, move |found| found.most_zram(|zram| gap(found, zram, write))),
        claim("Hypothesis: the SSD has no such gap in reads. The source found 2.7 on one machine.", ORDER)
            .expect(AtMost(1.2), 0.1, move |found| gap(found, "ssd", read)),
        claim("The SSD's gap disappears with 128 requests under way.", CLOSING).expect(
            AtMost(1.2),
            0.1,
            move |found| in_order_by_random(found, &Point { depth: DEEP, ..Point::of("ssd") }),
        ),
        claim("The SSD's gap disappears with a process on each CPU.", CLOSING).expect(
            AtMost(1.2),
            0.1,
            move |found| in_order_by_random(found, &found.widest("ssd")?),
        ),
    ]
}

fn in_order_by_random(found: &Found, point: &Point) -> Measured {
    found.speeds(point, &Point { random: true, ..point.clone() }, read)
}

const BLOCKS: &str = "ZTera thesis, 4.2.5, figure 4.5";

fn blocks() -> Vec<Claim> {
    let of = |medium: &str, block: u64| Point { block, ..Point::of(medium) };
    let growth = move |found: &Found, medium: &str, job: fn(&Outcome) -> Job| {
        found.speeds(&of(medium, LARGE), &of(medium, SMALL), job)
    };
    vec![
        claim("The SSD reads blocks of 1 MiB 15 times faster than blocks of 4 KiB.", BLOCKS).expect(
            AtLeast(15.0),
            0.5,
            move |found| growth(found, "ssd", read),
        ),
        claim(
            "Hypothesis: zram's reads do not gain from large blocks. The source found that they do.",
            BLOCKS,
        )
        .expect(AtMost(1.0), 0.2, move |found| found.most_zram(|zram| growth(found, zram, read))),
        claim("zram with zstd does not write large blocks faster.", BLOCKS).expect(
            AtMost(1.0),
            0.2,
            move |found| growth(found, "zram-zstd", write),
        ),
        claim("zram reads blocks of 4 KiB faster than the SSD.", BLOCKS).expect(
            AtLeast(1.0),
            0.0,
            move |found| found.speeds(&of(ZRAM, SMALL), &of("ssd", SMALL), read),
        ),
    ]
}

const PROCESSES: &str = "ZTera thesis, 4.2.6, figure 4.6";
const TIMES: &str = "ZTera thesis, 4.2.6, figure 4.7";

fn processes() -> Vec<Claim> {
    vec![
        claim("Hypothesis 1: the SSD's reads scale with processes: all CPUs against one process.", PROCESSES)
            .expect(AtLeast(1.3), 0.0, |found| found.scaling("ssd", read).map(|(times, _)| times)),
        claim(
            "Hypothesis 2: zram's reads scale linearly: share of linear, the least of all codecs.",
            PROCESSES,
        )
        .expect(AtLeast(1.0), 0.2, |found| found.least_zram(|zram| found.linear(zram, read))),
        claim("Hypothesis 2: so do its writes. The source found a limit at 4 to 16 processes.", PROCESSES)
            .expect(AtLeast(1.0), 0.2, |found| found.least_zram(|zram| found.linear(zram, write))),
        claim("Hypothesis 3: a RAID 0 reads as many times as fast as an SSD as it has disks.", PROCESSES)
            .in_unit("of linear")
            .expect(AtLeast(1.0), 0.2, |found| found.raid(read)),
        claim("A write to zram takes no longer with a process on each CPU, the most of all codecs.", TIMES)
            .expect(AtMost(1.0), 0.2, |found| {
                found.most_zram(|zram| {
                    let wide = found.at(&found.widest(zram)?)?;
                    Ok(wide.write.mean_us / found.at(&Point::of(zram))?.write.mean_us)
                })
            }),
    ]
}

const CPU: &str = "ZTera thesis, 4.2.7";
const SHARES: &str = "ZTera thesis, 4.2.7, figure 4.8";
const LATENCY: &str = "ZTera thesis, 4.2.7, figure 4.9";

fn cpu() -> Vec<Claim> {
    let large = |medium: &str| Point { block: LARGE, ..Point::of(medium) };
    let latency = move |found: &Found, job: fn(&Outcome) -> Job| {
        Ok(job(found.at(&large(ZRAM))?).mean_us / job(found.at(&large("tmpfs"))?).mean_us)
    };
    vec![
        claim("A write of 1 MiB to zram takes 6.2 times as long as one to memory: 680 us by 110.", LATENCY)
            .expect(AtLeast(6.2), 0.5, move |found| latency(found, write)),
        claim("A read takes 2.4 to 3.7 times as long: 200 to 300 us by 82.", LATENCY).expect(
            About(3.0),
            0.4,
            move |found| latency(found, read),
        ),
        claim("A process that reads zram is in the kernel nearly all of its time.", CPU).in_unit("%").expect(
            AtLeast(99.0),
            0.1,
            |found| found.least_zram(|zram| found.at(&Point::of(zram)).map(|it| it.read.system)),
        ),
        claim("While a process on each CPU reads zram, 99 % of all time is the kernel's.", SHARES)
            .in_unit("%")
            .expect(AtLeast(99.0), 0.1, move |found| share(found, ZRAM, |it| it.system)),
        claim("While a process on each CPU reads the SSD, most of all time is I/O wait.", SHARES)
            .in_unit("%")
            .expect(AtLeast(50.0), 0.0, move |found| share(found, "ssd", |it| it.wait)),
        claim("A process that reads the SSD leaves most of its CPU idle.", CPU).in_unit("%").expect(
            AtLeast(50.0),
            0.0,
            |found| found.at(&Point::of("ssd")).map(|it| 100.0 - it.read.user - it.read.system),
        ),
    ]
}

/// Of all CPUs, while a process on each reads a medium, in percent.
fn share(found: &Found, medium: &str, part: fn(&Moment) -> f64) -> Measured {
    Ok(100.0 * found.while_read(&found.widest(medium)?, part)?)
}

const MIX: &str = "ZTera thesis, 4.2.8, figure 4.10";
const MIX_OF_MANY: &str = "ZTera thesis, 4.2.8, figure 4.11";

fn mix() -> Vec<Claim> {
    let kept = |found: &Found, medium: &str| {
        found.speeds(&Point { reads: 90, ..Point::of(medium) }, &Point::of(medium), read)
    };
    vec![
        claim(
            "Hypothesis: 10 % of writes cost zram a smaller part than the SSD. The source found more.",
            MIX,
        )
        .expect(AtLeast(1.0), 0.0, move |found| Ok(kept(found, ZRAM)? / kept(found, "ssd")?)),
        claim("With zstd, 10 % of writes cost more than half of the bandwidth.", MIX).expect(
            AtMost(0.5),
            0.0,
            move |found| kept(found, "zram-zstd"),
        ),
        claim(
            "With a process on each CPU, 10 % of writes cost zram bandwidth: the most that a codec keeps.",
            MIX_OF_MANY,
        )
        .expect(AtMost(0.95), 0.0, move |found| found.most_zram(|zram| kept_by_many(found, zram))),
        claim("They cost the SSD bandwidth, too.", MIX_OF_MANY)
            .expect(AtMost(0.95), 0.0, move |found| kept_by_many(found, "ssd")),
    ]
}

/// Bandwidth with 10 % of writes by that of reads alone, with a process on each CPU.
fn kept_by_many(found: &Found, medium: &str) -> Measured {
    let wide = found.widest(medium)?;
    found.speeds(&Point { reads: 90, ..wide.clone() }, &wide, read)
}

const BASELINES: &str = "ZTera thesis, 4.2.9 and 4.2.10, tables 4.5 to 4.7";

fn baselines() -> Vec<Claim> {
    let large = |medium: &str| Point { block: LARGE, ..Point::of(medium) };
    vec![
        claim(
            "One synchronous writer of 1 MiB blocks is faster on the SSD than on zram: 2.6 against 1.2 GB/s.",
            BASELINES,
        )
        .expect(AtLeast(2.2), 0.3, move |found| found.speeds(&large("ssd"), &large(ZRAM), write)),
        claim(
            "One synchronous reader of 1 MiB blocks is faster on zram with lz4: 4.3 against 3.3 GB/s.",
            BASELINES,
        )
        .expect(AtLeast(1.3), 0.3, move |found| found.speeds(&large(ZRAM), &large("ssd"), read)),
        claim(
            "With all CPUs, zram with lz4 reads 2.4 times faster than one SSD: 14.3 against 6.0 GB/s.",
            BASELINES,
        )
        .expect(AtLeast(2.4), 0.3, |found| {
            let zram = found.scaling(ZRAM, read)?.1;
            Ok(zram / found.scaling("ssd", read)?.1)
        }),
    ]
}

fn claim(words: &str, source: &'static str) -> Draft<Found> {
    Draft::new(words, source, Found::of)
}

#[cfg(test)]
#[path = "claims_test.rs"]
mod tests;
