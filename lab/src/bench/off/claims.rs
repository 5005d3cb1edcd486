// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! H2 off is the stock JVM. A second run of that JVM says by how much two runs of one thing differ.

use super::arm::Arm;
use super::report::{Comparison, OffReport};
use crate::bench::benchmark::DOCUMENT;
use crate::frame::claim::{Claim, Expected};
use crate::frame::draft::{Draft, NOT_RUN};
use crate::frame::sample::first;

/// The geometric means of all workloads by one clock.
type Means = fn(&OffReport) -> &[Comparison];

/// All of them.
pub fn claims() -> Vec<Claim> {
    let claim = |words, means: Means| {
        let draft = Draft::new(words, DOCUMENT, first::<OffReport>);
        let claim = draft.expect_in(Expected::AtMost(1.0), move |report| median(means(report), Arm::View));
        let noise = move |report: OffReport| Some((median(means(&report), Arm::StockAgain)? - 1.0).abs());
        Claim {
            tolerance: 0.02,
            noise: Some(Box::new(move |samples| {
                first(samples).and_then(noise).ok_or_else(|| NOT_RUN.to_owned())
            })),
            ..claim
        }
    };
    vec![
        claim("programs take as long as on the stock JVM, by the clock", |report| &report.mean_time),
        claim("the same in CPU time", |report| &report.mean_cpu),
    ]
}

/// Of an arm, over the stock JVM.
fn median(means: &[Comparison], arm: Arm) -> Option<f64> {
    means.iter().find(|mean| mean.arm == arm.name()).map(|mean| mean.quotient.median)
}

#[cfg(test)]
mod tests {
    use super::super::report::tests::runs;
    use super::*;
    use crate::frame::claim::Judgement;
    use crate::frame::sample::tests::sample;

    fn judged(view: f64, again: f64) -> Vec<Judgement> {
        let report = OffReport::of(1, &[], &[runs("maps", &[1.0], &[view], &[again])]);
        let samples = [sample("all", report)];
        claims().iter().map(|claim| claim.judge("toy", &samples).verdict).collect()
    }

    /// A gain or loss of 1 % was judged where two runs of the same JVM differed by 4 %.
    #[test]
    fn a_stock_jvm_that_differs_from_itself_leaves_it_open() {
        assert_eq!(judged(1.01, 0.995), [Judgement::Confirmed; 2]);
        assert_eq!(judged(1.1, 1.005), [Judgement::Refuted; 2]);
        assert_eq!(judged(1.01, 0.96), [Judgement::TooNoisy; 2]);
    }
}
