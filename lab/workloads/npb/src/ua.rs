// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! UA, unstructured and adaptive: a ball of heat moves through a cube, and a mesh of spectral elements follows it.
//!
//! The problem is that of report NAS-04-006: heat is carried and spreads, elements have five points along each edge,
//! they are halved where the ball is and joined behind it, and two that touch differ by one halving at most. A step
//! carries heat by Runge and Kutta's method of fourth order, and spreads it by ten iterations of conjugate gradients.
//!
//! Three things differ, so NAS's values cannot verify it. NAS's ball gives heat off; ours is a ball of heat that would
//! stay as it is, as its source makes up for what spreads. So the answer is known in closed form. Points of a small
//! element at the side of a large one are interpolated from that one, where NAS has mortars. Sizes are our own.

mod ball;
mod element;
mod heat;
mod mesh;
mod nodes;
#[cfg(test)]
mod tests;

use ball::Ball;
use heat::Heat;

use crate::team::Team;
use crate::{Class, Verified, close};

/// Steps between two meshes.
const PER_MESH: usize = 5;
/// How far the ball gets in a step, in edges of the smallest elements, along each axis.
const PER_STEP: f64 = 0.05;

/// The numbers that differ between classes.
struct Size {
    /// Halvings of the cube's edge.
    levels: u32,
    radius: f64,
    steps: usize,
    /// The most that any point may be wrong, where the middle of the ball is 1.
    error: f64,
}

impl Size {
    fn of(class: Class) -> Size {
        let (levels, radius, steps, error) = match class {
            Class::S => (4, 0.15, 30, 1e-3),
            Class::W => (5, 0.15, 100, 1e-4),
            Class::A => (6, 0.12, 200, 1e-4),
            Class::B => (7, 0.1, 200, 1e-4),
            Class::C => (8, 0.08, 200, 1e-4),
        };
        Size { levels, radius, steps, error }
    }
}

/// Runs it.
pub fn run(class: Class, team: Team) -> Verified {
    let size = Size::of(class);
    let heat = simulate(&size, team);
    let (value, expected) = (heat.total(), heat.ball.heat());
    Verified { value, right: close(value, expected, size.error) && heat.error() <= size.error }
}

fn simulate(size: &Size, team: Team) -> Heat {
    let edge = 0.5_f64.powi(size.levels as i32);
    let mut heat = Heat::new(Ball::new(size.radius), size.levels, PER_STEP * edge, team);
    for step in 0..size.steps {
        if step > 0 && step % PER_MESH == 0 {
            heat.adapt(PER_STEP * edge * PER_MESH as f64);
        }
        heat.advance();
    }
    heat
}
