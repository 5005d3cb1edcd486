// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The output of `System.map`, whose column of VM information native memory tracking fills.

use super::super::area::Area;
use super::addresses;
use super::known::Known;

/// The column with the JVM's word for what a mapping is for.
const COLUMN: usize = 7;

/// The mappings that the JVM has a word for; none without native memory tracking.
pub fn parse(text: &str) -> Vec<Known> {
    let known = |line: &str| {
        let mut words = line.split_whitespace();
        let range = words.next().filter(|word| word.starts_with("0x"))?;
        let area = words.nth(COLUMN - 1)?.split(',').find_map(area)?;
        let ends = addresses::all(range);
        Some(Known { range: *ends.first()?..*ends.last()?, area })
    };
    text.lines().filter_map(known).collect()
}

/// The area that a word of the JVM stands for; none for those that say no more than the kind of the mapping.
fn area(word: &str) -> Option<Area> {
    match word {
        "JAVAHEAP" => Some(Area::Heap),
        "CDS" => Some(Area::Cds),
        "CLASS" => Some(Area::ClassSpace),
        "META" => Some(Area::Metaspace),
        "CODE" => Some(Area::CodeCache),
        "GC" | "CARDTBL" => Some(Area::Gc),
        _ if word.starts_with("STACK") => Some(Area::Stacks),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRACKED: &str = "\
from               to                        vsize prot          rss      hugetlb pgsz notes            info    file
========================================================================
0x0000000057001000-0x0000000057d95000     14237696 rw-p     14102528            0 4K   com              CDS     /jdk/classes.jsa
0x00000000f8000000-0x0000000100000000    134217728 rw-p     40935424            0 4K   com,nothp        JAVAHEAP -
0x00007fce9c000000-0x00007fce9c1a0000      1703936 rw-p      1662976            0 4K   com              META    -
0x00007fce9c1a0000-0x00007fce9c400000      1703936 rw-p      1662976            0 4K   com              STACK-898-Attach-Listener -
0x00007fce9d000000-0x00007fce9e000000      1703936 rw-p      1662976            0 4K   -                -       -
0x00007fd000000000-0x00007fd000008000        32768 rw-s        32768            0 4K   shrd,com         INTERN  /tmp/hsperfdata

Number of mappings: 211
";

    #[test]
    fn words_of_the_vm_become_areas() {
        let areas: Vec<_> = parse(TRACKED).into_iter().map(|it| (it.area, it.range.start)).collect();
        let expected = [
            (Area::Cds, 0x5700_1000),
            (Area::Heap, 0xf800_0000),
            (Area::Metaspace, 0x7fce_9c00_0000),
            (Area::Stacks, 0x7fce_9c1a_0000),
        ];
        assert_eq!(areas, expected);
    }

    #[test]
    fn without_tracking_there_are_no_words() {
        let untracked = "NMT is disabled. VM info not available.\n\
                         0x10-0x20  16 rw-p  0  0 4K  com  -  -\n";
        assert_eq!(parse(untracked), []);
    }
}
