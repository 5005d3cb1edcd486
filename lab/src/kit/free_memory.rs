// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Free memory that is there.

use anyhow::{Context, Result};
use memmap2::MmapOptions;

/// Uses `bytes` of memory and frees them, so that the next allocation finds pages that the machine has.
///
/// The host of a virtual machine may have taken back what was free for some seconds (the kernel's free page reporting).
/// The first to use such a page then waits several times as long as it takes to clear one. Arms would differ by what
/// ran before them.
pub fn touch(bytes: u64) -> Result<()> {
    let len = usize::try_from(bytes)?;
    MmapOptions::new().len(len).populate().map_anon().context("cannot take memory, to have it free")?;
    Ok(())
}
