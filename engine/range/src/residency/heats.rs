//! Units in the order in which they are to leave: a queue for each [heat](ztera_policy::heat).

use ztera_policy::clustering::ClusterLen;
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
    clusters: ClusterLen,
}

impl Heats {
    /// For about so many units, in `clusters`.
    pub fn for_entries(entries: u64, clusters: ClusterLen) -> Self {
        Self {
            clusters,
            queues: std::array::from_fn(|_| Queue::for_entries(entries)),
            lens: std::array::from_fn(|_| AtomicU64::new(0)),
            turns: AtomicU64::new(0),
        }
    }

    /// Puts a unit at the tail.
    pub fn put(&self, unit: UnitIndex, heat: Heat) {
        self.lens[heat as usize].fetch_add(1, Ordering::Relaxed);
        self.queues[heat as usize].put(self.clusters.number(unit), unit);
    }

    /// Takes the unit that leaves next, and those of its cluster that lie behind it in its queue. Where those that came before
    /// are `stuck`, each heat has its turn.
    pub fn take(&self, stuck: bool, taken: &mut Vec<UnitIndex>) -> Option<Heat> {
        let turn = self.turns.fetch_add(1, Ordering::Relaxed);
        let next = if stuck { Heat::ALL[turn as usize % HEATS] } else { leaves_next(self.lens(), turn) };
        // Somebody else may have taken the last one.
        std::iter::once(next).chain(Heat::ALL).find(|&heat| self.take_of(heat, taken) > 0)
    }

    /// Takes the oldest of the cold units, and those of its cluster that lie behind it.
    pub fn take_cold(&self, taken: &mut Vec<UnitIndex>) -> Option<Heat> {
        (self.take_of(Heat::Cold, taken) > 0).then_some(Heat::Cold)
    }

    /// How many units are cold.
    pub fn cold(&self) -> u64 {
        self.lens[Heat::Cold as usize].load(Ordering::Relaxed)
    }

    fn take_of(&self, heat: Heat, taken: &mut Vec<UnitIndex>) -> usize {
        let count = self.queues[heat as usize]
            .take_run(|a, b| self.clusters.number(*a) == self.clusters.number(*b), taken);
        self.lens[heat as usize].fetch_sub(count as u64, Ordering::Relaxed);
        count
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
