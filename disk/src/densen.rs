// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Room in the pool of a device that is nearly full: units that were not wanted for longest are made smaller by denser
//! codecs, which zram never does by itself. It would refuse the write.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::Mutex;
use ztera_policy::demotion::oldest;
use ztera_store::Store;

use crate::bell::Bell;
use crate::device::Device;
use crate::recompress::{Denser, Encoders, Recompressed};

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
}

/// Units of a batch at least, for which a writer may have to wait, and the part of all that is more: the whole table is
/// looked through for each batch.
const BATCH: u32 = 32;
const BATCH_SHARE: u32 = 4096;

impl Device {
    /// Wakes the thread, unless that was in vain just now. A writer helps it before the last room is taken, as the
    /// smaller objects need some. The caller must hold no slot.
    pub(crate) fn ring_for_denser(&self) {
        if !self.wants_denser() {
            return;
        }
        self.densening.iter().for_each(|densening| densening.bell.ring());
        if self.is_almost_full() {
            self.densen_batch();
        }
    }

    fn is_almost_full(&self) -> bool {
        let limit = self.store.pool_limit();
        limit > 0 && self.store.pool_occupied() > limit / 32 * 31
    }

    /// Whether room is short, and something was written since there was nothing to be made smaller.
    pub(crate) fn wants_denser(&self) -> bool {
        let is_new = |densening: &Densening| {
            let written = self.counters.write_bytes.get() - densening.vain_at.load(Ordering::Relaxed);
            written >= u64::from(self.batch()) * self.unit().bytes() as u64
        };
        !self.has_room() && self.densening.as_ref().is_some_and(is_new)
    }

    fn batch(&self) -> u32 {
        BATCH.max(self.store.table().len() / BATCH_SHARE)
    }

    /// Makes the coldest units smaller that denser codecs have not had since they were written; returns how many bytes
    /// that freed. The caller must hold no slot.
    pub(crate) fn densen_batch(&self) -> u64 {
        let Some(densening) = &self.densening else { return 0 };
        let mut with = densening.encoders.lock();
        let now = self.touches.now();
        let untried = || {
            let untried = self.pooled().filter(|&unit| !self.touches.is_tried(unit));
            untried.map(|unit| (unit, self.touches.age(unit, now)))
        };
        let mut sum = Recompressed::default();
        for unit in oldest(untried, self.batch() as usize) {
            self.make_smaller(unit, &mut with, 0, &mut sum);
        }
        self.counters.recompressed_units.add(sum.units);
        if sum.from == sum.to {
            densening.vain_at.store(self.counters.write_bytes.get(), Ordering::Relaxed);
        }
        sum.from - sum.to
    }
}
