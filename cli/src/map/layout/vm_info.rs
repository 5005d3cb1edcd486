// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The output of `VM.info`, which has the form of a crash report.

use super::super::area::Area;
use super::addresses;
use super::known::Known;

/// The beginning of a line, the sign before its addresses, and their area.
const LINES: [(&str, char, Area); 6] = [
    ("CDS archive(s) mapped at:", '[', Area::Cds),
    ("Compressed class space mapped at:", ':', Area::ClassSpace),
    ("bounds [", '[', Area::CodeCache),
    ("Card table byte_map:", '[', Area::Gc),
    ("Begin Bits:", '[', Area::Gc),
    ("Bits: [", '[', Area::Gc),
];

/// The areas that it gives addresses of.
pub fn parse(text: &str) -> Vec<Known> {
    let known = |line: &str| {
        let (_, before, area) = LINES.iter().find(|(start, ..)| line.starts_with(start))?;
        // Other numbers follow the brackets.
        let start = line.find('[').unwrap_or(0);
        let end = line[start..].find([')', ']']).map_or(line.len(), |end| start + end);
        Some(Known { range: addresses::span(&line[..end], *before)?, area: *area })
    };
    text.lines().map(str::trim).filter_map(known).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_found() {
        let text = "CDS archive(s) mapped at: [0x57000000-0x57d95000-0x57d95000), size 14241792, SharedBaseAddress: \
                    0x57000000, ArchiveRelocationMode: 1.
Compressed class space mapped at: 0x58000000-0x98000000, reserved size: 1073741824
Card table byte_map: [0x7fd4c40c6000,0x7fd4c4306000] _byte_map_base: 0x7fd4c3b06000
Marking Bits: (ParMarkBitMap*) 0x00007fd4c5d4b3c0
 Begin Bits: [0x00007fcec4400000, 0x00007fcec4600000)
CodeHeap 'profiled nmethods': size=120036Kb used=1803Kb max_used=1803Kb free=118232Kb
 bounds [0x00007fd4a83ff000, 0x00007fd4a866f000, 0x00007fd4af938000]
Heap address: 0x00000000b8000000, size: 1152 MB, Compressed Oops mode: 32-bit
";
        let areas: Vec<_> =
            parse(text).into_iter().map(|it| (it.area, it.range.start, it.range.end)).collect();
        let expected = [
            (Area::Cds, 0x5700_0000, 0x57d9_5000),
            (Area::ClassSpace, 0x5800_0000, 0x9800_0000),
            (Area::Gc, 0x7fd4_c40c_6000, 0x7fd4_c430_6000),
            (Area::Gc, 0x7fce_c440_0000, 0x7fce_c460_0000),
            (Area::CodeCache, 0x7fd4_a83f_f000, 0x7fd4_af93_8000),
        ];
        assert_eq!(areas, expected);
    }
}
