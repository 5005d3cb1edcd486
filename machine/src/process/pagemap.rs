// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The pages that are resident, and those in swap, by `/proc/PID/pagemap`.
//!
//! The places of pages in memory and swap are for root alone; both bits are for everybody who may read the file.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileExt;

use anyhow::Result;

use super::{file_of, unreadable};

const PRESENT: u64 = 1 << 63;
const SWAPPED: u64 = 1 << 62;
/// A page of a file, or of shared memory: not the process's own copy of one.
const OF_FILE: u64 = 1 << 61;
/// Entries that are read at once: those of 256 MiB.
const AT_ONCE: u64 = 1 << 16;

/// The page tables of a process.
pub struct Pagemap {
    file: File,
    page: u64,
}

/// Pages of a range.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pages {
    /// In DRAM.
    pub resident: u64,
    /// In swap.
    pub swapped: u64,
}

impl Pagemap {
    /// Of process `pid`.
    pub fn of(pid: u32) -> Result<Pagemap> {
        let file = File::open(file_of(pid, "pagemap")).map_err(|error| unreadable(pid, "pagemap", error))?;
        Ok(Pagemap { file, page: rustix::param::page_size() as u64 })
    }

    /// Bytes of a page.
    pub fn page(&self) -> u64 {
        self.page
    }

    /// Counts the pages of a range, which begins and ends with a page.
    pub fn count(&self, range: &Range<u64>) -> io::Result<Pages> {
        let mut pages = Pages::default();
        self.each(range, |_, entry| {
            pages.resident += u64::from(entry & PRESENT != 0);
            pages.swapped += u64::from(entry & SWAPPED != 0);
        })?;
        Ok(pages)
    }

    /// The addresses of the resident pages of a range, which begins and ends with a page.
    pub fn resident(&self, range: &Range<u64>) -> io::Result<Vec<u64>> {
        let mut found = Vec::new();
        self.each(range, |address, entry| found.extend((entry & PRESENT != 0).then_some(address)))?;
        Ok(found)
    }

    /// As of [`Pagemap::resident`], those that are still pages of the file that is mapped there.
    pub fn resident_of_file(&self, range: &Range<u64>) -> io::Result<Vec<u64>> {
        let (mut found, both) = (Vec::new(), PRESENT | OF_FILE);
        self.each(range, |address, entry| found.extend((entry & both == both).then_some(address)))?;
        Ok(found)
    }

    fn each(&self, range: &Range<u64>, mut see: impl FnMut(u64, u64)) -> io::Result<()> {
        let mut buffer = vec![0; 8 * AT_ONCE.min((range.end - range.start) / self.page) as usize];
        let mut next = range.start / self.page;
        while next < range.end / self.page {
            let entries = AT_ONCE.min(range.end / self.page - next);
            let bytes = &mut buffer[..8 * entries as usize];
            self.file.read_exact_at(bytes, 8 * next)?;
            for (index, entry) in bytes.chunks_exact(8).enumerate() {
                let entry = u64::from_ne_bytes(entry.try_into().expect("a chunk has eight bytes"));
                see((next + index as u64) * self.page, entry);
            }
            next += entries;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_that_were_written_are_there() {
        let pagemap = Pagemap::of(std::process::id()).unwrap();
        let page = pagemap.page();
        let written = vec![1u8; 64 * page as usize];
        let start = (written.as_ptr() as u64).next_multiple_of(page);
        let range = start..start + 63 * page;
        let pages = pagemap.count(&range).unwrap();
        assert_eq!(pages.resident + pages.swapped, 63);
        let resident = pagemap.resident(&range).unwrap();
        assert_eq!(resident.len() as u64, pages.resident);
        assert!(resident.iter().all(|address| range.contains(address)));
        assert!(pagemap.resident_of_file(&range).unwrap().is_empty(), "no page of it is of a file");
        assert_eq!(written.iter().map(|&byte| u64::from(byte)).sum::<u64>(), 64 * page);
    }
}
