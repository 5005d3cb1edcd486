// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Flow in a cube, which BT, SP and LU compute by three methods: compressible Navier-Stokes equations with a forcing
//! term, for which a polynomial is the steady solution.
//!
//! Arrays are `[z][y][x]`. Values on the surface stay as the polynomial gives them.

pub mod block;
mod exact;
pub mod published;
mod rest;
pub mod state;

pub use rest::weights;

use std::iter;

use crate::team::Team;
use state::State;

/// The flow, and what its equations leave.
pub struct Flow {
    /// Points along each axis.
    pub side: usize,
    /// At each point.
    pub solution: Vec<State>,
    /// The rest that the solution leaves of its equations at each point; 0 on the surface.
    pub rest: Vec<State>,
    forcing: Vec<State>,
    team: Team,
}

impl Flow {
    /// The flow in the beginning: a blend of the surface.
    pub fn new(side: usize, team: Team) -> Flow {
        let zeros = || vec![[0.0; 5]; side.pow(3)];
        let fill = |of: fn([f64; 3]) -> State| points(side).map(|place| of(share(place, side))).collect();
        let mut flow = Flow { side, solution: fill(exact::solution), rest: zeros(), forcing: zeros(), team };
        flow.find_rest(-1.0);
        std::mem::swap(&mut flow.rest, &mut flow.forcing);
        flow.solution = fill(exact::blend);
        flow
    }

    /// The factors of first and of second differences, for points that are so far apart.
    pub fn differences(&self) -> (f64, f64) {
        let distance = 1.0 / (self.side as f64 - 1.0);
        (0.5 / distance, 1.0 / (distance * distance))
    }

    /// Sets `rest` to so many times what the solution leaves.
    pub fn find_rest(&mut self, factor: f64) {
        let (side, differences, solution) = (self.side, self.differences(), &self.solution);
        let (plane, forcing) = (side * side, &self.forcing);
        self.team.chunks(&mut self.rest, plane, |z, rest| {
            for (x, y) in inside(side).filter(|_| is_inside(z, side)) {
                let at = (z * side + y) * side + x;
                let left = rest::at(solution, [x, y, z], side, differences);
                rest[y * side + x] = std::array::from_fn(|m| factor * (forcing[at][m] + left[m]));
            }
        });
    }

    /// Replaces `rest` along each line of an axis by what `solve` makes of the line's solution and rest.
    pub fn sweep<S: Solve>(&mut self, axis: usize, solver: impl Fn() -> S + Sync) {
        if axis == 2 {
            return self.sweep_z(solver);
        }
        let (side, solution) = (self.side, &self.solution);
        let [along, across] = if axis == 0 { [1, side] } else { [side, 1] };
        self.team.chunks(&mut self.rest, side * side, |z, rest| {
            let (mut line, mut solver) = (Line::new(side), solver());
            for number in (1..side - 1).filter(|_| is_inside(z, side)) {
                let places = || (0..side).map(|index| number * across + index * along);
                line.solution.extend(places().map(|place| solution[z * side * side + place]));
                line.rest.extend(places().map(|place| rest[place]));
                solver.solve(&line.solution, &mut line.rest);
                places().zip(line.take()).for_each(|(place, value)| rest[place] = value);
            }
        });
    }

    /// Lines along z go through all planes, so threads write them to an array `[y][z][x]`.
    fn sweep_z<S: Solve>(&mut self, solver: impl Fn() -> S + Sync) {
        let (side, plane) = (self.side, self.side * self.side);
        let (solution, rest) = (&self.solution, &self.rest);
        let mut turned = vec![[0.0; 5]; side.pow(3)];
        self.team.chunks(&mut turned, plane, |y, turned| {
            let (mut line, mut solver) = (Line::new(side), solver());
            for x in (1..side - 1).filter(|_| is_inside(y, side)) {
                let places = || (0..side).map(|z| z * plane + y * side + x);
                line.solution.extend(places().map(|place| solution[place]));
                line.rest.extend(places().map(|place| rest[place]));
                solver.solve(&line.solution, &mut line.rest);
                line.take().enumerate().for_each(|(z, value)| turned[z * side + x] = value);
            }
        });
        self.team.chunks(&mut self.rest, plane, |z, rest| {
            for (y, row) in rest.chunks_exact_mut(side).enumerate() {
                row.copy_from_slice(&turned[(y * side + z) * side..][..side]);
            }
        });
    }

    /// Adds so many times `rest` to the solution.
    pub fn add_rest(&mut self, factor: f64) {
        let (plane, rest) = (self.side * self.side, &self.rest);
        self.team.chunks(&mut self.solution, plane, |z, solution| {
            let cells = solution.iter_mut().zip(&rest[z * plane..]);
            cells.for_each(|(cell, rest)| {
                iter::zip(cell, rest).for_each(|(cell, rest)| *cell += factor * rest)
            });
        });
    }

    /// Of `rest`, and of the solution's difference from the polynomial.
    pub fn norms(&self) -> (State, State) {
        let exact = points(self.side).map(|place| exact::solution(share(place, self.side)));
        let errors = self.solution.iter().zip(exact).map(|(a, b)| std::array::from_fn(|m| a[m] - b[m]));
        (self.norm(self.rest.iter().copied()), self.norm(errors))
    }

    /// For each part of a state the root of the mean square over all points inside.
    fn norm(&self, states: impl Iterator<Item = State>) -> State {
        let add = |sum: State, state: State| std::array::from_fn(|m| sum[m] + state[m] * state[m]);
        let inside = (self.side - 2).pow(3) as f64;
        states.fold([0.0; 5], add).map(|sum| (sum / inside).sqrt())
    }
}

/// Solves the equations of a line.
pub trait Solve {
    /// Replaces `rest` by the solution of a system that depends on the flow along the line.
    fn solve(&mut self, solution: &[State], rest: &mut [State]);
}

/// Points on a line.
struct Line {
    solution: Vec<State>,
    rest: Vec<State>,
}

impl Line {
    fn new(side: usize) -> Line {
        Line { solution: Vec::with_capacity(side), rest: Vec::with_capacity(side) }
    }

    /// The rest; the line is empty then.
    fn take(&mut self) -> impl Iterator<Item = State> + '_ {
        self.solution.clear();
        self.rest.drain(..)
    }
}

/// All points, x fastest.
fn points(side: usize) -> impl Iterator<Item = [usize; 3]> {
    (0..side.pow(3)).map(move |at| [at % side, at / side % side, at / side / side])
}

/// Points of a plane that may be inside.
fn inside(side: usize) -> impl Iterator<Item = (usize, usize)> {
    (1..side - 1).flat_map(move |y| (1..side - 1).map(move |x| (x, y)))
}

fn is_inside(index: usize, side: usize) -> bool {
    (1..side - 1).contains(&index)
}

/// A point's place, from 0 to 1 along each axis.
fn share(place: [usize; 3], side: usize) -> [f64; 3] {
    place.map(|index| index as f64 / (side - 1) as f64)
}
