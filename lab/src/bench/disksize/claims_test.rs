// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

use super::*;
use crate::bench::disksize::arm::OF_STUDY;
use crate::bench::disksize::data::{CellRun, TheirRun, Theirs};
use crate::bench::disksize::grid::Run;
use crate::bench::disksize::grid::tests::runs;
use crate::frame::claim::{Judgement, Verdict};
use crate::frame::sample::tests::sample;
use crate::kit::ending::Ending;

fn grid() -> Grid {
    let cells = [
        runs("8 GB", "ep", &[(0, Some(20.0)), (0, Some(28.0)), (0, Some(20.0)), (25, Some(20.0))]),
        runs("4 GB", "is", &[(0, Some(6.0)), (50, Some(5.9)), (100, Some(7.5))]),
        runs("4 GB", "ft", &[(0, None), (100, None)]),
        runs("1 GB", "mg", &[(0, None), (50, None), (50, Some(9.0)), (100, Some(9.0))]),
    ];
    Grid(cells.concat())
}

#[test]
fn measures_are_those_of_the_claims() {
    let grid = grid();
    assert_eq!(farthest("4 GB", &["is"], &grid), Ok(0.8));
    assert_eq!(farthest("8 GB", &grid.programs(), &grid), Ok(1.0));
    assert_eq!(least("4 GB", &grid), Ok(0.8));
    assert_eq!(share_out("4 GB", &["ft"], &grid), Ok(1.0));
    assert_eq!(share_out("1 GB", &["mg"], &grid), Ok(0.5));
    assert_eq!(enabled("1 GB", &grid), Ok(1.0));
    assert_eq!(spread("8 GB", "ep", &grid), Ok(1.4));
    assert_eq!(share_unlike("1 GB", &grid), Ok(1.0 / 3.0));
    assert_eq!(median("4 GB, DDR3", "mg", &grid), Err("no run of mg with 4 GB, DDR3 finished".to_owned()));
}

fn verdict(samples: &[Sample], words: &str, theirs: bool) -> Verdict {
    let verdicts = claims().into_iter().map(|claim| claim.judge("disksize", samples));
    let fits =
        |verdict: &Verdict| verdict.claim.contains(words) && verdict.claim.contains("authors' own") == theirs;
    verdicts.into_iter().find(fits).unwrap()
}

/// "With 1 GB, CG, FT, IS and MG do not fit" was confirmed although CG never ran.
#[test]
fn kernels_that_did_not_run_leave_a_claim_open() {
    assert_eq!(share_out("1 GB", &["cg", "mg"], &grid()), Err("cg did not run with 1 GB".to_owned()));
}

/// "With 4 GB, FT does not fit" was confirmed although it finished in one of two runs.
#[test]
fn runs_that_end_unlike_each_other_are_too_noisy() {
    let cell = |round: u32, ending: Ending| {
        let run = CellRun {
            program: "ft.W".to_owned(),
            kernel: Some("ft".to_owned()),
            arm: OF_STUDY.to_owned(),
            machine: "4 GB".to_owned(),
            size_percent: 25,
            limit_bytes: 1,
            swap_bytes: 1,
            ending,
            words: String::new(),
            run_seconds: 1.0,
            cgroup_peak_bytes: None,
            swap_peak_bytes: 0,
        };
        sample(&format!("ft W, round {round}"), run)
    };
    let found = verdict(&[cell(1, Ending::Finished), cell(2, Ending::Killed)], "FT does not fit", false);
    assert_eq!((found.verdict, found.measured), (Judgement::TooNoisy, Some(0.5)));
    let found = verdict(&[cell(1, Ending::Killed), cell(2, Ending::Killed)], "FT does not fit", false);
    assert_eq!(found.verdict, Judgement::Confirmed);
}

#[test]
fn the_authors_runs_judge_their_own_claims() {
    let run = |run: Run| TheirRun {
        machine: run.machine,
        kernel: run.program,
        size_percent: run.size,
        seconds: run.seconds,
    };
    let samples = [sample("authors", Theirs { their_runs: grid().0.into_iter().map(run).collect() })];
    let cases = [
        ("EP is 1.03 times", Judgement::Refuted),
        ("IS is neither", Judgement::Refuted),
        ("FT does not fit", Judgement::Confirmed),
        ("lets some kernels run", Judgement::Confirmed),
        ("Zram makes EP faster", Judgement::Refuted),
        ("MG is 1.10 times", Judgement::NotTestableHere),
    ];
    for (words, expected) in cases {
        let found = verdict(&samples, words, true);
        assert_eq!(found.verdict, expected, "{found:?}");
    }
    assert_eq!(verdict(&samples, "IS is neither", false).verdict, Judgement::NotTestableHere);
    let found = verdict(&[], "IS is neither", true);
    assert!(found.reason.unwrap().starts_with("the authors' CSV files are not here: put the folder"));
}
