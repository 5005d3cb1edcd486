// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The pause of a full collection that moves data to H2, by what holds H2's pages.

use anyhow::{Context, Result};
use ztera_machine::interrupt;
use ztera_machine::units::MIB;

use crate::kit::arms::{Arm, Job, Measured, Store};
use crate::kit::missing::Missing;
use crate::kit::moved::MoveResult;
use crate::kit::options::Common;
use crate::kit::zram::ZramFs;

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
    let tier = Arm { name: "tier", store: Store::Tier };
    let zram = missing.unless("file-zram", ZramFs::create(job.h2_size() * 2, "lz4", None));
    let zram = zram.map(|fs| Arm { name: "file-zram", store: Store::Zram(fs) });
    let disk = missing.unless("file-ssd", common.ssd_dir());
    let disk = disk.map(|(dir, disk)| {
        let store = Store::Disk(dir.path().to_owned(), disk.name);
        (Arm { name: "file-ssd", store }, dir)
    });
    let files: Vec<&Arm> = zram.iter().chain(disk.iter().map(|(arm, _)| arm)).collect();
    let turns = turns(job, &tier, &files);
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

fn turns<'a>(job: &Job, tier: &'a Arm, files: &[&'a Arm]) -> Vec<Turn<'a>> {
    let turn = |name: String, arm: &'a Arm, strict_staging: bool, file_cache: Option<u64>| Turn {
        name,
        arm,
        job: Job { strict_staging, ..job.clone() },
        file_cache,
    };
    let mut turns =
        vec![turn("tier".to_owned(), tier, false, None), turn(FULL_STAGING.to_owned(), tier, true, None)];
    // A quarter of the resident pages is what staging buffers have then.
    let limit = job.resident + job.resident / 4 + beside(job.bytes);
    for arm in files {
        turns.push(turn(arm.name.to_owned(), arm, false, None));
        turns.push(turn(format!("{}-limited", arm.name), arm, false, Some(limit)));
    }
    turns
}

#[cfg(test)]
mod tests {
    use super::*;
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
        let tier = Arm { name: "tier", store: Store::Tier };
        let disk = Arm { name: "file-ssd", store: Store::Disk("dir".into(), "disk".to_owned()) };
        let turns = turns(&job, &tier, &[&disk]);
        let shown: Vec<_> = turns.iter().map(|turn| (turn.name.as_str(), turn.file_cache)).collect();
        let limit = Some(64 * MIB + 16 * MIB + 32 * MIB + 128 * MIB);
        let expected =
            [("tier", None), ("tier-full-staging", None), ("file-ssd", None), ("file-ssd-limited", limit)];
        assert_eq!(shown, expected);
        let strict: Vec<_> = turns.iter().map(|turn| turn.job.strict_staging).collect();
        assert_eq!(strict, [false, true, false, false]);
    }
}
