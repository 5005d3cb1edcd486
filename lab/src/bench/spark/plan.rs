// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The cells of the benchmark, and the sizes in each. Pure arithmetic.

use serde::{Deserialize, Serialize};
use ztera_machine::units::{GIB, MIB};

use super::workload::Workload;
use crate::kit::sizing;

/// Spark keeps so much of the heap for itself, and starts with no less than one and a half of that.
pub const RESERVED: u64 = 300 * MIB;
/// The needs of Spark's JVM besides heap and cached data: code, metaspace, stacks, the collector's tables.
const JVM: u64 = 200 * MIB;

/// How much is measured.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Scale {
    /// How much each workload caches, roughly: its size is chosen for that.
    pub cached: u64,
    /// DRAM that each arm has beyond the share of its cached data: what Spark takes by itself, where that is not small
    /// beside the data.
    pub own: u64,
    /// Of the heap, [`RESERVED`] or less.
    pub reserved: u64,
    /// Of the data.
    pub partitions: u32,
    /// The share of the limit that is the heap of all arms but those with swap.
    pub heap_share: f64,
}

/// A workload whose cached data exceed the DRAM.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
pub struct Cell {
    /// The program.
    pub workload: Workload,
    /// Cached data over the DRAM for them.
    pub factor: f64,
}

impl Cell {
    /// All combinations: a workload's cells one after the other.
    pub fn all(workloads: &[Workload], factors: &[f64]) -> Vec<Cell> {
        let cells = |&workload: &Workload| factors.iter().map(move |&factor| Cell { workload, factor });
        workloads.iter().flat_map(cells).collect()
    }
}

/// Sizes in bytes.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
pub struct Sizes {
    /// Cached by the reference, as Spark counts it.
    pub cached: u64,
    /// The DRAM of each arm.
    pub limit: u64,
    /// `-Xmx`.
    pub heap: u64,
    /// `-Xmx` where the heap is swapped: all cached data fit.
    pub big_heap: u64,
    /// Spark's memory outside of the heap, for its level OFF_HEAP.
    pub off_heap: u64,
    /// `H2Size`.
    pub h2: u64,
}

impl Sizes {
    /// Of a workload whose reference cached so much.
    pub fn plan(scale: &Scale, cached: u64, factor: f64) -> Sizes {
        let limit = ((cached as f64 / factor) as u64 + scale.own) / MIB * MIB;
        let heap = ((limit as f64 * scale.heap_share) as u64 / MIB * MIB).max(least_heap(scale.reserved));
        Sizes {
            cached,
            limit,
            heap,
            big_heap: big_heap(cached),
            off_heap: limit.saturating_sub(heap + JVM).max(64 * MIB),
            h2: (2 * cached).max(4 * GIB) / MIB * MIB,
        }
    }

    /// The limit of zram where the heap is swapped to it.
    pub fn zram_of_swap(&self) -> u64 {
        sizing::zram_of_swap(self.limit)
    }

    /// The limit of zram where H2 is a file on it: all but the heap, the JVM and some file cache.
    pub fn zram_of_file(&self) -> u64 {
        sizing::zram_of_file(self.limit, self.heap + JVM)
    }
}

/// Spark does not count one survivor space, a ninth of the heap.
fn least_heap(reserved: u64) -> u64 {
    reserved * 26 / 15
}

/// Spark gives cached data six tenths of the heap less 300 MiB, and programs need the rest.
pub fn big_heap(cached: u64) -> u64 {
    (2 * cached + 768 * MIB) / MIB * MIB
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// A scale with nothing beyond the cached data's share.
    pub const SCALE: Scale =
        Scale { cached: 2 * GIB, own: 0, reserved: RESERVED, partitions: 8, heap_share: 0.5 };

    #[test]
    fn a_cell_per_combination() {
        let cells = Cell::all(&[Workload::Sql, Workload::Als], &[1.5, 2.5]);
        assert_eq!(cells.len(), 4);
        assert_eq!(cells[1], Cell { workload: Workload::Sql, factor: 2.5 });
    }

    #[test]
    fn the_limit_is_a_part_of_what_the_reference_cached() {
        let sizes = Sizes::plan(&SCALE, 3 * GIB, 1.5);
        assert_eq!((sizes.limit, sizes.heap), (2 * GIB, GIB));
        assert_eq!(sizes.h2, 6 * GIB);
        assert!(sizes.big_heap * 6 / 10 > sizes.cached);
        let own = Sizes::plan(&Scale { own: 512 * MIB, ..SCALE }, 3 * GIB, 1.5);
        assert_eq!(own.limit, sizes.limit + 512 * MIB);
    }

    #[test]
    fn spark_gets_the_heap_that_it_needs_to_start() {
        let sizes = Sizes::plan(&SCALE, 2 * GIB, 2.5);
        assert_eq!((sizes.limit, sizes.heap), (819 * MIB, 520 * MIB));
        let small = Sizes::plan(&Scale { reserved: 150 * MIB, ..SCALE }, 2 * GIB, 2.5);
        assert_eq!(small.heap, 409 * MIB);
    }

    #[test]
    fn zram_leaves_room_for_what_lies_beside_it() {
        for factor in [1.5, 2.5] {
            let sizes = Sizes::plan(&SCALE, 3 * GIB, factor);
            assert!(sizes.limit - sizes.zram_of_file() >= sizes.heap + JVM);
            assert!(sizes.zram_of_file() >= sizes.limit / 16);
            assert!(sizes.off_heap + sizes.heap + JVM <= sizes.limit.max(sizes.heap + JVM + 64 * MIB));
        }
    }
}
