// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The work that a device has beside its requests: it makes room ahead of the need, and does as an administrator asks.
//!
//! * [`demote`] makes room in the pool by the SSD. [`densen`] makes it by denser codecs, where a device without an SSD
//!   is nearly full. [`compact`] gives memory between objects back.
//! * [`recompress`] makes objects of idle units smaller, unasked and as asked; [`smaller`] does so with one unit.
//! * [`write_back`] moves units to the SSD as asked.
//!
//! Each works on the [core](crate::core) alone. Here they are put together.

mod compact;
mod demote;
mod densen;
mod recompress;
mod smaller;
mod write_back;

use std::io;
use std::sync::Arc;
use std::time::Duration;

use ztera_policy::{densening, idleness};

use crate::bell::{Behind, Bell};
use crate::core::Core;
use compact::Compactor;
use densen::Densening;
use recompress::Rounds;

pub use recompress::{Codecs, Recompress};
pub use smaller::Denser;
pub use smaller::{MOST_CODECS, Recompressed};
pub use write_back::{Pages, WriteBack};

/// The upkeep of a device, and when it was last of use.
pub(crate) struct Upkeep {
    core: Arc<Core>,
    denser: Denser,
    compactor: Compactor,
    /// `None` if denser codecs are used only when asked for.
    densening: Option<Densening>,
    /// Wakes the thread that makes room by the SSD.
    demoter: Arc<Bell>,
}

impl Upkeep {
    /// Of a device whose denser codecs are these.
    pub fn new(core: Arc<Core>, denser: Denser) -> Self {
        Self {
            densening: Densening::new(&core.store, &denser),
            compactor: Compactor::default(),
            demoter: Arc::default(),
            core,
            denser,
        }
    }

    /// Denser codecs by priority.
    pub fn denser(&self) -> &Denser {
        &self.denser
    }

    /// Wakes a thread that makes room if the pool is nearly full, so that writers do not wait. The caller must hold no
    /// slot: it may have to help.
    pub fn ring_if_full(&self) {
        if self.core.has_room() {
            return;
        }
        if self.core.store.tier().is_some() {
            self.demoter.ring();
        } else if let Some(densening) = self.densening.as_ref().filter(|it| it.may_pay(&self.core)) {
            densening.bell.ring();
            // Before the last room is taken, as the smaller objects need some.
            if densening::is_almost_full(self.core.pressure(false)) {
                densening.batch(&self.core);
            }
        }
    }

    /// Makes room for a write that found none. The caller must hold no slot. False if there is none to be made.
    pub fn make_room(&self) -> bool {
        demote::batch(&self.core, true) > 0
            || self.compactor.give_back_sparse(&self.core.store)
            || self.densening.as_ref().is_some_and(|densening| densening.batch(&self.core) > 0)
    }

    /// Moves objects together; returns how many bytes of memory that gave back.
    pub fn compact(&self) -> u64 {
        self.compactor.compact(&self.core.store)
    }

    /// See [`recompress::recompress`].
    pub fn recompress(&self, which: &Recompress) -> Result<Recompressed, String> {
        recompress::recompress(&self.core, &self.denser, which)
    }

    /// See [`write_back::write_back`].
    pub fn write_back(&self, which: &WriteBack) -> Option<u64> {
        write_back::write_back(&self.core, which)
    }
}

/// Starts the threads that make room before it is needed: by the SSD, if there is one, and by denser codecs, if they
/// are wanted unasked.
pub(crate) fn start(upkeep: &Arc<Upkeep>) -> io::Result<Vec<Behind>> {
    let mut threads = Vec::new();
    if upkeep.core.store.tier().is_some() {
        let (own, bell) = (upkeep.clone(), upkeep.demoter.clone());
        threads.push(Behind::start("zt-demoter", bell, move || {
            while own.demoter.wait() {
                while !own.core.has_room() && demote::batch(&own.core, false) > 0 {}
            }
        })?);
    }
    if let (Some(after), Some(densening)) = (upkeep.denser.after, &upkeep.densening) {
        let (own, bell) = (upkeep.clone(), densening.bell.clone());
        threads.push(Behind::start("zt-denser", bell, move || own.densen_idle(after))?);
    }
    Ok(threads)
}

impl Upkeep {
    /// The body of the thread that makes units smaller: idle ones, and others where the pool is nearly full.
    fn densen_idle(&self, after: Duration) {
        let Some(densening) = &self.densening else { return };
        let mut rounds = Rounds::of(&self.core, &self.denser);
        let goes_on = || !densening.bell.is_stopping();
        while densening.bell.wait_for(idleness::look_every(after)) {
            if rounds.round(&self.core, after, goes_on).from > 0 && goes_on() {
                self.compactor.compact_if_it_pays(&self.core.store);
            }
            while goes_on() && densening.may_pay(&self.core) && densening.batch(&self.core) > 0 {}
        }
    }
}
