// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Tests of the parts, since NAS's values cannot verify the whole.

use super::ball::Ball;
use super::element::{Element, POINTS, along};
use super::heat::Heat;
use super::mesh::{Mesh, around};
use super::{PER_STEP, Size, simulate};
use crate::team::Team;

fn small() -> Heat {
    Heat::new(Ball::new(0.2), 4, PER_STEP / 16.0, Team(2))
}

#[test]
fn elements_know_the_derivative_of_a_polynomial() {
    let element = Element::new();
    let of = |map: fn(f64) -> f64| -> [f64; POINTS] {
        std::array::from_fn(|index| map(element.points[index / 5 % 5]))
    };
    let (values, expected) = (of(|y| y.powi(4) - y), of(|y| 4.0 * y.powi(3) - 1.0));
    let found = along(&element.derivative, 1, &values);
    assert!(
        found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-12),
        "{found:?}"
    );
    assert!((element.at(&values, [0.3, 0.7, 0.1]) - (0.7_f64.powi(4) - 0.7)).abs() < 1e-12);
}

#[test]
fn neighbours_differ_by_one_halving_and_fill_the_cube() {
    let mesh = Mesh::new(6, |cube| cube.place.iter().all(|place| *place == (1 << cube.level) / 3));
    let volume: f64 = mesh.elements.iter().map(|cube| cube.edge().powi(3)).sum();
    assert!((volume - 1.0).abs() < 1e-12);
    assert_eq!(mesh.elements.iter().map(|cube| cube.level).max(), Some(6));
    for cube in &mesh.elements {
        for neighbour in around(*cube).filter(|neighbour| mesh.is_in_larger(*neighbour)) {
            assert!(mesh.number(neighbour.parent()).is_some(), "{cube:?} touches what has {neighbour:?}");
        }
    }
}

/// Each node has the value of a polynomial, and so has each point, also where a small element lies on a large one.
#[test]
fn points_of_small_elements_follow_large_ones() {
    let heat = small();
    let levels: Vec<u32> = heat.mesh.elements.iter().map(|cube| cube.level).collect();
    assert!(levels.iter().max() > levels.iter().min(), "{levels:?}");
    // It is zero on the surface, and of order four along each axis.
    let map = |at: [f64; 3]| at.map(|at| at * (1.0 - at) * (at * at - 0.3)).iter().product::<f64>();
    let mut nodes = vec![0.0; heat.nodes.count];
    for (number, cube) in heat.mesh.elements.iter().enumerate() {
        heat.nodes.set(number, &points(*cube).map(map), &mut nodes);
    }
    for (number, cube) in heat.mesh.elements.iter().enumerate() {
        let values = heat.nodes.take(number, &nodes);
        let wrong = points(*cube)
            .map(map)
            .iter()
            .zip(values)
            .map(|(one, other)| (one - other).abs())
            .fold(0.0, f64::max);
        assert!(wrong < 1e-12, "{cube:?}: {wrong}");
    }
}

fn points(cube: super::mesh::Cube) -> [[f64; 3]; POINTS] {
    let (element, corner) = (Element::new(), cube.corner());
    std::array::from_fn(|index| {
        let along = super::element::place(index);
        std::array::from_fn(|axis| corner[axis] + cube.edge() * element.points[along[axis]])
    })
}

#[test]
fn spreading_is_symmetric_and_solved() {
    let mut heat = small();
    let vector = |seed: u64| -> Vec<f64> {
        let mut random = crate::random::Random::new(seed);
        let mut vector: Vec<f64> = (0..heat.nodes.count).map(|_| random.uniform() - 0.5).collect();
        vector[0] = 0.0;
        vector
    };
    let (one, other) = (vector(1), vector(2));
    let dot = |one: &[f64], other: &[f64]| one.iter().zip(other).map(|(one, other)| one * other).sum::<f64>();
    let (here, there) =
        (dot(&heat.before_spreading(&one), &other), dot(&one, &heat.before_spreading(&other)));
    assert!((here - there).abs() < 1e-12 * dot(&one, &heat.before_spreading(&one)), "{here} {there}");
    let right = heat.before_spreading(&one);
    // Each goes on where the one before ended.
    (0..20).for_each(|_| heat.heat = heat.solve(&right));
    let wrong = heat.heat.iter().zip(&one).map(|(found, one)| (found - one).abs()).fold(0.0, f64::max);
    assert!(wrong < 1e-9, "{wrong}");
}

/// A ball of nearly the same number of elements in half as large ones is more than four times as near to the answer.
#[test]
fn smaller_elements_are_nearer_to_the_answer() {
    let error = |levels, steps| simulate(&Size { levels, radius: 0.2, steps, error: 0.0 }, Team(2)).error();
    let (large, small) = (error(3, 20), error(4, 40));
    assert!(small < large / 4.0, "{small} {large}");
}
