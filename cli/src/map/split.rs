// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Divides mappings among areas, so that the sums of all areas are those of all mappings.

use std::collections::BTreeMap;
use std::io;
use std::ops::{AddAssign, Range};

use serde::Serialize;
use ztera_machine::process::pagemap::Pages;
use ztera_machine::process::smaps::{Entry, Usage};

use super::area::Area;
use super::kinds::{self, Owner};
use super::layout::Known;

/// Memory of an area, in bytes. The resident ones are the sum of the three kinds that follow them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Sum {
    /// Addresses, used or not.
    pub mapped_bytes: u64,
    /// In DRAM.
    pub resident_bytes: u64,
    /// Of no file, or changed for this process alone: it can only be swapped.
    pub anonymous_bytes: u64,
    /// As in a file: the kernel may drop it at once.
    pub file_clean_bytes: u64,
    /// Written to a file's page, or to shared memory: to be written back before.
    pub file_dirty_bytes: u64,
    /// In swap.
    pub swapped_bytes: u64,
}

impl Sum {
    fn of(mapped_bytes: u64, usage: Usage) -> Sum {
        let file = usage.resident.saturating_sub(usage.anonymous);
        // The kernel counts dirty pages of both kinds as one; private ones are hardly ever clean.
        let file_dirty_bytes = usage.dirty.saturating_sub(usage.anonymous).min(file);
        Sum {
            mapped_bytes,
            resident_bytes: usage.resident,
            anonymous_bytes: usage.resident - file,
            file_clean_bytes: file - file_dirty_bytes,
            file_dirty_bytes,
            swapped_bytes: usage.swapped,
        }
    }
}

impl AddAssign for Sum {
    fn add_assign(&mut self, other: Sum) {
        self.mapped_bytes += other.mapped_bytes;
        self.resident_bytes += other.resident_bytes;
        self.anonymous_bytes += other.anonymous_bytes;
        self.file_clean_bytes += other.file_clean_bytes;
        self.file_dirty_bytes += other.file_dirty_bytes;
        self.swapped_bytes += other.swapped_bytes;
    }
}

/// The sums of all areas. `count` counts the pages of a range where a mapping belongs to several areas.
pub fn sums(
    entries: &[Entry],
    known: &[Known],
    owner: Owner,
    count: impl Fn(&Range<u64>) -> io::Result<Pages>,
) -> io::Result<BTreeMap<Area, Sum>> {
    let mut sums: BTreeMap<Area, Sum> = BTreeMap::new();
    for (index, entry) in entries.iter().enumerate() {
        let before = index.checked_sub(1).map(|before| &entries[before]);
        let rest = kinds::area(entry, before, owner);
        let pieces = pieces(&entry.mapping.range, known, rest);
        let counts = match pieces.as_slice() {
            [_] => vec![Pages::default()],
            several => several.iter().map(|(range, _)| count(range)).collect::<io::Result<_>>()?,
        };
        for ((range, area), usage) in pieces.iter().zip(divide(entry.usage, &pieces, &counts)) {
            *sums.entry(*area).or_default() += Sum::of(range.end - range.start, usage);
        }
    }
    Ok(sums)
}

/// The pieces of a range, one after the other, each in one area: the first known one that has it, else `rest`.
fn pieces(range: &Range<u64>, known: &[Known], rest: Area) -> Vec<(Range<u64>, Area)> {
    let mut cuts: Vec<u64> = known.iter().flat_map(|it| [it.range.start, it.range.end]).collect();
    cuts.retain(|cut| range.start < *cut && *cut < range.end);
    cuts.extend([range.start, range.end]);
    cuts.sort_unstable();
    cuts.dedup();
    let mut pieces: Vec<(Range<u64>, Area)> = Vec::new();
    for cut in cuts.windows(2) {
        let area = known.iter().find(|it| it.range.contains(&cut[0])).map_or(rest, |it| it.area);
        match pieces.last_mut() {
            Some((last, its)) if *its == area => last.end = cut[1],
            _ => pieces.push((cut[0]..cut[1], area)),
        }
    }
    pieces
}

/// A mapping's memory by pieces, as their pages are; all of it is given to some piece.
fn divide(usage: Usage, pieces: &[(Range<u64>, Area)], counts: &[Pages]) -> Vec<Usage> {
    let lengths: Vec<u64> = pieces.iter().map(|(range, _)| range.end - range.start).collect();
    let resident: Vec<u64> = counts.iter().map(|pages| pages.resident).collect();
    let swapped: Vec<u64> = counts.iter().map(|pages| pages.swapped).collect();
    let by = |total, weights: &[u64]| apportion(total, weights).unwrap_or_else(|| shares(total, &lengths));
    let (residents, anonymous) = (by(usage.resident, &resident), by(usage.anonymous, &resident));
    let (dirty, swapped) = (by(usage.dirty, &resident), by(usage.swapped, &swapped));
    (0..pieces.len())
        .map(|i| Usage {
            resident: residents[i],
            anonymous: anonymous[i],
            dirty: dirty[i],
            swapped: swapped[i],
        })
        .collect()
}

fn apportion(total: u64, weights: &[u64]) -> Option<Vec<u64>> {
    weights.iter().any(|weight| *weight > 0).then(|| shares(total, weights))
}

/// `total` in proportion to `weights`, of which one at least is not 0. Rounding never loses a byte.
fn shares(total: u64, weights: &[u64]) -> Vec<u64> {
    let sum: u128 = weights.iter().map(|weight| u128::from(*weight)).sum();
    let up_to = |weight: u128| (u128::from(total) * weight / sum) as u64;
    let mut before = 0u128;
    let share = |weight: &u64| {
        let from = up_to(before);
        before += u128::from(*weight);
        up_to(before) - from
    };
    weights.iter().map(share).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use ztera_machine::process::smaps;

    fn known(range: Range<u64>, area: Area) -> Known {
        Known { range, area }
    }

    #[test]
    fn the_first_that_knows_a_place_has_it() {
        let known = [known(0x2000..0x4000, Area::Young), known(0x1000..0x8000, Area::Heap)];
        let expected = vec![
            (0..0x1000, Area::Other),
            (0x1000..0x2000, Area::Heap),
            (0x2000..0x4000, Area::Young),
            (0x4000..0x6000, Area::Heap),
        ];
        assert_eq!(pieces(&(0..0x6000), &known, Area::Other), expected);
        assert_eq!(pieces(&(0x9000..0xa000), &known, Area::Other), [(0x9000..0xa000, Area::Other)]);
    }

    #[test]
    fn a_heap_in_one_mapping_is_divided_by_its_pages() {
        let entries = smaps::parse(
            "10000-18000 rw-p 00000000 00:00 0 \nRss: 16 kB\nAnonymous: 16 kB\nPrivate_Dirty: 16 kB\nSwap: 8 kB\n",
        );
        let known = [known(0x10000..0x12000, Area::Old), known(0x12000..0x18000, Area::Young)];
        let count = |range: &Range<u64>| {
            Ok(if range.start == 0x10000 {
                Pages { resident: 1, swapped: 0 }
            } else {
                Pages { resident: 3, swapped: 2 }
            })
        };
        let sums = sums(&entries, &known, Owner::default(), count).unwrap();
        let of = |area| (sums[&area].resident_bytes, sums[&area].anonymous_bytes, sums[&area].swapped_bytes);
        assert_eq!((of(Area::Old), of(Area::Young)), ((4096, 4096, 0), (12288, 12288, 8192)));
    }

    #[test]
    fn pages_of_files_are_clean_or_dirty() {
        let usage = Usage { resident: 10, anonymous: 3, dirty: 5, swapped: 1 };
        let sum = Sum::of(20, usage);
        assert_eq!((sum.anonymous_bytes, sum.file_clean_bytes, sum.file_dirty_bytes), (3, 5, 2));
    }

    proptest! {
        #[test]
        fn nothing_is_lost(
            usage in (0u64..1 << 20, 0u64..1 << 20, 0u64..1 << 20, 0u64..1 << 20),
            counts in prop::collection::vec((0u64..100, 0u64..100), 2..6),
        ) {
            let usage = Usage {
                resident: usage.0 << 10,
                anonymous: usage.0.min(usage.1) << 10,
                dirty: usage.0.min(usage.2) << 10,
                swapped: usage.3 << 10,
            };
            let pieces: Vec<_> = (0..counts.len() as u64).map(|i| (i * 4096..(i + 1) * 4096, Area::Other)).collect();
            let counts: Vec<_> =
                counts.into_iter().map(|(resident, swapped)| Pages { resident, swapped }).collect();
            let parts = divide(usage, &pieces, &counts);
            let sum = |of: fn(&Usage) -> u64| parts.iter().map(of).sum::<u64>();
            prop_assert_eq!(sum(|it| it.resident), usage.resident);
            prop_assert_eq!(sum(|it| it.anonymous), usage.anonymous);
            prop_assert_eq!(sum(|it| it.dirty), usage.dirty);
            prop_assert_eq!(sum(|it| it.swapped), usage.swapped);
            let mut total = Sum::default();
            parts.iter().for_each(|part| total += Sum::of(4096, *part));
            let kinds = total.anonymous_bytes + total.file_clean_bytes + total.file_dirty_bytes;
            prop_assert_eq!(kinds, total.resident_bytes);
        }
    }
}
