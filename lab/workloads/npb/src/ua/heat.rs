// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Heat that is carried along and spreads.

use super::ball::Ball;
use super::element::{Element, POINTS, Values, along, place, weight};
use super::mesh::{Cube, Mesh};
use super::nodes::Nodes;
use crate::team::Team;

/// How fast heat spreads.
const DIFFUSIVITY: f64 = 0.005;
/// Iterations of conjugate gradients in a step.
const ITERATIONS: usize = 10;

/// The heat at all nodes, and all that says how it changes.
pub struct Heat {
    pub ball: Ball,
    pub mesh: Mesh,
    pub nodes: Nodes,
    pub heat: Vec<f64>,
    /// The volume that each node stands for.
    volumes: Vec<f64>,
    /// The diagonal of the matrix that a step solves.
    diagonal: Vec<f64>,
    element: Element,
    weights: Values,
    levels: u32,
    step: f64,
    team: Team,
}

impl Heat {
    pub fn new(ball: Ball, levels: u32, step: f64, team: Team) -> Heat {
        let element = Element::new();
        let mesh = follow(ball, levels, 5.0 * step);
        let nodes = Nodes::new(&mesh, levels, &element);
        let weights = std::array::from_fn(weight);
        let (heat, volumes, diagonal) = (vec![], vec![], vec![]);
        let mut new =
            Heat { ball, mesh, nodes, heat, volumes, diagonal, element, weights, levels, step, team };
        new.prepare();
        new.heat = vec![0.0; new.nodes.count];
        for number in 0..new.mesh.elements.len() {
            let values = new.points(number).map(|point| ball.at(point));
            new.nodes.set(number, &values, &mut new.heat);
        }
        new
    }

    /// Makes a new mesh for where the ball gets in that time.
    pub fn adapt(&mut self, ahead: f64) {
        let mesh = follow(self.ball, self.levels, ahead);
        let nodes = Nodes::new(&mesh, self.levels, &self.element);
        let mut heat = vec![0.0; nodes.count];
        let (old_mesh, old_nodes) =
            (std::mem::replace(&mut self.mesh, mesh), std::mem::replace(&mut self.nodes, nodes));
        for number in 0..self.mesh.elements.len() {
            let values = match old_mesh.number(self.mesh.elements[number]) {
                Some(same) => old_nodes.take(same, &self.heat),
                None => self.points(number).map(|point| {
                    let old = old_mesh.element_at(point);
                    let (cube, values) = (old_mesh.elements[old], old_nodes.take(old, &self.heat));
                    let corner = cube.corner();
                    self.element
                        .at(&values, std::array::from_fn(|axis| (point[axis] - corner[axis]) / cube.edge()))
                }),
            };
            self.nodes.set(number, &values, &mut heat);
        }
        self.heat = heat;
        self.prepare();
    }

    /// A step in time.
    pub fn advance(&mut self) {
        self.carry();
        self.ball.time += self.step;
        let sources = self.each(|number, edge| {
            let points = self.points(number);
            let source = |index: usize| DIFFUSIVITY * self.ball.spreads(points[index]);
            std::array::from_fn(|index| self.step * edge.powi(3) * self.weights[index] * source(index))
        });
        let right: Vec<f64> =
            (0..self.nodes.count).map(|node| self.volumes[node] * self.heat[node] + sources[node]).collect();
        self.heat = self.solve(&right);
    }

    /// All heat that there is.
    pub fn total(&self) -> f64 {
        self.dot(&self.volumes, &self.heat)
    }

    /// The most that a point is wrong.
    pub fn error(&self) -> f64 {
        let most = |elements: std::ops::Range<usize>| {
            let errors = elements.flat_map(|number| {
                let (points, values) = (self.points(number), self.nodes.take(number, &self.heat));
                (0..POINTS).map(move |index| (values[index] - self.ball.at(points[index])).abs())
            });
            errors.fold(0.0, f64::max)
        };
        self.team.split(self.mesh.elements.len(), most).into_iter().fold(0.0, f64::max)
    }

    /// Carries heat, by four slopes.
    fn carry(&mut self) {
        let mut sum = self.heat.clone();
        let mut at = self.heat.clone();
        for (share, next) in [(1.0, 0.5), (2.0, 0.5), (2.0, 1.0), (1.0, 0.0)] {
            let slope = self.slope(&at);
            for node in 0..self.nodes.count {
                sum[node] += share / 6.0 * self.step * slope[node];
                at[node] = self.heat[node] + next * self.step * slope[node];
            }
        }
        self.heat = sum;
    }

    /// How fast heat changes as it is carried by one along each axis.
    fn slope(&self, heat: &[f64]) -> Vec<f64> {
        let mut slope = self.each(|number, edge| {
            let values = self.nodes.take(number, heat);
            let [x, y, z] = [0, 1, 2].map(|axis| along(&self.element.derivative, axis, &values));
            std::array::from_fn(|index| {
                -edge.powi(2) * self.weights[index] * (x[index] + y[index] + z[index])
            })
        });
        slope.iter_mut().zip(&self.volumes).skip(1).for_each(|(slope, volume)| *slope /= volume);
        slope
    }

    /// The heat that a step would have had before it spread, by volume.
    pub fn before_spreading(&self, heat: &[f64]) -> Vec<f64> {
        let mut before = self.each(|number, edge| {
            let values = self.nodes.take(number, heat);
            let [x, y, z] = [0, 1, 2].map(|axis| along(&self.element.stiffness, axis, &values));
            std::array::from_fn(|index| {
                let [i, j, k] = place(index).map(|along| super::element::WEIGHTS[along]);
                DIFFUSIVITY * self.step * edge * (x[index] * j * k + y[index] * i * k + z[index] * i * j)
            })
        });
        before.iter_mut().enumerate().for_each(|(node, before)| *before += self.volumes[node] * heat[node]);
        before
    }

    /// The heat before which `right` was, by conjugate gradients from what there is.
    pub fn solve(&self, right: &[f64]) -> Vec<f64> {
        let mut heat = self.heat.clone();
        let now = self.before_spreading(&heat);
        let mut rest: Vec<f64> = right.iter().zip(&now).map(|(right, now)| right - now).collect();
        let by_diagonal = |rest: &[f64]| -> Vec<f64> {
            rest.iter().zip(&self.diagonal).map(|(rest, by)| rest / by).collect()
        };
        let mut way = by_diagonal(&rest);
        let mut size = self.dot(&rest, &way);
        for _ in 0..ITERATIONS {
            if size == 0.0 {
                break;
            }
            let image = self.before_spreading(&way);
            let far = size / self.dot(&way, &image);
            heat.iter_mut().zip(&way).for_each(|(heat, way)| *heat += far * way);
            rest.iter_mut().zip(&image).for_each(|(rest, image)| *rest -= far * image);
            let scaled = by_diagonal(&rest);
            let new = self.dot(&rest, &scaled);
            way.iter_mut().zip(&scaled).for_each(|(way, scaled)| *way = scaled + new / size * *way);
            size = new;
        }
        heat
    }

    fn prepare(&mut self) {
        self.volumes = self.each(|_, edge| self.weights.map(|weight| edge.powi(3) * weight));
        let given = self.given(|number, edge| {
            let stiffness = std::array::from_fn(|index| {
                let along = place(index);
                let [i, j, k] = along.map(|along| super::element::WEIGHTS[along]);
                let [x, y, z] = along.map(|along| self.element.stiffness[along][along]);
                DIFFUSIVITY * self.step * edge * (x * j * k + y * i * k + z * i * j)
            });
            self.nodes.give_squared(number, &stiffness)
        });
        self.diagonal = self.nodes.sum(self.team, &given);
        self.diagonal.iter_mut().zip(&self.volumes).for_each(|(diagonal, volume)| *diagonal += volume);
        self.diagonal[0] = 1.0;
    }

    /// Sums over elements what `work` returns for each one's points, given its number and edge.
    fn each(&self, work: impl Fn(usize, f64) -> Values + Sync) -> Vec<f64> {
        let given = self.given(|number, edge| self.nodes.give(number, &work(number, edge)));
        self.nodes.sum(self.team, &given)
    }

    fn given(&self, work: impl Fn(usize, f64) -> Values + Sync) -> Vec<Values> {
        let mut given = vec![[0.0; POINTS]; self.mesh.elements.len()];
        self.team.chunks(&mut given, 1, |number, given| {
            given[0] = work(number, self.mesh.elements[number].edge())
        });
        given
    }

    fn points(&self, number: usize) -> [[f64; 3]; POINTS] {
        let cube = self.mesh.elements[number];
        let corner = cube.corner();
        std::array::from_fn(|index| {
            let along = place(index);
            std::array::from_fn(|axis| corner[axis] + cube.edge() * self.element.points[along[axis]])
        })
    }

    fn dot(&self, one: &[f64], other: &[f64]) -> f64 {
        let part = |nodes: std::ops::Range<usize>| nodes.map(|node| one[node] * other[node]).sum::<f64>();
        self.team.split(one.len(), part).iter().sum()
    }
}

/// The mesh for where the ball gets in that time.
fn follow(ball: Ball, levels: u32, ahead: f64) -> Mesh {
    Mesh::new(levels, |cube: Cube| ball.meets(cube.corner(), cube.edge(), ahead))
}
