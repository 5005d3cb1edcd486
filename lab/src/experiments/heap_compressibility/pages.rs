// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Samples of pages: blocks that are spread over all of a dump.

use std::fs::File;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::Path;

use anyhow::{Context, Result};

use crate::kit::data::Data;
use crate::kit::data::pages::PAGE;
use crate::kit::resident;

/// Bytes that stay together: the largest unit.
pub const BLOCK: usize = 64 << 10;

/// A part of a dump's pages.
pub struct Sample {
    /// Bytes of all pages.
    pub bytes: u64,
    /// The part: whole blocks.
    pub data: Data,
}

impl Sample {
    /// About `most` bytes of a file of pages. None if it has no block.
    pub fn of_file(path: &Path, most: usize) -> Result<Option<Sample>> {
        let file = File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
        let bytes = file.metadata()?.len();
        let mut sample = Vec::new();
        for block in spread(bytes as usize / BLOCK, most / BLOCK) {
            let start = sample.len();
            sample.resize(start + BLOCK, 0);
            file.read_exact_at(&mut sample[start..], (block * BLOCK) as u64)?;
        }
        Sample::new(bytes, sample)
    }

    /// The same of the resident pages in ranges of a process.
    pub fn of_process(pid: u32, ranges: &[Range<u64>], most: usize) -> Result<Option<Sample>> {
        let addresses = resident::addresses(pid, ranges.iter().cloned())?;
        let blocks: Vec<&[u64]> = addresses.chunks_exact(BLOCK / PAGE).collect();
        let chosen: Vec<u64> =
            spread(blocks.len(), most / BLOCK).flat_map(|block| blocks[block]).copied().collect();
        Sample::new((addresses.len() * PAGE) as u64, resident::read(pid, &chosen)?)
    }

    fn new(bytes: u64, mut sample: Vec<u8>) -> Result<Option<Sample>> {
        sample.truncate(sample.len() / BLOCK * BLOCK);
        if sample.is_empty() {
            return Ok(None);
        }
        Ok(Some(Sample { bytes, data: Data::of_pages(&sample, sample.len())? }))
    }
}

/// Numbers of blocks, as far from each other as so many of them can be.
fn spread(blocks: usize, wanted: usize) -> impl Iterator<Item = usize> {
    let wanted = wanted.clamp(1, blocks.max(1)).min(blocks);
    (0..wanted).map(move |number| number * blocks / wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_spread_and_taken_once() {
        assert_eq!(spread(10, 5).collect::<Vec<_>>(), [0, 2, 4, 6, 8]);
        assert_eq!(spread(3, 5).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(spread(7, 0).collect::<Vec<_>>(), [0]);
        assert_eq!(spread(0, 5).count(), 0);
    }

    #[test]
    fn whole_blocks_of_a_file_are_taken() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let blocks: Vec<u8> = (1..=4).flat_map(|byte| vec![byte; BLOCK]).collect();
        std::fs::write(file.path(), [&blocks[..], &[9; PAGE]].concat()).unwrap();
        let sample = Sample::of_file(file.path(), 2 * BLOCK).unwrap().unwrap();
        assert_eq!((sample.bytes as usize, sample.data.bytes().len()), (4 * BLOCK + PAGE, 2 * BLOCK));
        assert_eq!((sample.data.bytes()[0], sample.data.bytes()[BLOCK]), (1, 3));
        std::fs::write(file.path(), [9; PAGE]).unwrap();
        assert!(Sample::of_file(file.path(), BLOCK).unwrap().is_none());
    }

    #[test]
    fn pages_of_a_process_are_taken() {
        let marked = vec![0x5au8; 40 * PAGE];
        let start = (marked.as_ptr() as u64).next_multiple_of(PAGE as u64);
        let range = start..start + 39 * PAGE as u64;
        let sample = Sample::of_process(std::process::id(), &[range], 1 << 20).unwrap().unwrap();
        assert_eq!((sample.bytes as usize, sample.data.bytes().len()), (39 * PAGE, 32 * PAGE));
        assert!(sample.data.bytes().iter().all(|&byte| byte == 0x5a));
    }
}
