// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The claims of benchmarks: the targets of their figures, and what they are for where there are no figures.

use serde_json::Value;

use crate::frame::claim::{Claim, Expected, Measured};
use crate::frame::sample::Sample;
use crate::kit::figure::{Direction, Figure};

const NOT_RUN: &str = "an arm that it takes did not run";

/// One per figure, with the figure's target. The benchmark has done the formula.
pub fn of_figures<Found: ?Sized>(figures: &[Figure<Found>], source: &'static str) -> Vec<Claim> {
    let claim = |figure: &Figure<Found>| {
        let name = figure.name;
        Claim {
            claim: format!("{name}: {}", figure.meaning),
            source,
            unit: figure.unit,
            expected: match figure.direction {
                Direction::AtLeast => Expected::AtLeast(figure.target),
                Direction::AtMost => Expected::AtMost(figure.target),
            },
            tolerance: 0.0,
            measure: Box::new(move |samples| value_of(samples, |json| figure_named(json, name))),
            noise: None,
        }
    };
    figures.iter().map(claim).collect()
}

/// Filters find the bytes that repeat in arrays of numbers.
pub fn codec() -> Vec<Claim> {
    let smaller = |json: &Value, data: &str, arm: &str| {
        let data = element(&json["data"], "data", data)?;
        element(&data["arms"], "arm", arm)?["smaller_by"].as_f64()
    };
    vec![
        claim(
            "doubles with three decimals become 2.5 times smaller with zstd and filters",
            Expected::AtLeast(2.5),
            move |json| smaller(json, "doubles, 3 decimals", "zstd, filters"),
        ),
        claim(
            "dense doubles with random bits do not compress with lz4",
            Expected::AtMost(1.05),
            move |json| smaller(json, "doubles, random", "lz4"),
        ),
    ]
}

/// One writer is what the kernel's zram is slow for: it compresses in that thread.
pub fn disk() -> Vec<Claim> {
    let row = |json: &Value, arm: &str, request: u64, field: &str| {
        let mut rows = json["rows"].as_array()?.iter();
        rows.find(|row| row["arm"] == arm && row["request_bytes"] == request)?[field]["median"].as_f64()
    };
    let over = move |json: &Value, arm: &str, request: u64, field: &str| {
        Some(row(json, arm, request, field)? / row(json, "zram-lz4", request, field)?)
    };
    let speed = |request: u64, arm: &'static str, place: &str, times: f64| {
        let words = format!(
            "{} KiB at a time, one writer writes to ours {place} so many times as fast as to zram",
            request >> 10
        );
        claim(&words, Expected::AtLeast(times), move |json| over(json, arm, request, "mib_per_second"))
    };
    let idle = move |json: &Value| over(json, "ours, in process", 64 << 10, "idle_bytes");
    vec![
        speed(64 << 10, "ours, in process", "in process", 1.5),
        speed(1 << 20, "ours, in process", "in process", 1.5),
        speed(64 << 10, "ours, NBD", "by NBD", 1.0),
        speed(1 << 20, "ours, NBD", "by NBD", 1.0),
        claim("idle data take at most 0.7 of zram's DRAM in ours", Expected::AtMost(0.7), idle),
    ]
}

/// Tiers against each other arm that finished.
pub fn tiers() -> Vec<Claim> {
    let ratio = |json: &Value, arm: &str| {
        let workloads = json["workloads"].as_array()?.iter();
        let ratios = workloads
            .filter_map(|workload| element(&workload["arms"], "arm", arm)?["query_vs_tiers"].as_f64());
        ratios.reduce(f64::min)
    };
    ["file-ssd", "file-zram", "swap-ssd", "swap-zram"]
        .map(|arm| {
            claim(
                &format!("programs query no faster on {arm} than on three tiers"),
                Expected::AtLeast(1.0),
                move |json| ratio(json, arm),
            )
        })
        .into()
}

/// H2 off is the stock JVM. A second run of that JVM says by how much two runs of one thing differ.
pub fn off() -> Vec<Claim> {
    let of = |words: &str, field: &'static str| Claim {
        tolerance: 0.02,
        noise: Some(Box::new(move |samples| {
            value_of(samples, |json| mean_quotient(json, field, "stock-again"))
                .map(|again| (again - 1.0).abs())
        })),
        ..claim(words, Expected::AtMost(1.0), move |json| mean_quotient(json, field, "view"))
    };
    vec![
        of("programs take as long as on the stock JVM, by the clock", "mean_time"),
        of("the same in CPU time", "mean_cpu"),
    ]
}

/// Of an arm, over the stock JVM.
fn mean_quotient(json: &Value, field: &str, arm: &str) -> Option<f64> {
    element(&json[field], "arm", arm)?["quotient"]["median"].as_f64()
}

fn claim(words: &str, expected: Expected, value: impl Fn(&Value) -> Option<f64> + 'static) -> Claim {
    Claim {
        claim: words.to_owned(),
        source: "docs/performance.md",
        unit: "times",
        expected,
        tolerance: 0.0,
        measure: Box::new(move |samples| value_of(samples, &value)),
        noise: None,
    }
}

fn value_of(samples: &[Sample], value: impl Fn(&Value) -> Option<f64>) -> Measured {
    let missing = samples.iter().find_map(|sample| sample.missing.clone());
    let found = samples.iter().find_map(|sample| value(&sample.data));
    found.ok_or_else(|| missing.unwrap_or_else(|| NOT_RUN.to_owned()))
}

/// Of an array of objects the first with this value in this field.
fn element<'v>(array: &'v Value, field: &str, value: &str) -> Option<&'v Value> {
    array.as_array()?.iter().find(|element| element[field] == value)
}

/// The value of a figure, wherever in the report it stands first.
fn figure_named(json: &Value, name: &str) -> Option<f64> {
    match json {
        Value::Object(fields) if fields.get("name").is_some_and(|own| own == name) => {
            fields.get("value").and_then(Value::as_f64)
        }
        Value::Object(fields) => fields.values().find_map(|value| figure_named(value, name)),
        Value::Array(elements) => elements.iter().find_map(|value| figure_named(value, name)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::claim::Judgement;
    use crate::frame::sample::tests::sample;
    use serde_json::json;

    fn judged(claims: Vec<Claim>, json: Value) -> Vec<(Judgement, Option<f64>)> {
        let samples = [sample("all", json)];
        claims.iter().map(|claim| claim.judge("toy", &samples)).map(|it| (it.verdict, it.measured)).collect()
    }

    #[test]
    fn figures_of_a_report_are_found_by_name() {
        let figures: [Figure<()>; 2] = ["density", "speed"].map(|name| Figure {
            name,
            unit: "times",
            direction: Direction::AtMost,
            target: 0.7,
            meaning: "a number",
            formula: |_| None.into(),
        });
        let json = json!({"data": [{"figures": [{"name": "density", "value": 0.5}, {"name": "speed", "value": null}]}]});
        assert_eq!(
            judged(of_figures(&figures, "here"), json),
            [(Judgement::Confirmed, Some(0.5)), (Judgement::NotTestableHere, None)]
        );
    }

    /// The claims looked for the median beside the arm, and so were never tested.
    #[test]
    fn the_view_is_judged_by_its_mean_quotients() {
        let mean = |arm: &str, median: f64| json!({"arm": arm, "quotient": {"median": median}});
        let means = |view: f64| json!([mean("view", view), mean("stock-again", 1.005)]);
        let json = json!({"mean_time": means(1.01), "mean_cpu": means(1.1)});
        assert_eq!(
            judged(off(), json),
            [(Judgement::Confirmed, Some(1.01)), (Judgement::Refuted, Some(1.1))]
        );
    }

    /// A gain or loss of 1 % was judged where two runs of the same JVM differed by 4 %.
    #[test]
    fn a_stock_jvm_that_differs_from_itself_leaves_it_open() {
        let mean = |arm: &str, median: f64| json!({"arm": arm, "quotient": {"median": median}});
        let means = json!([mean("view", 1.01), mean("stock-again", 0.96)]);
        let json = json!({"mean_time": means, "mean_cpu": means});
        assert_eq!(
            judged(off(), json),
            [(Judgement::TooNoisy, Some(1.01)), (Judgement::TooNoisy, Some(1.01))]
        );
    }

    #[test]
    fn arms_without_figures_are_compared() {
        let row = |arm: &str, request: u64, speed: f64| json!({"arm": arm, "request_bytes": request, "mib_per_second": {"median": speed}});
        let (zram, ours) = ("zram-lz4", "ours, in process");
        let rows = [
            row(zram, 65536, 10.0),
            row(ours, 65536, 15.0),
            row(zram, 1 << 20, 10.0),
            row(ours, 1 << 20, 14.0),
        ];
        let judged_disk = judged(disk(), json!({ "rows": rows }));
        assert_eq!(judged_disk[..2], [(Judgement::Confirmed, Some(1.5)), (Judgement::Refuted, Some(1.4))]);
        assert_eq!(judged_disk[2], (Judgement::NotTestableHere, None), "NBD did not run");
        let arm = |ratio: f64| json!({"arms": [{"arm": "file-ssd", "query_vs_tiers": ratio}]});
        let json = json!({"workloads": [arm(2.0), arm(0.5)]});
        assert_eq!(judged(tiers(), json)[0], (Judgement::Refuted, Some(0.5)));
    }
}
