// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Blocks of five by five: how a flow's equations change with the state of a point, and their solution.

use super::state::{CONDUCTION, DIFFUSION, Facts, HEAT_RATIO, PRESSURE, State, VISCOSITY};

/// A block by rows.
pub type Block = [State; 5];

/// The derivative of [`Facts::flux`].
fn of_flux(facts: &Facts, axis: usize) -> Block {
    let Facts { velocity, volume, motion, state } = *facts;
    let (speed, energy) = (velocity[axis], HEAT_RATIO * state[4] * volume);
    let mut block = [[0.0; 5]; 5];
    block[0][1 + axis] = 1.0;
    for row in 0..3 {
        block[1 + row][0] = -velocity[row] * speed;
        block[1 + row][1 + row] += speed;
        block[1 + row][1 + axis] += velocity[row];
        block[1 + axis][1 + row] -= PRESSURE * velocity[row];
        block[4][1 + row] = -PRESSURE * velocity[row] * speed;
    }
    block[1 + axis][0] += PRESSURE * motion;
    block[1 + axis][4] = PRESSURE;
    block[4][0] = (2.0 * PRESSURE * motion - energy) * speed;
    block[4][1 + axis] += energy - PRESSURE * motion;
    block[4][4] = HEAT_RATIO * speed;
    block
}

/// The derivative of what diffuses along an axis.
fn of_diffusion(facts: &Facts, axis: usize) -> Block {
    let Facts { velocity, volume, state, .. } = *facts;
    let mut block = [[0.0; 5]; 5];
    block[4][0] = -CONDUCTION * VISCOSITY * state[4] * volume * volume;
    block[4][4] = CONDUCTION * VISCOSITY * volume;
    for part in 0..3 {
        let viscosity = VISCOSITY * if part == axis { 4.0 / 3.0 } else { 1.0 };
        let heat = viscosity - CONDUCTION * VISCOSITY;
        block[1 + part][0] = -viscosity * velocity[part] * volume;
        block[1 + part][1 + part] = viscosity * volume;
        block[4][0] -= heat * velocity[part].powi(2) * volume;
        block[4][1 + part] = heat * velocity[part] * volume;
    }
    (0..5).for_each(|m| block[m][m] += DIFFUSION[axis]);
    block
}

/// The side of a point on which its neighbour lies.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// At the lower index.
    Below,
    /// At the higher.
    Above,
}

/// How the equations of a point depend on a neighbour, for a step in time by these factors of differences.
pub fn coupling(neighbour: &Facts, axis: usize, side: Side, (first, second): (f64, f64)) -> Block {
    let (flux, diffusion) = (of_flux(neighbour, axis), of_diffusion(neighbour, axis));
    let first = if side == Side::Above { first } else { -first };
    combined(|row, column| first * flux[row][column] - second * diffusion[row][column])
}

/// How the equations of a point depend on itself along these axes, for a step in time.
pub fn own(here: &Facts, axes: &[usize], (_, second): (f64, f64)) -> Block {
    let mut block = combined(|row, column| if row == column { 1.0 } else { 0.0 });
    for diffusion in axes.iter().map(|axis| of_diffusion(here, *axis)) {
        block = combined(|row, column| block[row][column] + 2.0 * second * diffusion[row][column]);
    }
    block
}

fn combined(cell: impl Fn(usize, usize) -> f64) -> Block {
    std::array::from_fn(|row| std::array::from_fn(|column| cell(row, column)))
}

/// A block times a state.
pub fn times(block: &Block, state: &State) -> State {
    block.map(|row| row.iter().zip(state).map(|(a, b)| a * b).sum())
}

/// Sets `to` to itself less the product of two blocks.
pub fn subtract_product(to: &mut Block, left: &Block, right: &Block) {
    for (row, left) in to.iter_mut().zip(left) {
        for (factor, right) in left.iter().zip(right) {
            row.iter_mut().zip(right).for_each(|(cell, right)| *cell -= factor * right);
        }
    }
}

/// Replaces each column of `right` by the solution of its equations. The diagonal is large enough for all steps.
pub fn solve<const N: usize>(mut block: Block, right: &mut [[f64; N]; 5]) {
    for step in 0..5 {
        let factor = 1.0 / block[step][step];
        block[step].iter_mut().chain(&mut right[step]).for_each(|cell| *cell *= factor);
        let (row, column) = (block[step], right[step]);
        for other in (0..5).filter(|other| *other != step) {
            let factor = block[other][step];
            let cells = block[other].iter_mut().chain(&mut right[other]);
            cells.zip(row.iter().chain(&column)).for_each(|(cell, from)| *cell -= factor * from);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STATE: State = [2.0, 0.5, -0.7, 0.3, 5.0];

    /// By a small change of each part of the state.
    fn numerical(of: impl Fn(&Facts) -> State) -> Block {
        let changed = |column: usize, by: f64| {
            let mut state = STATE;
            state[column] += by;
            of(&Facts::of(&state))
        };
        combined(|row, column| (changed(column, 1e-6)[row] - changed(column, -1e-6)[row]) / 2e-6)
    }

    fn assert_close(found: Block, expected: Block) {
        let pairs = found.iter().flatten().zip(expected.iter().flatten());
        assert!(pairs.clone().all(|(a, b)| (a - b).abs() < 1e-7), "{found:?} is not {expected:?}");
    }

    #[test]
    fn blocks_are_derivatives() {
        for axis in 0..3 {
            assert_close(of_flux(&Facts::of(&STATE), axis), numerical(|it| it.flux(axis)));
        }
    }

    #[test]
    fn a_solution_solves() {
        let block = own(&Facts::of(&STATE), &[0, 1, 2], (0.0, 0.1));
        let right = [1.0, 2.0, 3.0, 4.0, 5.0];
        let mut solution = right.map(|cell| [cell]);
        solve(block, &mut solution);
        let back = times(&block, &solution.map(|[cell]| cell));
        assert!(back.iter().zip(right).all(|(a, b)| (a - b).abs() < 1e-12), "{back:?}");
    }
}
