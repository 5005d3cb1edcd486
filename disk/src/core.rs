// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The part of a device that both requests and upkeep work on: its units, and what is known of them.

use ztera_policy::demotion::{Pressure, demand};
use ztera_store::{Store, UnitIndex, UnitSize};

use crate::stats::Counters;
use crate::touches::Touches;

/// Units, when each was wanted last, and counts.
pub(crate) struct Core {
    pub store: Store,
    pub touches: Touches,
    pub counters: Counters,
}

impl Core {
    /// How much is compressed as one.
    pub fn unit(&self) -> UnitSize {
        self.store.unit()
    }

    /// The units that the pool holds.
    pub fn pooled(&self) -> impl Iterator<Item = UnitIndex> {
        let table = self.store.table();
        (0..table.len()).map(UnitIndex).filter(move |&unit| table.glance(unit).in_pool)
    }

    /// `refused`: the pool has just had no room for something.
    pub fn pressure(&self, refused: bool) -> Pressure {
        Pressure { pooled: self.store.pool_occupied(), limit: self.store.pool_limit(), refused, useless: 0 }
    }

    /// Whether the pool can take a unit without making others leave.
    pub fn has_room(&self) -> bool {
        demand(self.pressure(false)) == 0
    }
}
