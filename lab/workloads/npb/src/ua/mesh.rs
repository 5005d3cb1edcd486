// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The mesh: a cube that is halved along all axes, again and again.

use std::collections::{HashMap, HashSet};

/// A cube. Its place is counted in edges of its own length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cube {
    pub level: u32,
    pub place: [u32; 3],
}

impl Cube {
    const WHOLE: Cube = Cube { level: 0, place: [0; 3] };

    pub fn edge(self) -> f64 {
        0.5_f64.powi(self.level as i32)
    }

    pub fn corner(self) -> [f64; 3] {
        self.place.map(|place| f64::from(place) * self.edge())
    }

    pub fn parent(self) -> Cube {
        Cube { level: self.level - 1, place: self.place.map(|place| place / 2) }
    }

    fn children(self) -> impl DoubleEndedIterator<Item = Cube> {
        let child =
            move |number: u32| std::array::from_fn(|axis| 2 * self.place[axis] + (number >> axis & 1));
        (0..8).map(move |number| Cube { level: self.level + 1, place: child(number) })
    }

    /// The cube of the same size at an offset, unless it is outside.
    pub fn at(self, offset: [i32; 3]) -> Option<Cube> {
        let mut place = self.place;
        for (axis, by) in offset.into_iter().enumerate() {
            place[axis] = place[axis].checked_add_signed(by).filter(|place| *place < 1 << self.level)?;
        }
        Some(Cube { place, ..self })
    }
}

/// Elements in the order of their corners, x, y and z interleaved.
pub struct Mesh {
    pub elements: Vec<Cube>,
    split: HashSet<Cube>,
    numbers: HashMap<Cube, u32>,
}

impl Mesh {
    /// Halves cubes that are `wanted` smaller, and others until neighbours differ by one halving at most.
    pub fn new(levels: u32, wanted: impl Fn(Cube) -> bool) -> Mesh {
        let mut by_level: Vec<HashSet<Cube>> = vec![HashSet::new(); levels as usize];
        let mut left = vec![Cube::WHOLE];
        while let Some(cube) = left.pop() {
            if cube.level < levels && wanted(cube) {
                by_level[cube.level as usize].insert(cube);
                left.extend(cube.children());
            }
        }
        for level in (1..levels as usize).rev() {
            let parents: Vec<Cube> = by_level[level].iter().flat_map(|cube| around(*cube)).collect();
            by_level[level - 1].extend(parents.into_iter().map(Cube::parent));
        }
        let split: HashSet<Cube> = by_level.into_iter().flatten().collect();
        let (mut elements, mut left) = (vec![], vec![Cube::WHOLE]);
        while let Some(cube) = left.pop() {
            if split.contains(&cube) { left.extend(cube.children().rev()) } else { elements.push(cube) }
        }
        let numbers = elements.iter().zip(0..).map(|(cube, number)| (*cube, number)).collect();
        Mesh { elements, split, numbers }
    }

    /// The number of an element.
    pub fn number(&self, cube: Cube) -> Option<usize> {
        self.numbers.get(&cube).map(|number| *number as usize)
    }

    /// The element that has a point.
    pub fn element_at(&self, point: [f64; 3]) -> usize {
        let mut cube = Cube::WHOLE;
        while self.split.contains(&cube) {
            let (level, most) = (cube.level + 1, (1 << (cube.level + 1)) - 1);
            let place = point.map(|coordinate| ((coordinate * f64::from(1_u32 << level)) as u32).min(most));
            cube = Cube { level, place };
        }
        self.number(cube).expect("a cube that is not split is an element")
    }

    /// Whether a cube of a size that there is, is part of a larger element.
    pub fn is_in_larger(&self, cube: Cube) -> bool {
        cube.level > 0 && !self.split.contains(&cube.parent())
    }
}

/// A cube and all of its size that it touches.
pub fn around(cube: Cube) -> impl Iterator<Item = Cube> {
    (0..27).filter_map(move |number| cube.at([number % 3 - 1, number / 3 % 3 - 1, number / 9 - 1]))
}
