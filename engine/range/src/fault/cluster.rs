//! Units that lie together and come together: decoded into one buffer, and mapped by one call.

use std::collections::VecDeque;

use ztera_policy::clustering::MOST_UNITS;
use ztera_store::{
    Backing, Patience, Reach, Reading, Scratch, Slot, UnitIndex, Units, come_together, reach_along,
};

use crate::core::is_in_pool;
use crate::fault::server::{Coming, Server};

/// The unit that a thread waits for, and if it is to write, those that become writable. A read from SSD goes as far as `reach`
/// says.
#[derive(Clone, Copy)]
pub(super) struct Asked {
    pub unit: UnitIndex,
    pub writable: Option<Units>,
    pub reach: Reach,
}

impl Asked {
    fn makes_writable(self, unit: UnitIndex) -> bool {
        self.writable.is_some_and(|units| units.first <= unit && unit < units.end)
    }
}

/// The reason why units come.
#[derive(Clone, Copy)]
pub(super) enum Why<'h, 'r> {
    /// One of them was asked for.
    Asked(Asked),
    /// A reader in order will want them, and these next.
    Ahead(&'h VecDeque<Slot<'r>>),
}

impl Why<'_, '_> {
    /// How far a read from SSD goes for the first of `slots`.
    fn reach(self, slots: &[Option<Slot<'_>>]) -> Reach {
        match self {
            Self::Asked(asked) => asked.reach,
            Self::Ahead(next) => reach_along(slots.iter().flatten().chain(next)),
        }
    }

    fn asks(self, unit: UnitIndex) -> bool {
        matches!(self, Self::Asked(asked) if asked.unit == unit)
    }

    fn makes_writable(self, unit: UnitIndex) -> bool {
        matches!(self, Self::Asked(asked) if asked.makes_writable(unit))
    }
}

/// Neighbours that are locked and about to come.
pub(super) struct Run<'r> {
    first: UnitIndex,
    slots: [Option<Slot<'r>>; MOST_UNITS],
}

impl<'r> Run<'r> {
    /// The first of `held`, which are in ascending order, and those that follow it: up to `most`.
    pub fn next_of(held: &mut VecDeque<Slot<'r>>, most: usize) -> Option<Self> {
        let slot = held.pop_front()?;
        let first = slot.unit();
        let mut slots = [Some(slot), None, None, None];
        for (next, place) in (first.0 + 1..).zip(&mut slots[1..most.clamp(1, MOST_UNITS)]) {
            if held.front().is_none_or(|slot| slot.unit().0 != next) {
                break;
            }
            *place = held.pop_front();
        }
        Some(Self { first, slots })
    }

    /// Takes its only unit, if it has no other.
    pub fn take_only(&mut self) -> Option<Slot<'r>> {
        match &mut self.slots {
            [only, None, None, None] => only.take(),
            _ => None,
        }
    }

    fn unit(&self, place: usize) -> UnitIndex {
        UnitIndex(self.first.0 + place as u32)
    }
}

impl<'r> Server<'r> {
    /// Locks the stored units among `with` that nobody is busy with, beside `unit`. `None` if there are none.
    pub(super) fn lock_mates(self, with: Units, unit: UnitIndex) -> Option<Run<'r>> {
        let mut slots = [const { None }; MOST_UNITS];
        for (place, mate) in slots.iter_mut().zip(with.iter()).filter(|&(_, mate)| mate != unit) {
            *place = self.lock_if(mate, comes_with_cluster);
        }
        slots.iter().any(Option::is_some).then_some(Run { first: with.first, slots })
    }

    /// Brings in the unit that was `asked` for, whose `slot` is locked, with its `mates`: of those on SSD the ones that are
    /// there by the same read.
    pub(super) fn bring_cluster(
        self,
        mut mates: Run<'r>,
        asked: Asked,
        slot: Slot<'r>,
        scratch: &mut Scratch,
    ) {
        debug_assert!(mates.first <= asked.unit && slot.unit() == asked.unit);
        let place = (asked.unit.0 - mates.first.0) as usize;
        debug_assert!(mates.slots[place].is_none(), "a mate is another unit");
        mates.slots[place] = Some(slot);
        let reach = come_together(&mut mates.slots, place).unwrap_or(asked.reach);
        self.bring_run(mates, Why::Asked(Asked { reach, ..asked }), scratch);
    }

    /// Brings in a run, and unlocks its units once they are there. Others that cannot be had are left to
    /// whoever asks for them.
    pub(super) fn bring_run(self, mut run: Run<'r>, why: Why<'_, 'r>, scratch: &mut Scratch) {
        let unit_len = self.core.unit_len();
        let mut bytes = scratch.take_run(MOST_UNITS);
        let mut coming = [None; MOST_UNITS];
        for (place, target) in bytes.chunks_exact_mut(unit_len).enumerate() {
            coming[place] = self.decode(&mut run, place, why, target, scratch);
        }
        let is_writable = |place| why.makes_writable(run.unit(place));
        let mut place = 0;
        while place < MOST_UNITS {
            let joins = |next: &usize| coming[*next].is_some() && is_writable(*next) == is_writable(place);
            let end = place + (place..MOST_UNITS).take_while(joins).count();
            if end > place {
                let mapped = &bytes[place * unit_len..end * unit_len];
                self.core.install(run.unit(place), mapped, !is_writable(place));
            }
            place = end.max(place + 1);
        }
        scratch.give_run(bytes);
        self.settle_run(run, coming, why);
    }

    /// Decodes the unit at `place` of the run, if there is one. `None`, and it is unlocked: it does not come.
    fn decode(
        self,
        run: &mut Run<'r>,
        place: usize,
        why: Why<'_, 'r>,
        target: &mut [u8],
        scratch: &mut Scratch,
    ) -> Option<Coming> {
        let unit = run.unit(place);
        run.slots[place].as_ref()?;
        let reach = why.reach(&run.slots[place..]);
        let slot = run.slots[place].as_mut()?;
        debug_assert!(slot.unit() == unit && !slot.is_mapped());
        if why.asks(unit) {
            self.core.counters.faults.add(1);
            self.core.count_near(slot);
        }
        let coming = self.expect(slot, matches!(why, Why::Ahead(_)), why.makes_writable(unit));
        // A thread waits, but not for the mates.
        let patience = if why.asks(unit) { Patience::Some } else { Patience::None };
        let reading = Reading { reach, patience, ..Reading::default() };
        let result = self.core.store.contents_to(slot, reading, scratch, target);
        if let Err(error) = result {
            if why.asks(unit) {
                self.lose(slot, coming, error);
            }
            run.slots[place] = None;
            return None;
        }
        self.trace_record(slot, scratch);
        if !why.makes_writable(unit) {
            self.promote_if_wanted(slot, scratch);
        }
        Some(coming)
    }

    /// All are mapped now. The one that was asked for comes last, so that it does not leave before the others.
    fn settle_run(self, mut run: Run<'r>, coming: [Option<Coming>; MOST_UNITS], why: Why<'_, 'r>) {
        for last in [false, true] {
            for (place, coming) in coming.into_iter().enumerate() {
                let unit = run.unit(place);
                if why.asks(unit) == last
                    && let (Some(mut slot), Some(coming)) = (run.slots[place].take(), coming)
                {
                    self.core.counters.read_ahead.add(u64::from(!last));
                    self.settle(&mut slot, coming, why.makes_writable(unit));
                }
            }
        }
    }
}

/// Whether a unit with such a backing comes with its cluster.
fn comes_with_cluster(backing: Backing) -> bool {
    is_in_pool(backing) || matches!(backing, Backing::OnSsd(_) | Backing::Same(_))
}
