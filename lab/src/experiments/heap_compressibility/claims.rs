// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The findings of chapter 4.3, and the question that chapter 6 leaves open.
//!
//! The chapter's zram compresses pages of 4 KiB, so units of 4 KiB without filters are held against its numbers.

use super::found::{Dump, Kind, Program, Ssd, Zram, together};
use crate::frame::claim::Expected::{About, AtLeast, AtMost};
use crate::frame::claim::{Claim, Expected, Measured};
use crate::frame::draft::Draft;
use crate::frame::sample::{Sample, data_of};
use crate::kit::samples::{correlation, mean};

const PAGE: u64 = 4 << 10;
const LARGE: u64 = 16 << 10;

const RATIOS: &str = "ZTera thesis, 4.3.2, figures 4.12 and 4.13, table 4.8";
const SPEEDS: &str = "ZTera thesis, 4.3.3, figures 4.14 and 4.15";
const SHARES: &str = "ZTera thesis, 4.3.3, figures 4.16 and 4.17";
const LONG_LIVED: &str = "ZTera thesis, 6, figure 6.1";
const DESIGN: &str = "design: units of several pages, and filters";

/// In the order of the source.
pub fn all() -> Vec<Claim> {
    [table(), ratios(), speeds(), shares(), long_lived(), design()].into_iter().flatten().collect()
}

/// Table 4.8: the mean of all programs.
fn table() -> Vec<Claim> {
    let values = [
        (Kind::Heap, "Direct dumps", [("lz4", 3.44), ("lzo", 3.49), ("zstd", 4.82)]),
        (Kind::Live, "Dumps by HPROF", [("lz4", 2.84), ("lzo", 3.07), ("zstd", 4.51)]),
    ];
    let of_kind = |(kind, dumps, codecs): (Kind, &str, [(&'static str, f64); 3])| {
        let dumps = dumps.to_owned();
        codecs.map(|(codec, times)| {
            let words = format!("{dumps} become {times} times smaller with {codec} on zram, in the mean.");
            claim(&words, RATIOS, (About(times), 0.3), move |found| {
                found.mean(kind, |dump| Ok(on_zram(dump, codec)?.smaller_by))
            })
        })
    };
    values.into_iter().flat_map(of_kind).collect()
}

fn ratios() -> Vec<Claim> {
    vec![
        claim("Our lz4 makes the same pages as small as zram's.", DESIGN, (About(1.0), 0.1), |found| {
            found.mean(Kind::Live, |dump| Ok(ours(dump, "lz4")? / on_zram(dump, "lz4")?.smaller_by))
        }),
        claim(
            "zstd compresses 1.5 times better than lz4, in the mean.",
            RATIOS,
            (About(1.5), 0.3),
            |found| found.mean(Kind::Live, denser),
        ),
        claim("zstd is denser than lz4 with each program.", RATIOS, (AtLeast(1.0), 0.0), |found| {
            found.least(Kind::Live, denser)
        }),
        claim("lzo compresses about as well as lz4.", RATIOS, (About(1.0), 0.15), |found| {
            found.mean(Kind::Live, |dump| {
                Ok(on_zram(dump, "lzo")?.smaller_by / on_zram(dump, "lz4")?.smaller_by)
            })
        }),
        claim(
            "Programs differ: the most compressible over the least, with zstd: over 5 by 2.5.",
            RATIOS,
            (AtLeast(2.0), 0.0),
            |found| Ok(found.most(Kind::Live, zstd)? / found.least(Kind::Live, zstd)?),
        ),
        claim(
            "Direct dumps compress better than those by HPROF, with zstd: 4.82 by 4.51.",
            RATIOS,
            (AtLeast(1.07), 0.1),
            |found| Ok(found.mean(Kind::Heap, zstd)? / found.mean(Kind::Live, zstd)?),
        ),
    ]
}

fn speeds() -> Vec<Claim> {
    let zram = |found: &Found, speed: fn(&Zram) -> f64| {
        found.mean(Kind::Live, |dump| Ok(speed(on_zram(dump, "lz4")?)))
    };
    vec![
        claim(
            "One process writes faster to the SSD than to zram.",
            SPEEDS,
            (AtLeast(1.0), 0.0),
            move |found| Ok(found.ssd()?.ssd_one.write / zram(found, |it| it.one.write)?),
        ),
        claim("One process reads faster from the SSD.", SPEEDS, (AtLeast(1.0), 0.0), move |found| {
            Ok(found.ssd()?.ssd_one.read / zram(found, |it| it.one.read)?)
        }),
        claim("Many processes write faster to zram.", SPEEDS, (AtLeast(1.0), 0.0), move |found| {
            Ok(zram(found, |it| it.all.write)? / found.ssd()?.ssd_all.write)
        }),
        claim("Many processes read faster from zram.", SPEEDS, (AtLeast(1.0), 0.0), move |found| {
            Ok(zram(found, |it| it.all.read)? / found.ssd()?.ssd_all.read)
        }),
        Claim {
            unit: "(correlation)",
            ..claim(
                "Programs with many same-filled pages are read faster by many processes.",
                SPEEDS,
                (AtLeast(0.5), 0.0),
                |found| {
                    let shares = found.values(Kind::Live, |dump| Ok(on_zram(dump, "lz4")?.same_filled))?;
                    let speeds = found.values(Kind::Live, |dump| Ok(on_zram(dump, "lz4")?.all.read))?;
                    correlation(&shares, &speeds)
                        .ok_or_else(|| "programs do not differ, or are less than three".to_owned())
                },
            )
        },
    ]
}

fn shares() -> Vec<Claim> {
    let percent = |words, value: fn(&Dump) -> Measured| Claim {
        unit: "%",
        ..claim(words, SHARES, (AtLeast(10.0), 0.0), move |found| found.most(Kind::Live, value))
    };
    vec![
        percent("Some program has a significant part that even zstd does not compress.", |dump| {
            let found = dump.ours("zstd", false, PAGE).ok_or_else(not_measured)?;
            Ok(found.incompressible)
        }),
        percent("Some program's live data have a significant share of same-filled pages.", |dump| {
            let found = dump.ours("lz4", false, PAGE).ok_or_else(not_measured)?;
            Ok(found.same_filled)
        }),
    ]
}

fn long_lived() -> Vec<Claim> {
    let over_live = |found: &Found, kind: Kind| {
        let pair = |program: &Program| {
            let [own, live] = [kind, Kind::LiveDirect].map(|kind| program.last(kind).map(zstd));
            Some((own?, live?))
        };
        let pairs = found.programs.iter().filter_map(pair);
        let quotients = pairs.map(|(own, live)| Ok(own? / live?)).collect::<Result<Vec<f64>, String>>()?;
        mean(&quotients).ok_or_else(not_measured)
    };
    vec![
        claim(
            "Long-lived data compress less than all live data, with zstd: what survived young collections.",
            LONG_LIVED,
            (AtMost(1.0), 0.0),
            move |found| over_live(found, Kind::Old),
        ),
        claim(
            "So do data that a program groups for H2, with zstd.",
            LONG_LIVED,
            (AtMost(1.0), 0.0),
            move |found| over_live(found, Kind::H2),
        ),
    ]
}

fn design() -> Vec<Claim> {
    vec![
        claim("Units of 16 KiB take no more than pages, with zstd.", DESIGN, (AtMost(1.0), 0.0), |found| {
            found.mean(Kind::Live, |dump| Ok(zstd(dump)? / by(dump, "zstd", false, LARGE)?))
        }),
        claim(
            "Filters make no heap larger, units of 16 KiB with zstd.",
            DESIGN,
            (AtLeast(1.0), 0.01),
            |found| {
                found.least(Kind::LiveDirect, |dump| {
                    Ok(by(dump, "zstd", true, LARGE)? / by(dump, "zstd", false, LARGE)?)
                })
            },
        ),
    ]
}

fn ours(dump: &Dump, codec: &str) -> Measured {
    by(dump, codec, false, PAGE)
}

fn by(dump: &Dump, codec: &str, filters: bool, unit: u64) -> Measured {
    dump.ours(codec, filters, unit).map(|found| found.smaller_by).ok_or_else(not_measured)
}

fn zstd(dump: &Dump) -> Measured {
    ours(dump, "zstd")
}

fn denser(dump: &Dump) -> Measured {
    Ok(zstd(dump)? / ours(dump, "lz4")?)
}

fn on_zram<'d>(dump: &'d Dump, codec: &str) -> Result<&'d Zram, String> {
    dump.zram(codec).ok_or_else(|| {
        if dump.zram.is_empty() {
            "there is no zram here: it takes root and a kernel with CONFIG_ZRAM".to_owned()
        } else {
            format!("this kernel's zram has no {codec}")
        }
    })
}

fn claim(
    words: &str,
    source: &'static str,
    (expected, tolerance): (Expected, f64),
    value: impl Fn(&Found) -> Measured + 'static,
) -> Claim {
    Draft::new(words, source, Found::of).expect(expected, tolerance, value)
}

fn not_measured() -> String {
    "no program was measured".to_owned()
}

/// All programs, and the SSD beside them.
struct Found {
    programs: Vec<Program>,
    ssd: Option<Ssd>,
}

impl Found {
    fn of(samples: &[Sample]) -> Found {
        Found { programs: together(data_of(samples)), ssd: data_of(samples).pop() }
    }

    fn ssd(&self) -> Result<Ssd, String> {
        self.ssd.ok_or_else(|| "the SSD was not measured: name a directory on it with --ssd".to_owned())
    }

    /// One per program, of its last dump of this kind.
    fn values(&self, kind: Kind, value: impl Fn(&Dump) -> Measured) -> Result<Vec<f64>, String> {
        let values = self.programs.iter().filter_map(|program| program.last(kind)).map(value);
        let values: Vec<f64> = values.collect::<Result<_, _>>()?;
        if values.is_empty() { Err(not_measured()) } else { Ok(values) }
    }

    fn mean(&self, kind: Kind, value: impl Fn(&Dump) -> Measured) -> Measured {
        mean(&self.values(kind, value)?).ok_or_else(not_measured)
    }

    fn least(&self, kind: Kind, value: impl Fn(&Dump) -> Measured) -> Measured {
        self.values(kind, value)?.into_iter().reduce(f64::min).ok_or_else(not_measured)
    }

    fn most(&self, kind: Kind, value: impl Fn(&Dump) -> Measured) -> Measured {
        self.values(kind, value)?.into_iter().reduce(f64::max).ok_or_else(not_measured)
    }
}

#[cfg(test)]
#[path = "claims_test.rs"]
mod tests;
