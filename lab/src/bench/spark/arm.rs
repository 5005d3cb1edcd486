// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The arms: ways to cache more than DRAM holds, each with the settings that it has by default.

use std::path::Path;

use anyhow::Result;
use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use ztera_machine::jvm_flags::{Backing, H2Flags, HeapFlags};

use super::plan::Sizes;
use crate::kit::storage::Storage;
use crate::kit::swap::{FileSwap, ZramSwap};
use crate::kit::zram::CODEC;
use crate::kit::zram_fs::ZramFs;

/// A way to cache more than DRAM holds.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum ArmName {
    /// No limit, stock Spark: the reference
    None,
    /// Stock Spark, storage level MEMORY_ONLY
    MemoryOnly,
    /// Stock Spark, MEMORY_AND_DISK
    MemoryAndDisk,
    /// Stock Spark, MEMORY_ONLY_SER
    MemoryOnlySer,
    /// Stock Spark, MEMORY_AND_DISK_SER
    MemoryAndDiskSer,
    /// Stock Spark, OFF_HEAP
    OffHeap,
    /// Stock Spark, DISK_ONLY
    DiskOnly,
    /// Stock Spark, MEMORY_ONLY in a big heap, swap on zram
    SwapZram,
    /// The same, swap on SSD
    SwapSsd,
    /// The plugin, H2 on a file on SSD
    FileSsd,
    /// The plugin, H2 on a file on a file system on zram
    FileZram,
    /// The plugin, H2 on DRAM and compressed DRAM
    Two,
    /// The plugin, H2 on DRAM, compressed DRAM and SSD
    Three,
}

impl ArmName {
    /// All of them, the reference first.
    pub const ALL: [ArmName; 13] = [
        ArmName::None,
        ArmName::MemoryOnly,
        ArmName::MemoryAndDisk,
        ArmName::MemoryOnlySer,
        ArmName::MemoryAndDiskSer,
        ArmName::OffHeap,
        ArmName::DiskOnly,
        ArmName::SwapZram,
        ArmName::SwapSsd,
        ArmName::FileSsd,
        ArmName::FileZram,
        ArmName::Two,
        ArmName::Three,
    ];

    /// Storage levels of stock Spark that a user can choose from.
    pub const STOCK_LEVELS: [ArmName; 6] = [
        ArmName::MemoryOnly,
        ArmName::MemoryAndDisk,
        ArmName::MemoryOnlySer,
        ArmName::MemoryAndDiskSer,
        ArmName::OffHeap,
        ArmName::DiskOnly,
    ];

    /// Those of the quick form.
    pub const QUICK: [ArmName; 4] =
        [ArmName::None, ArmName::MemoryAndDisk, ArmName::MemoryAndDiskSer, ArmName::Three];

    /// Whether it runs with the plugin on the ZTera JVM.
    pub fn has_h2(self) -> bool {
        matches!(self, ArmName::FileSsd | ArmName::FileZram | ArmName::Two | ArmName::Three)
    }

    /// The storage level of the program's data. H2 may be full, too: then Spark's own disk store is the way out.
    pub fn level(self) -> &'static str {
        match self {
            ArmName::None | ArmName::MemoryOnly | ArmName::SwapZram | ArmName::SwapSsd => "MEMORY_ONLY",
            ArmName::MemoryAndDisk => "MEMORY_AND_DISK",
            ArmName::MemoryOnlySer => "MEMORY_ONLY_SER",
            ArmName::MemoryAndDiskSer => "MEMORY_AND_DISK_SER",
            ArmName::OffHeap => "OFF_HEAP",
            ArmName::DiskOnly => "DISK_ONLY",
            ArmName::FileSsd | ArmName::FileZram | ArmName::Two | ArmName::Three => "MEMORY_AND_DISK",
        }
    }

    /// The DRAM that is zram's, so that the cgroup gets the rest.
    pub fn zram(self, sizes: &Sizes) -> u64 {
        match self {
            ArmName::SwapZram => sizes.zram_of_swap(),
            ArmName::FileZram => sizes.zram_of_file(),
            _ => 0,
        }
    }

    /// Makes what lies below it ready. `ssd` is a directory on a disk and the disk's name: Spark itself writes there,
    /// too.
    pub fn set_up(self, sizes: &Sizes, (dir, disk): (&Path, &str)) -> Result<Storage> {
        let zram = self.zram(sizes);
        Ok(match self {
            ArmName::SwapSsd => Storage::SsdSwap(FileSwap::create(dir, sizes.big_heap)?),
            ArmName::SwapZram => Storage::ZramSwap(ZramSwap::create(sizes.big_heap, CODEC, Some(zram))?),
            ArmName::FileZram => Storage::ZramFs(ZramFs::for_h2(sizes.h2, Some(zram))?),
            _ => Storage::Ssd(dir.to_owned(), disk.to_owned()),
        })
    }

    /// `-Xmx` in bytes.
    pub fn heap(self, sizes: &Sizes) -> u64 {
        match self {
            ArmName::None | ArmName::SwapZram | ArmName::SwapSsd => sizes.big_heap,
            _ => sizes.heap,
        }
    }

    /// The JVM's flags besides the heap: the collector, and of H2 its size and path alone.
    pub fn flags(self, sizes: &Sizes, storage: &Storage) -> Vec<String> {
        let mut flags = HeapFlags::parallel().arguments();
        if self.has_h2() {
            let file = matches!(self, ArmName::FileSsd | ArmName::FileZram);
            let path = storage.folder().filter(|_| self != ArmName::Two).map(Path::to_owned);
            let h2 = H2Flags {
                size: sizes.h2,
                path,
                backing: file.then_some(Backing::File),
                ..H2Flags::default()
            };
            flags.extend(h2.arguments());
        }
        flags
    }

    /// Spark's own settings.
    pub fn conf(self, sizes: &Sizes) -> Vec<String> {
        match self {
            ArmName::OffHeap => {
                vec![
                    "spark.memory.offHeap.enabled=true".to_owned(),
                    format!("spark.memory.offHeap.size={}b", sizes.off_heap),
                ]
            }
            _ if self.has_h2() => vec!["spark.plugins=org.ztera.spark.ZTeraPlugin".to_owned()],
            _ => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use ztera_machine::units::GIB;

    use super::*;
    use crate::bench::spark::plan::tests::SCALE;

    fn flags(arm: ArmName) -> String {
        let sizes = Sizes::plan(&SCALE, 3 * GIB, 2.5);
        arm.flags(&sizes, &Storage::Ssd("/ssd".into(), "nvme0n1".to_owned())).join(" ")
    }

    #[test]
    fn of_h2_only_size_and_path_are_given() {
        let plain = "-XX:+UseParallelGC -XX:H2Size=6144m";
        assert_eq!(flags(ArmName::Two), plain);
        assert_eq!(flags(ArmName::Three), format!("{plain} -XX:H2Path=/ssd"));
        assert_eq!(flags(ArmName::FileSsd), format!("{plain} -XX:H2Backing=file -XX:H2Path=/ssd"));
        assert_eq!(flags(ArmName::MemoryOnly), "-XX:+UseParallelGC");
    }

    #[test]
    fn every_arm_but_those_without_a_limit_or_with_swap_has_the_same_heap() {
        let sizes = Sizes::plan(&SCALE, 3 * GIB, 2.5);
        let big: Vec<ArmName> =
            ArmName::ALL.into_iter().filter(|arm| arm.heap(&sizes) != sizes.heap).collect();
        assert_eq!(big, [ArmName::None, ArmName::SwapZram, ArmName::SwapSsd]);
    }

    #[test]
    fn only_arms_with_h2_have_the_plugin() {
        let sizes = Sizes::plan(&SCALE, 3 * GIB, 2.5);
        for arm in ArmName::ALL {
            assert_eq!(arm.conf(&sizes).join(" ").contains("ZTeraPlugin"), arm.has_h2(), "{arm:?}");
        }
        assert!(ArmName::OffHeap.conf(&sizes)[1].starts_with("spark.memory.offHeap.size="));
    }

    #[test]
    fn stock_levels_have_names_of_their_own() {
        let levels = ArmName::STOCK_LEVELS.map(ArmName::level);
        assert!(levels.iter().all(|level| levels.iter().filter(|other| *other == level).count() == 1));
    }
}
