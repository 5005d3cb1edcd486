// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The output of `GC.heap_info`.

use super::super::area::Area;
use super::addresses;
use super::known::Known;

/// The beginning of a line, and the area whose addresses stand in it.
const LINES: [(&str, Area); 9] = [
    ("PSYoungGen", Area::Young),
    ("ParOldGen", Area::Old),
    ("DefNew", Area::Young),
    ("def new generation", Area::Young),
    ("Tenured", Area::Old),
    ("tenured generation", Area::Old),
    ("H2", Area::H2),
    ("garbage-first heap", Area::Heap),
    // Shenandoah, below the line "Reserved region:".
    ("- [", Area::Heap),
];

/// The heap and its generations, if they have places.
pub fn parse(text: &str) -> Vec<Known> {
    let known = |line: &str| {
        let (_, area) = LINES.iter().find(|(start, _)| line.starts_with(start))?;
        Some(Known { range: addresses::span(line, '[')?, area: *area })
    };
    text.lines().map(str::trim).filter_map(known).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn areas(text: &str) -> Vec<(Area, u64, u64)> {
        parse(text).into_iter().map(|it| (it.area, it.range.start, it.range.end)).collect()
    }

    #[test]
    fn parallel_with_a_second_heap() {
        let text = "7:
PSYoungGen      total 38400K, used 33213K [0x00000000fd580000, 0x00000000fe000000, 0x0000000100000000)
 eden space 33280K, 84% used [0x00000000fd580000,0x00000000ff0f34e0,0x00000000ff600000)
ParOldGen       total 87552K, used 1618K [0x00000000f8000000, 0x00000000fd580000, 0x00000000fd580000)
 object space 87552K, 1% used [0x00000000f8000000,0x00000000f8194b68,0x00000000fd580000)
 H2              total 1048576K, used 0K [0x00000000b8000000, 0x00000000f8000000)
  0 of 16384 regions in use, 64K each, backing tier";
        let expected = [
            (Area::Young, 0xfd58_0000, 0x1_0000_0000),
            (Area::Old, 0xf800_0000, 0xfd58_0000),
            (Area::H2, 0xb800_0000, 0xf800_0000),
        ];
        assert_eq!(areas(text), expected);
    }

    #[test]
    fn serial_and_those_without_fixed_generations() {
        let serial = "DefNew     total 39296K, used 30389K [0xf8000000, 0xfaaa0000, 0xfaaa0000)
Tenured    total 87424K, used 3958K [0xfaaa0000, 0x100000000, 0x100000000)";
        assert_eq!(areas(serial).iter().map(|it| it.0).collect::<Vec<_>>(), [Area::Young, Area::Old]);
        let g1 =
            "garbage-first heap   total reserved 131072K, committed 8K, used 9K [0xf8000000, 0x100000000)";
        assert_eq!(areas(g1), [(Area::Heap, 0xf800_0000, 0x1_0000_0000)]);
        let shenandoah = "Reserved region:\n - [0x00000000f8000000, 0x0000000100000000) \nCollection set:\n";
        assert_eq!(areas(shenandoah), [(Area::Heap, 0xf800_0000, 0x1_0000_0000)]);
        assert_eq!(areas("ZHeap            used 42M, capacity 128M, max capacity 128M"), []);
    }
}
