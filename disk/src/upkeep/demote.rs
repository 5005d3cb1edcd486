// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Room in the pool: units that were not wanted for longest go to the SSD.

use ztera_policy::demotion::{demand, oldest, units_of};
use ztera_store::{Mover, UnitIndex};

use crate::core::Core;

/// Moves the coldest units of the pool to SSD, as many as there is demand for; returns how many. `refused`: the pool
/// had just no room for something.
pub(crate) fn batch(core: &Core, refused: bool) -> u32 {
    let Some(mut mover) = Mover::new(&core.store) else { return 0 };
    // Ahead of the need. If it cannot be done, that shows below.
    let _ = mover.clean(1);
    let now = core.touches.now();
    let pressure = core.pressure(refused);
    let wanted = units_of(demand(pressure), pressure.pooled, core.store.pooled_units());
    let mut moved = 0;
    for unit in oldest(|| core.pooled().map(|unit| (unit, core.touches.age(unit, now))), wanted) {
        match add_to(core, &mut mover, unit) {
            Ok(units) => moved += units,
            Err(_) => break,
        }
    }
    moved += mover.flush().unwrap_or(0);
    drop(mover);
    core.store.tier().into_iter().for_each(|tier| tier.make_holes());
    core.counters.demoted_units.add(moved.into());
    moved
}

/// Adds the unit to the batch, which is written first if it is full; returns how many units that moved. A unit that
/// somebody is busy with stays.
pub(crate) fn add_to(core: &Core, mover: &mut Mover<'_>, unit: UnitIndex) -> Result<u32, NotWritten> {
    let table = core.store.table();
    let Some(mut slot) = table.try_lock(unit) else { return Ok(0) };
    if mover.add(&mut slot) {
        return Ok(0);
    }
    // Writing locks the slots of the batch.
    drop(slot);
    let moved = mover.flush().map_err(|_| NotWritten)?;
    if let Some(mut slot) = table.try_lock(unit) {
        mover.add(&mut slot);
    }
    Ok(moved)
}

/// The SSD has no room, or does not write: what was to go there is where it was.
#[derive(Debug)]
pub(crate) struct NotWritten;
