// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Claims about counts in a guest, where the kernel's two lists and MGLRU take turns.

use super::super::found::Found;
use super::super::in_guest::{all_back, files_back, quotient, swapped};
use crate::frame::claim::Expected::{AtLeast, AtMost};
use crate::frame::claim::{Claim, Measured};
use crate::frame::draft::Draft;
use crate::reclaim::{Hot, Lists};

/// Linux's.
const DEFAULT: u32 = 60;

/// Of pages alone: a guest has no times.
pub fn in_a_guest() -> Vec<Claim> {
    const EAGER: &str = "Nakaike et al., 5.2, figure 5";
    const SWAPPINESS: &str = "Nakaike et al., 5.4, figure 9";
    const BETTER: &str = "Nakaike et al., 7";
    let claim = |words: &str, source| Draft::new(&format!("In a guest, {words}"), source, Found::of);
    vec![
        claim(
            "two lists reclaim the page cache too eagerly: pages of hot files read again, by pages of swap.",
            EAGER,
        )
        .expect(AtLeast(1.0), 0.0, |found| by_swap(found, Lists::Two)),
        claim("MGLRU does so, too: pages of hot files read again, by pages of swap.", EAGER).expect(
            AtLeast(1.0),
            0.0,
            |found| by_swap(found, Lists::Generations),
        ),
        claim("with MGLRU the kernel reads back fewer pages of hot files than with two lists.", BETTER)
            .expect(AtMost(1.0), 0.0, |found| {
                quotient(back(found, Lists::Generations, DEFAULT), back(found, Lists::Two, DEFAULT))
            }),
        claim("where files are cold, MGLRU has no more pages read again than two lists.", BETTER).expect(
            AtMost(1.0),
            0.0,
            |found| quotient(where_cold(found, Lists::Generations), where_cold(found, Lists::Two)),
        ),
        claim(
            "a lower swappiness has files read more often: pages at 100 by those at 60, two lists.",
            SWAPPINESS,
        )
        .expect(AtMost(1.0), 0.0, |found| {
            quotient(back(found, Lists::Two, 100), back(found, Lists::Two, DEFAULT))
        }),
    ]
}

/// Pages of hot files that came back, per pass.
fn back(found: &Found, lists: Lists, swappiness: u32) -> Measured {
    found.guest()?.per_pass(Hot::Files, lists, swappiness, files_back)
}

/// All pages that came back, per pass, where those of files are cold.
fn where_cold(found: &Found, lists: Lists) -> Measured {
    found.guest()?.per_pass(Hot::Others, lists, DEFAULT, all_back)
}

fn by_swap(found: &Found, lists: Lists) -> Measured {
    quotient(back(found, lists, DEFAULT), found.guest()?.per_pass(Hot::Files, lists, DEFAULT, swapped))
}
