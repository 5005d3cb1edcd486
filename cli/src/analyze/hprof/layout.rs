// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Where HotSpot of JDK 25 lays the fields of an instance, as the comments of its `FieldLayoutBuilder` tell it for
//! regular classes. Other versions differ in when references go first.

use super::types::Type;

/// Bytes of mark word and class pointer.
pub const HEADER: usize = 12;

/// Objects begin and end at multiples of this.
pub const OBJECT_ALIGNMENT: usize = 8;

/// A hole between fields, in bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Gap {
    from: usize,
    to: usize,
}

impl Gap {
    /// Where in it `bytes` fit, aligned to their size.
    fn place(self, bytes: usize) -> Option<usize> {
        let at = self.from.next_multiple_of(bytes);
        (at + bytes <= self.to).then_some(at)
    }

    fn bytes(self) -> usize {
        self.to - self.from
    }
}

/// An instance, while classes add their fields to it, superclasses first.
#[derive(Debug)]
pub struct Layout {
    reference: usize,
    /// By address.
    gaps: Vec<Gap>,
    end: usize,
    /// The type of the last field, by address.
    last: Option<(usize, Type)>,
}

impl Layout {
    /// Without fields; references will take `reference` bytes.
    pub fn new(reference: usize) -> Self {
        Self { reference, gaps: Vec::new(), end: HEADER, last: None }
    }

    /// Bytes of an instance.
    pub fn bytes(&self) -> usize {
        self.end.next_multiple_of(OBJECT_ALIGNMENT)
    }

    /// Adds the fields of a class, and says at which byte each lies. The largest primitive types go first, references
    /// last; or references first, if the superclass ends with one.
    pub fn add(&mut self, fields: &[Type]) -> Vec<usize> {
        let is_reference = |field: usize| fields[field] == Type::Reference;
        let (references, mut primitives): (Vec<_>, Vec<_>) =
            (0..fields.len()).partition(|&field| is_reference(field));
        primitives.sort_by_key(|&field| std::cmp::Reverse(fields[field].bytes(self.reference)));
        let references_first = matches!(self.last, Some((_, Type::Reference)));
        let order = if references_first { [references, primitives] } else { [primitives, references] };
        let mut offsets = vec![0; fields.len()];
        for field in order.into_iter().flatten() {
            let at = self.place(fields[field].bytes(self.reference));
            offsets[field] = at;
            self.last = self.last.max(Some((at, fields[field])));
        }
        offsets
    }

    /// Takes room from the smallest gap that has it, the last one of those that are alike, else from the end.
    fn place(&mut self, bytes: usize) -> usize {
        let fitting = |gap: &Gap| Some((gap.bytes(), gap.place(bytes)?));
        let gaps = self.gaps.iter().enumerate().rev();
        let best = gaps.filter_map(|(index, gap)| fitting(gap).map(|(size, at)| (size, index, at)));
        match best.min_by_key(|&(size, ..)| size) {
            Some((_, index, at)) => {
                let gap = self.gaps[index];
                let rest = [Gap { from: gap.from, to: at }, Gap { from: at + bytes, to: gap.to }];
                self.gaps.splice(index..=index, rest.into_iter().filter(|gap| gap.bytes() > 0));
                at
            }
            None => {
                let at = self.end.next_multiple_of(bytes);
                if at > self.end {
                    self.gaps.push(Gap { from: self.end, to: at });
                }
                self.end = at + bytes;
                at
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Type::{Boolean, Byte, Double, Int, Long, Reference, Short};

    #[test]
    fn string_is_as_everybody_knows_it() {
        let mut string = Layout::new(4);
        assert!(string.add(&[]).is_empty());
        // value, coder, hash, hashIsZero
        assert_eq!(string.add(&[Reference, Byte, Int, Boolean]), [20, 16, 12, 17]);
        assert_eq!(string.bytes(), 24);
    }

    #[test]
    fn the_hole_behind_the_header_is_filled() {
        let mut layout = Layout::new(4);
        assert_eq!(layout.add(&[Long, Short, Int]), [16, 24, 12]);
        assert_eq!(layout.bytes(), 32);
        assert_eq!(Layout::new(4).add(&[Long, Reference, Reference]), [16, 12, 24]);
        assert_eq!(Layout::new(8).add(&[Reference, Byte]), [16, 12]);
    }

    #[test]
    fn subclasses_fill_holes_of_superclasses() {
        let mut layout = Layout::new(4);
        assert_eq!(layout.add(&[Double]), [16]);
        assert_eq!(layout.add(&[Byte, Short, Long]), [14, 12, 24]);
        assert_eq!(layout.add(&[Byte, Byte]), [15, 32]);
        assert_eq!(layout.bytes(), 40);
    }

    #[test]
    fn references_of_a_subclass_follow_those_of_the_superclass() {
        let mut layout = Layout::new(4);
        assert_eq!(layout.add(&[Int, Reference]), [12, 16]);
        assert_eq!(layout.add(&[Int, Reference]), [24, 20]);
        assert_eq!(layout.add(&[Reference, Int]), [32, 28]);
    }

    #[test]
    fn without_fields_there_is_a_header() {
        assert_eq!(Layout::new(4).bytes(), 16);
    }
}
