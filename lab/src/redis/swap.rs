// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Swap below the servers.

use std::str::FromStr;

use anyhow::Result;

use crate::frame::context::Scale;
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
    /// On our device, with its own settings.
    Ours,
    /// On our device, with a model of an accelerator.
    Model,
}

impl Arm {
    const ALL: [Arm; 6] =
        [Arm::Nothing, Arm::Zram("lzo"), Arm::Zram("lz4"), Arm::Zram("zstd"), Arm::Ours, Arm::Model];

    /// Those that are measured on the machine itself: of the quick form those of the QZRAM paper, and ours on the CPU.
    pub fn of(scale: Scale) -> &'static [Arm] {
        match scale {
            Scale::Tiny => &[Arm::Nothing, Arm::Zram("lzo")],
            Scale::Quick => &[Arm::Nothing, Arm::Zram("lzo"), Arm::Ours, Arm::Model],
            Scale::Full => &[Arm::Nothing, Arm::Zram("lzo"), Arm::Zram("lz4"), Arm::Ours, Arm::Model],
        }
    }

    /// The name in tables.
    pub fn name(&self) -> String {
        match self {
            Arm::Nothing => "no swap".to_owned(),
            _ => format!("swap on {}", self.device()),
        }
    }

    /// Switches on swap for a program that has `limit` of DRAM together with its compressed pages. Ours takes as much
    /// at once; of either the part counts that holds pages.
    pub fn switch_on(self, limit: u64) -> Result<Medium> {
        const MODEL: [&str; 6] =
            ["--codec", "deflate", "--accelerator", "model", "--accelerator-check", "sums"];
        let ours = |options: &[&str]| DiskSwap::create(PLACES * limit, limit, options).map(Medium::Disk);
        match self {
            Arm::Nothing => Ok(Medium::Nothing),
            Arm::Zram(codec) => ZramSwap::create(MOST * limit, codec, None).map(Medium::Zram),
            Arm::Ours => ours(&[]),
            Arm::Model => ours(&MODEL),
        }
    }

    /// The name in commands.
    fn device(&self) -> String {
        match self {
            Arm::Nothing => "none".to_owned(),
            Arm::Zram(codec) => format!("zram-{codec}"),
            Arm::Ours => "ours".to_owned(),
            Arm::Model => "ours-model".to_owned(),
        }
    }
}

/// More than any swap can hold of the limit's bytes in as much DRAM.
pub const MOST: u64 = 8;

/// Size of our device, in times of the limit: places for what may fit, and not many more. The kernel does not say which
/// pages it needs no more, and their bytes stay until it uses their places again.
const PLACES: u64 = 4;

impl FromStr for Arm {
    type Err = String;

    fn from_str(text: &str) -> Result<Arm, String> {
        let names = Arm::ALL.map(|arm| arm.device());
        let place = names.iter().position(|name| name == text);
        place.map(|place| Arm::ALL[place]).ok_or_else(|| format!("it is one of {}", names.join(", ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_source_s_arms_are_measured_in_the_quick_form() {
        let names: Vec<String> = Arm::of(Scale::Quick).iter().map(Arm::name).collect();
        assert_eq!(names, ["no swap", "swap on zram-lzo", "swap on ours", "swap on ours-model"]);
    }

    #[test]
    fn a_command_names_each_arm() {
        for arm in Arm::ALL {
            assert_eq!(arm.device().parse::<Arm>(), Ok(arm));
        }
        let error = "zram".parse::<Arm>().unwrap_err();
        assert!(
            error.starts_with("it is one of none, zram-lzo, ") && error.contains("ours-model"),
            "{error}"
        );
    }
}
