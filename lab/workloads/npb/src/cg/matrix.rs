// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The matrix of CG: a weighted sum of outer products of sparse random vectors, moved along its diagonal.

use crate::random::{Random, SEED};
use crate::team::Team;

/// The reciprocal of the condition number.
const CONDITION: f64 = 0.1;

/// The nonzeros of a vector: place and value.
type Sparse = Vec<(u32, f64)>;

/// A matrix in compressed rows.
pub struct Matrix {
    /// The begin of each row, and the end of the last.
    starts: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<f64>,
}

impl Matrix {
    /// That of `rows` vectors with `nonzeros` random places each.
    pub fn create(rows: usize, nonzeros: usize, shift: f64) -> Matrix {
        let vectors = vectors(rows, nonzeros);
        let (starts, mut cells) = products(&vectors, shift);
        drop(vectors);
        let mut matrix = Matrix { starts: vec![0], columns: Vec::new(), values: Vec::new() };
        for row in starts.windows(2) {
            matrix.push_row(&mut cells[row[0]..row[1]]);
        }
        matrix
    }

    /// Adds up what is in the same column.
    fn push_row(&mut self, cells: &mut [(u32, f64)]) {
        cells.sort_unstable_by_key(|cell| cell.0);
        for group in cells.chunk_by(|a, b| a.0 == b.0) {
            self.columns.push(group[0].0);
            self.values.push(group.iter().map(|cell| cell.1).sum());
        }
        self.starts.push(self.columns.len());
    }

    /// Sets `product` to the matrix times `vector`.
    pub fn times(&self, vector: &[f64], product: &mut [f64], team: Team) {
        team.chunks(product, 1, |row, product| {
            let range = self.starts[row]..self.starts[row + 1];
            let cells = self.columns[range.clone()].iter().zip(&self.values[range]);
            product[0] = cells.map(|(column, value)| value * vector[*column as usize]).sum();
        });
    }
}

/// For each row a vector with random values at random places, and one half at its own.
fn vectors(rows: usize, nonzeros: usize) -> Vec<Sparse> {
    let mut random = Random::new(SEED).skip(1);
    let mut vector = |row: usize| {
        let mut vector = sparse(rows, nonzeros, &mut random);
        match vector.iter_mut().find(|cell| cell.0 as usize == row) {
            Some(cell) => cell.1 = 0.5,
            None => vector.push((row as u32, 0.5)),
        }
        vector
    };
    (0..rows).map(&mut vector).collect()
}

/// Places are drawn below the next power of two; those that are too large or taken are drawn again.
fn sparse(rows: usize, nonzeros: usize, random: &mut Random) -> Sparse {
    let range = rows.next_power_of_two() as f64;
    let mut vector: Sparse = Vec::with_capacity(nonzeros + 1);
    while vector.len() < nonzeros {
        let value = random.uniform();
        let place = (range * random.uniform()) as u32;
        if (place as usize) < rows && vector.iter().all(|cell| cell.0 != place) {
            vector.push((place, value));
        }
    }
    vector
}

/// The begin of each row, and all summands by rows.
fn products(vectors: &[Sparse], shift: f64) -> (Vec<usize>, Sparse) {
    let mut starts = vec![0; vectors.len() + 1];
    for vector in vectors {
        vector.iter().for_each(|cell| starts[cell.0 as usize + 1] += vector.len());
    }
    (0..vectors.len()).for_each(|row| starts[row + 1] += starts[row]);
    let mut next = starts.clone();
    let mut cells = vec![(0, 0.0); starts[vectors.len()]];
    let ratio = CONDITION.powf(1.0 / vectors.len() as f64);
    let mut weight = 1.0;
    for (own, vector) in vectors.iter().enumerate() {
        for &(row, left) in vector {
            for &(column, right) in vector {
                let on_diagonal = row == column && row as usize == own;
                let moved = if on_diagonal { CONDITION - shift } else { 0.0 };
                let place = &mut next[row as usize];
                cells[*place] = (column, weight * left * right + moved);
                *place += 1;
            }
        }
        weight *= ratio;
    }
    (starts, cells)
}
