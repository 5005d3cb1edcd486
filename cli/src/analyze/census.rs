// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! How pages compress, by the engine's own codecs: all pages, or a sample.

use fastrand::Rng;
use serde::Serialize;
use ztera_codec::{CodecKind, Packed, Packer, Settings};

/// Bytes that are looked at together: the largest unit.
pub const BLOCK: usize = 16 << 10;

/// Bytes of the units that are tried.
const UNITS: [usize; 3] = [4 << 10, 8 << 10, BLOCK];

/// The results of a codec for units of one size.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Packing {
    /// The bytes that the engine would store, without what its pool adds. Units that repeat one word take nothing;
    /// those that do not compress keep their size.
    pub stored_bytes: u64,
    /// Units that do not shrink to 7/8, which the engine does not compress.
    pub incompressible_units: u64,
}

/// Units of one size.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Units {
    /// Bytes of each.
    pub unit_bytes: usize,
    /// How many. The last one may be filled up with zeros.
    pub units: u64,
    /// Those that repeat one 32-bit word.
    pub same_filled_units: u64,
    /// With the fast codec.
    pub lz4: Packing,
    /// With the dense one.
    pub zstd: Packing,
}

impl Units {
    /// Bytes of all.
    pub fn bytes(&self) -> u64 {
        self.units * self.unit_bytes as u64
    }
}

/// The observed value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Compression {
    /// Bytes of pages that were compressed.
    pub measured_bytes: u64,
    /// One block of 16 KiB in so many was, chosen at random; 1 = all.
    pub one_block_in: u64,
    /// By size of unit.
    pub units: Vec<Units>,
}

/// Sees pages as they come.
pub struct Census {
    every: u64,
    blocks: u64,
    measured_bytes: u64,
    arms: Vec<Arm>,
}

struct Arm {
    lz4: Packer,
    zstd: Packer,
    found: Units,
}

impl Census {
    /// Of about `total` bytes, compresses about `sample`; 0 = all.
    pub fn new(total: u64, sample: u64) -> Self {
        let every = if sample == 0 { 1 } else { total.div_ceil(sample).max(1) };
        Self { every, blocks: 0, measured_bytes: 0, arms: UNITS.map(Arm::new).into() }
    }

    /// Whether it compresses the next block.
    pub fn chooses_next(&self) -> bool {
        is_chosen(self.blocks, self.every)
    }

    /// Takes the next block. The last one may be shorter; it is filled up.
    pub fn block(&mut self, block: &mut Vec<u8>) {
        let chosen = self.chooses_next();
        self.blocks += 1;
        if chosen {
            self.measured_bytes += block.len() as u64;
            self.arms.iter_mut().for_each(|arm| arm.block(block));
        }
    }

    /// The result.
    pub fn finish(self) -> Compression {
        let units = self.arms.into_iter().map(|arm| arm.found).collect();
        Compression { measured_bytes: self.measured_bytes, one_block_in: self.every, units }
    }
}

/// Of each `every` blocks one is chosen, at random, since data may repeat itself at the same distance. Of the first
/// ones it is the first, so that there is one.
fn is_chosen(block: u64, every: u64) -> bool {
    let (group, place) = (block / every, block % every);
    place == if group == 0 { 0 } else { Rng::with_seed(group).u64(..every) }
}

impl Arm {
    fn new(unit_bytes: usize) -> Self {
        let packer = |kind| Packer::new(Settings { kind, level: 0 }, unit_bytes);
        let none = Packing::default;
        Self {
            lz4: packer(CodecKind::Lz4),
            zstd: packer(CodecKind::Zstd),
            found: Units { unit_bytes, units: 0, same_filled_units: 0, lz4: none(), zstd: none() },
        }
    }

    fn block(&mut self, block: &mut Vec<u8>) {
        block.resize(block.len().next_multiple_of(self.found.unit_bytes), 0);
        for unit in block.chunks_exact(self.found.unit_bytes) {
            self.found.units += 1;
            let same = pack(&mut self.lz4, unit, &mut self.found.lz4);
            pack(&mut self.zstd, unit, &mut self.found.zstd);
            self.found.same_filled_units += u64::from(same);
        }
    }
}

/// Whether the unit repeats one word.
fn pack(packer: &mut Packer, unit: &[u8], packing: &mut Packing) -> bool {
    match packer.pack(unit) {
        Packed::Same(_) => return true,
        Packed::Frame(frame) => packing.stored_bytes += frame.len() as u64,
        Packed::Huge => {
            packing.stored_bytes += unit.len() as u64;
            packing.incompressible_units += 1;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A page that repeats a word, one that compresses, and two that do not.
    fn block() -> Vec<u8> {
        let words = (0..512_u64).flat_map(|word| (word / 3).to_le_bytes());
        let mut noise = vec![0; 8192];
        Rng::with_seed(1).fill(&mut noise);
        [vec![7; 4096], words.collect(), noise].concat()
    }

    #[test]
    fn units_are_counted_by_what_becomes_of_them() {
        let mut census = Census::new(BLOCK as u64, 0);
        census.block(&mut block());
        let found = census.finish();
        let [small, middle, large] = &found.units[..] else { panic!("{found:?}") };
        assert_eq!((small.units, small.same_filled_units, small.lz4.incompressible_units), (4, 1, 2));
        assert!((8192..8192 + 2048).contains(&small.zstd.stored_bytes), "{small:?}");
        assert_eq!((middle.units, middle.same_filled_units, middle.zstd.incompressible_units), (2, 0, 1));
        assert_eq!((large.units, large.bytes(), large.lz4.incompressible_units), (1, BLOCK as u64, 0));
        assert!(large.zstd.stored_bytes < small.zstd.stored_bytes + 256, "{large:?}");
    }

    #[test]
    fn a_short_end_is_filled_up() {
        let mut census = Census::new(0, 0);
        census.block(&mut vec![7; 4096]);
        let found = census.finish();
        assert_eq!(found.measured_bytes, 4096);
        let units: Vec<_> = found.units.iter().map(|u| (u.units, u.same_filled_units)).collect();
        assert_eq!(units, [(1, 1), (1, 0), (1, 0)]);
    }

    #[test]
    fn one_of_each_group_is_chosen() {
        for every in [1, 2, 7] {
            let chosen: Vec<_> = (0..every * 50).map(|block| is_chosen(block, every)).collect();
            let groups = chosen.chunks(every as usize);
            assert!(groups.clone().all(|group| group.iter().filter(|&&chosen| chosen).count() == 1));
            assert!(chosen[0]);
        }
        let places: std::collections::HashSet<_> =
            (0..350).filter(|&block| is_chosen(block, 7)).map(|block| block % 7).collect();
        assert!(places.len() > 3, "not always the same place: {places:?}");
    }

    #[test]
    fn a_sample_is_as_large_as_asked_for() {
        let (mut census, block) = (Census::new(100 * BLOCK as u64, 10 * BLOCK as u64), vec![7; BLOCK]);
        (0..100).for_each(|_| census.block(&mut block.clone()));
        let found = census.finish();
        assert_eq!((found.one_block_in, found.measured_bytes), (10, 10 * BLOCK as u64));
    }
}
