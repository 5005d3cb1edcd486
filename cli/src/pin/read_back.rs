// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Pages of files that the kernel took for want of memory, and that the process read again.
//!
//! The kernel counts such pages for a cgroup and does not name them. So each look asks which pages are in memory. A
//! page was read back if an earlier look saw it, the last one did not, and the kernel has counted since.

use std::collections::BTreeMap;
use std::ops::Range;
use std::os::unix::fs::MetadataExt;

use anyhow::Result;

use super::find::Wanted;
use super::in_memory;

/// The pages that looks have seen.
#[derive(Debug, Default)]
pub struct Watched {
    files: BTreeMap<(u64, u64), Pages>,
    refaults: Option<u64>,
}

impl Watched {
    /// Looks at files, of which all pages of interest are given. Returns those pages that were read back since the last
    /// look. `refaults` is the kernel's count.
    pub fn look(&mut self, files: Vec<Wanted>, refaults: u64) -> Result<Vec<Wanted>> {
        let counted = self.refaults.replace(refaults).is_some_and(|before| refaults > before);
        let mut found = Vec::new();
        for file in files {
            let metadata = file.file.metadata()?;
            let now = in_memory::pages(&file.file, metadata.len())?;
            let back = self.files.entry((metadata.dev(), metadata.ino())).or_default().look(now);
            let ranges = if counted { within(&back, &file.ranges) } else { Vec::new() };
            found.extend((!ranges.is_empty()).then_some(Wanted { ranges, ..file }));
        }
        Ok(found)
    }
}

/// The pages of one file, by their numbers.
#[derive(Debug, Default)]
struct Pages {
    /// In memory at any look.
    seen: Vec<bool>,
    /// In memory at the last look.
    present: Vec<bool>,
}

impl Pages {
    /// Takes in which pages are in memory now. Returns those that are back.
    fn look(&mut self, now: Vec<bool>) -> Vec<u64> {
        self.seen.resize(now.len(), false);
        self.present.resize(now.len(), false);
        let is_back = |page: &usize| now[*page] && self.seen[*page] && !self.present[*page];
        let back = (0..now.len()).filter(is_back).map(|page| page as u64).collect();
        self.seen.iter_mut().zip(&now).for_each(|(seen, now)| *seen |= now);
        self.present = now;
        back
    }
}

/// Pages in order, as bytes of a file, as far as they lie in these ranges. Neighbours are one range.
fn within(pages: &[u64], ranges: &[Range<u64>]) -> Vec<Range<u64>> {
    let size = rustix::param::page_size() as u64;
    let mut found: Vec<Range<u64>> = Vec::new();
    for start in pages.iter().map(|page| page * size) {
        match found.last_mut() {
            _ if !ranges.iter().any(|range| range.contains(&start)) => (),
            Some(last) if last.end == start => last.end += size,
            _ => found.push(start..start + size),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pin::what::What;

    #[test]
    fn a_page_is_back_after_it_was_seen_and_gone() {
        let mut pages = Pages::default();
        let mut look = |now: [u8; 4]| pages.look(now.map(|page| page == 1).to_vec());
        assert!(look([1, 1, 0, 0]).is_empty(), "nothing is known yet");
        assert!(look([1, 0, 1, 0]).is_empty(), "the third page is new");
        assert!(look([1, 0, 0, 0]).is_empty());
        assert_eq!(look([1, 1, 1, 1]), [1, 2]);
        assert!(look([1, 1, 1, 1]).is_empty(), "they have stayed");
    }

    #[test]
    fn neighbours_are_one_range_and_pages_elsewhere_none() {
        let page = rustix::param::page_size() as u64;
        let ranges = [page..4 * page, 8 * page..9 * page];
        assert_eq!(within(&[0, 1, 2, 5, 8], &ranges), [page..3 * page, 8 * page..9 * page]);
    }

    #[test]
    fn without_a_count_nothing_was_read_back() {
        let mut watched = Watched::default();
        let mut look = |refaults| {
            let file = tempfile::tempfile().unwrap();
            std::os::unix::fs::FileExt::write_all_at(&file, &[1], 0).unwrap();
            let metadata = file.metadata().unwrap();
            let gone = Pages { seen: vec![true], present: vec![false] };
            watched.files.insert((metadata.dev(), metadata.ino()), gone);
            let wanted =
                Wanted { path: "/a.jar".into(), what: What::Jars, file, ranges: vec![0..1, 8192..8193] };
            watched.look(vec![wanted], refaults).unwrap().len()
        };
        assert_eq!([7, 7, 8].map(&mut look), [0, 0, 1]);
    }
}
