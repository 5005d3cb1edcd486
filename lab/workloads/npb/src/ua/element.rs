// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! An element: a polynomial of order four along each axis, by its values at the points of Gauss, Lobatto and Legendre.

/// Points along an edge.
pub const N: usize = 5;
/// Points of an element.
pub const POINTS: usize = N * N * N;

/// Values at an element's points; x counts fastest.
pub type Values = [f64; POINTS];
/// A linear map along one axis.
pub type Line = [[f64; N]; N];

/// Weights of the points on an edge of length one.
pub const WEIGHTS: [f64; N] = [1.0 / 20.0, 49.0 / 180.0, 16.0 / 45.0, 49.0 / 180.0, 1.0 / 20.0];

/// The points and weights that all elements have in common.
pub struct Element {
    /// Points on an edge of length one.
    pub points: [f64; N],
    /// The derivative.
    pub derivative: Line,
    /// Products of derivatives, integrated.
    pub stiffness: Line,
    /// Values on the lower and on the upper half of an edge.
    pub halves: [Line; 2],
}

impl Element {
    pub fn new() -> Element {
        let offset = (3.0_f64 / 7.0).sqrt() / 2.0;
        let points = [0.0, 0.5 - offset, 0.5, 0.5 + offset, 1.0];
        let derivative: Line = std::array::from_fn(|row| slopes(&points, row));
        let product =
            |a: usize, b: usize| (0..N).map(|q| WEIGHTS[q] * derivative[q][a] * derivative[q][b]).sum();
        let stiffness = std::array::from_fn(|a| std::array::from_fn(|b| product(a, b)));
        let half = |from: f64| points.map(|point| shares(&points, from + point / 2.0));
        Element { points, derivative, stiffness, halves: [half(0.0), half(0.5)] }
    }

    /// The polynomial at a point of the cube of edge one.
    pub fn at(&self, values: &Values, point: [f64; 3]) -> f64 {
        let [x, y, z] = point.map(|coordinate| shares(&self.points, coordinate));
        let share = |index| {
            let [i, j, k] = place(index);
            x[i] * y[j] * z[k]
        };
        values.iter().enumerate().map(|(index, value)| value * share(index)).sum()
    }
}

/// Applies a map along an axis.
pub fn along(line: &Line, axis: usize, values: &Values) -> Values {
    let stride = N.pow(axis as u32);
    std::array::from_fn(|index| {
        let row = index / stride % N;
        let first = index - row * stride;
        (0..N).map(|column| line[row][column] * values[first + column * stride]).sum()
    })
}

/// The indices of a point along each axis.
pub fn place(index: usize) -> [usize; 3] {
    [index % N, index / N % N, index / (N * N)]
}

/// The product of the weights of a point.
pub fn weight(index: usize) -> f64 {
    place(index).map(|along| WEIGHTS[along]).iter().product()
}

/// Of each point's value, the share in the polynomial's value at `at`.
fn shares(points: &[f64; N], at: f64) -> [f64; N] {
    std::array::from_fn(|own| {
        let others = (0..N).filter(|other| *other != own);
        others.map(|other| (at - points[other]) / (points[own] - points[other])).product()
    })
}

/// The same of the derivative at a point.
fn slopes(points: &[f64; N], at: usize) -> [f64; N] {
    std::array::from_fn(|own| {
        let others = |left_out: usize| (0..N).filter(move |other| *other != own && *other != left_out);
        let part = |left_out: usize| -> f64 {
            let rest =
                others(left_out).map(|other| (points[at] - points[other]) / (points[own] - points[other]));
            rest.product::<f64>() / (points[own] - points[left_out])
        };
        (0..N).filter(|left_out| *left_out != own).map(part).sum()
    })
}
