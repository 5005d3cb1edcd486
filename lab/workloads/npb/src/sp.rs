// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! SP, scalar pentadiagonal: as BT, but in terms of waves along an axis, which do not depend on each other.

mod published;

use published::published;

use std::f64::consts::FRAC_1_SQRT_2;
use std::ops::Range;

use crate::flow::state::{CONDUCTION, DAMPING, DIFFUSION, Facts, PRESSURE, State, VISCOSITY};
use crate::flow::{Flow, Solve, weights};
use crate::team::Team;
use crate::{Class, Verified};

/// Runs it.
pub fn run(class: Class, team: Team) -> Verified {
    let published = published(class);
    let mut flow = Flow::new(published.side, team);
    let (first, second) = flow.differences();
    let step = published.step;
    for _ in 0..published.steps {
        flow.find_rest(step);
        for axis in 0..3 {
            flow.sweep(axis, || Waves {
                axis,
                step,
                first,
                second,
                facts: vec![],
                rows: vec![],
                copy: vec![],
            });
        }
        flow.add_rest(1.0);
    }
    flow.find_rest(1.0);
    published.verify(&flow)
}

/// Systems of a line, and room for them.
struct Waves {
    axis: usize,
    /// In time.
    step: f64,
    /// Factors of differences.
    first: f64,
    second: f64,
    facts: Vec<Facts>,
    rows: Vec<[f64; 5]>,
    copy: Vec<[f64; 5]>,
}

impl Solve for Waves {
    fn solve(&mut self, solution: &[State], rest: &mut [State]) {
        self.facts.clear();
        self.facts.extend(solution.iter().map(Facts::of));
        let inside = 1..rest.len() - 1;
        if self.axis == 0 {
            inside.clone().for_each(|index| rest[index] = to_waves(&self.facts[index], rest[index]));
        }
        // Three waves go with the flow, one is faster by the speed of sound, one slower.
        for (parts, sound) in [(0..3, 0.0), (3..4, 1.0), (4..5, -1.0)] {
            self.set_rows(sound);
            eliminate(&mut self.rows, rest, parts);
        }
        for index in inside {
            rest[index] = match self.axis {
                0 => from_x_to_y(rest[index]),
                1 => from_y_to_z(rest[index]),
                _ => from_waves(&self.facts[index], rest[index]),
            };
        }
    }
}

impl Waves {
    /// The rows of waves that are faster than the flow by so many times the speed of sound.
    fn set_rows(&mut self, sound: f64) {
        let side = self.facts.len();
        let speed = |it: &Facts| it.velocity[self.axis] + if sound == 0.0 { 0.0 } else { sound * it.sound() };
        let diffusion = |it: &Facts| DIFFUSION[self.axis] + CONDUCTION * VISCOSITY * it.volume;
        let (first, second) = (self.step * self.first, self.step * self.second);
        self.copy.clear();
        self.copy.resize(side, [0.0, 0.0, 1.0, 0.0, 0.0]);
        for index in 1..side - 1 {
            let [below, here, above] = [index - 1, index, index + 1].map(|index| &self.facts[index]);
            let damping = weights(index, side).map(|weight| self.step * DAMPING * weight);
            let row = [
                0.0,
                -first * speed(below) - second * diffusion(below),
                1.0 + 2.0 * second * diffusion(here),
                first * speed(above) - second * diffusion(above),
                0.0,
            ];
            self.copy[index] = std::array::from_fn(|column| row[column] + damping[column]);
        }
        std::mem::swap(&mut self.rows, &mut self.copy);
    }
}

/// Solves the systems of these parts, without pivots.
fn eliminate(rows: &mut [[f64; 5]], rest: &mut [State], parts: Range<usize>) {
    let len = rows.len();
    for index in 0..len {
        let factor = 1.0 / rows[index][2];
        (rows[index][3], rows[index][4]) = (rows[index][3] * factor, rows[index][4] * factor);
        parts.clone().for_each(|m| rest[index][m] *= factor);
        let [_, _, _, next, after] = rows[index];
        for below in 1..=2.min(len - 1 - index) {
            let row = &mut rows[index + below];
            let factor = row[2 - below];
            row[3 - below] -= factor * next;
            row[4 - below] -= factor * after;
            parts.clone().for_each(|m| rest[index + below][m] -= factor * rest[index][m]);
        }
    }
    for index in (0..len).rev() {
        for above in 1..=2.min(len - 1 - index) {
            let factor = rows[index][2 + above];
            parts.clone().for_each(|m| rest[index][m] -= factor * rest[index + above][m]);
        }
    }
}

/// From changes of a state to waves along x.
fn to_waves(facts: &Facts, rest: State) -> State {
    let Facts { velocity: [u, v, w], volume, motion, .. } = *facts;
    let sound = facts.sound();
    let [a, b, c, d, e] = rest;
    let pressure = PRESSURE / (sound * sound) * (motion * a - u * b - v * c - w * d + e);
    let along = FRAC_1_SQRT_2 * volume * (u * a - b);
    let both = FRAC_1_SQRT_2 * volume * sound * pressure;
    [a - pressure, -volume * (w * a - d), volume * (v * a - c), both - along, both + along]
}

fn from_x_to_y([a, b, c, d, e]: State) -> State {
    let (one, other) = (FRAC_1_SQRT_2 * c, 0.5 * (d + e));
    [-b, a, FRAC_1_SQRT_2 * (d - e), other - one, other + one]
}

fn from_y_to_z([a, b, c, d, e]: State) -> State {
    let (one, other) = (FRAC_1_SQRT_2 * a, 0.5 * (d + e));
    [FRAC_1_SQRT_2 * (d - e), -c, b, other - one, other + one]
}

/// From waves along z back to changes of a state.
fn from_waves(facts: &Facts, [a, b, c, d, e]: State) -> State {
    let Facts { velocity: [u, v, w], motion, state: [density, ..], .. } = *facts;
    let sound = facts.sound();
    let pressure = FRAC_1_SQRT_2 * density / sound * (d + e);
    let along = FRAC_1_SQRT_2 * density * (d - e);
    let mass = c + pressure;
    let energy = density * (v * a - u * b) + motion * mass + sound * sound * pressure / PRESSURE + w * along;
    [mass, u * mass - density * b, v * mass + density * a, w * mass + along, energy]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_diagonals_are_solved() {
        let mut rows = vec![[0.1, -0.2, 2.0, 0.3, 0.05]; 9];
        let expected: Vec<State> = (0..9).map(|index| [f64::from(index); 5]).collect();
        let known =
            |index: usize, column: usize| (index + column).checked_sub(2).and_then(|it| expected.get(it));
        let product = |index: usize| -> f64 {
            (0..5).filter_map(|column| Some(rows[index][column] * known(index, column)?[0])).sum()
        };
        let mut rest: Vec<State> = (0..9).map(|index| [product(index); 5]).collect();
        eliminate(&mut rows, &mut rest, 0..5);
        assert!(rest.iter().zip(&expected).all(|(a, b)| (a[4] - b[4]).abs() < 1e-12), "{rest:?}");
    }
}
