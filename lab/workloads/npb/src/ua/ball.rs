// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The ball of heat, and what must be added for it to stay as it is.

use std::f64::consts::PI;

/// Where the ball starts, along each axis; it moves by one in a unit of time.
const START: f64 = 0.35;

/// A ball whose heat is (1 - s)^4 where s is the square of the distance by the radius, and nothing outside.
#[derive(Clone, Copy, Debug)]
pub struct Ball {
    pub radius: f64,
    pub time: f64,
}

impl Ball {
    pub fn new(radius: f64) -> Ball {
        Ball { radius, time: 0.0 }
    }

    /// The heat at a point.
    pub fn at(&self, point: [f64; 3]) -> f64 {
        (1.0 - self.square(point)).max(0.0).powi(4)
    }

    /// The heat that spreads from there, but for the diffusivity: the negative of Laplace's operator.
    pub fn spreads(&self, point: [f64; 3]) -> f64 {
        let square = self.square(point);
        let rest = (1.0 - square).max(0.0);
        rest.powi(2) * (24.0 * rest - 48.0 * square) / self.radius.powi(2)
    }

    /// All of its heat.
    pub fn heat(&self) -> f64 {
        512.0 * PI / 3465.0 * self.radius.powi(3)
    }

    /// Whether a cube meets the ball's way for so long.
    pub fn meets(&self, corner: [f64; 3], edge: f64, ahead: f64) -> bool {
        let center = START + self.time + ahead / 2.0;
        let outside = |low: f64| (low - center).max(center - low - edge).max(0.0).powi(2);
        // Half of the way, which is a diagonal.
        let reach = self.radius + ahead / 2.0 * 3.0_f64.sqrt();
        corner.map(outside).iter().sum::<f64>() < reach.powi(2)
    }

    fn square(&self, point: [f64; 3]) -> f64 {
        let center = START + self.time;
        point.map(|coordinate| (coordinate - center).powi(2)).iter().sum::<f64>() / self.radius.powi(2)
    }
}
