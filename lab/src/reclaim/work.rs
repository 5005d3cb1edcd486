// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A synthetic program: it touches all hot pages in each pass, and a few of the cold ones.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use memmap2::{Mmap, MmapMut};
use rustix::fs::{Advice, fadvise};

use super::phase::Hot;

const PAGE: usize = 4096;
/// A pass touches one of so many cold pages, each time others.
const RARELY: usize = 16;

/// Pages, each of which begins with its number.
enum Pages {
    Of(Mmap),
    Anonymous(MmapMut),
}

impl Pages {
    fn bytes(&self) -> &[u8] {
        match self {
            Pages::Of(file) => file,
            Pages::Anonymous(memory) => memory,
        }
    }

    /// Touches some pages, the first and each after so many. Fails if one has become another.
    fn touch(&self, first: usize, step: usize) -> Result<()> {
        for (number, page) in self.bytes().chunks_exact(PAGE).enumerate().skip(first).step_by(step) {
            ensure!(
                page[..8] == (number as u64).to_ne_bytes(),
                "WRONG ANSWERS: page {number} is another one"
            );
        }
        Ok(())
    }
}

/// A program's memory.
pub struct Work {
    hot: Pages,
    cold: Pages,
    passes: usize,
}

impl Work {
    /// So many bytes of either. Pages of the file are not in memory yet, all others have been written.
    pub fn new(file: &File, hot: Hot, hot_bytes: u64, cold_bytes: u64) -> Result<Work> {
        fadvise(file, 0, None, Advice::DontNeed).context("cannot drop the pages of the file")?;
        let [hot_len, cold_len] = [hot_bytes, cold_bytes].map(|bytes| bytes as usize);
        Ok(match hot {
            Hot::Files => Work { cold: anonymous(cold_len)?, hot: mapped(file, hot_len)?, passes: 0 },
            Hot::Others => Work { hot: anonymous(hot_len)?, cold: mapped(file, cold_len)?, passes: 0 },
        })
    }

    /// Makes so many passes.
    pub fn run(&mut self, passes: u64) -> Result<()> {
        for _ in 0..passes {
            ztera_machine::interrupt::check()?;
            self.hot.touch(0, 1)?;
            self.cold.touch(self.passes % RARELY, RARELY)?;
            self.passes += 1;
        }
        Ok(())
    }
}

/// Writes a file of so many bytes, whose pages begin with their numbers.
pub fn write(path: &Path, bytes: u64) -> Result<File> {
    let mut file = BufWriter::new(File::create_new(path)?);
    let mut page = [0x5a; PAGE];
    for number in 0..bytes / PAGE as u64 {
        page[..8].copy_from_slice(&number.to_ne_bytes());
        file.write_all(&page)?;
    }
    file.into_inner()?.sync_all()?;
    Ok(File::open(path)?)
}

fn mapped(file: &File, len: usize) -> Result<Pages> {
    ensure!(file.metadata()?.len() >= len as u64, "the file is shorter than its pages");
    // SAFETY: only this process knows the file, and nothing writes to it or shortens it any more.
    let map = unsafe { memmap2::MmapOptions::new().len(len).map(file) };
    Ok(Pages::Of(map.context("cannot map the file")?))
}

fn anonymous(len: usize) -> Result<Pages> {
    let mut memory = MmapMut::map_anon(len).context("no memory")?;
    for (number, page) in memory.chunks_exact_mut(PAGE).enumerate() {
        page.fill(0x5a);
        page[..8].copy_from_slice(&(number as u64).to_ne_bytes());
    }
    Ok(Pages::Anonymous(memory))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_is_found_in_either_shape() {
        let folder = tempfile::tempdir().unwrap();
        let file = write(&folder.path().join("pages"), 64 * PAGE as u64).unwrap();
        for hot in [Hot::Files, Hot::Others] {
            let mut work = Work::new(&file, hot, 32 * PAGE as u64, 64 * PAGE as u64).unwrap();
            work.run(20).unwrap();
            assert_eq!((work.hot.bytes().len(), work.cold.bytes().len()), (32 * PAGE, 64 * PAGE));
        }
        assert!(Work::new(&file, Hot::Files, 65 * PAGE as u64, PAGE as u64).is_err());
    }

    #[test]
    fn a_page_that_became_another_is_an_error() {
        let mut memory = MmapMut::map_anon(4 * PAGE).unwrap();
        memory[2 * PAGE..][..8].copy_from_slice(&2u64.to_ne_bytes());
        let pages = Pages::Anonymous(memory);
        pages.touch(0, 2).unwrap();
        let error = pages.touch(1, 2).unwrap_err().to_string();
        assert!(error.starts_with("WRONG ANSWERS: page 1"), "{error}");
    }
}
