// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Nodes: points that elements have in common have one number. Points of a small element on the side of a large one
//! have none. They are interpolated from the side or edge of the small one's parent, which the large one has, too.

use std::collections::HashMap;

use super::element::{Element, N, POINTS, Values, place};
use super::mesh::{Cube, Mesh};
use crate::team::Team;

/// The node of all points on the surface, where there is no heat.
const COLD: u32 = 0;
/// Units of coordinates along the edge of a smallest element.
const UNITS: u32 = 1 << 12;

/// How an element's points follow from its nodes, where they are not those: each such point, and nodes with shares.
type Rows = Vec<(usize, Vec<(usize, f64)>)>;

/// Numbers of nodes on a mesh.
pub struct Nodes {
    /// How many there are, with the cold one.
    pub count: usize,
    /// Of each element.
    own: Vec<[u32; POINTS]>,
    /// The row that each element has, by its index in `rows`.
    kinds: Vec<usize>,
    rows: Vec<Rows>,
    /// Points of elements by node: where each node's start, and what they are.
    first: Vec<u32>,
    places: Vec<u32>,
}

impl Nodes {
    pub fn new(mesh: &Mesh, levels: u32, element: &Element) -> Nodes {
        let units = element.points.map(|point| (point * f64::from(UNITS)).round() as u32);
        let mut numbers = HashMap::new();
        let mut known = HashMap::new();
        let mut rows: Vec<Rows> = vec![];
        let (mut own, mut kinds) = (vec![], vec![]);
        for cube in &mesh.elements {
            let hanging = hanging(mesh, *cube);
            let child = cube.place.map(|place| place as usize % 2);
            kinds.push(*known.entry((child, hanging)).or_insert_with(|| {
                rows.push(interpolation(child, hanging, element));
                rows.len() - 1
            }));
            let kind = &rows[*kinds.last().expect("one was added")];
            let mut cubes = [*cube; POINTS];
            kind.iter().for_each(|(point, _)| cubes[*point] = cube.parent());
            let node = |point: usize| {
                let (cube, along) = (cubes[point], place(point));
                let size = 1 << (levels - cube.level);
                let at: [u32; 3] =
                    std::array::from_fn(|axis| size * (cube.place[axis] * UNITS + units[along[axis]]));
                if at.iter().any(|at| *at == 0 || *at == UNITS << levels) {
                    return COLD;
                }
                let key = at.iter().fold(0_u64, |key, at| key << 21 | u64::from(*at));
                let next = numbers.len() as u32 + 1;
                *numbers.entry(key).or_insert(next)
            };
            let mut node = node;
            own.push(std::array::from_fn(&mut node));
        }
        let count = numbers.len() + 1;
        let (first, places) = by_node(count, own.as_flattened());
        Nodes { count, own, kinds, rows, first, places }
    }

    /// Values at an element's points.
    pub fn take(&self, number: usize, nodes: &[f64]) -> Values {
        let own = self.own[number].map(|node| nodes[node as usize]);
        let mut values = own;
        for (point, shares) in &self.rows[self.kinds[number]] {
            values[*point] = shares.iter().map(|(from, share)| share * own[*from]).sum();
        }
        values
    }

    /// The part that an element's nodes get of what belongs to its points: the transpose of `take`.
    pub fn give(&self, number: usize, values: &Values) -> Values {
        self.give_by(number, values, |share| share)
    }

    /// The same by squares of the shares, for diagonals.
    pub fn give_squared(&self, number: usize, values: &Values) -> Values {
        self.give_by(number, values, |share| share * share)
    }

    fn give_by(&self, number: usize, values: &Values, part: impl Fn(f64) -> f64) -> Values {
        let rows = &self.rows[self.kinds[number]];
        let mut own = *values;
        rows.iter().for_each(|(point, _)| own[*point] = 0.0);
        for (point, shares) in rows {
            shares.iter().for_each(|(to, share)| own[*to] += part(*share) * values[*point]);
        }
        own
    }

    /// Sums up over elements what `give` returned for each.
    pub fn sum(&self, team: Team, given: &[Values]) -> Vec<f64> {
        let mut nodes = vec![0.0; self.count];
        let given = given.as_flattened();
        team.chunks(&mut nodes, 1, |node, sum| {
            let places = self.first[node] as usize..self.first[node + 1] as usize;
            sum[0] = self.places[places].iter().map(|place| given[*place as usize]).sum();
        });
        nodes[COLD as usize] = 0.0;
        nodes
    }

    /// Sets the nodes that are points of an element.
    pub fn set(&self, number: usize, values: &Values, nodes: &mut [f64]) {
        let rows = &self.rows[self.kinds[number]];
        for (point, node) in self.own[number].iter().enumerate() {
            if *node != COLD && !rows.iter().any(|(interpolated, _)| *interpolated == point) {
                nodes[*node as usize] = values[point];
            }
        }
    }
}

fn by_node(count: usize, own: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let mut first = vec![0; count + 1];
    own.iter().for_each(|node| first[*node as usize + 1] += 1);
    (0..count).for_each(|node| first[node + 1] += first[node]);
    let (mut next, mut places) = (first.clone(), vec![0; own.len()]);
    for (place, node) in own.iter().enumerate() {
        places[next[*node as usize] as usize] = place as u32;
        next[*node as usize] += 1;
    }
    (first, places)
}

/// Parts of an element that may lie on a larger one, as sets of axes to go outwards: one is a side, two are an edge.
const PARTS: [[i32; 3]; 6] = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [1, 0, 1], [0, 1, 1]];

/// Of each part, whether the element lies on a larger one there. Other sides and edges are inside of its parent.
fn hanging(mesh: &Mesh, cube: Cube) -> [bool; 6] {
    let outwards = cube.place.map(|place| if place % 2 == 0 { -1 } else { 1 });
    PARTS.map(|part| {
        let offset = std::array::from_fn(|axis| part[axis] * outwards[axis]);
        cube.at(offset).is_some_and(|neighbour| mesh.is_in_larger(neighbour))
    })
}

fn interpolation(child: [usize; 3], hanging: [bool; 6], element: &Element) -> Rows {
    let on = |point: usize, part: &[i32; 3]| {
        let along = place(point);
        (0..3).all(|axis| part[axis] == 0 || along[axis] == child[axis] * (N - 1))
    };
    let row = |point: usize| {
        let parts = PARTS.iter().zip(hanging).filter(|(_, hanging)| *hanging);
        let part = parts.map(|(part, _)| part).find(|part| on(point, part))?;
        let along = place(point);
        let share = |from: usize| -> f64 {
            let from = place(from);
            let free = (0..3).filter(|axis| part[*axis] == 0);
            free.map(|axis| element.halves[child[axis]][along[axis]][from[axis]]).product()
        };
        let shares = (0..POINTS).filter(|from| on(*from, part)).map(|from| (from, share(from)));
        Some((point, shares.filter(|(_, share)| share.abs() > 1e-14).collect()))
    };
    (0..POINTS).filter_map(row).collect()
}
