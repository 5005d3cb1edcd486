// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The study's question to a synthetic program, in counts, in the virtual machine of `make test-guest`: its kernel has
//! MGLRU beside the two lists.

use anyhow::Result;

use crate::frame::claim::Measured;
use crate::kit::guest;
use crate::reclaim::{Counts, Hot, Lists, Phase};

/// One of the counts, or some.
pub type Events = fn(&Counts) -> u64;

/// The step's key.
pub const STEP: &str = "synthetic, in a guest";

/// All settings, in the order in which they were measured.
pub type InGuest = guest::InGuest<Phase>;

/// Boots the guest for that test alone.
pub fn measure() -> Result<InGuest> {
    guest::boot("mglru_")
}

impl InGuest {
    /// The hot pages and the swappiness of each setting, in the order of tables.
    pub fn settings(&self) -> Vec<(Hot, u32)> {
        let mut swappiness: Vec<u32> = self.samples.iter().map(|phase| phase.swappiness).collect();
        swappiness.sort_unstable();
        swappiness.dedup();
        let each = |hot| swappiness.iter().map(move |own| (hot, *own));
        Hot::BOTH.into_iter().flat_map(each).collect()
    }

    fn of(&self, hot: Hot, lists: Lists, swappiness: u32) -> impl Iterator<Item = &Phase> {
        let wanted = (hot, lists, swappiness);
        self.samples.iter().filter(move |phase| (phase.hot, phase.lists, phase.swappiness) == wanted)
    }

    /// Events per pass with one setting, of all its phases.
    pub fn per_pass(&self, hot: Hot, lists: Lists, swappiness: u32, events: Events) -> Measured {
        let phases = || self.of(hot, lists, swappiness);
        let passes: u64 = phases().map(|phase| phase.passes).sum();
        if passes == 0 {
            return Err(format!("{STEP}, {}, swappiness {swappiness}: not measured", lists.name()));
        }
        Ok(phases().map(|phase| events(&phase.counts)).sum::<u64>() as f64 / passes as f64)
    }
}

/// Pages of files that came back.
pub fn files_back(counts: &Counts) -> u64 {
    counts.files_back
}

/// All pages that came back: those of files, and those from swap.
pub fn all_back(counts: &Counts) -> u64 {
    counts.files_back + counts.swapped_in
}

/// Pages read from swap, and written to it.
pub fn swapped(counts: &Counts) -> u64 {
    counts.swapped_in + counts.swapped_out
}

/// A number of events by another; some by none is infinite. None by none is not 1: claims say which of two is more, and
/// a program that reads nothing again would confirm them all.
pub fn quotient(one: Measured, other: Measured) -> Measured {
    let (one, other) = (one?, other?);
    if one + other > 0.0 { Ok(one / other) } else { Err(format!("{STEP}: no page came back")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reclaim::phase;

    #[test]
    fn rounds_are_added() {
        let phases = vec![
            phase(Lists::Two, 60, 100, 500, 0),
            phase(Lists::Two, 60, 300, 300, 0),
            phase(Lists::Two, 20, 100, 9000, 0),
            phase(Lists::Generations, 60, 0, 0, 0),
        ];
        let guest = InGuest { kernel: "6.12.1".to_owned(), samples: phases };
        assert_eq!(guest.per_pass(Hot::Files, Lists::Two, 60, files_back), Ok(2.0));
        let nothing = guest.per_pass(Hot::Files, Lists::Generations, 60, files_back).unwrap_err();
        assert_eq!(nothing, "synthetic, in a guest, MGLRU, swappiness 60: not measured");
        assert!(guest.per_pass(Hot::Others, Lists::Two, 60, files_back).is_err());
    }

    #[test]
    fn without_pressure_there_is_no_quotient() {
        assert_eq!(quotient(Ok(1.0), Ok(2.0)), Ok(0.5));
        assert_eq!(quotient(Ok(0.0), Ok(2.0)), Ok(0.0));
        assert_eq!(quotient(Ok(2.0), Ok(0.0)), Ok(f64::INFINITY));
        assert!(quotient(Ok(0.0), Ok(0.0)).unwrap_err().ends_with("no page came back"));
        assert_eq!(quotient(Err("no QEMU".to_owned()), Ok(1.0)), Err("no QEMU".to_owned()));
    }
}
