// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A zram device of our own, for as long as it is needed.

pub mod raw;

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};

use crate::lease::{Lease, Lent};

const CONTROL: &str = "/sys/class/zram-control";

/// The codec of swap and files on zram: the kernel's fast one.
pub const CODEC: &str = "lz4";

/// The names of all codecs that this kernel's zram has.
pub fn codecs() -> Result<Vec<String>> {
    let device = Device::add()?;
    let file = device.attribute("comp_algorithm");
    let text = fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
    Ok(codecs_of(&text))
}

/// A new zram device of our own. Dropping it frees its memory and removes it.
pub struct Device {
    number: u32,
    _lease: Lease,
}

impl Device {
    /// One that compresses with `algorithm`, shows itself as `bytes` large, and uses no more than `limit` of DRAM.
    pub fn create(bytes: u64, algorithm: &str, limit: Option<u64>) -> Result<Device> {
        let device = Device::add()?;
        device.set("comp_algorithm", algorithm)?;
        device.set("disksize", &bytes.to_string())?;
        if let Some(limit) = limit {
            device.set("mem_limit", &limit.to_string())?;
        }
        Ok(device)
    }

    fn add() -> Result<Device> {
        let file = Path::new(CONTROL).join("hot_add");
        let number = fs::read_to_string(&file).with_context(|| {
            format!(
                "cannot add a zram device ({}): it takes root and a kernel with CONFIG_ZRAM",
                file.display()
            )
        })?;
        let number = number.trim().parse().context("zram-control gave no number")?;
        let lease = Lease::take(&Lent::Zram(number)).inspect_err(|_| remove(number))?;
        Ok(Device { number, _lease: lease })
    }

    /// Its block device.
    pub fn node(&self) -> PathBuf {
        node(self.number)
    }

    /// Its name, such as `zram1`.
    pub fn name(&self) -> String {
        format!("zram{}", self.number)
    }

    /// The contents now.
    pub fn usage(&self) -> Option<Usage> {
        Usage::parse(&fs::read_to_string(self.attribute("mm_stat")).ok()?)
    }

    /// Has it move objects together, so that it can give memory back.
    pub fn compact(&self) -> Result<()> {
        self.set("compact", "1")
    }

    /// DRAM that it used at most.
    pub fn most_memory_used(&self) -> Option<u64> {
        number(&fs::read_to_string(self.attribute("mm_stat")).ok()?, 4)
    }

    /// How many writes it refused, which it does when it would need more DRAM than it may use.
    pub fn refused_writes(&self) -> u64 {
        fs::read_to_string(self.attribute("io_stat")).ok().and_then(|text| number(&text, 1)).unwrap_or(0)
    }

    fn attribute(&self, name: &str) -> PathBuf {
        format!("/sys/block/{}/{name}", self.name()).into()
    }

    fn set(&self, name: &str, value: &str) -> Result<()> {
        let file = self.attribute(name);
        fs::write(&file, value).with_context(|| format!("cannot write `{value}` to {}", file.display()))
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        remove(self.number);
    }
}

/// The block device of a zram device.
pub fn node(number: u32) -> PathBuf {
    format!("/dev/zram{number}").into()
}

/// Frees a device's memory and removes it: one of ours, or one that a killed owner left.
pub fn remove(number: u32) {
    let reset = format!("/sys/block/zram{number}/reset");
    // The kernel refuses for a moment after an unmount.
    for _ in 0..100 {
        let removed = fs::write(&reset, "1").is_ok()
            && fs::write(Path::new(CONTROL).join("hot_remove"), number.to_string()).is_ok();
        if removed {
            return;
        }
        thread::sleep(Duration::from_millis(20));
    }
    eprintln!("ztera: /dev/zram{number} is still in use and stays");
}

/// The contents of a device.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Usage {
    /// Bytes uncompressed.
    pub original: u64,
    /// Bytes compressed.
    pub compressed: u64,
    /// Bytes of DRAM for that.
    pub used: u64,
    /// Pages that repeat one word.
    pub same_pages: u64,
    /// Pages that are kept as they are.
    pub huge_pages: u64,
}

impl Usage {
    fn parse(mm_stat: &str) -> Option<Usage> {
        Some(Usage {
            original: number(mm_stat, 0)?,
            compressed: number(mm_stat, 1)?,
            used: number(mm_stat, 2)?,
            same_pages: number(mm_stat, 5)?,
            huge_pages: number(mm_stat, 7)?,
        })
    }
}

/// The words of `lzo [lz4] zstd`, where the brackets are around the one in use.
fn codecs_of(text: &str) -> Vec<String> {
    text.split_whitespace().map(|word| word.trim_matches(['[', ']']).to_owned()).collect()
}

/// One of the numbers in a line of them. `mm_stat` begins with orig_data_size, compr_data_size and mem_used_total; 4 is
/// mem_used_max, 5 same_pages, 7 huge_pages. In `io_stat`, 1 is failed_writes.
fn number(line: &str, which: usize) -> Option<u64> {
    line.split_whitespace().nth(which)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_codec_in_use_is_one_of_all() {
        assert_eq!(codecs_of("lzo [lzo-rle] zstd \n"), ["lzo", "lzo-rle", "zstd"]);
    }

    #[test]
    fn statistics_are_numbers_in_a_line() {
        let mm_stat = "  16384     8192    12288        0    20480        2        0        1\n";
        let usage = Usage { original: 16384, compressed: 8192, used: 12288, same_pages: 2, huge_pages: 1 };
        assert_eq!(Usage::parse(mm_stat), Some(usage));
        assert_eq!(number(mm_stat, 4), Some(20480));
        assert_eq!(number("", 0), None);
    }
}
