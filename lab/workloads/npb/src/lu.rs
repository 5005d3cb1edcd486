// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! LU, lower and upper: each step in time is one of symmetric successive over-relaxation.
//!
//! Each point waits for its neighbours, so one thread does the sweeps; a step's other half is for all.

mod published;

use published::published;

use crate::flow::Flow;
use crate::flow::block::{Side, coupling, own, solve, times};
use crate::flow::state::{Facts, State};
use crate::team::Team;
use crate::{Class, Verified, close};

/// The factor of over-relaxation.
const OMEGA: f64 = 1.2;

/// Runs it.
pub fn run(class: Class, team: Team) -> Verified {
    let (published, integral) = published(class);
    let mut flow = Flow::new(published.side, team);
    let (first, second) = flow.differences();
    let differences = (published.step * first, published.step * second);
    for _ in 0..published.steps {
        flow.find_rest(published.step);
        sweep(&mut flow, Side::Below, differences);
        sweep(&mut flow, Side::Above, differences);
        flow.add_rest(1.0 / (OMEGA * (2.0 - OMEGA)));
    }
    flow.find_rest(1.0);
    let Verified { value, right } = published.verify(&flow);
    Verified { value, right: right && close(surface(&flow), integral, 1e-8) }
}

/// Solves for each point, with what its neighbours on one side have become.
fn sweep(flow: &mut Flow, neighbours: Side, differences: (f64, f64)) {
    let side = flow.side;
    let inside = || 1..side - 1;
    let points =
        inside().flat_map(|z| inside().flat_map(move |y| inside().map(move |x| (z * side + y) * side + x)));
    match neighbours {
        Side::Below => points.for_each(|at| relax(flow, at, neighbours, differences)),
        Side::Above => {
            let all: Vec<usize> = points.collect();
            all.into_iter().rev().for_each(|at| relax(flow, at, neighbours, differences));
        }
    }
}

fn relax(flow: &mut Flow, at: usize, neighbours: Side, differences: (f64, f64)) {
    let mut known: State = [0.0; 5];
    for axis in 0..3 {
        let stride = flow.side.pow(axis as u32);
        let neighbour = if neighbours == Side::Below { at - stride } else { at + stride };
        let block = coupling(&Facts::of(&flow.solution[neighbour]), axis, neighbours, differences);
        let part = times(&block, &flow.rest[neighbour]);
        (0..5).for_each(|m| known[m] += OMEGA * part[m]);
    }
    let block = own(&Facts::of(&flow.solution[at]), &[0, 1, 2], differences);
    let rest = &mut flow.rest[at];
    let mut right: [[f64; 1]; 5] = match neighbours {
        Side::Below => std::array::from_fn(|m| [rest[m] - known[m]]),
        Side::Above => known.map(|part| [part]),
    };
    solve(block, &mut right);
    match neighbours {
        Side::Below => *rest = right.map(|[part]| part),
        Side::Above => (0..5).for_each(|m| rest[m] -= right[m][0]),
    }
}

/// The integral of pressure over the surface of a box inside.
fn surface(flow: &Flow) -> f64 {
    let side = flow.side;
    let (low, high) = ([1, 1, 2], [side - 2, side - 3, side - 2]);
    let pressure = |[x, y, z]: [usize; 3]| Facts::of(&flow.solution[(z * side + y) * side + x]).pressure();
    let mut sum = 0.0;
    for (axis, [one, other]) in [[1, 2], [0, 2], [0, 1]].into_iter().enumerate() {
        for end in [low[axis], high[axis]] {
            for b in low[other]..high[other] {
                for a in low[one]..high[one] {
                    let corners = [(a, b), (a + 1, b), (a, b + 1), (a + 1, b + 1)];
                    sum += corners
                        .map(|(a, b)| pressure(at(axis, end, [(one, a), (other, b)])))
                        .iter()
                        .sum::<f64>();
                }
            }
        }
    }
    0.25 * sum / (side as f64 - 1.0).powi(2)
}

fn at(axis: usize, index: usize, others: [(usize, usize); 2]) -> [usize; 3] {
    let mut place = [0; 3];
    place[axis] = index;
    others.into_iter().for_each(|(axis, index)| place[axis] = index);
    place
}
