//! Units in the order in which they are to leave: a queue for each [heat](ztera_policy::heat).

use ztera_policy::heat::{HEATS, Heat, are_many_cold, leaves_next};
use ztera_store::UnitIndex;
use ztera_sync::atomic::{AtomicU64, Ordering};

use super::queue::Queue;

/// The queues, and how many units each has.
#[derive(Debug)]
pub(crate) struct Heats {
    queues: [Queue<UnitIndex>; HEATS],
    lens: [AtomicU64; HEATS],
    /// Takes so far.
    turns: AtomicU64,
}

impl Heats {
    /// For about so many units.
    pub fn for_entries(entries: u64) -> Self {
        Self {
            queues: std::array::from_fn(|_| Queue::for_entries(entries)),
            lens: std::array::from_fn(|_| AtomicU64::new(0)),
            turns: AtomicU64::new(0),
        }
    }

    /// Puts a unit at the tail.
    pub fn put(&self, unit: UnitIndex, heat: Heat) {
        self.lens[heat as usize].fetch_add(1, Ordering::Relaxed);
        self.queues[heat as usize].put(unit.0 as usize, unit);
    }

    /// Takes the unit that leaves next. Where those that came before are `stuck`, each heat has its turn.
    pub fn take(&self, stuck: bool) -> Option<(UnitIndex, Heat)> {
        let turn = self.turns.fetch_add(1, Ordering::Relaxed);
        let next = if stuck { Heat::ALL[turn as usize % HEATS] } else { leaves_next(self.lens(), turn) };
        // Somebody else may have taken the last one.
        std::iter::once(next).chain(Heat::ALL).find_map(|heat| Some((self.take_of(heat)?, heat)))
    }

    fn take_of(&self, heat: Heat) -> Option<UnitIndex> {
        let unit = self.queues[heat as usize].take()?;
        self.lens[heat as usize].fetch_sub(1, Ordering::Relaxed);
        Some(unit)
    }

    /// Whether cold units leave rather than others.
    pub fn has_many_cold(&self) -> bool {
        are_many_cold(self.lens())
    }

    fn lens(&self) -> [u64; HEATS] {
        std::array::from_fn(|heat| self.lens[heat].load(Ordering::Relaxed))
    }

    /// Units of all heats.
    pub fn len(&self) -> usize {
        self.queues.iter().map(Queue::len).sum()
    }
}
