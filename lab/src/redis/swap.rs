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
    /// On our device, with units of a page, as zram has them.
    Ours,
    /// The same with a model of an accelerator.
    Model,
    /// On our device with its own size of units, 16 KiB, and a codec.
    Large(&'static str),
}

impl Arm {
    const ALL: [Arm; 8] = [
        Arm::Nothing,
        Arm::Zram("lzo"),
        Arm::Zram("lz4"),
        Arm::Zram("zstd"),
        Arm::Ours,
        Arm::Model,
        Arm::Large("lz4"),
        Arm::Large("zstd"),
    ];

    /// Those that are measured on the machine itself: of the quick form those of seed 004, and ours on the CPU.
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
        const PAGES: [&str; 2] = ["--unit", "4k"];
        const MODEL: [&str; 8] =
            ["--unit", "4k", "--codec", "deflate", "--accelerator", "model", "--accelerator-check", "sums"];
        let ours =
            |times, options: &[&str]| DiskSwap::create(times * limit, limit, options).map(Medium::Disk);
        match self {
            Arm::Nothing => Ok(Medium::Nothing),
            Arm::Zram(codec) => ZramSwap::create(MOST * limit, codec, None).map(Medium::Zram),
            Arm::Ours => ours(OF_LZ4, &PAGES),
            Arm::Model => ours(OF_DENSER, &MODEL),
            Arm::Large("lz4") => ours(OF_LZ4, &[]),
            Arm::Large(codec) => ours(OF_DENSER, &["--codec", codec]),
        }
    }

    /// The name in commands.
    fn device(&self) -> String {
        match self {
            Arm::Nothing => "none".to_owned(),
            Arm::Zram(codec) => format!("zram-{codec}"),
            Arm::Ours => "ours-lz4".to_owned(),
            Arm::Model => "ours-model".to_owned(),
            Arm::Large(codec) => format!("ours-{codec}-16k"),
        }
    }
}

/// More than any swap can hold of the limit's bytes in as much DRAM.
pub const MOST: u64 = 8;

/// The kernel tells zram of each page that swap needs no more. Of other devices it uses the page's place again, once it
/// has been everywhere: until then our device keeps the bytes. So ours has places for what may fit, and not more, in
/// times of the limit.
const OF_LZ4: u64 = 2;
const OF_DENSER: u64 = 3;

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
        assert_eq!(names, ["no swap", "swap on zram-lzo", "swap on ours-lz4", "swap on ours-model"]);
    }

    #[test]
    fn a_command_names_each_arm() {
        for arm in Arm::ALL {
            assert_eq!(arm.device().parse::<Arm>(), Ok(arm));
        }
        let error = "zram".parse::<Arm>().unwrap_err();
        assert!(
            error.starts_with("it is one of none, zram-lzo, ") && error.contains("ours-zstd-16k"),
            "{error}"
        );
    }
}
