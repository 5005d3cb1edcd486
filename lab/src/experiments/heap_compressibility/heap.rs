// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The addresses of the generations of the parallel collector.

use std::ops::Range;

use anyhow::{Context, Result};
use ztera_machine::jvm::Jvm;

/// Where objects are.
#[derive(Clone, Debug, PartialEq)]
pub struct Generations {
    /// The generation of new objects.
    young: Range<u64>,
    /// That of objects which have survived collections.
    old: Range<u64>,
    /// The part of it that has objects. Pages beyond still hold what was there before a full collection.
    old_objects: Range<u64>,
}

impl Generations {
    /// Of a running JVM.
    pub fn of(jvm: &Jvm) -> Result<Generations> {
        let said = jvm.ask(&["GC.heap_info"])?;
        Generations::parse(&said).with_context(|| format!("no generations in: {}", said.trim()))
    }

    fn parse(said: &str) -> Option<Generations> {
        let range = |name: &str| {
            let line = said.lines().find(|line| line.trim_start().starts_with(name))?;
            let mut bounds = line.split_once('[')?.1.split(',').map(str::trim);
            let mut bound = || u64::from_str_radix(bounds.next()?.strip_prefix("0x")?, 16).ok();
            Some(bound()?..bound()?)
        };
        Some(Generations {
            young: range("PSYoungGen")?,
            old: range("ParOldGen")?,
            old_objects: range("object space")?,
        })
    }

    /// The whole heap.
    pub fn all(&self) -> [Range<u64>; 2] {
        [self.old.clone(), self.young.clone()]
    }

    /// The objects of the old generation.
    pub fn old_objects(&self) -> [Range<u64>; 1] {
        [self.old_objects.clone()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The used part of the old generation is told by its space.
    #[test]
    fn generations_are_the_first_two_bounds() {
        let said = "\
7:
 PSYoungGen      total 38400K, used 4659K [0x00000000d5580000, 0x00000000d8000000, 0x0000000100000000)
  eden space 33280K, 14% used [0x00000000d5580000,0x00000000d5a0ce10,0x00000000d7600000)
 ParOldGen       total 87552K, used 0K [0x0000000080000000, 0x0000000085580000, 0x00000000d5580000)
  object space 87552K, 0% used [0x0000000080000000,0x0000000080123000,0x0000000085580000)
";
        let expected = Generations {
            young: 0xd558_0000..0xd800_0000,
            old: 0x8000_0000..0x8558_0000,
            old_objects: 0x8000_0000..0x8012_3000,
        };
        assert_eq!(Generations::parse(said), Some(expected));
        assert_eq!(Generations::parse("garbage-first heap"), None);
    }
}
