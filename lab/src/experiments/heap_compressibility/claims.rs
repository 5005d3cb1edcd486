// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The findings of chapter 4.3. zram compresses pages of 4 KiB, so units of 4 KiB are held against its numbers.

use super::moment::{Packing, Program, Units};
use crate::frame::claim::Expected::{self, About, AtLeast, AtMost};
use crate::frame::claim::{Claim, Measured};
use crate::frame::sample::data_of;

const PAGE: u64 = 4 << 10;
const LARGE: u64 = 16 << 10;

/// In the order of the source.
pub fn all() -> Vec<Claim> {
    let ratio = |units: &Units, packing: fn(&Units) -> Packing| units.smaller_by(packing(units));
    vec![
        claim(
            "Heaps become 2.84 times smaller with lz4, in the mean of all programs.",
            About(2.84),
            move |all| mean(all, PAGE, |units| ratio(units, lz4)),
        ),
        claim("Heaps become 4.51 times smaller with zstd.", About(4.51), move |all| {
            mean(all, PAGE, |units| ratio(units, zstd))
        }),
        claim("zstd compresses 1.5 times better than lz4, in the mean.", About(1.5), move |all| {
            mean(all, PAGE, |units| ratio(units, zstd) / ratio(units, lz4))
        }),
        Claim {
            tolerance: 0.0,
            ..claim("zstd is denser than lz4 with each program.", AtLeast(1.0), move |all| {
                values(all, PAGE, |units| ratio(units, zstd) / ratio(units, lz4))
                    .and_then(|values| values.into_iter().reduce(f64::min).ok_or_else(not_measured))
            })
        },
        Claim {
            tolerance: 0.0,
            ..claim(
                "Programs differ: the most compressible over the least, with zstd: over 5 by 2.5.",
                AtLeast(2.0),
                move |all| {
                    let values = values(all, PAGE, |units| ratio(units, zstd))?;
                    let least = values.iter().copied().reduce(f64::min);
                    let most = values.into_iter().reduce(f64::max);
                    most.zip(least).map(|(most, least)| most / least).ok_or_else(not_measured)
                },
            )
        },
        Claim {
            unit: "%",
            tolerance: 0.0,
            ..claim(
                "Some program has a significant part that even zstd does not compress.",
                AtLeast(10.0),
                |all| {
                    let shares = values(all, PAGE, |units| units.share(units.zstd.incompressible_units))?;
                    shares.into_iter().reduce(f64::max).ok_or_else(not_measured)
                },
            )
        },
        Claim {
            source: "design: compression units of several pages",
            tolerance: 0.0,
            ..claim(
                "Units of 16 KiB take no more than pages, with zstd, in the mean.",
                AtMost(1.0),
                move |all| {
                    Ok(mean(all, PAGE, |units| ratio(units, zstd))?
                        / mean(all, LARGE, |units| ratio(units, zstd))?)
                },
            )
        },
    ]
}

fn lz4(units: &Units) -> Packing {
    units.lz4
}

fn zstd(units: &Units) -> Packing {
    units.zstd
}

fn claim(words: &str, expected: Expected, value: impl Fn(&[Program]) -> Measured + 'static) -> Claim {
    Claim {
        claim: words.to_owned(),
        source: "seed 000, 4.3.2, figures 4.12 and 4.16, table 4.8 (HPROF)",
        unit: "times",
        expected,
        tolerance: 0.3,
        measure: Box::new(move |samples| value(&data_of::<Program>(samples))),
    }
}

fn not_measured() -> String {
    "no program was measured".to_owned()
}

/// One per program, of its last dump.
fn values(all: &[Program], unit: u64, value: impl Fn(&Units) -> f64) -> Result<Vec<f64>, String> {
    let values: Vec<f64> = all.iter().filter_map(|program| Some(value(program.last()?.of(unit)?))).collect();
    if values.is_empty() { Err(not_measured()) } else { Ok(values) }
}

fn mean(all: &[Program], unit: u64, value: impl Fn(&Units) -> f64) -> Measured {
    let values = values(all, unit, value)?;
    Ok(values.iter().sum::<f64>() / values.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::super::moment::Moment;
    use super::*;
    use crate::frame::claim::Judgement;
    use crate::frame::sample::Sample;
    use crate::frame::sample::tests::sample;

    fn program(name: &str, lz4: u64, zstd: u64) -> Sample {
        let packing = |stored_bytes| Packing { stored_bytes, incompressible_units: 1 };
        let units = |unit_bytes| Units {
            unit_bytes,
            units: (1 << 20) / unit_bytes,
            same_filled_units: 0,
            lz4: packing(lz4),
            zstd: packing(zstd),
        };
        let moment =
            Moment { at: "load 95 %".to_owned(), bytes: 1 << 20, units: [PAGE, LARGE].map(units).into() };
        sample(name, Program { program: name.to_owned(), moments: vec![moment] })
    }

    #[test]
    fn ratios_are_means_of_programs() {
        let samples = [program("a", 1 << 19, 1 << 18), program("b", 1 << 18, 1 << 17)];
        let verdicts: Vec<_> = all().iter().map(|claim| claim.judge("heap", &samples)).collect();
        let measured: Vec<f64> = verdicts.iter().map(|verdict| verdict.measured.unwrap()).collect();
        assert_eq!(measured, [3.0, 6.0, 2.0, 2.0, 2.0, 100.0 / 256.0, 1.0]);
        assert_eq!(verdicts[0].verdict, Judgement::Confirmed);
        assert_eq!(verdicts[5].verdict, Judgement::Refuted);
    }
}
