// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Units that an administrator moves to the SSD: zram's `writeback`.

use serde::{Deserialize, Serialize};
use ztera_store::{Mover, UnitIndex};

use crate::core::Core;
use crate::touches::Age;
use crate::upkeep::demote::add_to;

/// The part of the pool that goes to the SSD.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WriteBack {
    /// Units of this age.
    pub age: Age,
    /// Only those that the device's codec did not make smaller.
    pub huge: bool,
    /// Only those that denser codecs did not make smaller either.
    pub incompressible: bool,
    /// Only those with a page in one of these ranges; empty = wherever they are.
    pub pages: Vec<Pages>,
}

/// Pages of 4 KiB, from the first to the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pages {
    /// The first.
    pub first: u64,
    /// The last.
    pub last: u64,
}

/// Moves units of the pool to the SSD; returns how many went. `None`: the device has none, or it takes no more.
pub(crate) fn write_back(core: &Core, which: &WriteBack) -> Option<u64> {
    core.store.tier()?;
    let wanted: Vec<UnitIndex> = core.pooled().filter(|&unit| is_meant(core, unit, which)).collect();
    let mut moved = 0;
    // In turns, so that a write that needs room finds the SSD free.
    for batch in wanted.chunks(WRITTEN_AT_ONCE) {
        let mut mover = Mover::new(&core.store)?;
        for &unit in batch {
            moved += add_to(core, &mut mover, unit).ok()?;
        }
        moved += mover.flush().ok()?;
    }
    core.counters.demoted_units.add(moved.into());
    Some(moved.into())
}

fn is_meant(core: &Core, unit: UnitIndex, which: &WriteBack) -> bool {
    core.touches.is_of(unit, which.age)
        && (!which.huge || core.store.table().glance(unit).raw)
        && (!which.incompressible || core.touches.is_incompressible(unit))
        && (which.pages.is_empty() || which.pages.iter().any(|&pages| has_page_of(core, unit, pages)))
}

fn has_page_of(core: &Core, unit: UnitIndex, Pages { first, last }: Pages) -> bool {
    let pages = core.unit().pages();
    let start = u64::from(unit.0) * pages;
    start <= last && first < start + pages
}

/// Units written by hand without letting others have the SSD.
const WRITTEN_AT_ONCE: usize = 64;
