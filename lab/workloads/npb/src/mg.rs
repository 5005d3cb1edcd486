// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! MG, multigrid: V-cycles for the Poisson equation on a periodic cube.

mod grid;

use grid::Grid;

use crate::random::{Random, SEED};
use crate::team::Team;
use crate::{Class, Verified, close};

/// The negative of the operator A, which residuals add.
const MINUS_A: [f64; 4] = [8.0 / 3.0, 0.0, -1.0 / 6.0, -1.0 / 12.0];
/// The smoother of small classes, and that of large ones.
const SMALL: [f64; 4] = [-3.0 / 8.0, 1.0 / 32.0, -1.0 / 64.0, 0.0];
const LARGE: [f64; 4] = [-3.0 / 17.0, 1.0 / 33.0, -1.0 / 61.0, 0.0];
/// Points with a charge of each sign.
const CHARGES: usize = 10;

/// Logarithm of the cube's side, iterations, smoother, and the norm in the end.
fn published(class: Class) -> (u32, usize, [f64; 4], f64) {
    match class {
        Class::S => (5, 4, SMALL, 0.530_770_700_573_4e-4),
        Class::W => (7, 4, SMALL, 0.646_732_937_533_9e-5),
        Class::A => (8, 4, SMALL, 0.243_336_530_906_9e-5),
        Class::B => (8, 20, LARGE, 0.180_056_440_135_5e-5),
        Class::C => (9, 20, LARGE, 0.570_673_228_574_0e-6),
    }
}

/// Runs it.
pub fn run(class: Class, team: Team) -> Verified {
    let (log_side, iterations, smoother, expected) = published(class);
    let charges = charges(1 << log_side);
    let mut levels = Levels::new(log_side, smoother, team);
    levels.rest_from(&charges);
    for _ in 0..iterations {
        levels.cycle(&charges);
        levels.rest_from(&charges);
    }
    let norm = levels.rests.last().map_or(f64::NAN, Grid::norm);
    Verified { value: norm, right: close(norm, expected, 1e-8) }
}

/// Grids from the coarsest, of two points a side, to the finest.
struct Levels {
    solutions: Vec<Grid>,
    rests: Vec<Grid>,
    smoother: [f64; 4],
    team: Team,
}

impl Levels {
    fn new(log_side: u32, smoother: [f64; 4], team: Team) -> Levels {
        let grids = || (1..=log_side).map(|log| Grid::new(1 << log)).collect();
        Levels { solutions: grids(), rests: grids(), smoother, team }
    }

    /// On the finest grid, what the solution leaves of the charges.
    fn rest_from(&mut self, charges: &Grid) {
        let finest = self.rests.len() - 1;
        self.rests[finest].copy(charges);
        self.subtract(finest);
    }

    fn subtract(&mut self, level: usize) {
        self.rests[level].add(&self.solutions[level], MINUS_A, self.team);
    }

    /// One V-cycle.
    fn cycle(&mut self, charges: &Grid) {
        let finest = self.rests.len() - 1;
        for level in (0..finest).rev() {
            let (coarse, fine) = self.rests.split_at_mut(level + 1);
            coarse[level].restrict(&fine[0], self.team);
        }
        self.solutions[0].clear();
        self.smooth(0);
        for level in 1..=finest {
            self.refine(level, level < finest);
            if level == finest {
                self.rest_from(charges);
            } else {
                self.subtract(level);
            }
            self.smooth(level);
        }
    }

    fn refine(&mut self, level: usize, anew: bool) {
        let (coarse, fine) = self.solutions.split_at_mut(level);
        if anew {
            fine[0].clear();
        }
        fine[0].interpolate(&coarse[level - 1], self.team);
    }

    fn smooth(&mut self, level: usize) {
        self.solutions[level].add(&self.rests[level], self.smoother, self.team);
    }
}

/// A grid that is 1 where the largest random numbers fall, -1 where the smallest do, and 0 elsewhere.
fn charges(side: usize) -> Grid {
    let mut random = Random::new(SEED);
    let (mut least, mut most) = (Extremes::default(), Extremes::default());
    for place in 0..side.pow(3) {
        let number = random.uniform();
        least.offer(-number, place);
        most.offer(number, place);
    }
    let mut grid = Grid::new(side);
    least.0.iter().for_each(|&(_, place)| grid.set(place, -1.0));
    most.0.iter().for_each(|&(_, place)| grid.set(place, 1.0));
    grid.wrap();
    grid
}

/// The largest numbers so far with their places, the largest first.
#[derive(Default)]
struct Extremes(Vec<(f64, usize)>);

impl Extremes {
    fn offer(&mut self, number: f64, place: usize) {
        if self.0.len() == CHARGES && number <= self.0[CHARGES - 1].0 {
            return;
        }
        let at = self.0.partition_point(|&(other, _)| other > number);
        self.0.insert(at, (number, place));
        self.0.truncate(CHARGES);
    }
}
