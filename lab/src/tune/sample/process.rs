// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Pages of a running process that would be swapped.

use std::fs::File;
use std::os::unix::fs::FileExt;

use anyhow::{Context, Result, bail};
use fastrand::Rng;
use ztera_machine::process::mapping::{self, Mapping};
use ztera_machine::process::pagemap::Pagemap;
use ztera_machine::process::{file_of, unreadable};

use crate::kit::data::pages::PAGE;

/// At most `len` bytes of private pages that are resident, chosen at random, in the order of their addresses.
pub fn pages(pid: u32, len: usize, rng: &mut Rng) -> Result<Vec<u8>> {
    let pagemap = Pagemap::of(pid)?;
    if pagemap.page() != PAGE as u64 {
        bail!("pages of this machine have {} bytes: only {PAGE} can be sampled", pagemap.page());
    }
    let mut resident = Vec::new();
    for mapping in mapping::of(pid)?.iter().filter(|mapping| is_swapped(mapping)) {
        let pages = pagemap.resident(&mapping.range);
        resident.extend(pages.with_context(|| format!("cannot read the pages of process {pid}"))?);
    }
    let mut chosen = rng.choose_multiple(resident, len / PAGE);
    chosen.sort_unstable();
    let memory = File::open(file_of(pid, "mem")).map_err(|error| unreadable(pid, "mem", error))?;
    let (mut bytes, mut page) = (Vec::with_capacity(len), [0; PAGE]);
    for address in chosen {
        // One that went meanwhile is left out.
        if memory.read_exact_at(&mut page, address).is_ok() {
            bytes.extend_from_slice(&page);
        }
    }
    if bytes.is_empty() {
        bail!("process {pid} has no pages of its own in memory");
    }
    Ok(bytes)
}

/// Whether its pages would be swapped when memory is short.
fn is_swapped(mapping: &Mapping) -> bool {
    mapping.readable && mapping.writable && !mapping.shared && !mapping.name.starts_with("[v")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_the_test_are_found() {
        let marked = vec![0xa5u8; 64 * PAGE];
        let bytes = pages(std::process::id(), 1 << 30, &mut Rng::with_seed(1)).unwrap();
        assert!(bytes.len().is_multiple_of(PAGE));
        let found =
            bytes.chunks_exact(PAGE).filter(|page| page.iter().all(|&byte| byte == marked[0])).count();
        assert!(found >= 63, "{found} of 64");
        let few = pages(std::process::id(), 2 * PAGE, &mut Rng::with_seed(1)).unwrap();
        assert_eq!(few.len(), 2 * PAGE);
    }

    #[test]
    fn a_process_that_is_not_there_is_named() {
        let error = pages(4_194_305, PAGE, &mut Rng::with_seed(1)).unwrap_err();
        assert_eq!(error.to_string(), "there is no process 4194305");
    }
}
