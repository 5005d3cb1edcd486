// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! zram itself: pages written straight to the block device.

use std::fs::File;
use std::os::unix::fs::FileExt;

use anyhow::{Context, Result};
use rustix::fs::{FallocateFlags, fallocate};

use super::{Device, Usage};
use crate::clock::Spent;
use crate::direct;
use crate::writers::write_blocks;

/// A new, empty device, open for reading and writing past the page cache.
pub struct Raw {
    file: File,
    device: Device,
}

impl Raw {
    /// Of `len` bytes, compressed with `algorithm`.
    pub fn create(len: usize, algorithm: &str) -> Result<Raw> {
        let device = Device::create(len as u64, algorithm, None)?;
        Ok(Raw { file: direct::open(&device.node())?, device })
    }

    /// Writes `bytes`, which start a page, in blocks from several threads.
    pub fn store(&self, bytes: &[u8], block: usize, writers: usize) -> Result<Spent> {
        Spent::trying(|| write_blocks(bytes, block, writers, |offset, block| self.write(offset, block)))
    }

    /// Writes `bytes`, which are whole pages and start one, at `offset`.
    pub fn write(&self, offset: usize, bytes: &[u8]) -> Result<()> {
        self.file.write_all_at(bytes, offset as u64).context("cannot write to zram")
    }

    /// Fills `room`, which starts a page and is whole ones, with what is at `offset`.
    pub fn read(&self, offset: usize, room: &mut [u8]) -> Result<()> {
        self.file.read_exact_at(room, offset as u64).context("cannot read zram")
    }

    /// Makes `len` bytes from `offset` zeros, which frees their memory.
    pub fn discard(&self, offset: usize, len: usize) -> Result<()> {
        let flags = FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE;
        fallocate(&self.file, flags, offset as u64, len as u64).context("cannot discard pages of zram")
    }

    /// The device.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// The contents.
    pub fn usage(&self) -> Result<Usage> {
        self.device.usage().context("zram has no mm_stat")
    }

    /// As of [`Device::compact`].
    pub fn compact(&self) -> Result<()> {
        self.device.compact()
    }
}
