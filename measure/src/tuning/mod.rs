// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The choice of a codec and a page cluster, as `ztera tune` makes it: a pure function of measurements and weights.

mod measured;
mod score;
mod weights;

pub use measured::{File, Measured, Target, ZRAM_NOTES};
pub use score::{Formula, Parts, Scored, name, rank, reasons, turning_point};
pub use weights::Weights;
