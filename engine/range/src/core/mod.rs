//! What the threads of a range share.

pub(crate) mod budget;
pub(crate) mod lost;

use std::collections::VecDeque;
use std::sync::Arc;

use ztera_policy::demotion::is_tight;
use ztera_store::{Backing, Host, Scratch, Slot, StagingError, Store, UnitIndex, Units};
use ztera_sync::Mutex;
use ztera_sync::atomic::{AtomicBool, AtomicU64};

use crate::core::budget::Budget;
use crate::core::lost::Lost;
use crate::doorbell::Doorbell;
use crate::fault::readers::Readers;
use crate::fault::sigbus::SelfService;
use crate::fault::spin::Spin;
use crate::os::memory::Memory;
use crate::os::uffd::Uffd;
use crate::reclaim::compactor::Compacting;
use crate::reclaim::demoter::Cold;
use crate::reclaim::recompressor::Recompression;
use crate::residency::Residency;
use crate::stats::Counters;
use crate::trace::Recorder;
use ztera_policy::idleness::Epochs;

/// The parts of a range. `uffd` comes before `memory`, so that the range is not served any more when
/// its mapping goes.
pub(crate) struct Inner {
    pub uffd: Uffd,
    pub memory: Memory,
    pub store: Arc<Store>,
    pub residency: Residency,
    pub counters: Counters,
    pub readers: Readers,
    /// `None`: fault handlers serve the threads of the program.
    pub sigbus: Option<SelfService>,
    /// Resident units that are poisoned.
    pub lost: Lost,
    /// Of the fault handlers.
    pub spin: Spin,
    /// Calls the thread that moves units to SSD.
    pub demoter: Doorbell,
    /// Units that it has found, and not moved yet.
    pub coldest: Mutex<VecDeque<Cold>>,
    /// Bytes of the pool by which demotion takes its measure.
    pub pool_target: AtomicU64,
    /// `None`: resident units and the pool have limits of their own.
    pub budget: Option<Budget>,
    pub epochs: Mutex<Epochs>,
    /// A round of writing idle units back is due.
    pub idle_round: AtomicBool,
    /// `None` if no denser codec is to be used.
    pub recompression: Option<Mutex<Recompression>>,
    pub compacting: Compacting,
    /// `None` if nobody wants to know what the program touches.
    pub trace: Option<Recorder>,
}

const _: () = assert!(ztera_policy::MAX_STAMP == Slot::MAX_STAMP, "ages are counted in stamps");

/// Slots locked at once by operations over many units. 4 to 64 MiB of address space, so that one
/// system call unmaps a lot, yet a fault that hits such a batch does not wait for long.
pub(crate) const BATCH: u32 = 1024;

impl Inner {
    pub fn unit_len(&self) -> usize {
        self.store.unit().bytes()
    }

    /// Unmaps `units` whatever state they are in and lets `change` give each slot its new backing.
    pub fn retire(&self, units: Units, change: &mut dyn FnMut(UnitIndex, &mut Slot<'_>)) {
        let mut freed = false;
        for batch in units.batches(BATCH) {
            let mut slots = self.store.table().lock_all(batch);
            if slots.iter().any(Slot::is_resident) {
                // SAFETY: all slots of the batch are locked, and what is mapped is being replaced.
                unsafe { self.memory.drop_pages(batch) }
                    .unwrap_or_else(|error| fatal("unmapping units", &error));
            }
            for (unit, slot) in batch.iter().zip(&mut slots) {
                if slot.is_resident() {
                    self.residency.remove(slot);
                }
                freed |= slot.backing() != Backing::Empty;
                change(unit, slot);
            }
        }
        if freed {
            self.residency.pool_freed();
            self.pool_changed();
        }
    }

    /// Makes the first units of a staging buffer the contents of `units`, which are as new as what was evicted
    /// just now.
    pub fn submit(&self, buffer: *mut u8, units: Units) -> Result<(), StagingError> {
        self.store.submit(buffer, units, |units, change| {
            self.trace.iter().for_each(|trace| trace.submitted(units));
            self.retire(units, &mut |unit, slot| {
                change(unit, slot);
                self.residency.stamp_new(slot);
            });
        })?;
        // Resident units get no more of what buffers have borrowed.
        self.share_budget();
        Ok(())
    }

    /// Makes `units` empty.
    pub fn discard(&self, units: Units) {
        self.trace.iter().for_each(|trace| trace.discarded(units));
        self.retire(units, &mut |_, slot| {
            if slot.backing() != Backing::Empty {
                self.counters.discarded_units.add(1);
                self.store.clear(slot);
            }
        });
    }
}

impl Host for Inner {
    fn keep(&self, unit: UnitIndex, slot: &mut Slot<'_>, bytes: &[u8]) {
        if !slot.is_resident() {
            self.install(unit, bytes, true);
            self.residency.add(unit, slot);
            self.residency.wake_evictor_if_high();
        }
    }

    fn has_room(&self, bytes: u64) -> bool {
        self.fits_in_memory(bytes)
    }

    fn keep_all(&self, units: Units, slots: &mut [Slot<'_>], bytes: &[u8]) {
        self.install(units.first, bytes, true);
        for (unit, slot) in units.iter().zip(slots) {
            self.lost.remove(unit);
            self.residency.add(unit, slot);
        }
    }

    fn is_tight(&self) -> bool {
        is_tight(self.pressure())
    }

    fn freed(&self, scratch: &mut Scratch) {
        self.residency.pool_freed();
        self.pool_changed();
        self.make_room(scratch);
    }

    fn has_memory(&self, bytes: u64) -> bool {
        self.is_unused(bytes)
    }

    fn idle(&self) -> bool {
        let compacts = self.compact_idle();
        self.recompress_idle() || compacts
    }
}

/// Ends the process: an access that is waiting can neither be given its bytes nor be made to fail.
pub(crate) fn fatal(doing: &str, error: &dyn std::fmt::Display) -> ! {
    eprintln!("ztera: {doing}: {error}; the process cannot go on");
    std::process::abort()
}
