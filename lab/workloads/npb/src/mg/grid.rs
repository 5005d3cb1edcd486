// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A periodic cube of numbers, with a border that repeats the opposite side.

use crate::team::Team;

/// The weights of restriction.
const FULL: [f64; 4] = [0.5, 0.25, 0.125, 0.0625];

/// A cube. Indices run from 1 to `side`; 0 and `side + 1` are the border.
pub struct Grid {
    side: usize,
    cells: Vec<f64>,
}

impl Grid {
    /// Of zeros.
    pub fn new(side: usize) -> Grid {
        Grid { side, cells: vec![0.0; (side + 2).pow(3)] }
    }

    fn width(&self) -> usize {
        self.side + 2
    }

    fn plane_len(&self) -> usize {
        self.width() * self.width()
    }

    fn row(&self, z: usize, y: usize) -> &[f64] {
        let width = self.width();
        &self.cells[(z * width + y) * width..][..width]
    }

    /// The planes without the border.
    fn inner(&mut self) -> &mut [f64] {
        let plane = self.plane_len();
        let end = self.cells.len() - plane;
        &mut self.cells[plane..end]
    }

    /// Makes all of it zero.
    pub fn clear(&mut self) {
        self.cells.fill(0.0);
    }

    /// Takes the numbers of a grid of the same size.
    pub fn copy(&mut self, from: &Grid) {
        self.cells.copy_from_slice(&from.cells);
    }

    /// Sets the cell that is number `place` when counted by rows.
    pub fn set(&mut self, place: usize, value: f64) {
        let (side, width) = (self.side, self.width());
        let (x, y, z) = (place % side + 1, place / side % side + 1, place / side / side + 1);
        self.cells[(z * width + y) * width + x] = value;
    }

    /// The root of the mean square.
    pub fn norm(&self) -> f64 {
        let inner = 1..=self.side;
        let rows = inner.clone().flat_map(|z| inner.clone().map(move |y| (z, y)));
        let square = |(z, y)| self.row(z, y)[1..=self.side].iter().map(|cell| cell * cell).sum::<f64>();
        (rows.map(square).sum::<f64>() / self.side.pow(3) as f64).sqrt()
    }

    /// Makes the border repeat the opposite side.
    pub fn wrap(&mut self) {
        let (side, width, plane) = (self.side, self.width(), self.plane_len());
        for plane in self.inner().chunks_exact_mut(plane) {
            for row in plane.chunks_exact_mut(width) {
                (row[0], row[side + 1]) = (row[side], row[1]);
            }
            plane.copy_within(side * width..(side + 1) * width, 0);
            plane.copy_within(width..2 * width, (side + 1) * width);
        }
        self.cells.copy_within(side * plane..(side + 1) * plane, 0);
        self.cells.copy_within(plane..2 * plane, (side + 1) * plane);
    }

    /// Adds `other`, seen through a stencil: weights of a cell, its faces, its edges and its corners.
    pub fn add(&mut self, other: &Grid, weights: [f64; 4], team: Team) {
        let (side, width, plane) = (self.side, self.width(), self.plane_len());
        team.chunks(self.inner(), plane, |z, plane| {
            let mut around = Around::new(width);
            for y in 1..=side {
                around.look(other, z + 1, y);
                let centre = other.row(z + 1, y);
                let row = &mut plane[y * width + 1..][..side];
                let seen = around.windows(centre);
                row.iter_mut().zip(seen).for_each(|(cell, seen)| *cell += weighted(seen, weights));
            }
        });
        self.wrap();
    }

    /// Becomes a coarse picture of `fine`.
    pub fn restrict(&mut self, fine: &Grid, team: Team) {
        let (side, width, plane) = (self.side, self.width(), self.plane_len());
        team.chunks(self.inner(), plane, |z, plane| {
            let mut around = Around::new(fine.width());
            for y in 1..=side {
                around.look(fine, 2 * (z + 1), 2 * y);
                let centre = fine.row(2 * (z + 1), 2 * y);
                let row = &mut plane[y * width + 1..][..side];
                let seen = around.windows(centre).skip(1).step_by(2);
                row.iter_mut().zip(seen).for_each(|(cell, seen)| *cell = weighted(seen, FULL));
            }
        });
        self.wrap();
    }

    /// Adds the numbers of `coarse`, and means of them in between.
    pub fn interpolate(&mut self, coarse: &Grid, team: Team) {
        let (width, plane) = (self.width(), self.plane_len());
        team.chunks(&mut self.cells, plane, |z, plane| {
            let mut mean = vec![0.0; coarse.width()];
            for (y, row) in plane.chunks_exact_mut(width).enumerate() {
                coarse.mean_row(z, y, &mut mean);
                for (pair, mean) in row.chunks_exact_mut(2).zip(mean.windows(2)) {
                    pair[0] += mean[0];
                    pair[1] += 0.5 * (mean[0] + mean[1]);
                }
            }
        });
    }

    /// The row at half of these indices, between rows where they are odd.
    fn mean_row(&self, z: usize, y: usize, mean: &mut [f64]) {
        let (below_z, below_y) = (z / 2, y / 2);
        let (above_z, above_y) = (z.div_ceil(2), y.div_ceil(2));
        let (a, b) = (self.row(below_z, below_y), self.row(below_z, above_y));
        let (c, d) = (self.row(above_z, below_y), self.row(above_z, above_y));
        set_sum(mean, [a, b, c, d]);
        mean.iter_mut().for_each(|mean| *mean *= 0.25);
    }
}

/// Sums over the rows around one row, which stencils of neighbouring cells share.
struct Around {
    /// Of the four next to it.
    faces: Vec<f64>,
    /// Of the four across.
    edges: Vec<f64>,
}

impl Around {
    fn new(width: usize) -> Around {
        Around { faces: vec![0.0; width], edges: vec![0.0; width] }
    }

    fn look(&mut self, grid: &Grid, z: usize, y: usize) {
        let [north, south, up, down] =
            [grid.row(z, y - 1), grid.row(z, y + 1), grid.row(z - 1, y), grid.row(z + 1, y)];
        let [a, b, c, d] =
            [grid.row(z - 1, y - 1), grid.row(z - 1, y + 1), grid.row(z + 1, y - 1), grid.row(z + 1, y + 1)];
        set_sum(&mut self.faces, [north, south, up, down]);
        set_sum(&mut self.edges, [a, b, c, d]);
    }

    /// Three cells of the row, of `faces` and of `edges`, for each cell that has neighbours.
    fn windows<'r>(&'r self, centre: &'r [f64]) -> impl Iterator<Item = [&'r [f64]; 3]> {
        let sums = self.faces.windows(3).zip(self.edges.windows(3));
        centre.windows(3).zip(sums).map(|(centre, (faces, edges))| [centre, faces, edges])
    }
}

fn set_sum(sums: &mut [f64], rows: [&[f64]; 4]) {
    let [a, b, c, d] = rows.map(|row| &row[..sums.len()]);
    for (x, sum) in sums.iter_mut().enumerate() {
        *sum = a[x] + b[x] + c[x] + d[x];
    }
}

#[inline]
fn weighted([centre, faces, edges]: [&[f64]; 3], weights: [f64; 4]) -> f64 {
    weights[0] * centre[1]
        + weights[1] * (centre[0] + centre[2] + faces[1])
        + weights[2] * (faces[0] + faces[2] + edges[1])
        + weights[3] * (edges[0] + edges[2])
}
