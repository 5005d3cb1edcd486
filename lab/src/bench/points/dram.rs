// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Equal DRAM for both arms.

use anyhow::{Context, Result};
use memmap2::MmapMut;
use ztera_machine::cgroup::Cgroup;
use ztera_machine::units::MIB;

use super::arm::Arm;
use super::values::fill;
use crate::kit::zram::raw::Raw;

/// Bytes that a process needs beside the values, and the part of these that tables take. Without a limit 4.6 MiB were
/// charged beside 125 MiB in the engine, with its threads and their buffers, and 1 MiB beside 128 MiB of plain memory.
const PROGRAM: u64 = 2 * MIB;
const ENGINE: u64 = 4 * MIB;
const TABLES_PART: u64 = 256;

/// Bytes of values by which zram's ratio is measured.
const SAMPLE: usize = 8 << 20;

/// The memory of an arm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// Of the cgroup.
    pub limit: u64,
    /// Of the engine in it.
    pub budget: u64,
}

impl Allowance {
    /// For `dram` bytes in all. Compressed pages of zram count, but not in the cgroup: a byte takes `ratio` there.
    pub fn of(arm: Arm, data: u64, dram: u64, ratio: f64) -> Allowance {
        let charged = dram + PROGRAM + data / TABLES_PART;
        let limit = match arm {
            Arm::Engine => charged + ENGINE,
            Arm::Zram => {
                let swapped = data.saturating_sub(dram) as f64 / (1.0 - ratio);
                charged - (swapped * ratio) as u64
            }
        };
        Allowance { limit, budget: dram }
    }

    /// An empty group with the limit.
    pub fn cgroup(&self, arm: Arm) -> Result<Cgroup> {
        let cgroup = Cgroup::create(&format!("bench-points-{}", arm.name())).context("no limit of DRAM")?;
        match arm {
            Arm::Engine => cgroup.set_limit(self.limit),
            Arm::Zram => cgroup.set_limit_with_swap(self.limit),
        }
        .context("no limit of DRAM")?;
        Ok(cgroup)
    }
}

/// The part of its bytes that zram takes for the values.
pub fn ratio() -> Result<f64> {
    let mut values = MmapMut::map_anon(SAMPLE).context("no memory for a sample")?;
    fill(0, &mut values);
    let raw = Raw::create(SAMPLE, "lz4")?;
    raw.store(&values, 64 << 10, 1)?;
    Ok(raw.usage()?.used as f64 / SAMPLE as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_zram_takes_is_taken_from_the_cgroup() {
        let allowance = |arm| Allowance::of(arm, 800 * MIB, 600 * MIB, 0.5);
        let program = PROGRAM + 800 * MIB / TABLES_PART;
        let limit = 600 * MIB + program + ENGINE;
        assert_eq!(allowance(Arm::Engine), Allowance { limit, budget: 600 * MIB });
        // 400 MiB are swapped, and take 200.
        assert_eq!(allowance(Arm::Zram).limit, 400 * MIB + program);
        assert_eq!(Allowance::of(Arm::Zram, 800 * MIB, 900 * MIB, 0.5).limit, 900 * MIB + program);
    }
}
