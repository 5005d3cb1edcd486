// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The notes of the first pass: the classes, and which ids there are.

use std::collections::HashMap;

use super::records::Class;
use super::references::Range;

/// Nobody nests classes so deeply; a circle would have no end.
const MOST_ANCESTORS: usize = 1 << 10;

/// A class and its place.
#[derive(Debug)]
struct Known {
    class: Class,
    place: u32,
}

/// All classes of a dump.
#[derive(Debug, Default)]
pub struct Classes {
    by_id: HashMap<u64, Known>,
    /// Of all ids of classes and objects.
    pub range: Range,
}

impl Classes {
    /// Remembers one.
    pub fn add(&mut self, class: Class) {
        self.range.include(class.id);
        let place = self.by_id.len() as u32;
        self.by_id.entry(class.id).or_insert(Known { class, place });
    }

    /// How many came before it; `None` if the dump does not have it.
    pub fn place(&self, id: u64) -> Option<u32> {
        self.by_id.get(&id).map(|known| known.place)
    }

    /// The class and all that it extends, itself first. `None` if one of them is missing, or if there is no end.
    pub fn ancestry(&self, id: u64) -> Option<Vec<&Class>> {
        let mut ancestry = Vec::new();
        let mut next = id;
        while next != 0 {
            let class = &self.by_id.get(&next)?.class;
            ancestry.push(class);
            next = class.superclass;
            if ancestry.len() > MOST_ANCESTORS {
                return None;
            }
        }
        Some(ancestry).filter(|ancestry| !ancestry.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(id: u64, superclass: u64) -> Class {
        Class { id, superclass, fields: Box::default() }
    }

    #[test]
    fn ancestry_ends_at_the_root() {
        let mut classes = Classes::default();
        [class(8, 0), class(16, 8), class(24, 16)].into_iter().for_each(|class| classes.add(class));
        let ids =
            |id| classes.ancestry(id).map(|found| found.iter().map(|class| class.id).collect::<Vec<_>>());
        assert_eq!(ids(24), Some(vec![24, 16, 8]));
        assert_eq!((ids(0), ids(9), classes.place(16)), (None, None, Some(1)));
    }

    #[test]
    fn a_circle_is_no_ancestry() {
        let mut classes = Classes::default();
        [class(8, 16), class(16, 8)].into_iter().for_each(|class| classes.add(class));
        assert!(classes.ancestry(8).is_none());
    }
}
