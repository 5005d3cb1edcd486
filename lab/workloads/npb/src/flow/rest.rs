// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The rest of a flow's equations at a point, without the forcing term.

use super::state::{CONDUCTION, DAMPING, DIFFUSION, Facts, State, VISCOSITY};

/// At a point inside.
pub fn at(solution: &[State], place: [usize; 3], side: usize, differences: (f64, f64)) -> State {
    let at = (place[2] * side + place[1]) * side + place[0];
    let here = Facts::of(&solution[at]);
    let mut rest = [0.0; 5];
    for axis in 0..3 {
        let stride = side.pow(axis as u32);
        let around = [at - stride, at + stride].map(|place| Facts::of(&solution[place]));
        add_along(axis, [&around[0], &here, &around[1]], differences, &mut rest);
        damp(solution, [at, stride, place[axis], side], &mut rest);
    }
    rest
}

/// Adds transport, diffusion and viscosity along an axis.
fn add_along(axis: usize, [below, here, above]: [&Facts; 3], (first, second): (f64, f64), rest: &mut State) {
    let [flux_below, flux_above] = [below.flux(axis), above.flux(axis)];
    let bend = |of: &dyn Fn(&Facts) -> f64| of(above) - 2.0 * of(here) + of(below);
    for m in 0..5 {
        rest[m] +=
            DIFFUSION[axis] * second * bend(&|it| it.state[m]) - first * (flux_above[m] - flux_below[m]);
    }
    let viscosity = VISCOSITY * second;
    for part in 0..3 {
        let factor = if part == axis { 4.0 / 3.0 } else { 1.0 };
        rest[1 + part] += factor * viscosity * bend(&|it| it.velocity[part]);
    }
    rest[4] += (1.0 - CONDUCTION) * viscosity * bend(&|it| it.motion)
        + viscosity / 6.0 * bend(&|it| it.velocity[axis].powi(2))
        + CONDUCTION * viscosity * bend(&|it| it.state[4] * it.volume);
}

/// The weights of a fourth difference, from two points below to two above. Beside the surface it lacks points.
pub fn weights(index: usize, side: usize) -> [f64; 5] {
    match index {
        1 => [0.0, 0.0, 5.0, -4.0, 1.0],
        2 => [0.0, -4.0, 6.0, -4.0, 1.0],
        _ if index == side - 2 => [1.0, -4.0, 5.0, 0.0, 0.0],
        _ if index == side - 3 => [1.0, -4.0, 6.0, -4.0, 0.0],
        _ => [1.0, -4.0, 6.0, -4.0, 1.0],
    }
}

fn damp(solution: &[State], [at, stride, index, side]: [usize; 4], rest: &mut State) {
    let weights = weights(index, side);
    for (number, weight) in weights.into_iter().enumerate().filter(|(_, weight)| *weight != 0.0) {
        let other = &solution[at + number * stride - 2 * stride];
        (0..5).for_each(|m| rest[m] -= DAMPING * weight * other[m]);
    }
}
