// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The arms: ways to have more live data than DRAM, each with the settings that it has by default.

use std::path::Path;

use anyhow::{Context, Result};
use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use ztera_machine::jvm_flags::{Backing, Collector, H2Flags, HeapFlags};

use super::plan::{Heap, Sizes};
use crate::kit::storage::Storage;
use crate::kit::swap::{FileSwap, ZramSwap};
use crate::kit::zram::CODEC;
use crate::kit::zram_fs::ZramFs;
use crate::kit::zswap::Zswap;

/// A way to have more live data than DRAM.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum ArmName {
    /// No limit, the stock JVM: the reference
    None,
    /// The stock JVM, swap on zram
    SwapZram,
    /// The stock JVM, swap on SSD
    SwapSsd,
    /// The stock JVM with G1, swap on zram
    G1Zram,
    /// The stock JVM, zswap before swap on SSD
    Zswap,
    /// H2 on a file on SSD
    FileSsd,
    /// H2 on a file on a file system on zram
    FileZram,
    /// H2 on DRAM and compressed DRAM
    Two,
    /// H2 on DRAM, compressed DRAM and SSD
    Three,
}

impl ArmName {
    /// All of them, the reference first.
    pub const ALL: [ArmName; 9] = [
        ArmName::None,
        ArmName::SwapZram,
        ArmName::SwapSsd,
        ArmName::G1Zram,
        ArmName::Zswap,
        ArmName::FileSsd,
        ArmName::FileZram,
        ArmName::Two,
        ArmName::Three,
    ];

    /// Those beside a program that knows nothing of us: what people use today, and ours.
    pub const PLAIN: [ArmName; 6] =
        [ArmName::None, ArmName::SwapZram, ArmName::G1Zram, ArmName::Zswap, ArmName::Two, ArmName::Three];

    /// Whether it runs on the ZTera JVM.
    pub fn has_h2(self) -> bool {
        matches!(self, ArmName::FileSsd | ArmName::FileZram | ArmName::Two | ArmName::Three)
    }

    /// Whether its H2 lies on tiers, not in a file.
    pub fn has_tiers(self) -> bool {
        matches!(self, ArmName::Two | ArmName::Three)
    }

    /// The DRAM that is zram's, so that the cgroup gets the rest.
    pub fn zram(self, sizes: &Sizes) -> u64 {
        match self {
            ArmName::SwapZram | ArmName::G1Zram => sizes.zram_of_swap(),
            ArmName::FileZram => sizes.zram_of_file(),
            _ => 0,
        }
    }

    /// Makes what lies below it ready. `ssd` is a directory on a disk and the disk's name.
    pub fn set_up(self, sizes: &Sizes, ssd: Option<(&Path, &str)>) -> Result<Storage> {
        let ssd = || ssd.context("it needs an SSD: give --ssd");
        let zram = self.zram(sizes);
        Ok(match self {
            ArmName::None | ArmName::Two => Storage::Memory,
            ArmName::FileSsd | ArmName::Three => {
                let (dir, disk) = ssd()?;
                Storage::Ssd(dir.to_owned(), disk.to_owned())
            }
            ArmName::SwapSsd => Storage::SsdSwap(FileSwap::create(ssd()?.0, sizes.heap)?),
            ArmName::SwapZram | ArmName::G1Zram => {
                Storage::ZramSwap(ZramSwap::create(sizes.heap, CODEC, Some(zram))?)
            }
            ArmName::Zswap => {
                Storage::Zswap(Zswap::create(ssd()?.0, sizes.heap, CODEC, sizes.zram_of_swap())?)
            }
            ArmName::FileZram => Storage::ZramFs(ZramFs::for_h2(sizes.h2, Some(zram))?),
        })
    }

    /// The JVM's flags: the collector, the heap, and of H2 its size and path alone.
    pub fn flags(self, sizes: &Sizes, heap: Heap, storage: &Storage) -> Vec<String> {
        let bytes = if self.has_h2() { sizes.h1 } else { sizes.heap };
        let collector = if self == ArmName::G1Zram { Collector::G1 } else { Collector::Parallel };
        // Without a word about the heap, H2Size chooses the collector, too.
        let is_told = heap != Heap::Auto || !self.has_h2();
        let own = HeapFlags {
            collector: is_told.then_some(collector),
            min: (heap == Heap::Xms).then_some(bytes),
            max: is_told.then_some(bytes),
            ..HeapFlags::default()
        };
        let h2 = self.has_h2().then(|| self.h2(sizes, storage).arguments());
        [own.arguments(), h2.unwrap_or_default()].concat()
    }

    fn h2(self, sizes: &Sizes, storage: &Storage) -> H2Flags {
        let file = matches!(self, ArmName::FileSsd | ArmName::FileZram);
        let path = storage.folder().map(Path::to_owned);
        H2Flags { size: sizes.h2, path, backing: file.then_some(Backing::File), ..H2Flags::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ztera_machine::units::MIB;

    fn flags(arm: ArmName, heap: Heap) -> String {
        let sizes = Sizes::plan(512 * MIB, 1.5);
        let storage = Storage::Ssd("/ssd".into(), "nvme0n1".to_owned());
        let storage = if arm == ArmName::Two { Storage::Memory } else { storage };
        arm.flags(&sizes, heap, &storage).join(" ")
    }

    #[test]
    fn only_size_and_path_are_given() {
        let plain = "-XX:+UseParallelGC -Xms256m -Xmx256m -XX:H2Size=1536m";
        assert_eq!(flags(ArmName::Two, Heap::Xms), plain);
        assert_eq!(flags(ArmName::Three, Heap::Xms), format!("{plain} -XX:H2Path=/ssd"));
        assert_eq!(
            flags(ArmName::FileSsd, Heap::Xmx),
            "-XX:+UseParallelGC -Xmx256m -XX:H2Size=1536m -XX:H2Backing=file -XX:H2Path=/ssd"
        );
        assert_eq!(flags(ArmName::Two, Heap::Auto), "-XX:H2Size=1536m");
    }

    #[test]
    fn arms_without_h2_have_a_heap_that_holds_the_live_data() {
        assert_eq!(flags(ArmName::None, Heap::Xmx), "-XX:+UseParallelGC -Xmx1484m");
        assert_eq!(flags(ArmName::SwapZram, Heap::Auto), "-XX:+UseParallelGC -Xmx1484m");
        assert_eq!(flags(ArmName::G1Zram, Heap::Xms), "-XX:+UseG1GC -Xms1484m -Xmx1484m");
    }

    #[test]
    fn an_arm_without_its_ssd_says_so() {
        let sizes = Sizes::plan(512 * MIB, 1.5);
        let error = ArmName::Three.set_up(&sizes, None).map(|_| ()).unwrap_err().to_string();
        assert!(error.contains("--ssd"), "{error}");
    }
}
