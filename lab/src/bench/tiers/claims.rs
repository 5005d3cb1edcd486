// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Tiers against each other arm that finished.

use ztera_machine::jvm_flags::value_name;

use super::arms::ArmName;
use super::report::found;
use crate::bench::benchmark::DOCUMENT;
use crate::frame::claim::{Claim, Expected};
use crate::frame::draft::Draft;

/// All of them.
pub fn claims() -> Vec<Claim> {
    [ArmName::FileSsd, ArmName::FileZram, ArmName::SwapSsd, ArmName::SwapZram].map(no_faster).into()
}

fn no_faster(arm: ArmName) -> Claim {
    let arm = value_name(&arm);
    let words = format!("programs query no faster on {arm} than on three tiers");
    let draft = Draft::new(&words, DOCUMENT, |samples| Some(found(samples)));
    draft.expect_in(Expected::AtLeast(1.0), move |workloads| {
        let arms = workloads.iter().flat_map(|workload| &workload.arms);
        arms.filter(|one| one.arm == arm).filter_map(|one| one.query_vs_tiers).reduce(f64::min)
    })
}

#[cfg(test)]
mod tests {
    use super::super::report::tests::samples;
    use super::*;
    use crate::frame::claim::Judgement;

    #[test]
    fn the_worst_workload_counts() {
        let samples = samples();
        let verdicts: Vec<_> = claims().iter().map(|claim| claim.judge("toy", &samples)).collect();
        assert_eq!((verdicts[1].verdict, verdicts[1].measured), (Judgement::Refuted, Some(0.5)));
        assert_eq!(verdicts[0].verdict, Judgement::NotTestableHere, "it did not run");
    }
}
