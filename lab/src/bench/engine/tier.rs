// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The engine's arms: pages in a range of this process, compressed in its pool.

use anyhow::{Context, Result, bail};
use ztera_codec::{CodecKind, Settings};
use ztera_range::{BUFFER_LEN, FaultMode, Options, Range, Stats};

use super::reader::Memory;
use super::sigbus::Served;
use crate::kit::clock::Spent;
use crate::kit::writers::write_blocks;

/// How the engine is set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Engine {
    /// As in the report.
    pub name: &'static str,
    /// The codec.
    pub codec: CodecKind,
    /// Bytes that are compressed as one.
    pub unit: usize,
    /// The server of faults.
    pub mode: FaultMode,
    /// Whether only a part of the pages may be resident.
    pub limited: bool,
}

const fn engine(name: &'static str, codec: CodecKind, unit_kib: usize, mode: FaultMode) -> Engine {
    Engine { name, codec, unit: unit_kib << 10, mode, limited: true }
}

/// The JVM's units, codec and way to serve faults.
pub const USUAL: Engine = engine("engine-lz4-8k", CodecKind::Lz4, 8, FaultMode::Sigbus);
/// The same, denser.
pub const DENSE: Engine = engine("engine-zstd-8k", CodecKind::Zstd, 8, FaultMode::Sigbus);
/// zram's unit.
pub const SMALL: Engine = engine("engine-lz4-4k", CodecKind::Lz4, 4, FaultMode::Sigbus);
/// Other threads serve faults.
pub const HANDLER: Engine = engine("engine-lz4-8k-handler", CodecKind::Lz4, 8, FaultMode::Handler);
/// All pages may be resident, as those of a mapped file: the difference is what eviction costs. Its name is not like
/// the others', as no ratio is made of it.
pub const ROOMY: Engine = Engine { name: "engine-roomy-lz4-4k", limited: false, ..SMALL };
/// Denser, with zram's unit.
pub const DENSE_SMALL: Engine = engine("engine-zstd-4k", CodecKind::Zstd, 4, FaultMode::Sigbus);
/// Denser still: for the density alone.
pub const DENSE_LARGE: Engine = engine("engine-zstd-16k", CodecKind::Zstd, 16, FaultMode::Sigbus);

/// The part of the data that may be resident.
pub const RESIDENT_PART: usize = 8;

/// A range that is open.
pub enum Tier {
    /// The faulting thread serves itself.
    Served(Served),
    /// Its threads serve faults.
    Handled(Range),
}

impl std::ops::Deref for Tier {
    type Target = Range;

    fn deref(&self) -> &Range {
        match self {
            Tier::Served(range) => range,
            Tier::Handled(range) => range,
        }
    }
}

impl Engine {
    /// An empty range of `len` bytes.
    pub fn open(&self, len: usize) -> Result<Tier> {
        let options = Options {
            unit_size: self.unit,
            resident_max: if self.limited { (len / RESIDENT_PART) as u64 } else { 0 },
            codec: Settings { kind: self.codec, level: 0 },
            fault_mode: self.mode,
            ..Options::default()
        };
        let range = Range::open(len, &options).context("the engine does not start")?;
        Ok(match self.mode {
            FaultMode::Sigbus => Tier::Served(Served::new(range).context("no handler of SIGBUS")?),
            FaultMode::Handler => Tier::Handled(range),
        })
    }
}

impl Tier {
    /// Hands `bytes` over in staging buffers from several threads, and waits until all is compressed.
    pub fn store(&self, bytes: &[u8], writers: usize) -> Result<Spent> {
        let spent = Spent::trying(|| {
            write_blocks(bytes, BUFFER_LEN, writers, |offset, block| self.submit_copy(offset, block))?;
            self.drain();
            anyhow::Ok(())
        })?;
        let stats = self.stats();
        if stats.resident_bytes + stats.staged_bytes != 0 {
            bail!("the engine has not compressed all of it: {stats:?}");
        }
        Ok(spent)
    }

    /// Makes `bytes` the contents from `offset` on.
    pub fn submit_copy(&self, offset: usize, bytes: &[u8]) -> Result<()> {
        let buffer = self.acquire()?;
        assert!(bytes.len() <= BUFFER_LEN);
        // SAFETY: the buffer is ours until it is submitted, at least as long, and new to everybody else.
        unsafe { buffer.as_ptr().copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
        self.submit(buffer.as_ptr(), offset as u64, bytes.len()).context("a submission was refused")
    }

    /// Its addresses.
    pub fn memory(&self) -> Memory {
        // SAFETY: faults on it are served while it is open, and this command changes it by submitting only, when
        // nobody reads.
        unsafe { Memory::new(self.base(), self.len()) }
    }

    /// DRAM for all it has, its tables too.
    pub fn dram(&self) -> u64 {
        let Stats { mem_used_total, resident_bytes, .. } = self.stats();
        mem_used_total + resident_bytes + self.table_bytes()
    }
}
