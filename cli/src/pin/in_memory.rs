// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The pages of files that are in memory already.

use std::fs::File;
use std::io;
use std::ops::Range;

use memmap2::MmapOptions;
use ztera_machine::process::mapping::Mapping;
use ztera_machine::process::pagemap::Pagemap;

/// Bytes of a file, of which the process has the pages in its page table.
pub fn of_mapping(pagemap: &Pagemap, mapping: &Mapping) -> io::Result<Vec<Range<u64>>> {
    let in_file = |address: u64| mapping.offset + (address - mapping.range.start);
    let resident = pagemap.resident_of_file(&mapping.range)?;
    Ok(resident.into_iter().map(|address| in_file(address)..in_file(address) + pagemap.page()).collect())
}

/// Bytes of a file of `len` bytes that the kernel has in its cache; see [`pages`].
pub fn of_file(file: &File, len: u64) -> io::Result<Vec<Range<u64>>> {
    let page = rustix::param::page_size() as u64;
    let pages = (0..).step_by(page as usize).zip(pages(file, len)?);
    Ok(pages.filter(|(_, cached)| *cached).map(|(at, _)| at..at + page).collect())
}

/// For each page of a file of `len` bytes, whether the kernel has it in its cache. It calls all pages cached of a file
/// that this user neither owns nor may write to.
pub fn pages(file: &File, len: u64) -> io::Result<Vec<bool>> {
    if len == 0 {
        return Ok(Vec::new());
    }
    let bytes = usize::try_from(len).map_err(io::Error::other)?;
    let mut states = vec![0u8; bytes.div_ceil(rustix::param::page_size())];
    // SAFETY: nobody reads the mapping, so it does not matter who changes or cuts the file.
    let mapped = unsafe { MmapOptions::new().len(bytes).map(file)? };
    // SAFETY: the range is that of the mapping, and `states` has a byte for each of its pages.
    let result = unsafe { libc::mincore(mapped.as_ptr().cast_mut().cast(), bytes, states.as_mut_ptr()) };
    if result != 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(states.into_iter().map(|state| state & 1 == 1).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_that_were_written_are_in_memory() {
        let file = tempfile::tempfile().unwrap();
        let page = rustix::param::page_size() as u64;
        assert_eq!(of_file(&file, 0).unwrap(), []);
        std::os::unix::fs::FileExt::write_all_at(&file, &[1; 10], 2 * page).unwrap();
        let found = of_file(&file, 2 * page + 10).unwrap();
        assert!(found.contains(&(2 * page..3 * page)), "{found:?}");
    }
}
