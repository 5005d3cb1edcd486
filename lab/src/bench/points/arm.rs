// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Where values are: in a range of the engine, or in memory that the kernel swaps to zram.

use std::str::FromStr;

use anyhow::{Context, Result};
use memmap2::{Advice, MmapMut};
use ztera_machine::units::MIB;
use ztera_range::{BUFFER_LEN, FaultMode, Options, Range};

use super::super::engine::sigbus::Served;
use super::values::{VALUE, fill};

/// One of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arm {
    /// The engine, set up as the JVM does without an SSD.
    Engine,
    /// The kernel's swap on zram, by lz4.
    Zram,
}

impl Arm {
    /// Both.
    pub const ALL: [Arm; 2] = [Arm::Engine, Arm::Zram];

    /// In commands and tables.
    pub fn name(self) -> &'static str {
        match self {
            Arm::Engine => "engine",
            Arm::Zram => "swap-zram",
        }
    }
}

impl FromStr for Arm {
    type Err = String;

    fn from_str(text: &str) -> Result<Arm, String> {
        let found = Arm::ALL.into_iter().find(|arm| arm.name() == text);
        found.ok_or_else(|| format!("`{text}` is neither engine nor swap-zram"))
    }
}

/// Memory for values.
pub enum Memory {
    /// A range, and how many bytes of it are used.
    Range(Served, usize),
    /// Plain memory.
    Plain(MmapMut),
}

/// Part of the budget that pages have in any case, and bytes of staging buffers: as the JVM chooses them.
const LEAST_PART: u64 = 32;
const STAGING: u64 = 4 * MIB;

impl Memory {
    /// For `data` bytes, of which the engine has `budget` bytes of memory, in units of `unit` bytes.
    pub fn new(arm: Arm, data: usize, budget: u64, unit: usize) -> Result<Memory> {
        if arm == Arm::Zram {
            let memory = MmapMut::map_anon(data).context("no memory for the values")?;
            // zram has pages of 4 KiB, and each is swapped by itself.
            memory.advise(Advice::NoHugePage).context("no small pages for the values")?;
            return Ok(Memory::Plain(memory));
        }
        let least = budget / LEAST_PART;
        let options = Options {
            fault_mode: FaultMode::Sigbus,
            unit_size: unit,
            dram_max: budget,
            resident_min: least,
            pool_max: budget - least,
            staging_limit: STAGING,
            idle_epochs: 4,
            recompress: Some("zstd".parse().map_err(anyhow::Error::msg)?),
            ..Options::default()
        };
        let range = Range::open(data, &options).context("the engine does not start")?;
        Ok(Memory::Range(Served::new(range).context("no handler of SIGBUS")?, data))
    }

    /// Fills it with values.
    pub fn load(&mut self) -> Result<()> {
        match self {
            Memory::Plain(memory) => fill(0, memory),
            Memory::Range(range, len) => load(range, *len)?,
        }
        Ok(())
    }

    fn len(&self) -> usize {
        match self {
            Memory::Plain(memory) => memory.len(),
            Memory::Range(_, len) => *len,
        }
    }

    fn base(&self) -> *mut u8 {
        match self {
            Memory::Plain(memory) => memory.as_ptr().cast_mut(),
            Memory::Range(range, _) => range.base(),
        }
    }

    /// The number at `offset`, which is a value's.
    pub fn number_at(&self, offset: usize) -> u64 {
        assert!(offset + VALUE <= self.len() && offset.is_multiple_of(VALUE));
        // SAFETY: inside the memory, aligned, and nobody writes while values are read.
        unsafe { self.base().add(offset).cast::<u64>().read_volatile() }
    }
}

fn load(range: &Range, data: usize) -> Result<()> {
    for offset in (0..data).step_by(BUFFER_LEN) {
        let (len, buffer) = (BUFFER_LEN.min(data - offset), range.acquire()?);
        // SAFETY: the buffer is ours until it is submitted, and at least as long.
        fill((offset / VALUE) as u64, unsafe { std::slice::from_raw_parts_mut(buffer.as_ptr(), len) });
        range.submit(buffer.as_ptr(), offset as u64, len).context("a submission was refused")?;
    }
    range.drain();
    Ok(())
}
