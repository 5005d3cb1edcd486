// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Fourier transforms of several lines at once, by Stockham's method: no line is put in bit-reversed order.

use std::f64::consts::PI;

/// Lines that are transformed together.
pub const LANES: usize = 8;

/// A complex number.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Complex {
    /// The real part.
    pub re: f64,
    /// The imaginary part.
    pub im: f64,
}

impl Complex {
    /// The sum.
    pub fn plus(self, other: Complex) -> Complex {
        Complex { re: self.re + other.re, im: self.im + other.im }
    }

    /// The product with a real number.
    pub fn times(self, factor: f64) -> Complex {
        Complex { re: self.re * factor, im: self.im * factor }
    }

    fn minus(self, other: Complex) -> Complex {
        Complex { re: self.re - other.re, im: self.im - other.im }
    }

    fn product(self, other: Complex) -> Complex {
        let re = self.re * other.re - self.im * other.im;
        Complex { re, im: self.re * other.im + self.im * other.re }
    }
}

/// Places of the lines in an array.
#[derive(Clone, Copy, Debug)]
pub struct Lines {
    /// The first point of the first line.
    pub first: usize,
    /// From one point of a line to the next.
    pub step: usize,
    /// From one line to the next.
    pub apart: usize,
}

/// Transforms of one length, which is a power of two, and direction. They are not divided by the length.
pub struct Fft {
    roots: Vec<Complex>,
    from: Vec<[Complex; LANES]>,
    to: Vec<[Complex; LANES]>,
}

impl Fft {
    /// Of `len` points; `sign` is 1 or -1, that of the exponent.
    pub fn new(len: usize, sign: f64) -> Fft {
        let angle = |index| sign * 2.0 * PI * index as f64 / len as f64;
        let root = |index| Complex { re: f64::cos(angle(index)), im: f64::sin(angle(index)) };
        let lines = vec![[Complex::default(); LANES]; len];
        Fft { roots: (0..len / 2).map(root).collect(), from: lines.clone(), to: lines }
    }

    /// Transforms lines in place.
    pub fn run(&mut self, array: &mut [Complex], lines: Lines) {
        for (index, points) in self.from.iter_mut().enumerate() {
            let first = lines.first + index * lines.step;
            for (lane, point) in points.iter_mut().enumerate() {
                *point = array[first + lane * lines.apart];
            }
        }
        let half = self.roots.len();
        let mut stride = 1;
        while stride <= half {
            self.pass(stride);
            std::mem::swap(&mut self.from, &mut self.to);
            stride *= 2;
        }
        for (index, points) in self.from.iter().enumerate() {
            let first = lines.first + index * lines.step;
            for (lane, point) in points.iter().enumerate() {
                array[first + lane * lines.apart] = *point;
            }
        }
    }

    /// Joins transforms, of which there are `stride` mixed with each other, by twos.
    fn pass(&mut self, stride: usize) {
        let half = self.roots.len();
        for (block, pair) in self.to.chunks_exact_mut(2 * stride).enumerate() {
            let root = self.roots[block * stride];
            let (sums, differences) = pair.split_at_mut(stride);
            for (index, (sums, differences)) in sums.iter_mut().zip(differences).enumerate() {
                let (a, b) = (&self.from[block * stride + index], &self.from[block * stride + index + half]);
                for (lane, (a, b)) in a.iter().zip(b).enumerate() {
                    sums[lane] = a.plus(*b);
                    differences[lane] = a.minus(*b).product(root);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transforms_are_those_of_the_definition() {
        let len = 16;
        let mut array: Vec<Complex> =
            (0..len * LANES).map(|i| Complex { re: (i * i % 7) as f64, im: (i % 5) as f64 }).collect();
        let before = array.clone();
        Fft::new(len, 1.0).run(&mut array, Lines { first: 0, step: LANES, apart: 1 });
        for lane in 0..LANES {
            for k in 0..len {
                let term = |j: usize| {
                    let angle = 2.0 * PI * (j * k) as f64 / len as f64;
                    before[j * LANES + lane].product(Complex { re: angle.cos(), im: angle.sin() })
                };
                let sum = (0..len).map(term).fold(Complex::default(), Complex::plus);
                let error = array[k * LANES + lane].minus(sum);
                assert!(error.re.abs() + error.im.abs() < 1e-10, "line {lane}, point {k}: {error:?}");
            }
        }
    }

    #[test]
    fn there_and_back_is_as_many_times_as_long() {
        let mut array: Vec<Complex> =
            (0..32 * LANES).map(|i| Complex { re: i as f64, im: -(i as f64) }).collect();
        let lines = Lines { first: 0, step: 1, apart: 32 };
        Fft::new(32, 1.0).run(&mut array, lines);
        Fft::new(32, -1.0).run(&mut array, lines);
        assert!(array.iter().enumerate().all(|(i, point)| (point.re / 32.0 - i as f64).abs() < 1e-9));
    }
}
