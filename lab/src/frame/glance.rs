// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! All claims or figures of an experiment in one picture: how many times better they are than expected.

use super::claim::{Expected, Judgement, Verdict};
use super::figure::Reached;
use super::number::number;
use crate::kit::plot::{Axis, Form, Group, Plot, Row, Spread};

/// How far beyond what is expected a value is shown.
const FAR: f64 = 10.0;

/// Letters of a claim.
const NAME: usize = 40;

/// A value beside what is expected of it.
pub struct Beside {
    name: String,
    value: Option<f64>,
    expected: Expected,
    met: bool,
}

impl From<&Verdict> for Beside {
    fn from(verdict: &Verdict) -> Beside {
        Beside {
            name: shortened(verdict.claim.split(':').next().unwrap_or_default()),
            value: verdict.measured,
            expected: verdict.relation.to(verdict.expected),
            met: verdict.verdict == Judgement::Confirmed,
        }
    }
}

impl From<&Reached> for Beside {
    fn from(figure: &Reached) -> Beside {
        Beside {
            name: figure.name.to_owned(),
            value: figure.value,
            expected: figure.direction.to(figure.target),
            met: figure.met == Some(true),
        }
    }
}

/// Values over what is expected of them, or the other way round where less is better. Nothing if there is no value.
pub fn at_a_glance(
    name: &'static str,
    about: String,
    all: impl IntoIterator<Item = impl Into<Beside>>,
    notes: Vec<String>,
) -> Plot {
    let all: Vec<Beside> = all.into_iter().map(Into::into).collect();
    let group = || Group { title: "name: value, target".to_owned(), rows: all.iter().map(row).collect() };
    Plot {
        name,
        title: "Values and their targets",
        about,
        axis: Axis {
            label: "times better than the target (logarithmic; 0.1 and 10 stand for all beyond)",
            show: number,
            line: Some(1.0),
        },
        form: Form::Dots,
        series: vec!["met", "missed"],
        groups: all.iter().any(|one| one.value.is_some()).then(group).into_iter().collect(),
        notes,
    }
}

fn row(one: &Beside) -> Row {
    let (relation, target) = one.expected.parts();
    let value = one.value.map_or_else(String::new, |value| format!("{}, ", number(value)));
    let better = one.value.map(|value| one.expected.times_better(value).clamp(1.0 / FAR, FAR));
    let better = better.map(Spread::exactly);
    let values = if one.met { vec![better, None] } else { vec![None, better] };
    Row::new(&format!("{}: {value}{} {}", one.name, relation.words(), number(target)), values)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::claim::Expected::{AtLeast, AtMost};
    use crate::frame::claim::tests::judged;
    use crate::frame::figure::tests::reached;
    use ztera_measure::plot::drawn::words;

    fn figures() -> Plot {
        let figures = [
            reached("density", Some(0.5), AtMost(0.7)),
            reached("scan_sequential", Some(0.75), AtLeast(1.5)),
            reached("full_pause_with_h2", None, AtMost(1.1)),
            reached("vectors_3_decimals", Some(1e6), AtLeast(2.5)),
            reached("pool_fragmentation", Some(-0.1), AtMost(0.05)),
        ];
        at_a_glance("figures", "of it".to_owned(), &figures, vec!["the JVM is left out: no JDK".to_owned()])
    }

    #[test]
    fn every_figure_stands_beside_its_target() {
        let words = words(&figures());
        for word in [
            "density: 0.5, at most 0.7\n",
            "scan_sequential: 0.75, at least 1.5\n",
            "full_pause_with_h2: at most 1.1\nmissing\n",
            "the JVM is left out: no JDK\n",
        ] {
            assert!(words.contains(word), "{word} in\n{words}");
        }
    }

    #[test]
    fn what_is_met_is_right_of_the_line_and_has_a_shape_of_its_own() {
        let plot = figures();
        let values = |name: &str| {
            let row = plot.groups[0].rows.iter().find(|row| row.name.starts_with(name)).unwrap();
            [0, 1].map(|series| row.values[series].map(|value: Spread| value.median))
        };
        assert_eq!(values("density"), [Some(0.7 / 0.5), None]);
        assert_eq!(values("scan_sequential"), [None, Some(0.5)]);
        assert_eq!(values("full_pause_with_h2"), [None, None]);
        // Better than can be shown, and better than nothing at all.
        assert_eq!(
            (values("vectors_3_decimals")[0], values("pool_fragmentation")[0]),
            (Some(10.0), Some(10.0))
        );
    }

    #[test]
    fn long_claims_end_with_a_word() {
        assert_eq!(shortened("density"), "density");
        let long = "doubles with three decimals become 2.5 times smaller with zstd";
        assert_eq!(shortened(long), "doubles with three decimals become 2.5 ...");
    }

    #[test]
    fn nothing_measured_is_no_plot() {
        let plot =
            |measured| at_a_glance("toy", String::new(), &[judged(AtLeast(2.0), 0.0, measured)], Vec::new());
        assert!(plot(Err("no SSD".to_owned())).is_empty());
        assert!(!plot(Ok(1.0)).is_empty());
    }
}
