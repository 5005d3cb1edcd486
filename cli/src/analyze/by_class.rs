// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Compression that knows objects: columns of fields, and equal objects once. It flatters both: neither pays for the
//! order of objects, nor for the identity of equal ones, nor for the time that a fault would take.

use std::collections::{BTreeMap, HashSet};
use std::hash::{BuildHasher, RandomState};

use serde::Serialize;
use ztera_codec::{CodecKind, Packed, Packer, Settings};

use super::census::BLOCK;

/// Where the class pointer of an object lies, and how large columns are.
const CLASS: std::ops::Range<usize> = 8..12;
const WORD: usize = 4;
/// Bytes that stand for an object that is equal to an earlier one.
const REFERENCE: [u8; WORD] = [1, 0, 0, 0];

/// Bytes that units of 16 KiB take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Stored {
    /// With the fast codec.
    pub lz4: u64,
    /// With the dense one.
    pub zstd: u64,
}

/// The observed value.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ByClass {
    /// Of units as they are.
    pub plain: Stored,
    /// Where objects of one class in a unit are laid out field by field, if that makes the unit smaller.
    pub columns: Stored,
    /// Where objects that are equal to an earlier one are left out.
    pub shared: Stored,
    /// Bytes of objects that are equal to an earlier one, of all units.
    pub equal_bytes: u64,
    /// Bytes of all units.
    pub bytes: u64,
}

/// Sees all blocks, and compresses those of the census.
pub struct Classes {
    lz4: Packer,
    zstd: Packer,
    hasher: RandomState,
    /// Hashes of all objects so far.
    seen: HashSet<u64>,
    found: ByClass,
}

impl Classes {
    /// Nothing yet.
    pub fn new() -> Classes {
        let packer = |kind| Packer::new(Settings { kind, level: 0 }, BLOCK);
        Classes {
            lz4: packer(CodecKind::Lz4),
            zstd: packer(CodecKind::Zstd),
            hasher: RandomState::new(),
            seen: HashSet::new(),
            found: ByClass::default(),
        }
    }

    /// Takes a block and the places where objects begin in it. The last object may go on in the next block, so it is
    /// left as it is.
    pub fn block(&mut self, block: &[u8], starts: &[usize], is_measured: bool) {
        let objects: Vec<&[u8]> = starts.windows(2).map(|pair| &block[pair[0]..pair[1]]).collect();
        let is_known: Vec<bool> =
            objects.iter().map(|object| !self.seen.insert(self.hasher.hash_one(object))).collect();
        let known = objects.iter().zip(&is_known).filter(|(_, known)| **known);
        self.found.equal_bytes += known.map(|(object, _)| object.len() as u64).sum::<u64>();
        self.found.bytes += block.len() as u64;
        if !is_measured {
            return;
        }
        let [first, last] =
            [starts.first(), starts.last()].map(|place| place.copied().unwrap_or(block.len()));
        let others = |middle: Vec<u8>| [&block[..first], &middle, &block[last.max(first)..]].concat();
        let once = objects
            .iter()
            .zip(&is_known)
            .flat_map(|(object, known)| if *known { &REFERENCE } else { *object });
        let (columns, shared) = (others(columns(&objects)), others(once.copied().collect()));
        let plain = self.stored(block);
        add(&mut self.found.plain, plain);
        let columns = self.stored(&columns);
        let smaller = Stored { lz4: columns.lz4.min(plain.lz4), zstd: columns.zstd.min(plain.zstd) };
        add(&mut self.found.columns, smaller);
        let shared = self.stored(&shared);
        add(&mut self.found.shared, shared);
    }

    /// The result.
    pub fn finish(self) -> ByClass {
        self.found
    }

    fn stored(&mut self, unit: &[u8]) -> Stored {
        let mut unit = unit.to_vec();
        unit.resize(unit.len().next_multiple_of(8), 0);
        Stored { lz4: stored(&mut self.lz4, &unit), zstd: stored(&mut self.zstd, &unit) }
    }
}

/// All objects, those of one class and size together: the first word of each, then the second of each, and so on.
fn columns(objects: &[&[u8]]) -> Vec<u8> {
    let mut groups: BTreeMap<(&[u8], usize), Vec<&[u8]>> = BTreeMap::new();
    for object in objects {
        groups.entry((object.get(CLASS).unwrap_or_default(), object.len())).or_default().push(object);
    }
    let column = |(place, group): (usize, &Vec<&[u8]>)| -> Vec<u8> {
        group.iter().flat_map(|object| &object[place..place + WORD]).copied().collect()
    };
    let of_group = |group: &Vec<&[u8]>| -> Vec<u8> {
        (0..group[0].len()).step_by(WORD).flat_map(|place| column((place, group))).collect()
    };
    groups.values().flat_map(of_group).collect()
}

fn stored(packer: &mut Packer, unit: &[u8]) -> u64 {
    match packer.pack(unit) {
        Packed::Same(_) => 0,
        Packed::Frame(frame) => frame.len() as u64,
        Packed::Huge => unit.len() as u64,
    }
}

fn add(sum: &mut Stored, more: Stored) {
    sum.lz4 += more.lz4;
    sum.zstd += more.zstd;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An object of a class with two numbers.
    fn object(class: u32, a: u32, b: u64) -> Vec<u8> {
        [&1_u64.to_le_bytes()[..], &class.to_le_bytes(), &a.to_le_bytes(), &b.to_le_bytes()].concat()
    }

    fn found(objects: &[Vec<u8>]) -> ByClass {
        let mut classes = Classes::new();
        let starts: Vec<usize> = (0..=objects.len()).map(|number| number * 24).collect();
        classes.block(&objects.concat(), &starts, true);
        classes.finish()
    }

    #[test]
    fn fields_of_a_class_come_together() {
        let (a, b, other) = (object(1, 2, 3), object(1, 4, 5), object(9, 8, 7));
        let of_one = columns(&[&a, &b]);
        assert_eq!(of_one[16..24], [1, 0, 0, 0, 1, 0, 0, 0], "two class pointers");
        assert_eq!(of_one[24..32], [2, 0, 0, 0, 4, 0, 0, 0], "two first fields");
        assert_eq!(columns(&[&a, &other, &b]), [of_one, other].concat());
    }

    #[test]
    fn equal_objects_are_counted_and_left_out() {
        let mut random = fastrand::Rng::with_seed(1);
        let objects: Vec<Vec<u8>> = (0..100).map(|_| object(1, random.u32(..), random.u64(..))).collect();
        let mut again = objects.clone();
        random.shuffle(&mut again);
        let twice = found(&[&objects[..], &again].concat());
        assert_eq!((twice.bytes, twice.equal_bytes), (200 * 24, 100 * 24));
        assert!(twice.shared.zstd < twice.plain.zstd, "{twice:?}");
        assert_eq!(found(&objects).equal_bytes, 0);
    }

    #[test]
    fn a_block_without_a_whole_object_is_as_it_is() {
        let mut classes = Classes::new();
        classes.block(&[7; 64], &[], true);
        classes.block(&[7, 8].repeat(512), &[24], true);
        let found = classes.finish();
        assert_eq!((found.plain, found.plain), (found.columns, found.shared));
    }
}
