// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The arms: ways to have more live data than DRAM.

use std::path::Path;

use anyhow::{Context, Result};
use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use ztera_machine::cgroup::{Cgroup, CgroupError};
use ztera_machine::jvm_flags::{Backing, Codec, H2Flags, HeapFlags, value_name};

use super::budget::Budget;
use crate::kit::storage::Storage;
use crate::kit::swap::{FileSwap, ZramSwap};
use crate::kit::zram::CODEC;
use crate::kit::zram_fs::ZramFs;

/// A way to have more live data than DRAM.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum ArmName {
    /// H2 on DRAM, compressed DRAM and SSD
    Tiers,
    /// H2 on DRAM and compressed DRAM
    Tier,
    /// H2 on a file on SSD
    FileSsd,
    /// H2 on a file on ext4 on zram
    FileZram,
    /// No H2, all heap, swap on zram
    SwapZram,
    /// No H2, all heap, swap on SSD
    SwapSsd,
}

/// An arm that is ready to run. Dropping it undoes what was set up.
pub struct Arm {
    name: ArmName,
    storage: Storage,
}

impl ArmName {
    /// All of them, the subject first.
    pub const ALL: [ArmName; 6] = [
        ArmName::Tiers,
        ArmName::Tier,
        ArmName::FileSsd,
        ArmName::FileZram,
        ArmName::SwapZram,
        ArmName::SwapSsd,
    ];

    /// Makes it ready. `ssd` is a directory on a disk and the disk's name.
    pub fn set_up(self, budget: &Budget, ssd: Option<(&Path, &str)>) -> Result<Arm> {
        let ssd = || ssd.context("it needs an SSD: give --ssd");
        let storage = match self {
            ArmName::Tier => Storage::Memory,
            ArmName::Tiers | ArmName::FileSsd => {
                let (dir, disk) = ssd()?;
                Storage::Ssd(dir.to_owned(), disk.to_owned())
            }
            ArmName::FileZram => Storage::ZramFs(ZramFs::for_h2(budget.h2, Some(budget.zram()))?),
            ArmName::SwapZram => {
                Storage::ZramSwap(ZramSwap::create(budget.heap, CODEC, Some(budget.zram()))?)
            }
            ArmName::SwapSsd => Storage::SsdSwap(FileSwap::create(ssd()?.0, budget.heap)?),
        };
        Ok(Arm { name: self, storage })
    }

    /// As on the command line; without an arm, a run is the reference.
    pub fn shown(arm: Option<ArmName>) -> String {
        arm.map_or_else(|| "reference".to_owned(), |arm| value_name(&arm))
    }
}

impl Arm {
    /// The flags that divide the memory.
    pub fn flags(&self, budget: &Budget, codec: Codec, more: &[String]) -> Vec<String> {
        let h2 = match (self.name, &self.storage) {
            (ArmName::SwapZram | ArmName::SwapSsd, _) => return plain_flags(budget),
            (ArmName::FileSsd, Storage::Ssd(dir, _)) => file(dir),
            (_, Storage::ZramFs(fs)) => file(fs.path()),
            (_, Storage::Ssd(dir, _)) => H2Flags { path: Some(dir.clone()), ..tier(budget, codec) },
            _ => tier(budget, codec),
        };
        let mut flags = HeapFlags { max: Some(budget.h1), ..HeapFlags::parallel() }.arguments();
        flags.extend(H2Flags { size: budget.h2, ..h2 }.arguments());
        if matches!(self.name, ArmName::Tiers | ArmName::Tier) {
            flags.extend(more.iter().cloned());
        }
        flags
    }

    /// A cgroup for it.
    pub fn cgroup(&self, budget: &Budget) -> Result<Cgroup, CgroupError> {
        self.storage.cgroup("bench-tiers", Some(budget.limit), budget.zram())
    }

    /// The storage below.
    pub fn storage(&self) -> &Storage {
        &self.storage
    }

    /// The disk with a mapped file on it: its read-ahead matters.
    pub fn mapped_disk(&self) -> Option<String> {
        match (self.name, &self.storage) {
            (_, Storage::ZramFs(fs)) => Some(fs.disk()),
            (ArmName::FileSsd, Storage::Ssd(_, disk)) => Some(disk.clone()),
            _ => None,
        }
    }
}

/// No second heap. The heap has its whole size from the start, since growing it takes a full collection; pages are only
/// used when they are touched.
pub fn plain_flags(budget: &Budget) -> Vec<String> {
    HeapFlags::of_size(budget.heap, budget.young()).arguments()
}

fn tier(budget: &Budget, codec: Codec) -> H2Flags {
    H2Flags {
        backing: Some(Backing::Tier),
        resident: budget.resident,
        pool: budget.resident.map(|_| budget.pool),
        codec: Some(codec),
        ..H2Flags::default()
    }
}

fn file(dir: &Path) -> H2Flags {
    H2Flags { backing: Some(Backing::File), path: Some(dir.to_owned()), ..H2Flags::default() }
}

#[cfg(test)]
mod tests {
    use ztera_machine::units::MIB;

    use super::super::budget::Given;
    use super::*;

    fn budget() -> Budget {
        let given = Given { h1: Some(64 * MIB), resident: Some(32 * MIB) };
        Budget::plan(256 * MIB, 640 * MIB, given).unwrap()
    }

    fn flags(name: ArmName, ssd: Option<(&Path, &str)>) -> String {
        let arm = name.set_up(&budget(), ssd).unwrap();
        arm.flags(&budget(), Codec::Zstd, &["-XX:H2UnitSize=8192".to_owned()]).join(" ")
    }

    #[test]
    fn only_tiers_has_all_three() {
        let ssd = Some((Path::new("/ssd"), "nvme0n1"));
        let tiers = flags(ArmName::Tiers, ssd);
        let tier = flags(ArmName::Tier, ssd);
        assert_eq!(tiers.replace(" -XX:H2Path=/ssd", ""), tier);
        assert!(tier.contains("-Xmx64m") && tier.contains("-XX:H2UnitSize=8192"), "{tier}");
        let file = flags(ArmName::FileSsd, ssd);
        assert_eq!(file, "-XX:+UseParallelGC -Xmx64m -XX:H2Size=960m -XX:H2Backing=file -XX:H2Path=/ssd");
    }

    #[test]
    fn an_arm_without_its_ssd_says_so() {
        let error = ArmName::Tiers.set_up(&budget(), None).map(|_| ()).unwrap_err().to_string();
        assert!(error.contains("--ssd"), "{error}");
    }

    #[test]
    fn the_heap_without_h2_has_its_size_from_the_start() {
        assert_eq!(plain_flags(&budget())[1..], ["-Xms1216m", "-Xmx1216m", "-Xmn32m"]);
    }
}
