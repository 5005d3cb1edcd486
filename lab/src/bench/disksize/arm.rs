// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Kinds of swap.

use std::path::Path;

use anyhow::Result;
use ztera_machine::memory::meminfo;

use crate::kit::disk_swap::DiskSwap;
use crate::kit::medium::Medium;
use crate::kit::setting::Setting;
use crate::kit::swap::ZramSwap;
use crate::kit::zram::codecs;
use crate::kit::zswap::Zswap;

/// The study's arm: zram with its default codec.
pub const OF_STUDY: &str = "zram lzo-rle";

/// Where the kernel has a folder for each size of huge pages, since Linux 6.8.
const HUGE_PAGES: &str = "/sys/kernel/mm/transparent_hugepage";

/// A kind of swap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Arm {
    /// zram with a codec.
    Zram(String),
    /// The study's zram, and huge pages of so many KiB for every program.
    Huge(u32),
    /// A file on the SSD, with zswap of zram's default codec before it.
    Zswap,
    /// Our block device.
    Disk,
}

impl Arm {
    /// The study's.
    pub fn of_study() -> Arm {
        Arm::Zram("lzo-rle".to_owned())
    }

    /// All codecs of this kernel's zram, the study's first.
    pub fn all_zram() -> Result<Vec<Arm>> {
        let others = codecs()?.into_iter().map(Arm::Zram).filter(|arm| *arm != Arm::of_study());
        Ok([Arm::of_study()].into_iter().chain(others).collect())
    }

    /// The name in tables.
    pub fn name(&self) -> String {
        match self {
            Arm::Zram(codec) => format!("zram {codec}"),
            Arm::Huge(kib) => format!("{OF_STUDY}, huge pages of {kib} KiB"),
            Arm::Zswap => "zswap".to_owned(),
            Arm::Disk => "our disk".to_owned(),
        }
    }

    /// Has the kernel give huge pages to every program until that is dropped, where the arm asks for them.
    pub fn huge_pages(&self) -> Result<Option<Setting>> {
        let Arm::Huge(kib) = self else { return Ok(None) };
        let file = format!("{HUGE_PAGES}/hugepages-{kib}kB/enabled");
        Setting::change(file.into(), "always").map(Some)
    }

    /// Switches on swap of `bytes`, or nothing for 0. `limit` bounds zswap alone: others share DRAM with the program.
    pub fn switch_on(&self, bytes: u64, limit: u64, ssd: &Path) -> Result<Medium> {
        Ok(match self {
            _ if bytes == 0 => Medium::Nothing,
            Arm::Zram(codec) => Medium::Zram(ZramSwap::create(bytes, codec, None)?),
            Arm::Huge(_) => Medium::Zram(ZramSwap::create(bytes, "lzo-rle", None)?),
            Arm::Zswap => {
                // zswap's limit is in whole percents of the machine.
                let least = meminfo("MemTotal").unwrap_or(0) / 50;
                Medium::Zswap(Zswap::create(ssd, bytes, "lzo-rle", limit.max(least))?)
            }
            Arm::Disk => Medium::Disk(DiskSwap::create(bytes, bytes, &[])?),
        })
    }
}
