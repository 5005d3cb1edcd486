//! The core: units, their pages and their contents, and what it takes for these to agree. All other parts borrow it.
//!
//! Its state:
//!
//! * [`lost`] are units whose contents could not be read, [`pins`] those that must stay, [`to_split`] those that are to be
//!   split, and [`rewrites`] counts what the program writes to again and again.
//! * [`watch`] is what is known of the pool.
//! * [`budget`] is the DRAM of resident units and the pool, and bounds how fast both grow; [`promised`] is what has to stay
//!   free for others.
//!
//! Its methods, each file of which may use all of the state:
//!
//! * [`pages`] maps and unmaps contents, [`pinning`] has units stay.
//! * [`pool`] stores units, and calls the threads that make room.
//! * [`sharing`] divides the budget, as [`margins`] tell where DRAM saves more.

pub(crate) mod budget;
pub(crate) mod lost;
pub(crate) mod margins;
pub(crate) mod pages;
mod pinning;
pub(crate) mod pins;
mod pool;
pub(crate) mod promised;
pub(crate) mod rewrites;
mod sharing;
pub(crate) mod to_split;
pub(crate) mod watch;

use std::sync::Arc;

use ztera_store::{Backing, Patch, Slot, Store, UnitIndex, Units};

use crate::os::memory::Memory;
use crate::os::uffd::Uffd;
use crate::residency::Residency;
use crate::stats::Counters;
use budget::Budget;
use lost::Lost;
use pins::Pins;
use rewrites::Rewrites;
use to_split::ToSplit;
use watch::{PoolChange, PoolWatch};

/// `uffd` comes before `memory`, so that the range is not served any more when its mapping goes.
pub(crate) struct Core {
    pub uffd: Uffd,
    pub memory: Memory,
    pub store: Arc<Store>,
    pub residency: Residency,
    /// Resident units that are poisoned.
    pub lost: Lost,
    pub pins: Pins,
    pub counters: Counters,
    /// `None`: resident units and the pool have limits of their own.
    pub budget: Option<Budget>,
    pub watch: PoolWatch,
    pub rewrites: Rewrites,
    pub to_split: ToSplit,
}

const _: () = assert!(ztera_policy::MAX_STAMP == Slot::MAX_STAMP, "ages are counted in stamps");

/// Slots locked at once by operations over many units. 4 to 64 MiB of address space, so that one
/// system call unmaps a lot, yet a fault that hits such a batch does not wait for long.
pub(crate) const BATCH: u32 = 1024;

/// Most bytes of patches: of a budget this part, and so many where there is none. They stay until their units are written to.
const MOST_PATCHES_PART: u64 = 32;
const MOST_PATCHES: u64 = 16 << 20;

impl Core {
    pub fn unit_len(&self) -> usize {
        self.store.unit().bytes()
    }

    /// Unmaps `units` whatever state they are in and lets `change` give each slot its new backing.
    pub fn retire(&self, units: Units, change: &mut dyn FnMut(&mut Slot<'_>)) {
        self.retire_batches(units, BATCH, &mut |slots| slots.iter_mut().for_each(&mut *change));
    }

    /// The same, `most` units and their slots at a time.
    pub fn retire_batches(&self, units: Units, most: u32, change: &mut dyn FnMut(&mut [Slot<'_>])) {
        let mut freed = false;
        for batch in units.batches(most) {
            let mut slots = self.store.table().lock_all(batch);
            if slots.iter().any(Slot::is_mapped) {
                // SAFETY: all slots of the batch are locked, and what is mapped is being replaced.
                unsafe { self.memory.drop_pages(batch) }
                    .unwrap_or_else(|error| fatal("unmapping units", &error));
            }
            for slot in &mut slots {
                if slot.is_mapped() {
                    self.pins.forget(slot);
                    self.residency.forget(slot);
                }
                freed |= slot.backing() != Backing::Empty;
            }
            debug_assert!(
                !slots.iter().any(Slot::is_mapped),
                "new contents are not in memory that has the old ones"
            );
            change(&mut slots);
        }
        if freed {
            self.pool_changed(PoolChange::Freed);
        }
    }

    /// Corrects a unit that is not in memory. False: it is, or there is no memory for more patches.
    pub fn patch(&self, unit: UnitIndex, patches: &[Patch]) -> bool {
        let most = self.budget.as_ref().map_or(MOST_PATCHES, |budget| budget.kept() / MOST_PATCHES_PART);
        self.store.patch_bytes() < most && self.store.patch(&mut self.store.table().lock(unit), patches)
    }

    /// Forgets what the store has of a unit: only its mapped memory has the contents now.
    pub fn forget(&self, slot: &mut Slot<'_>) {
        let had_room = is_in_pool(slot.backing());
        self.store.forget(slot);
        if had_room {
            self.pool_changed(PoolChange::GivenUp);
        }
    }
}

/// Whether a unit's contents are an object of the pool.
pub(crate) fn is_in_pool(backing: Backing) -> bool {
    matches!(backing, Backing::Packed(_) | Backing::Raw(_))
}

/// Ends the process: an access that is waiting can neither be given its bytes nor be made to fail.
pub(crate) fn fatal(doing: &str, error: &dyn std::fmt::Display) -> ! {
    ztera_log::say(format_args!("{doing}: {error}; the process cannot go on"));
    std::process::abort()
}
