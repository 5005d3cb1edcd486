// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Redis in the virtual machine of `make test-guest`, where root may serve swap. Its CPU is emulated, so times mean
//! nothing, but the data that Redis held do.

use anyhow::Result;

use crate::kit::guest;
use crate::redis::Curve;

/// The step's key.
pub const STEP: &str = "redis, in a guest";

/// All arms, without their times.
pub type InGuest = guest::InGuest<Curve>;

/// Boots the guest for the tests of Redis alone. Arms whose test failed are there, too, with their ending.
pub fn measure() -> Result<InGuest> {
    let mut guest: InGuest = guest::boot("redis")?;
    guest.samples.iter_mut().for_each(|curve| curve.loads.clear());
    Ok(guest)
}
