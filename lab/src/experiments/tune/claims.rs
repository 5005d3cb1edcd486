// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The findings of the Zram notes: their score, their advice, and the figures of their first table.

use super::compile::{Compiled, On};
use super::on_swap::{Medium, OnSwap, Point};
use super::table::{Table, Whose};
use crate::frame::claim::Expected::{About, AtLeast, AtMost};
use crate::frame::claim::{Claim, Expected, Measured as Value};
use crate::frame::draft::Draft;
use crate::frame::sample::data_of;
use crate::kit::samples::{self, Samples};
use crate::kit::swap_faults::Faults;
use ztera_measure::tuning::{Formula, Measured, Target, Weights, rank, turning_point};

const TABLE: &str = "Zram notes, table of u/VenditatioDelendaEst";
const SCORE: &str = "Zram notes, weighted sum";
const ADVICE: &str = "Zram notes, conclusion";

/// In the order of the source.
pub fn all() -> Vec<Claim> {
    [of_score(), of_table(), of_copies(), of_advice(), of_swap(), of_compiles()]
        .into_iter()
        .flatten()
        .collect()
}

fn of_score() -> Vec<Claim> {
    let first = |whose| move |tables: &[Table]| worst_place(tables, whose, Formula::Notes, "lz4");
    vec![
        claim(
            "The score of the notes' table is highest for lz4 with page-cluster 0: its place.",
            SCORE,
            "place",
            (AtMost(1.0), 0.0),
            first(Whose::Notes),
        ),
        claim(
            "The same score is highest for lz4 with page-cluster 0 here, too: its place.",
            SCORE,
            "place",
            (AtMost(1.0), 0.0),
            first(Whose::Here),
        ),
    ]
}

/// Quotients of candidates, with the values of the notes.
fn of_table() -> Vec<Claim> {
    let times = |words, expected, value: fn(&Table) -> Value| {
        claim(words, TABLE, "times", expected, move |tables| mean(tables, value))
    };
    vec![
        times("lz4 reads faster than each other codec.", (AtLeast(1.0), 0.0), |table| {
            Ok(at(table, "lz4", 0)?.mib_per_second / best_other(table, "lz4", |it| it.mib_per_second)?)
        }),
        times("zstd takes 3.3 times as long as lz4 for a page.", (AtLeast(3.3), 0.3), |table| {
            Ok(at(table, "zstd", 0)?.mean_ns / at(table, "lz4", 0)?.mean_ns)
        }),
        times("zstd compresses 1.28 times better than lz4.", (About(1.28), 0.25), |table| {
            Ok(at(table, "zstd", 0)?.ratio / at(table, "lz4", 0)?.ratio)
        }),
        times("lzo-rle takes less time than lzo: 0.92.", (AtMost(0.92), 0.1), |table| {
            Ok(at(table, "lzo-rle", 0)?.mean_ns / at(table, "lzo", 0)?.mean_ns)
        }),
        times("With lz4, eight pages at once take 6.2 times as long as one.", (About(6.2), 0.4), |table| {
            Ok(at(table, "lz4", 3)?.mean_ns / at(table, "lz4", 0)?.mean_ns)
        }),
    ]
}

/// Of the notes' first table, which has the time to copy 1.1 GB to each device.
fn of_copies() -> Vec<Claim> {
    const COPIES: &str = "Zram notes, table of Linux Reviews";
    let by_lz4 = |codec: &'static str| {
        move |tables: &[Table]| {
            mean(tables, |table| {
                let copied = |codec: &str| at(table, codec, 0).map(|it| it.copy_seconds);
                let (own, lz4) = (copied(codec)?, copied("lz4")?);
                if own * lz4 > 0.0 { Ok(own / lz4) } else { Err("no copy was timed".to_owned()) }
            })
        }
    };
    let copy = |words, codec, expected| claim(words, COPIES, "times", expected, by_lz4(codec));
    vec![
        copy(
            "A copy takes 1.02 times as long with lzo as with lz4: 4.571 by 4.467 s.",
            "lzo",
            (About(1.02), 0.15),
        ),
        copy("It takes 1.00 times as long with lzo-rle: 4.471 s.", "lzo-rle", (About(1.0), 0.15)),
        copy("It takes 1.77 times as long with zstd: 7.897 s.", "zstd", (AtLeast(1.77), 0.15)),
        copy("It takes 3.3 times as long with lz4hc: 14.584 s.", "lz4hc", (AtLeast(3.26), 0.15)),
        copy("It takes 5 times as long with 842: 22.574 s.", "842", (AtLeast(5.05), 0.15)),
    ]
}

fn of_advice() -> Vec<Claim> {
    vec![
        claim(
            "The text recommends zstd with page-cluster 0: its place in the score of the notes' table.",
            ADVICE,
            "place",
            (AtMost(1.0), 0.0),
            |tables| worst_place(tables, Whose::Notes, Formula::Notes, "zstd"),
        ),
        claim(
            "The text holds with the notes' weights, all on one scale: weight of the ratio at which zstd wins.",
            ADVICE,
            "weight",
            (AtMost(0.4), 0.0),
            zstd_wins,
        ),
        claim(
            "Read-ahead brings lz4 throughput: eight pages at once by one, 1.44.",
            ADVICE,
            "times",
            (AtLeast(1.44), 0.2),
            |tables| mean(tables, |table| gain(table, "lz4")),
        ),
        claim("It brings zstd little: 1.15.", ADVICE, "times", (AtMost(1.15), 0.1), |tables| {
            mean(tables, |table| gain(table, "zstd"))
        }),
        claim(
            "zstd compresses better than each other codec of H2, too, pages of 4 KiB.",
            ADVICE,
            "times",
            (AtLeast(1.0), 0.0),
            |tables| {
                mean_of(tables, Target::H2, |table| {
                    Ok(at(table, "zstd", 0)?.ratio / best_other(table, "zstd", |it| it.ratio)?)
                })
            },
        ),
        claim(
            "`ztera tune --apply` writes each file as it shows it.",
            "docs/operating.md",
            "of the files",
            (AtLeast(1.0), 0.0),
            |tables| {
                let count = |of: fn(&Table) -> usize| tables.iter().map(of).sum::<usize>();
                let (written, shown) = (count(|it| it.written), count(|it| it.files.len()));
                if shown == 0 { Err(nothing(Whose::Here)) } else { Ok(written as f64 / shown as f64) }
            },
        ),
    ]
}

/// The text says of swap what its table measured by reads of a device.
fn of_swap() -> Vec<Claim> {
    const TEXT: &str = "Zram notes, page-cluster values and latency";
    let reads = |words: &str, medium: Medium| {
        Draft::new(words, TEXT, data_of::<OnSwap>)
            .in_unit("pages")
            .expect(About(8.0), 0.25, move |found| Ok(faults(found, medium, 3)?.pages_per_fault))
    };
    let sooner = |words: &str, medium: Medium| {
        Draft::new(words, TEXT, data_of::<OnSwap>).expect(AtLeast(1.1), 0.0, move |found| {
            Ok(faults(found, medium, 3)?.mean_ns / faults(found, medium, 0)?.mean_ns)
        })
    };
    vec![
        reads("With page-cluster 3, a page fault on swap reads eight pages: swap on zram.", Medium::Zram),
        reads("It reads eight pages, too, from swap on the SSD.", Medium::Ssd),
        sooner("Page-cluster 0 serves a fault sooner than 3 does: swap on zram.", Medium::Zram),
        sooner("It serves a fault sooner, too, from swap on the SSD.", Medium::Ssd),
    ]
}

/// The author of the notes compiled a program with each codec, on a machine that swapped.
fn of_compiles() -> Vec<Claim> {
    const TIMES: &str = "Zram notes, times of a compile";
    let seconds = |found: &[Compiled], codec: &str, page_cluster: u32| -> Value {
        let on = On { codec: codec.to_owned(), page_cluster };
        let runs = found.iter().filter(|own| own.compiled_on == on).map(|own| own.seconds).collect();
        let found = Samples::of(runs).map(|samples| samples.median);
        found.ok_or_else(|| format!("{} was not measured, or this kernel's zram has no {codec}", on.name()))
    };
    vec![
        Draft::new(
            "A compile on zram takes longer with zstd than with lz4: 459 by 434 s.",
            TIMES,
            data_of::<Compiled>,
        )
        .expect(AtLeast(1.06), 0.05, move |found| Ok(seconds(found, "zstd", 0)? / seconds(found, "lz4", 0)?)),
        Draft::new(
            "Another page-cluster may provide small benefits: a compile on zram with lz4, 3 by 0.",
            "Zram notes, page-cluster values and latency",
            data_of::<Compiled>,
        )
        .expect(About(1.0), 0.05, move |found| Ok(seconds(found, "lz4", 3)? / seconds(found, "lz4", 0)?)),
    ]
}

fn faults(found: &[OnSwap], medium: Medium, page_cluster: u32) -> Result<Faults, String> {
    let point = Point { medium, page_cluster };
    let own = found.iter().find(|own| own.swap == point).map(|own| own.faults);
    own.ok_or_else(|| {
        format!("{} were not measured: swap takes root, and that no other swap is on", point.name())
    })
}

fn claim(
    words: &str,
    source: &'static str,
    unit: &'static str,
    (expected, tolerance): (Expected, f64),
    value: impl Fn(&[Table]) -> Value + 'static,
) -> Claim {
    let draft = Draft::new(words, source, data_of::<Table>).in_unit(unit);
    draft.expect(expected, tolerance, move |tables| value(tables))
}

fn nothing(whose: Whose) -> String {
    match whose {
        Whose::Notes => "the notes' table was not read".to_owned(),
        Whose::Here => "nothing was measured here".to_owned(),
    }
}

/// Of a codec with page-cluster 0, in the scores of tables of zram.
fn worst_place(tables: &[Table], whose: Whose, formula: Formula, codec: &str) -> Value {
    let tables = tables.iter().filter(|table| table.whose == whose && table.target == Target::Zram);
    let places: Vec<f64> = tables.map(|table| place(table, formula, codec)).collect::<Result<_, _>>()?;
    places.into_iter().reduce(f64::max).ok_or_else(|| nothing(whose))
}

fn place(table: &Table, formula: Formula, codec: &str) -> Value {
    let wanted = at(table, codec, 0)?;
    let ranked = rank(&table.measured, Weights::default(), formula);
    let before = ranked.iter().position(|it| it.measured == *wanted);
    before.map(|before| before as f64 + 1.0).ok_or_else(|| format!("{codec} has no score"))
}

/// The least weight of the ratio at which zstd wins on the notes' table.
fn zstd_wins(tables: &[Table]) -> Value {
    let table =
        tables.iter().find(|table| table.whose == Whose::Notes).ok_or_else(|| nothing(Whose::Notes))?;
    let turn = turning_point(&table.measured, Weights::default(), Formula::Bounded);
    let turn = turn.filter(|(_, winner)| winner.measured.codec == "zstd");
    turn.map(|(ratio, _)| ratio).ok_or_else(|| "zstd never wins".to_owned())
}

/// Throughput of eight pages at once by that of one.
fn gain(table: &Table, codec: &str) -> Value {
    Ok(at(table, codec, 3)?.mib_per_second / at(table, codec, 0)?.mib_per_second)
}

/// Of this machine's zram, over all data.
fn mean(tables: &[Table], value: impl Fn(&Table) -> Value) -> Value {
    mean_of(tables, Target::Zram, value)
}

fn mean_of(tables: &[Table], target: Target, value: impl Fn(&Table) -> Value) -> Value {
    let tables = tables.iter().filter(|table| table.whose == Whose::Here && table.target == target);
    let values: Vec<f64> = tables.map(value).collect::<Result<_, _>>()?;
    samples::mean(&values).ok_or_else(|| nothing(Whose::Here))
}

fn at<'t>(table: &'t Table, codec: &str, page_cluster: u32) -> Result<&'t Measured, String> {
    let is_it = |it: &&Measured| it.codec == codec && it.page_cluster == page_cluster;
    table.measured.iter().find(is_it).ok_or_else(|| match table.target {
        Target::Zram => format!("this kernel's zram has no {codec}, or it was not measured"),
        Target::H2 => format!("{codec} was not measured"),
    })
}

/// The most that another codec has with page-cluster 0.
fn best_other(table: &Table, codec: &str, value: fn(&Measured) -> f64) -> Value {
    let others = table.measured.iter().filter(|it| it.codec != codec && it.page_cluster == 0);
    others.map(value).reduce(f64::max).ok_or_else(|| "there is no other codec".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::claim::Judgement;
    use crate::frame::rounds;
    use crate::frame::sample::Sample;
    use crate::frame::sample::tests::sample;

    fn judged(samples: &[Sample], beginning: &str) -> (Judgement, Option<f64>) {
        let claim = all().into_iter().find(|claim| claim.claim.starts_with(beginning)).unwrap();
        let verdict = claim.judge("tune", samples);
        (verdict.verdict, verdict.measured)
    }

    /// The notes' text recommends zstd, their score lz4.
    #[test]
    fn the_score_of_the_notes_is_reproduced_and_their_advice_refuted() {
        let samples = [sample("the notes' table", Table::of_notes().unwrap())];
        assert_eq!(judged(&samples, "The score of the notes'"), (Judgement::Confirmed, Some(1.0)));
        assert_eq!(judged(&samples, "The text recommends zstd"), (Judgement::Refuted, Some(8.0)));
        let (verdict, weight) = judged(&samples, "The text holds");
        assert_eq!(verdict, Judgement::Refuted);
        assert!(weight.is_some_and(|weight| (0.7..0.76).contains(&weight)), "{weight:?}");
        assert_eq!(judged(&samples, "lz4 reads faster").0, Judgement::NotTestableHere);
    }

    /// Where a machine is as that of the notes, all figures of their table are confirmed.
    #[test]
    fn the_figures_of_the_notes_are_those_of_their_table() {
        let here = Table { whose: Whose::Here, ..Table::of_notes().unwrap() };
        let files = vec![("etc/a".into(), "x".to_owned()), ("etc/b".into(), "y".to_owned())];
        let here = Table { files, written: 1, ..here };
        let samples = [sample("zram", &here)];
        for claim in of_table() {
            let verdict = claim.judge("tune", &samples);
            assert_eq!(verdict.verdict, Judgement::Confirmed, "{verdict:?}");
        }
        assert_eq!(judged(&samples, "It brings zstd little").0, Judgement::Confirmed);
        assert_eq!(judged(&samples, "`ztera tune --apply`"), (Judgement::Refuted, Some(0.5)));
    }

    /// `tune --help` said that a page fault on swap on zram reads 2^page-cluster pages, and nobody had looked.
    #[test]
    fn faults_on_swap_are_counted() {
        let on = |medium, page_cluster, pages_per_fault| {
            let swap = Point { medium, page_cluster };
            let mean_ns = 1e3 * pages_per_fault;
            sample(
                &swap.name(),
                OnSwap { swap, faults: Faults { faults: 9, pages_per_fault, mean_ns, p99_ns: 1e4 } },
            )
        };
        let zram = [on(Medium::Zram, 0, 1.0), on(Medium::Zram, 3, 1.0)];
        assert_eq!(judged(&zram, "With page-cluster 3, a page fault"), (Judgement::Refuted, Some(1.0)));
        assert_eq!(judged(&zram, "Page-cluster 0 serves"), (Judgement::Refuted, Some(1.0)));
        assert_eq!(judged(&zram, "It reads eight pages").0, Judgement::NotTestableHere);
        let ssd = [on(Medium::Ssd, 0, 1.0), on(Medium::Ssd, 3, 7.5)];
        assert_eq!(judged(&ssd, "It reads eight pages"), (Judgement::Confirmed, Some(7.5)));
        assert_eq!(judged(&ssd, "It serves a fault sooner"), (Judgement::Confirmed, Some(7.5)));
    }

    #[test]
    fn copies_are_compared_with_those_to_lz4() {
        let mut here = Table { whose: Whose::Here, ..Table::of_notes().unwrap() };
        assert_eq!(judged(&[sample("zram", &here)], "A copy takes 1.02").0, Judgement::NotTestableHere);
        here.measured.iter_mut().for_each(|it| it.copy_seconds = if it.codec == "zstd" { 3.0 } else { 1.5 });
        let samples = [sample("zram", &here)];
        assert_eq!(judged(&samples, "A copy takes 1.02"), (Judgement::Confirmed, Some(1.0)));
        assert_eq!(judged(&samples, "It takes 1.77 times"), (Judgement::Confirmed, Some(2.0)));
        assert_eq!(judged(&samples, "It takes 5 times").0, Judgement::NotTestableHere);
    }

    #[test]
    fn compiles_are_compared_by_their_medians_and_rounds() {
        let on = |codec: &str, page_cluster, round, seconds| {
            let compiled_on = On { codec: codec.to_owned(), page_cluster };
            let key = rounds::key(&compiled_on.name(), round);
            sample(&key, Compiled { compiled_on, limit_bytes: 1, zram_peak_bytes: 1, seconds })
        };
        let samples =
            [on("lz4", 0, 1, 10.0), on("lz4", 3, 1, 10.1), on("lz4", 0, 2, 10.2), on("lz4", 3, 2, 10.1)];
        assert_eq!(judged(&samples, "Another page-cluster"), (Judgement::Confirmed, Some(1.0)));
        let noisy = [&samples[..3], &[on("lz4", 3, 2, 14.0)]].concat();
        assert_eq!(judged(&noisy, "Another page-cluster").0, Judgement::TooNoisy);
        assert_eq!(judged(&samples, "A compile on zram takes longer").0, Judgement::NotTestableHere);
    }

    #[test]
    fn a_kernel_without_zstd_cannot_test_it() {
        let mut here = Table { whose: Whose::Here, ..Table::of_notes().unwrap() };
        here.measured.retain(|it| it.codec != "zstd");
        let claims = of_table();
        let verdict = claims[1].judge("tune", &[sample("zram", &here)]);
        assert_eq!(verdict.reason.as_deref(), Some("this kernel's zram has no zstd, or it was not measured"));
    }
}
