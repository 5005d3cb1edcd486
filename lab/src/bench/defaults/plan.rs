// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The cells of the benchmark, and the sizes in each. Pure arithmetic.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use ztera_machine::jvm_flags::value_name;
use ztera_machine::units::MIB;

use super::program::Program;
use crate::kit::sizing;

/// The needs of the JVM besides its heap: code, metaspace, stacks, the collector's tables.
const JVM: u64 = 64 * MIB;

/// Whether the first heap has its whole size from the start.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Heap {
    /// `-Xms` = `-Xmx`
    Xms,
    /// `-Xmx` alone
    Xmx,
    /// Neither with H2; the other arms have to have `-Xmx`
    Auto,
}

/// The words that a program has for the second heap.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Hints {
    /// They tag what they build, and ask for it to be moved
    #[default]
    Tags,
    /// Nothing
    None,
}

impl Hints {
    fn is_usual(&self) -> bool {
        *self == Hints::Tags
    }
}

/// A program with so much live data.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
pub struct Cell {
    /// The program.
    pub program: Program,
    /// Live data over the limit.
    pub factor: f64,
    /// How the heap is given.
    pub heap: Heap,
    /// The words of the program.
    #[serde(default, skip_serializing_if = "Hints::is_usual")]
    pub hints: Hints,
}

impl Cell {
    /// In words.
    pub fn title(&self) -> String {
        let plain = if self.hints == Hints::None { ", plain" } else { "" };
        format!("{} {} {}{plain}", value_name(&self.program), self.factor, value_name(&self.heap))
    }

    /// All combinations: a program's cells one after the other.
    pub fn all(programs: &[Program], factors: &[f64], heaps: &[Heap], hints: &[Hints]) -> Vec<Cell> {
        let mut cells = Vec::new();
        for &program in programs {
            for &factor in factors {
                for &heap in heaps {
                    cells.extend(hints.iter().map(|&hints| Cell { program, factor, heap, hints }));
                }
            }
        }
        cells
    }
}

/// Sizes in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Sizes {
    /// The DRAM of each arm.
    pub limit: u64,
    /// How much live data the program makes.
    pub live: u64,
    /// `-Xmx` of the arms with H2.
    pub h1: u64,
    /// `H2Size`.
    pub h2: u64,
    /// `-Xmx` of the arms without H2.
    pub heap: u64,
}

impl Sizes {
    /// Of `factor` times as much live data as DRAM.
    pub fn plan(limit: u64, factor: f64) -> Sizes {
        let live = (limit as f64 * factor) as u64 / MIB * MIB;
        Sizes { limit, live, h1: limit / 2, h2: 2 * live, heap: live * 8 / 5 + 256 * MIB }
    }

    /// The limit of zram where the heap is swapped to it.
    pub fn zram_of_swap(&self) -> u64 {
        sizing::zram_of_swap(self.limit)
    }

    /// The limit of zram where H2 is a file on it: all but the first heap, the JVM and some file cache.
    pub fn zram_of_file(&self) -> u64 {
        sizing::zram_of_file(self.limit, self.h1 + JVM)
    }

    /// The DRAM of two tiers: the first heap, the JVM and all live data compressed to `ratio` of their size. Where
    /// nobody says how large the first heap is, the JVM takes a quarter of the limit.
    pub fn two_tiers(&self, heap: Heap, ratio: f64) -> u64 {
        let h1 = if heap == Heap::Auto { self.limit / 4 } else { self.h1 };
        h1 + JVM + (self.live as f64 * ratio) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_per_combination() {
        let cells = Cell::all(&[Program::Rows, Program::Groups], &[1.5, 2.0], &[Heap::Xms], &[Hints::Tags]);
        assert_eq!(cells.len(), 4);
        let expected = Cell { program: Program::Rows, factor: 2.0, heap: Heap::Xms, hints: Hints::Tags };
        assert_eq!(cells[1], expected);
    }

    #[test]
    fn the_heap_without_h2_holds_the_live_data() {
        let sizes = Sizes::plan(512 * MIB, 1.5);
        assert_eq!((sizes.live, sizes.h1, sizes.h2), (768 * MIB, 256 * MIB, 1536 * MIB));
        assert!(sizes.heap > sizes.live * 3 / 2);
    }

    #[test]
    fn zram_leaves_room_for_what_lies_beside_it() {
        for limit in [256 * MIB, 512 * MIB, 1024 * MIB] {
            let sizes = Sizes::plan(limit, 2.0);
            assert!(sizes.limit - sizes.zram_of_file() > sizes.h1);
            assert!(sizes.limit - sizes.zram_of_swap() >= limit * 2 / 5);
        }
    }

    #[test]
    fn two_tiers_hold_what_compresses() {
        let sizes = Sizes::plan(512 * MIB, 1.5);
        assert_eq!(sizes.two_tiers(Heap::Xms, 0.25), (256 + 64 + 192) * MIB);
        assert_eq!(sizes.two_tiers(Heap::Auto, 0.25), (128 + 64 + 192) * MIB);
        assert!(sizes.two_tiers(Heap::Xms, 1.0) > sizes.limit);
    }
}
