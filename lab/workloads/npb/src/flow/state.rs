// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The state of the flow at a point, and what follows from it.

/// Density, momentum along x, y and z, and energy, each by volume.
pub type State = [f64; 5];

/// The ratio of specific heats, and that less 1.
pub const HEAT_RATIO: f64 = 1.4;
pub const PRESSURE: f64 = 0.4;
/// The factors of viscosity, and of the conduction of heat by that of viscosity.
pub const VISCOSITY: f64 = 0.1;
pub const CONDUCTION: f64 = 1.96;
/// The factor of diffusion along x, y and z.
pub const DIFFUSION: [f64; 3] = [0.75, 0.75, 1.0];
/// The factor of the fourth differences that damp oscillations: a quarter of the largest factor of diffusion.
pub const DAMPING: f64 = 0.25;

/// Quantities that follow from a state.
#[derive(Clone, Copy)]
pub struct Facts {
    /// Of which the facts are.
    pub state: State,
    /// Along each axis.
    pub velocity: [f64; 3],
    /// The volume of a unit of mass.
    pub volume: f64,
    /// The energy of motion of a unit of mass.
    pub motion: f64,
}

impl Facts {
    /// Of a state.
    pub fn of(state: &State) -> Facts {
        let [density, x, y, z, _] = *state;
        let volume = 1.0 / density;
        let motion = 0.5 * (x * x + y * y + z * z) * volume * volume;
        Facts { state: *state, velocity: [x * volume, y * volume, z * volume], volume, motion }
    }

    /// The pressure.
    pub fn pressure(&self) -> f64 {
        PRESSURE * (self.state[4] - self.motion * self.state[0])
    }

    /// The speed of sound.
    pub fn sound(&self) -> f64 {
        (HEAT_RATIO * self.pressure() * self.volume).sqrt()
    }

    /// The flow of each part of the state along an axis.
    pub fn flux(&self, axis: usize) -> State {
        let speed = self.velocity[axis];
        let mut flux = self.state.map(|part| part * speed);
        flux[1 + axis] += self.pressure();
        flux[4] += self.pressure() * speed;
        flux
    }
}
