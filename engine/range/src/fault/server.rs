//! Steps that all ways to bring in a unit have in common: the decisions about it, and its arrival.

use ztera_policy::copies::is_worth_keeping;
use ztera_policy::heat::Heat;
use ztera_store::{Backing, LoadError, Pages, Reach, Reading, Scratch, Slot, UnitIndex};

use crate::core::{Core, is_in_pool};
use crate::fault::Faults;
use crate::reclaim::evictor::Evictor;
use crate::trace::Recorder;

/// The decisions about a unit that comes.
#[derive(Clone, Copy)]
pub(super) struct Coming {
    pub keeps_copy: bool,
    /// `None`: it passes.
    pub heat: Option<Heat>,
}

/// An access that waits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Access {
    pub unit: UnitIndex,
    pub page: Pages,
    pub write: bool,
}

/// Answers faults, and reads ahead: for a handler, or for a thread of the program that serves itself.
#[derive(Clone, Copy)]
pub(crate) struct Server<'r> {
    pub core: &'r Core,
    pub faults: &'r Faults,
    /// `None` if nobody wants to know what the program touches.
    pub trace: Option<&'r Recorder>,
}

impl<'r> Server<'r> {
    pub(super) fn evictor(self) -> Evictor<'r> {
        Evictor { core: self.core }
    }

    /// Locks a unit that nobody is busy with, if it is not resident and has a backing that is `wanted`.
    pub(super) fn lock_if(self, unit: UnitIndex, wanted: impl Fn(Backing) -> bool) -> Option<Slot<'r>> {
        let slot = self.core.store.table().try_lock(unit)?;
        (!slot.is_mapped() && wanted(slot.backing())).then_some(slot)
    }

    /// Makes a unit resident as it was expected: protected for a reader, so that the copy that the store has stays good until
    /// somebody writes; writable for a writer, and then that copy goes.
    pub(super) fn bring_in(
        self,
        coming: Coming,
        slot: &mut Slot<'_>,
        write: bool,
        reach: Reach,
        scratch: &mut Scratch,
    ) {
        self.core.counters.faults.add(1);
        self.core.count_near(slot);
        let reading = Reading { reach, ..Reading::default() };
        match self.core.store.contents_by(slot, reading, scratch) {
            Ok(bytes) => {
                self.core.install(slot.unit(), bytes, !write);
                self.trace_record(slot, scratch);
                if !write {
                    self.promote_if_wanted(slot, scratch);
                }
                self.settle(slot, coming, write);
            }
            Err(error) => self.lose(slot, coming, error),
        }
    }

    /// Writes down what a unit that was just read with `scratch` takes on SSD.
    pub(super) fn trace_record(self, slot: &Slot<'_>, scratch: &mut Scratch) {
        if let Some(trace) = self.trace
            && let Some(len) = self.core.store.last_record_len(slot, scratch)
        {
            trace.measured(slot.unit(), len);
        }
    }

    /// Decides about a unit that is about to come, for a reader `in_order` or somebody else, or for one who will `write`.
    pub(super) fn expect(self, slot: &mut Slot<'_>, in_order: bool, write: bool) -> Coming {
        if !write && self.may_cycle(slot) && self.goes_on(slot) {
            return Coming { keeps_copy: true, heat: None };
        }
        let keeps_copy = self.keeps_copy(slot);
        Coming { keeps_copy, heat: self.core.residency.take_heat(slot, in_order) }
    }

    fn goes_on(self, slot: &mut Slot<'_>) -> bool {
        let Core { store, residency, .. } = self.core;
        residency.goes_on(slot, store.pooled_units(), store.dirty_units())
    }

    /// The unit is mapped, writable if somebody waits to `write`.
    pub(super) fn settle(self, slot: &mut Slot<'_>, coming: Coming, write: bool) {
        if write || !coming.keeps_copy {
            // The writer may be running already, but nobody can use the copy: the slot is locked.
            self.core.forget(slot);
            self.core.share_budget();
        }
        if write {
            slot.set_written();
        }
        self.core.residency.add(slot, coming.heat);
    }

    /// The contents cannot be had. Poisoned pages count as resident, so that a discard clears them, but have nothing to
    /// promote.
    pub(super) fn lose(self, slot: &mut Slot<'_>, coming: Coming, error: LoadError) {
        self.core.fail_access(slot, error);
        self.core.residency.add(slot, coming.heat);
    }

    /// Whether a unit that becomes resident is one of those that keep coming back, and these do better without copies. To
    /// wait until it would leave again means to have copies of most units, as they come and go.
    fn gives_copy_up(self, slot: &Slot<'_>) -> bool {
        self.core.copies_are_given_up() && self.core.residency.came_back_soon(slot.stamp())
    }

    /// Whether the store's copy of a unit that becomes resident is worth its memory.
    fn keeps_copy(self, slot: &Slot<'_>) -> bool {
        !is_in_pool(slot.backing())
            || !self.core.copies_cost_pages()
            || (!self.core.all_fit_plain() && self.saves_enough(slot) && !self.gives_copy_up(slot))
    }

    fn saves_enough(self, slot: &Slot<'_>) -> bool {
        let unit_len = self.core.unit_len() as u64;
        self.core.store.stored_len(slot).is_none_or(|len| is_worth_keeping(len, unit_len))
    }

    /// Whether a unit that comes back is one of few that have no room, and can leave again for nothing.
    fn may_cycle(self, slot: &Slot<'_>) -> bool {
        let residency = &self.core.residency;
        residency.cycles()
            && residency.is_nearly_high()
            && is_in_pool(slot.backing())
            && self.saves_enough(slot)
    }
}
