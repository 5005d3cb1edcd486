// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Room in the pool of a device that is nearly full: units that were not wanted for longest are made smaller by denser
//! codecs, which zram never does by itself. It would refuse the write.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::Mutex;
use ztera_policy::demotion::oldest;
use ztera_policy::densening;
use ztera_store::Store;

use crate::bell::Bell;
use crate::core::Core;
use crate::upkeep::smaller::{Denser, Encoders, Recompressed};

/// The means of a device for that.
pub(crate) struct Densening {
    /// Wakes the thread that does it ahead of the need.
    pub bell: Arc<Bell>,
    encoders: Mutex<Encoders>,
    /// Bytes written to the device when there was last nothing to be made smaller.
    vain_at: AtomicU64,
}

impl Densening {
    /// `None` if denser codecs are used only when asked for.
    pub fn new(store: &Store, denser: &Denser) -> Option<Self> {
        denser.after.filter(|_| !denser.codecs.is_empty())?;
        let encoders = Mutex::new(Encoders::new(store, &denser.codecs));
        Some(Self { bell: Arc::default(), encoders, vain_at: AtomicU64::new(0) })
    }

    /// Whether room is short, and something was written since there was nothing to be made smaller.
    pub fn may_pay(&self, core: &Core) -> bool {
        let written = core.counters.write_bytes.get() - self.vain_at.load(Ordering::Relaxed);
        !core.has_room() && densening::may_pay(written, core.store.table().len(), core.unit())
    }

    /// Makes the coldest units smaller that denser codecs have not had since they were written; returns how many bytes
    /// that freed. The caller must hold no slot.
    pub fn batch(&self, core: &Core) -> u64 {
        let mut with = self.encoders.lock();
        let now = core.touches.now();
        let untried = || {
            let untried = core.pooled().filter(|&unit| !core.touches.is_tried(unit));
            untried.map(|unit| (unit, core.touches.age(unit, now)))
        };
        let mut sum = Recompressed::default();
        for unit in oldest(untried, densening::batch(core.store.table().len()) as usize) {
            with.make_smaller(core, unit, 0, &mut sum);
        }
        core.counters.recompressed_units.add(sum.units);
        if sum.from == sum.to {
            self.vain_at.store(core.counters.write_bytes.get(), Ordering::Relaxed);
        }
        sum.from - sum.to
    }
}
