// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Pages of a running process that would be swapped.

use anyhow::{Result, bail};
use fastrand::Rng;
use ztera_machine::process::mapping::{self, Mapping};

use ztera_measure::data::pages::PAGE;
use ztera_measure::resident;

/// At most `len` bytes of private pages that are resident, chosen at random, in the order of their addresses.
pub fn pages(pid: u32, len: usize, rng: &mut Rng) -> Result<Vec<u8>> {
    let swapped = mapping::of(pid)?.into_iter().filter(is_swapped).map(|mapping| mapping.range);
    let mut chosen = rng.choose_multiple(resident::addresses(pid, swapped)?, len / PAGE);
    chosen.sort_unstable();
    let bytes = resident::read(pid, &chosen)?;
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
        assert_eq!(error.to_string(), "there is no process 4194305; `ztera top` lists JVMs");
    }
}
