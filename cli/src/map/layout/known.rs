// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A place whose area is known.

use std::ops::Range;

use super::super::area::Area;

/// Addresses that belong to an area.
#[derive(Clone, Debug, PartialEq)]
pub struct Known {
    /// The addresses.
    pub range: Range<u64>,
    /// The area.
    pub area: Area,
}
