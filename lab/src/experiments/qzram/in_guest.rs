// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Redis in the virtual machine of `make test-guest`, where root may serve swap. Its CPU is emulated, so times mean
//! nothing, but the data that Redis held do.

use anyhow::Result;
use serde::{Deserialize, Serialize};

use crate::kit::guest;
use crate::redis::Curve;

/// The step's key.
pub const STEP: &str = "redis, in a guest";

/// All arms.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct InGuest {
    /// Of the guest.
    pub kernel: String,
    /// Without their times.
    pub curves: Vec<Curve>,
}

/// Boots the guest for the tests of Redis alone. Arms whose test failed are there, too, with their ending.
pub fn measure() -> Result<InGuest> {
    let found = guest::boot::<Curve>("redis")?;
    let curves = found.samples.into_iter().map(without_times);
    Ok(InGuest { kernel: found.kernel, curves: curves.collect() })
}

fn without_times(curve: Curve) -> Curve {
    Curve { loads: Vec::new(), ..curve }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_guest_keeps_all_but_times() {
        let line = r#"{"redis":"no swap","limit_bytes":100,"servers":2,"loads":[{"data_bytes":60,
            "sets_per_second":9.0,"gets_per_second":8.0}],"held_bytes":64,"ending":"killed","words":"killed",
            "swap_peak_bytes":0}"#;
        let curve = without_times(serde_json::from_str(line).unwrap());
        assert_eq!((curve.held_bytes, curve.loads), (64, Vec::new()));
    }
}
