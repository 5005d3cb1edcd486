// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The place of what does not fit, set up for one point.

use std::path::{Path, PathBuf};

use anyhow::Result;
use ztera_machine::cgroup::Cgroup;
use ztera_machine::jvm_flags::{H2Flags, HeapFlags};
use ztera_machine::units::MIB;

use super::plan::Size;
use super::point::{Arm, Point};
use crate::kit::setting::Setting;
use crate::kit::swap::{FileSwap, ZramSwap};
use crate::kit::zram;

/// Such a place. Dropping it undoes it.
pub enum Medium {
    /// Swap in a file.
    Ssd(#[expect(dead_code, reason = "dropping it switches it off")] FileSwap),
    /// Swap on zram.
    Zram(ZramSwap),
    /// H2, with a folder for its files if it has an SSD.
    SecondHeap(Option<PathBuf>),
}

impl Medium {
    /// For a point. `folder` is on the SSD.
    pub fn create(point: &Point, size: &Size, folder: &Path) -> Result<Medium> {
        let swap = size.swap(point);
        Ok(match point.arm {
            Arm::SwapOnSsd => Medium::Ssd(FileSwap::create(folder, swap)?),
            Arm::SwapOnZram => Medium::Zram(ZramSwap::create(swap, zram::CODEC, None)?),
            Arm::TwoTiers => Medium::SecondHeap(None),
            Arm::ThreeTiers => Medium::SecondHeap(Some(folder.to_owned())),
        })
    }

    /// Limits a group. The setting that is returned sets the swappiness back.
    pub fn limit(&self, cgroup: &Cgroup, point: &Point, size: &Size) -> Result<Option<Setting>> {
        if !point.arm.swaps() {
            cgroup.set_limit(size.limit)?;
            return Ok(None);
        }
        cgroup.set_limit_with_swap(size.limit)?;
        Setting::change(cgroup.swappiness(), &point.swappiness.to_string()).map(Some)
    }

    /// DRAM that it uses beside the group.
    pub fn used(&self) -> u64 {
        match self {
            Medium::Zram(swap) => swap.device().usage().map_or(0, |usage| usage.used),
            _ => 0,
        }
    }

    /// Flags of each JVM. Those with a second heap share the group's limit by themselves.
    pub fn flags(&self, point: &Point, size: &Size) -> Vec<String> {
        let heap = size.heap_of(point) / MIB * MIB;
        let plain = HeapFlags { min: Some(heap), max: Some(heap), ..HeapFlags::parallel() };
        let more = [
            "-XX:NativeMemoryTracking=summary",
            "-XX:+DisplayVMOutputToStderr",
            "-XX:+ExitOnOutOfMemoryError",
        ];
        let mut flags = [plain.arguments(), more.map(str::to_owned).to_vec()].concat();
        if let Medium::SecondHeap(path) = self {
            let h2 = H2Flags { size: 16 * heap, path: path.clone(), ..H2Flags::default() };
            flags.extend(h2.arguments());
        }
        flags
    }
}

#[cfg(test)]
mod tests {
    use super::super::point::App;
    use super::*;
    use crate::frame::context::Scale;

    #[test]
    fn no_jvm_with_a_second_heap_is_told_its_share_of_the_limit() {
        let size = Size { limit: 400 * MIB, heap: 64 * MIB, ..Size::of(Scale::Tiny) };
        let point = Point::of(App::Trading, Arm::ThreeTiers, 4);
        let flags = Medium::SecondHeap(Some("/ssd".into())).flags(&point, &size);
        for flag in ["-Xmx32m", "-XX:H2Size=512m", "-XX:H2Path=/ssd"] {
            assert!(flags.iter().any(|own| own == flag), "{flag} in {flags:?}");
        }
        assert!(!flags.iter().any(|own| own.contains("H2MemoryLimit")), "{flags:?}");
    }
}
