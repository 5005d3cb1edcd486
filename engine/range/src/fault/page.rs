//! Units of several pages that come page by page: the program gets the page that it asked for, and the pool keeps the unit.

use ztera_policy::copies::is_worth_keeping;
use ztera_store::{Pages, Reach, Reading, Scratch, Slot};

use crate::core::{fatal, is_in_pool};
use crate::fault::server::{Access, Coming, Server};

impl Server<'_> {
    /// Whether only the page of `access` comes: where the program does not use units as a whole, and the pool keeps an
    /// object that is small enough beside it.
    pub(super) fn comes_in_part(self, access: Access, slot: &Slot<'_>) -> bool {
        let is_small = |len| is_worth_keeping(len, self.core.unit_len() as u64);
        !access.write
            && is_in_pool(slot.backing())
            && self.core.store.stored_len(slot).is_some_and(is_small)
            && self.core.residency.wholes().comes_in_part(access.unit)
    }

    /// Makes the page of `access` resident, and no other one of its unit.
    pub(super) fn bring_page(
        self,
        access: Access,
        coming: Coming,
        slot: &mut Slot<'_>,
        reach: Reach,
        scratch: &mut Scratch,
    ) {
        let page = access.page;
        self.core.counters.faults.add(1);
        self.core.count_near(slot);
        self.ask_for_split(slot);
        let reading = Reading { pages: page, reach, ..Reading::default() };
        match self.core.store.contents_by(slot, reading, scratch) {
            Ok(bytes) => {
                self.core.install_pages(slot, page, bytes, true);
                self.core.residency.add(slot, coming.heat);
                let holes = self.core.residency.holes();
                holes.set(slot, holes.all().without(page));
            }
            Err(error) => self.lose(slot, coming, error),
        }
    }

    /// A page of the unit was wanted, and units around it are not used as a whole: has its object split while there is room.
    fn ask_for_split(self, slot: &Slot<'_>) {
        let (core, unit) = (self.core, slot.unit());
        let is_in_part = !core.residency.wholes().are_likely(unit);
        if is_in_part && core.store.may_be_split(slot) && core.pool_has_room() {
            core.to_split.add(unit, &core.store);
        }
    }

    /// Answers a fault of a unit that is resident with holes: maps the page that was asked for, or all if the `whole` unit is
    /// wanted or somebody waits to write. False if the page is there, and that is enough.
    pub(super) fn fill(
        self,
        access: Access,
        whole: bool,
        slot: &mut Slot<'_>,
        reach: Reach,
        scratch: &mut Scratch,
    ) -> bool {
        debug_assert!(slot.is_resident() && slot.unit() == access.unit);
        let Access { unit, page, write } = access;
        let holes = self.core.residency.holes().of(unit);
        let missing = holes.has(page);
        if holes == Pages::default() || !(missing || write) {
            return false;
        }
        let counter = if missing { &self.core.counters.faults } else { &self.core.counters.wp_faults };
        counter.add(1);
        let residency = &self.core.residency;
        if missing && residency.holes().leave_one(holes) {
            residency.wholes().note(unit, true);
        }
        if write || whole || residency.wholes().are_likely(unit) {
            self.fill_all(slot, write, reach, scratch);
        } else {
            self.map_holes(slot, page, false, reach, scratch);
        }
        // A unit that goes round goes on, or another one would have to be stored.
        slot.set_referenced(write || !residency.cycles());
        true
    }

    /// Fills all holes of a resident unit. To `write`, all of it becomes writable, and dirty.
    pub(super) fn fill_all(self, slot: &mut Slot<'_>, write: bool, reach: Reach, scratch: &mut Scratch) {
        let holes = self.core.residency.holes().of(slot.unit());
        if holes == Pages::default() || !self.map_holes(slot, holes, write, reach, scratch) || !write {
            return;
        }
        // Nobody can use the copy: the slot is locked.
        self.core.forget(slot);
        self.core.share_budget();
        slot.set_written();
        let result = self.core.uffd.unprotect(self.core.memory.address(slot.unit()), self.core.unit_len());
        result.unwrap_or_else(|error| fatal("unprotecting units", &error));
    }

    /// Maps some of the holes of a unit. False if its contents are lost: then all of its pages are poisoned.
    fn map_holes(
        self,
        slot: &mut Slot<'_>,
        pages: Pages,
        writable: bool,
        reach: Reach,
        scratch: &mut Scratch,
    ) -> bool {
        let holes = self.core.residency.holes();
        debug_assert!(
            pages.without(holes.of(slot.unit())) == Pages::default(),
            "what is mapped stays as it is"
        );
        let reading = Reading { pages, reach, ..Reading::default() };
        match self.core.store.contents_by(slot, reading, scratch) {
            Ok(bytes) => {
                self.core.install_pages(slot, pages, bytes, !writable);
                holes.set(slot, holes.of(slot.unit()).without(pages));
                true
            }
            Err(error) => {
                self.core.fail_access(slot, error);
                holes.set(slot, Pages::default());
                false
            }
        }
    }
}
