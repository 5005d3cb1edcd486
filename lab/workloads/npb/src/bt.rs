// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! BT, block tridiagonal: each step in time solves systems of five by five blocks along x, y and z.

mod published;

use published::published;

use crate::flow::block::{Block, Side, coupling, own, solve, subtract_product, times};
use crate::flow::state::{Facts, State};
use crate::flow::{Flow, Solve};
use crate::team::Team;
use crate::{Class, Verified};

/// Runs it.
pub fn run(class: Class, team: Team) -> Verified {
    let published = published(class);
    let mut flow = Flow::new(published.side, team);
    let (first, second) = flow.differences();
    let differences = (published.step * first, published.step * second);
    for _ in 0..published.steps {
        flow.find_rest(published.step);
        (0..3)
            .for_each(|axis| flow.sweep(axis, || Blocks { axis, differences, facts: vec![], above: vec![] }));
        flow.add_rest(1.0);
    }
    flow.find_rest(1.0);
    published.verify(&flow)
}

/// A line's system, and room for it.
struct Blocks {
    axis: usize,
    /// Factors for a step in time.
    differences: (f64, f64),
    facts: Vec<Facts>,
    /// Of each point the block of the next, once that below is eliminated.
    above: Vec<Block>,
}

impl Solve for Blocks {
    fn solve(&mut self, solution: &[State], rest: &mut [State]) {
        self.facts.clear();
        self.facts.extend(solution.iter().map(Facts::of));
        self.above.clear();
        self.above.push([[0.0; 5]; 5]);
        let last = rest.len() - 1;
        (1..last).for_each(|index| self.eliminate(index, rest));
        for index in (1..last).rev() {
            let known = times(&self.above[index], &rest[index + 1]);
            (0..5).for_each(|m| rest[index][m] -= known[m]);
        }
    }
}

impl Blocks {
    fn eliminate(&mut self, index: usize, rest: &mut [State]) {
        let Blocks { axis, differences, .. } = *self;
        let below = coupling(&self.facts[index - 1], axis, Side::Below, differences);
        let above = coupling(&self.facts[index + 1], axis, Side::Above, differences);
        let mut here = own(&self.facts[index], &[axis], differences);
        subtract_product(&mut here, &below, &self.above[index - 1]);
        let known = times(&below, &rest[index - 1]);
        let mut right: [[f64; 6]; 5] = std::array::from_fn(|row| {
            let value = rest[index][row] - known[row];
            std::array::from_fn(|column| if column < 5 { above[row][column] } else { value })
        });
        solve(here, &mut right);
        self.above.push(right.map(|row| std::array::from_fn(|column| row[column])));
        rest[index] = right.map(|row| row[5]);
    }
}
