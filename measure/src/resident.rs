// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The pages of another process that are in DRAM, and what they hold.

use std::fs::File;
use std::ops::Range;
use std::os::unix::fs::FileExt;

use anyhow::{Context, Result, bail};
use ztera_machine::process::pagemap::Pagemap;
use ztera_machine::process::{file_of, unreadable};

use super::data::pages::PAGE;

/// The addresses of all resident pages in these ranges of process `pid`, each of which begins and ends with a page.
pub fn addresses(pid: u32, ranges: impl IntoIterator<Item = Range<u64>>) -> Result<Vec<u64>> {
    let pagemap = Pagemap::of(pid)?;
    if pagemap.page() != PAGE as u64 {
        bail!("pages of this machine have {} bytes: only {PAGE} can be sampled", pagemap.page());
    }
    let mut resident = Vec::new();
    for range in ranges {
        let pages = pagemap.resident(&range);
        resident.extend(pages.with_context(|| format!("cannot read the pages of process {pid}"))?);
    }
    Ok(resident)
}

/// The pages at these addresses, one after the other. One that went meanwhile is left out.
pub fn read(pid: u32, addresses: &[u64]) -> Result<Vec<u8>> {
    let memory = File::open(file_of(pid, "mem")).map_err(|error| unreadable(pid, "mem", error))?;
    let (mut bytes, mut page) = (Vec::with_capacity(addresses.len() * PAGE), [0; PAGE]);
    for address in addresses {
        if memory.read_exact_at(&mut page, *address).is_ok() {
            bytes.extend_from_slice(&page);
        }
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_a_range_are_read() {
        let pid = std::process::id();
        let marked = vec![0xa5u8; 8 * PAGE];
        let start = (marked.as_ptr() as u64).next_multiple_of(PAGE as u64);
        let found = addresses(pid, Some(start..start + 7 * PAGE as u64)).unwrap();
        assert_eq!(found.len(), 7);
        // No page begins at 0.
        let bytes = read(pid, &[found[0], 0, found[6]]).unwrap();
        assert_eq!(bytes, vec![0xa5; 2 * PAGE]);
    }
}
