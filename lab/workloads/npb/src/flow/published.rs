// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A size of BT, SP or LU, and the values that NAS publishes for it.

use super::Flow;
use super::state::State;
use crate::{Verified, close};

/// A class of a problem.
pub struct Published {
    /// Points along each axis.
    pub side: usize,
    /// How many.
    pub steps: usize,
    /// Of time.
    pub step: f64,
    /// The root mean square that the solution leaves of its equations in the end.
    pub rest: State,
    /// The error of the solution.
    pub error: State,
}

/// By how much values may differ.
const ERROR: f64 = 1e-8;

impl Published {
    /// Holds a flow in the end against it.
    pub fn verify(&self, flow: &Flow) -> Verified {
        let (rest, error) = flow.norms();
        let fits =
            |found: State, expected: State| found.iter().zip(expected).all(|(a, b)| close(*a, b, ERROR));
        Verified { value: rest[0], right: fits(rest, self.rest) && fits(error, self.error) }
    }
}
