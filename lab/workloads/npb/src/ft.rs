// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! FT, Fourier transform: heat that spreads in a periodic box, by three-dimensional FFTs.
//!
//! The box in space is an array `[z][y][x]`, its spectrum one `[y][z][x]`. So each pass reads one array by chunks, and
//! threads write chunks of their own.

mod fft;
mod published;

use std::f64::consts::PI;

use fft::{Complex, Fft, LANES, Lines};
use published::published;

use crate::random::{Random, SEED};
use crate::team::Team;
use crate::{Class, Verified, close};

const DIFFUSIVITY: f64 = 1e-6;
/// Points that a checksum adds.
const POINTS: usize = 1024;

/// The number of points along each axis.
#[derive(Clone, Copy, Debug)]
struct Sides {
    x: usize,
    y: usize,
    z: usize,
}

impl Sides {
    fn of(class: Class) -> Sides {
        let [x, y, z] = match class {
            Class::S => [64, 64, 64],
            Class::W => [128, 128, 32],
            Class::A => [256, 256, 128],
            Class::B => [512, 256, 256],
            Class::C => [512, 512, 512],
        };
        Sides { x, y, z }
    }

    fn points(self) -> usize {
        self.x * self.y * self.z
    }
}

/// Runs it.
pub fn run(class: Class, team: Team) -> Verified {
    let sides = Sides::of(class);
    let spectrum = spectrum(sides, team);
    let mut later = vec![Complex::default(); sides.points()];
    let (mut right, mut value) = (true, 0.0);
    for (step, expected) in published(class).iter().enumerate() {
        evolve(&spectrum, &mut later, sides, step + 1, team);
        let sum = checksum(&later, sides, team);
        right &= close(sum.re, expected.0, 1e-12) && close(sum.im, expected.1, 1e-12);
        value = sum.re;
    }
    Verified { value, right }
}

/// The spectrum of random numbers.
fn spectrum(sides: Sides, team: Team) -> Vec<Complex> {
    let plane = sides.x * sides.y;
    let mut space = vec![Complex::default(); sides.points()];
    team.chunks(&mut space, plane, |z, plane_of| {
        let mut random = Random::new(SEED).skip(2 * (z * plane) as u64);
        for point in plane_of.iter_mut() {
            *point = Complex { re: random.uniform(), im: random.uniform() };
        }
        transform_plane(plane_of, sides, 1.0);
    });
    let mut spectrum = vec![Complex::default(); sides.points()];
    team.chunks(&mut spectrum, sides.z * sides.x, |y, slice| {
        for (z, row) in slice.chunks_exact_mut(sides.x).enumerate() {
            row.copy_from_slice(&space[(z * sides.y + y) * sides.x..][..sides.x]);
        }
        transform_columns(slice, sides.x, sides.z, 1.0);
    });
    spectrum
}

/// Transforms a plane `[y][x]` along both of its axes.
fn transform_plane(plane: &mut [Complex], sides: Sides, sign: f64) {
    let mut fft = Fft::new(sides.x, sign);
    for rows in plane.chunks_exact_mut(LANES * sides.x) {
        fft.run(rows, Lines { first: 0, step: 1, apart: sides.x });
    }
    transform_columns(plane, sides.x, sides.y, sign);
}

/// Transforms an array of `rows` rows along its columns.
fn transform_columns(array: &mut [Complex], width: usize, rows: usize, sign: f64) {
    let mut fft = Fft::new(rows, sign);
    for first in (0..width).step_by(LANES) {
        fft.run(array, Lines { first, step: width, apart: 1 });
    }
}

/// Sets `later` to the spectrum after so many steps, transformed back along z.
fn evolve(spectrum: &[Complex], later: &mut [Complex], sides: Sides, steps: usize, team: Team) {
    let [x_fades, y_fades, z_fades] = [sides.x, sides.y, sides.z].map(|side| fades(side, steps));
    let slice_len = sides.z * sides.x;
    team.chunks(later, slice_len, |y, slice| {
        slice.copy_from_slice(&spectrum[y * slice_len..][..slice_len]);
        for (row, z_fade) in slice.chunks_exact_mut(sides.x).zip(&z_fades) {
            for (point, x_fade) in row.iter_mut().zip(&x_fades) {
                *point = point.times(y_fades[y] * z_fade * x_fade);
            }
        }
        transform_columns(slice, sides.x, sides.z, -1.0);
    });
}

/// The factor of each frequency of an axis.
fn fades(side: usize, steps: usize) -> Vec<f64> {
    let frequency = |index: usize| if index < side / 2 { index as f64 } else { index as f64 - side as f64 };
    let fade = |index| (-4.0 * DIFFUSIVITY * PI * PI * frequency(index).powi(2) * steps as f64).exp();
    (0..side).map(fade).collect()
}

/// The mean of some points, after the transform along the other axes.
fn checksum(later: &[Complex], sides: Sides, team: Team) -> Complex {
    let sums = team.split(sides.z, |part| {
        let mut plane = vec![Complex::default(); sides.x * sides.y];
        part.map(|z| {
            for (y, row) in plane.chunks_exact_mut(sides.x).enumerate() {
                row.copy_from_slice(&later[(y * sides.z + z) * sides.x..][..sides.x]);
            }
            transform_plane(&mut plane, sides, -1.0);
            points_of(z, sides).map(|place| plane[place]).fold(Complex::default(), Complex::plus)
        })
        .fold(Complex::default(), Complex::plus)
    });
    sums.into_iter().fold(Complex::default(), Complex::plus).times(1.0 / sides.points() as f64)
}

/// The points of a checksum that lie in the plane z.
fn points_of(z: usize, sides: Sides) -> impl Iterator<Item = usize> {
    let inside = (1..=POINTS).filter(move |point| 5 * point % sides.z == z);
    inside.map(move |point| 3 * point % sides.y * sides.x + point % sides.x)
}
