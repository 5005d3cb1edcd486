// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The pause of a full collection that moves data to H2, by what holds H2's pages.

use anyhow::{Context, Result};
use ztera_machine::interrupt;
use ztera_machine::units::MIB;

use crate::kit::arms::{Arm, Store};
use crate::kit::missing::Missing;
use crate::kit::move_run::{Job, Measured};
use crate::kit::moved::MoveResult;
use crate::kit::options::Common;

/// The tier with no more than 16 MiB for what is not compressed yet.
pub const FULL_STAGING: &str = "tier-full-staging";

/// New memory of the JVM in a pause that moves `bytes`: lists of objects, bitmaps, page tables.
fn beside(bytes: u64) -> u64 {
    32 * MIB + bytes / 8
}

/// An arm with its limits.
struct Turn<'a> {
    name: String,
    arm: &'a Arm,
    job: Job,
    file_cache: Option<u64>,
}

/// Of all arms that can run.
pub fn measure(job: &Job, data: &str, common: &Common, missing: &mut Missing) -> Result<Vec<MoveResult>> {
    let mut arms = vec![Arm::tier()];
    arms.extend(missing.unless("file-zram", Arm::on_zram(job.h2_size())));
    arms.extend(missing.unless("file-ssd", Arm::on_ssd(&common.ssd)));
    let turns = turns(job, &arms);
    let mut runs: Vec<Vec<Measured>> = turns.iter().map(|_| Vec::new()).collect();
    let rounds = common.rounds();
    for round in 1..=rounds {
        for (turn, runs) in turns.iter().zip(&mut runs) {
            interrupt::check()?;
            eprintln!("move, round {round} of {rounds}: {}", turn.name);
            let run = turn.job.run_move(turn.arm, data, turn.file_cache);
            runs.extend(missing.unless(&turn.name, run.context("moving the data")));
        }
    }
    Ok(turns.iter().zip(&runs).filter_map(|(turn, runs)| MoveResult::of(&turn.name, runs)).collect())
}

/// Each arm with all the memory that it takes, then with little.
fn turns<'a>(job: &Job, arms: &'a [Arm]) -> Vec<Turn<'a>> {
    // A quarter of the resident pages is what staging buffers have then.
    let little = job.resident + job.resident / 4 + beside(job.bytes);
    let turns = |arm: &'a Arm| {
        let turn = |name: String, strict_staging: bool, file_cache: Option<u64>| Turn {
            name,
            arm,
            job: Job { strict_staging, ..job.clone() },
            file_cache,
        };
        let limited = match arm.store {
            Store::Tier => turn(FULL_STAGING.to_owned(), true, None),
            Store::Zram(_) | Store::Disk(..) => turn(format!("{}-limited", arm.name), false, Some(little)),
        };
        [turn(arm.name.to_owned(), false, None), limited]
    };
    arms.iter().flat_map(turns).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::filesystem::Disk;
    use ztera_machine::jvm_flags::Codec;
    use ztera_machine::units::GIB;

    #[test]
    fn an_arm_with_little_memory_is_compared_with_its_like() {
        let job = Job {
            java: "java".into(),
            jar: "jar".into(),
            source: "source".into(),
            bytes: GIB,
            resident: 64 * MIB,
            strict_staging: false,
            codec: Codec::Lz4,
            scratch: "scratch".into(),
        };
        let disk = Disk { name: "disk".to_owned(), rotational: false };
        let store = Store::Disk(tempfile::tempdir().unwrap(), disk);
        let arms = [Arm::tier(), Arm { name: "file-ssd", store }];
        let turns = turns(&job, &arms);
        let shown: Vec<_> = turns.iter().map(|turn| (turn.name.as_str(), turn.file_cache)).collect();
        let limit = Some(64 * MIB + 16 * MIB + 32 * MIB + 128 * MIB);
        let expected =
            [("tier", None), ("tier-full-staging", None), ("file-ssd", None), ("file-ssd-limited", limit)];
        assert_eq!(shown, expected);
        let strict: Vec<_> = turns.iter().map(|turn| turn.job.strict_staging).collect();
        assert_eq!(strict, [false, true, false, false]);
    }
}
