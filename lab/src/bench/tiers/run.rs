// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! One run, as samples keep it.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::arms::ArmName;
use super::workload::Workload;
use crate::frame::matrix;

/// All that was chosen for a run.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
pub struct Key {
    /// The program.
    pub workload: Workload,
    /// The arm; none is the reference, without H2 and with plenty of memory.
    pub arm: Option<ArmName>,
    /// The DRAM of each arm.
    pub limit_bytes: u64,
}

/// Facts of a run that finished.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Details {
    /// How many there are.
    pub operations: Option<u64>,
    /// The second heap at the end, if there is one.
    pub h2: Option<Value>,
}

/// A run after its end.
pub type Run = matrix::Run<Key, Details>;
