// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Room in the pool: units that were not wanted for longest go to the SSD, and sparse memory is given back.

use std::io;
use std::sync::Arc;

use ztera_policy::demotion::{Pressure, demand, oldest, units_of};
use ztera_store::{Mover, UnitIndex};

use crate::bell::Behind;
use crate::device::Device;

impl Device {
    /// `refused`: the pool has just had no room for something.
    fn pressure(&self, refused: bool) -> Pressure {
        Pressure { pooled: self.store.pool_occupied(), limit: self.store.pool_limit(), refused, useless: 0 }
    }

    /// Whether the pool can take a unit without making others leave.
    pub(crate) fn has_room(&self) -> bool {
        demand(self.pressure(false)) == 0
    }

    /// Wakes the thread that makes room if the pool is nearly full, so that writers do not wait.
    pub(crate) fn ring_if_full(&self) {
        if self.has_room() {
            return;
        }
        if self.store.tier().is_some() {
            self.bell.ring();
        } else {
            self.ring_for_denser();
        }
    }

    /// Makes room for a write that found none. The caller must hold no slot. False if there is none to be made.
    pub(crate) fn make_room(&self) -> bool {
        self.demote_batch(true) > 0 || self.give_back_sparse() || self.densen_batch() > 0
    }

    /// Compacts if a good part of the pool lies between objects: a pass looks at the whole table.
    fn give_back_sparse(&self) -> bool {
        self.store.pool_unused() > self.store.pool_used() / 8 && self.store.compact() > 0
    }

    /// Moves the coldest units of the pool to SSD, as many as there is demand for; returns how many.
    fn demote_batch(&self, refused: bool) -> u32 {
        let Some(mut mover) = Mover::new(&self.store) else { return 0 };
        // Ahead of the need. If it cannot be done, that shows below.
        let _ = mover.clean(1);
        let now = self.touches.now();
        let pressure = self.pressure(refused);
        let wanted = units_of(demand(pressure), pressure.pooled, self.store.pooled_units());
        let mut moved = 0;
        for unit in oldest(|| self.pooled().map(|unit| (unit, self.touches.age(unit, now))), wanted) {
            match self.add_to(&mut mover, unit) {
                Ok(units) => moved += units,
                Err(_) => break,
            }
        }
        moved += mover.flush().unwrap_or(0);
        drop(mover);
        self.store.tier().into_iter().for_each(|tier| tier.make_holes());
        self.counters.demoted_units.add(moved.into());
        moved
    }

    /// Adds the unit to the batch, which is written first if it is full; returns how many units that moved. A unit that
    /// somebody is busy with stays.
    pub(crate) fn add_to(&self, mover: &mut Mover<'_>, unit: UnitIndex) -> Result<u32, NotWritten> {
        let table = self.store.table();
        let Some(mut slot) = table.try_lock(unit) else { return Ok(0) };
        if mover.add(unit, &mut slot) {
            return Ok(0);
        }
        // Writing locks the slots of the batch.
        drop(slot);
        let moved = mover.flush().map_err(|_| NotWritten)?;
        if let Some(mut slot) = table.try_lock(unit) {
            mover.add(unit, &mut slot);
        }
        Ok(moved)
    }

    /// The units that the pool holds.
    pub(crate) fn pooled(&self) -> impl Iterator<Item = UnitIndex> {
        let table = self.store.table();
        (0..table.len()).map(UnitIndex).filter(move |&unit| table.glance(unit).in_pool)
    }
}

/// The SSD has no room, or does not write: what was to go there is where it was.
#[derive(Debug)]
pub(crate) struct NotWritten;

/// Starts the thread that makes room before it is needed.
pub(crate) fn start(device: Arc<Device>) -> io::Result<Behind> {
    let bell = device.bell.clone();
    Behind::start("zt-demoter", bell.clone(), move || {
        while bell.wait() {
            while !device.has_room() && device.demote_batch(false) > 0 {}
        }
    })
}
