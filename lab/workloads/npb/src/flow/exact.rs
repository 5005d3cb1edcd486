// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The polynomial that solves the equations, and the blend that computations begin with.

use super::state::State;

/// For each part of a state the factors of 1, x, y, z, x², y², z², x³, y³, z³, x⁴, y⁴ and z⁴, as the report has them.
const FACTORS: [[f64; 13]; 5] = [
    [2.0, 0.0, 0.0, 4.0, 5.0, 3.0, 0.5, 0.02, 0.01, 0.03, 0.5, 0.4, 0.3],
    [1.0, 0.0, 0.0, 0.0, 1.0, 2.0, 3.0, 0.01, 0.03, 0.02, 0.4, 0.3, 0.5],
    [2.0, 2.0, 0.0, 0.0, 0.0, 2.0, 3.0, 0.04, 0.03, 0.05, 0.3, 0.5, 0.4],
    [2.0, 2.0, 0.0, 0.0, 0.0, 2.0, 3.0, 0.03, 0.05, 0.04, 0.2, 0.1, 0.3],
    [5.0, 4.0, 3.0, 2.0, 0.1, 0.4, 0.3, 0.05, 0.04, 0.03, 0.1, 0.3, 0.2],
];

/// The polynomial at a place from 0 to 1 along each axis.
pub fn solution(place: [f64; 3]) -> State {
    FACTORS.map(|factors| {
        let along = |axis: usize| {
            let t = place[axis];
            t * (factors[axis + 1]
                + t * (factors[axis + 4] + t * (factors[axis + 7] + t * factors[axis + 10])))
        };
        factors[0] + along(0) + along(1) + along(2)
    })
}

/// A mean of the six values on the surface that lie straight ahead; the polynomial on the surface itself.
pub fn blend(place: [f64; 3]) -> State {
    if place.iter().any(|share| [0.0, 1.0].contains(share)) {
        return solution(place);
    }
    let ends = |axis: usize, end: f64| {
        let mut face = place;
        face[axis] = end;
        solution(face)
    };
    let faces: [[State; 2]; 3] = std::array::from_fn(|axis| [ends(axis, 0.0), ends(axis, 1.0)]);
    std::array::from_fn(|m| {
        let [x, y, z]: [f64; 3] = std::array::from_fn(|axis| {
            place[axis] * faces[axis][1][m] + (1.0 - place[axis]) * faces[axis][0][m]
        });
        x + y + z - x * y - x * z - y * z + x * y * z
    })
}
