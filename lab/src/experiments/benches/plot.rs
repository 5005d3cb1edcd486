// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! All claims of a benchmark in one picture.

use crate::frame::claim::{Judgement, Relation, Verdict};
use crate::frame::number::{expected, number};
use crate::kit::plot::{Axis, Form, Group, Plot, Row, Spread};

/// How far beyond the target a value is shown.
const MOST: f64 = 10.0;

/// Letters of a claim.
const NAME: usize = 40;

/// Values over their targets, or the other way round where less is better.
pub fn at_a_glance(name: &'static str, verdicts: &[Verdict]) -> Plot {
    Plot {
        name,
        title: "Values and their targets",
        about: format!("of the benchmark {name}"),
        axis: Axis {
            label: "times better than expected (logarithmic; 0.1 and 10 stand for all beyond)",
            show: number,
            line: Some(1.0),
        },
        form: Form::Dots,
        series: vec!["confirmed", "refuted"],
        groups: if verdicts.iter().any(|verdict| verdict.measured.is_some()) {
            let rows = verdicts.iter().map(row).collect();
            vec![Group { title: "claim: value, target".to_owned(), rows }]
        } else {
            Vec::new()
        },
        notes: Vec::new(),
    }
}

fn row(verdict: &Verdict) -> Row {
    let name = shortened(verdict.claim.split(':').next().unwrap_or_default());
    let value = verdict.measured.map_or_else(String::new, |value| format!("{}, ", number(value)));
    let target = format!("{} {}", verdict.relation.words(), number(verdict.expected));
    let better = times_better(verdict).map(Spread::exactly);
    let confirmed = verdict.verdict == Judgement::Confirmed;
    let values = if confirmed { vec![better, None] } else { vec![None, better] };
    Row::new(&format!("{name}: {value}{target}"), values)
}

/// A claim that leaves room for its dot; the table of verdicts has all of it.
fn shortened(claim: &str) -> String {
    let fits = |end: &usize| claim[..*end].chars().count() <= NAME;
    let ends = claim.match_indices(' ').map(|(at, _)| at).take_while(fits);
    match ends.last().filter(|_| !fits(&claim.len())) {
        Some(end) => format!("{} ...", &claim[..end]),
        None => claim.to_owned(),
    }
}

/// Between 0.1 and 10.
fn times_better(verdict: &Verdict) -> Option<f64> {
    let times = match verdict.relation {
        Relation::AtMost if verdict.measured? <= 0.0 => MOST,
        Relation::AtMost => verdict.expected / verdict.measured?,
        Relation::AtLeast | Relation::About => verdict.measured? / verdict.expected,
    };
    Some(times.clamp(1.0 / MOST, MOST))
}

/// A claim that was not met, in a sentence.
pub fn in_words(verdict: &Verdict) -> String {
    let measured = verdict.measured.map_or_else(|| "nothing".to_owned(), number);
    format!("{}: {measured}, expected {}.", verdict.claim, expected(verdict))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(relation: Relation, measured: Option<f64>) -> Verdict {
        Verdict {
            experiment: "toy".to_owned(),
            claim: "speed: of it".to_owned(),
            source: "here".to_owned(),
            expected: 2.0,
            relation,
            measured,
            bar: None,
            unit: "times".to_owned(),
            tolerance: 0.0,
            verdict: Judgement::Refuted,
            reason: None,
        }
    }

    #[test]
    fn better_is_more_or_less() {
        let better = |relation, measured| times_better(&verdict(relation, measured));
        assert_eq!(better(Relation::AtLeast, Some(4.0)), Some(2.0));
        assert_eq!(better(Relation::AtMost, Some(4.0)), Some(0.5));
        assert_eq!(better(Relation::AtMost, Some(0.0)), Some(10.0));
        assert_eq!(better(Relation::AtMost, None), None);
    }

    #[test]
    fn long_claims_end_with_a_word() {
        assert_eq!(shortened("density"), "density");
        let long = "doubles with three decimals become 2.5 times smaller with zstd";
        assert_eq!(shortened(long), "doubles with three decimals become 2.5 ...");
    }

    #[test]
    fn nothing_measured_is_no_plot() {
        assert!(at_a_glance("toy", &[verdict(Relation::AtLeast, None)]).is_empty());
        assert!(!at_a_glance("toy", &[verdict(Relation::AtLeast, Some(1.0))]).is_empty());
    }

    #[test]
    fn a_lost_claim_is_a_sentence_with_numbers() {
        let words = in_words(&verdict(Relation::AtLeast, Some(1.0)));
        assert_eq!(words, "speed: of it: 1, expected at least 2 times.");
    }
}
