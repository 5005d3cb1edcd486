// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! CG, conjugate gradient: the largest eigenvalue of a sparse matrix by inverse iteration.

mod matrix;

use matrix::Matrix;

use crate::team::Team;
use crate::{Class, Verified, close};

const STEPS: usize = 25;

/// Rows, nonzeros of a vector of the matrix, iterations, shift, and the estimate in the end.
fn published(class: Class) -> (usize, usize, usize, f64, f64) {
    match class {
        Class::S => (1_400, 7, 15, 10.0, 8.597_177_507_864_8),
        Class::W => (7_000, 8, 15, 12.0, 10.362_595_087_124),
        Class::A => (14_000, 11, 15, 20.0, 17.130_235_054_029),
        Class::B => (75_000, 13, 75, 60.0, 22.712_745_482_631),
        Class::C => (150_000, 15, 75, 110.0, 28.973_605_592_845),
    }
}

/// Runs it.
pub fn run(class: Class, team: Team) -> Verified {
    let (rows, nonzeros, iterations, shift, expected) = published(class);
    let matrix = Matrix::create(rows, nonzeros, shift);
    let mut x = vec![1.0; rows];
    let mut zeta = 0.0;
    for _ in 0..iterations {
        let z = solve(&matrix, &x, team);
        zeta = shift + 1.0 / dot(&x, &z);
        let norm = dot(&z, &z).sqrt();
        x.iter_mut().zip(&z).for_each(|(x, z)| *x = z / norm);
    }
    Verified { value: zeta, right: close(zeta, expected, 1e-10) }
}

/// An approximation of the solution of A z = x.
fn solve(matrix: &Matrix, x: &[f64], team: Team) -> Vec<f64> {
    let mut z = vec![0.0; x.len()];
    let mut product = vec![0.0; x.len()];
    let mut rest = x.to_vec();
    let mut direction = x.to_vec();
    let mut square = dot(&rest, &rest);
    for _ in 0..STEPS {
        matrix.times(&direction, &mut product, team);
        let step = square / dot(&direction, &product);
        add(&mut z, step, &direction);
        add(&mut rest, -step, &product);
        let before = std::mem::replace(&mut square, dot(&rest, &rest));
        let turn = square / before;
        direction.iter_mut().zip(&rest).for_each(|(direction, rest)| *direction = rest + turn * *direction);
    }
    z
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn add(to: &mut [f64], factor: f64, what: &[f64]) {
    to.iter_mut().zip(what).for_each(|(to, what)| *to += factor * what);
}
