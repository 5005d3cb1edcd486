// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

use super::*;
use crate::frame::claim::Relation;
use crate::frame::context::Scale;
use crate::frame::experiment::tests::toy;
use crate::frame::presentation::Presentation;
use crate::frame::record::{Header, Record};
use crate::frame::sample::tests::sample;
use crate::kit::plot::{Axis, Form, Group, Row, Spread};

fn verdict(judgement: Judgement) -> Verdict {
    let has_value = matches!(judgement, Judgement::Confirmed | Judgement::Refuted | Judgement::TooNoisy);
    let is_sure = has_value && judgement != Judgement::TooNoisy;
    Verdict {
        experiment: "toy".to_owned(),
        claim: "A < B & so on.".to_owned(),
        source: "ZTera thesis, 4.2".to_owned(),
        expected: 1.5,
        relation: Relation::AtLeast,
        measured: has_value.then_some(1.2345),
        bar: (judgement == Judgement::TooNoisy).then_some([1.1, 1.6]),
        unit: "times".to_owned(),
        tolerance: 0.1,
        verdict: judgement,
        reason: (!is_sure).then(|| "no SSD".to_owned()),
    }
}

fn plot() -> Plot {
    Plot {
        name: "toy-speed",
        title: "Speed of the toy",
        about: "of one round".to_owned(),
        axis: Axis { label: "MiB/s", show: |value| format!("{value}"), line: None },
        form: Form::Bars,
        series: vec!["write"],
        groups: vec![Group {
            title: "all".to_owned(),
            rows: vec![Row::new("toy", vec![Some(Spread::exactly(3.0))])],
        }],
        notes: vec![],
    }
}

fn findings() -> Findings {
    let table = Table { rows: vec![vec!["1 < 2".to_owned()]], ..Table::new("Cells", ["a"]) };
    Findings {
        question: toy(),
        record: Some(Record {
            header: Header {
                scale: Scale::Tiny,
                machine: Machine(vec![("kernel".to_owned(), "6.18".to_owned())]),
            },
            samples: vec![sample("a", 1)],
            whole: true,
        }),
        verdicts: Judgement::ALL.map(verdict).into(),
        presentation: Presentation {
            losing: vec!["ours is slower by 2".to_owned()],
            notes: vec!["b is left out".to_owned()],
            plots: vec![plot()],
            tables: vec![table],
        },
    }
}

/// The page without what XML does not know.
fn xml(page: &str) -> String {
    let page = page.replacen("<!DOCTYPE html>", "", 1);
    closed(&page, "<meta ").replace("<details open>", "<details>")
}

/// Closes elements that HTML leaves open.
fn closed(page: &str, start: &str) -> String {
    let mut parts = page.split(start);
    let mut closed = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        closed.push_str(start);
        closed.push_str(&part.replacen('>', "/>", 1));
    }
    closed
}

#[test]
fn the_page_holds_verdicts_plots_losing_cases_and_the_machine() {
    let page = render(&[findings()]).unwrap();
    for words in [
        "A &lt; B &amp; so on.",
        "at least 1.5 times, but for 10 %",
        "confirmed",
        "refuted",
        "too noisy to say",
        "1.23 (1.1 to 1.6)",
        "not testable here: no SSD",
        "not measured: no SSD",
        "ours is slower by 2",
        "Speed of the toy",
        "<svg",
        "kernel 6.18",
        "scale tiny",
        "its numbers mean nothing",
        "1 &lt; 2",
        "b is left out",
    ] {
        assert!(page.contains(words), "{words} is missing in\n{page}");
    }
}

#[test]
fn columns_of_numbers_stand_at_the_right() {
    let row = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
    let rows = vec![row(["a", "-1.5", "-"]), row(["b", "-", "-"]), row(["1", "4 KiB", ""])];
    let table = Table { rows, ..Table::new("Cells", ["name", "value", "nothing"]) };
    assert_eq!([0, 1, 2].map(|column| is_of_numbers(&table, column)), [false, true, false]);
}

#[test]
fn the_page_is_well_formed_and_needs_no_other_file() {
    let page = xml(&render(&[findings()]).unwrap());
    let document = roxmltree::Document::parse(&page).unwrap();
    let links: Vec<&str> = document.descendants().filter_map(|node| node.attribute("href")).collect();
    assert_eq!(links, ["#toy", "#toy"]);
    assert!(document.descendants().all(|node| node.attribute("src").is_none()));
}
