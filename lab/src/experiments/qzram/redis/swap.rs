// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Swap below the servers.

use anyhow::Result;

use crate::kit::disk_swap::DiskSwap;
use crate::kit::medium::Medium;
use crate::kit::swap::ZramSwap;

/// A kind of swap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arm {
    /// There is none.
    Nothing,
    /// On zram, with a codec.
    Zram(&'static str),
    /// On our device.
    Ours,
    /// On our device, with a model of an accelerator.
    Model,
}

impl Arm {
    /// Those of seed 004, and ours without an accelerator.
    pub const OF_SOURCE: [Arm; 4] = [Arm::Nothing, Arm::Zram("lzo"), Arm::Ours, Arm::Model];
    /// All.
    pub const ALL: [Arm; 5] = [Arm::Nothing, Arm::Zram("lzo"), Arm::Zram("lz4"), Arm::Ours, Arm::Model];

    /// The name in tables.
    pub fn name(&self) -> String {
        match self {
            Arm::Nothing => "no swap".to_owned(),
            Arm::Zram(codec) => format!("swap on zram-{codec}"),
            Arm::Ours => "swap on ours-lz4".to_owned(),
            Arm::Model => "swap on ours-model".to_owned(),
        }
    }

    /// Switches on swap of `bytes`. Ours takes `limit` of DRAM at once; of either the part counts that holds pages.
    pub fn switch_on(self, bytes: u64, limit: u64) -> Result<Medium> {
        const MODEL: [&str; 6] =
            ["--codec", "deflate", "--accelerator", "model", "--accelerator-check", "sums"];
        let ours = |more: &[&str]| {
            let options = [&["--unit", "4k"], more].concat();
            DiskSwap::create(bytes, limit, &options).map(Medium::Disk)
        };
        match self {
            Arm::Nothing => Ok(Medium::Nothing),
            Arm::Zram(codec) => ZramSwap::create(bytes, codec, None).map(Medium::Zram),
            Arm::Ours => ours(&[]),
            Arm::Model => ours(&MODEL),
        }
    }
}
