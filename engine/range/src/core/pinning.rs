//! Pinning of units, and the end of it.

use ztera_policy::pinning::most_pinned;
use ztera_store::{Slot, UnitIndex, Units};
use ztera_sync::atomic::Ordering;
use ztera_sync::thread;

use super::Core;
use super::pins::recent::{Recent, Which};

impl Core {
    /// Most units that may be pinned now.
    pub fn most_pinned(&self) -> u64 {
        most_pinned(self.residency.max())
    }

    /// Pins a unit that is resident and writable. False if as many are pinned as may be.
    pub fn pin(&self, slot: &mut Slot<'_>) -> bool {
        if slot.pins() == 0 {
            let most = self.most_pinned();
            let more = |units| (units < most).then_some(units + 1);
            if self.pins.units.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).is_err() {
                return false;
            }
        }
        slot.pin();
        true
    }

    /// Takes one pin of each of `units` away. Units that are not pinned are left alone.
    pub fn unpin(&self, units: Units) {
        for unit in units.iter() {
            let mut slot = self.store.table().lock(unit);
            if slot.unpin() && slot.pins() == 0 {
                self.pins.units.fetch_sub(1, Ordering::Relaxed);
                self.residency.rejoin(&mut slot);
            }
        }
        self.residency.may_leave_again();
    }

    /// Gives up pins. Returns whether there were any.
    pub fn give_up_pins(&self, which: Which) -> bool {
        std::iter::from_fn(|| self.give_up(|recent| recent.take(which))).count() > 0
    }

    /// Gives up the pin that `take` takes, if it does.
    fn give_up(&self, take: impl FnOnce(&Recent) -> Option<Units>) -> Option<()> {
        self.pins.leaving.fetch_add(1, Ordering::AcqRel);
        let pin = take(&self.pins.recent).map(|units| self.unpin(units));
        self.pins.leaving.fetch_sub(1, Ordering::AcqRel);
        pin
    }

    /// Gives up one idle pin, rather one that was not used lately. False if there is none.
    pub fn give_up_a_pin(&self) -> bool {
        self.give_up(|recent| recent.take(Which::Unused).or_else(|| recent.take(Which::Idle))).is_some()
    }

    /// Gives up one idle pin, or has others go on that are just doing so. False if there is no room to be made. The caller
    /// holds no slot.
    pub fn makes_room_for_pins(&self) -> bool {
        let is_done = self.give_up_a_pin();
        let is_under_way = !is_done && self.pins.leaving.load(Ordering::Acquire) > 0;
        if is_under_way {
            thread::yield_now();
        }
        is_done || is_under_way
    }

    /// Gives up the pins that were not used since the last call.
    pub fn age_pins(&self) {
        if self.pins.units() > 0 {
            self.give_up_pins(Which::Unused);
            self.pins.recent.age();
        }
    }

    /// Whether any of `units` is pinned and in use. Idle pins are given up for that. The caller holds no slot, as it waits
    /// for others that give up pins.
    pub fn is_in_use(&self, units: Units) -> bool {
        let is_pinned = |unit: UnitIndex| self.store.table().glance(unit).pinned;
        let any = || self.pins.units() > 0 && units.iter().any(is_pinned);
        any() && {
            self.give_up_pins(Which::Idle);
            while self.pins.leaving.load(Ordering::Acquire) > 0 && any() {
                thread::yield_now();
            }
            any()
        }
    }
}
