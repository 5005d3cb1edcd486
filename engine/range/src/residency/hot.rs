//! Units that are hot: nobody looks at them before they are due.

use ztera_policy::hotness::{HEATS, Heat, are_too_many};
use ztera_store::UnitIndex;
use ztera_sync::atomic::{AtomicU64, Ordering};

use crate::residency::queue::Queue;

/// They wait in queues by their heat: so in each the one at the head is due first.
#[derive(Debug)]
pub(crate) struct Hot {
    queues: [Queue<Entry>; HEATS],
    len: AtomicU64,
    /// None is due before, as far as anybody has looked: each eviction asks. It may be too late for a unit that came
    /// while somebody looked, but not for long.
    next: AtomicU64,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    unit: UnitIndex,
    /// It is due after so many evictions.
    due: u64,
}

impl Hot {
    /// For about so many units.
    pub fn for_entries(entries: u64) -> Self {
        Self {
            queues: std::array::from_fn(|_| Queue::for_entries(entries)),
            len: AtomicU64::new(0),
            next: AtomicU64::new(u64::MAX),
        }
    }

    /// Puts a unit at the tail. There were so many `evictions`, and memory has room for `limit` units.
    pub fn put(&self, unit: UnitIndex, heat: Heat, evictions: u64, limit: u64) {
        let due = evictions.saturating_add(heat.evictions(limit));
        self.len.fetch_add(1, Ordering::Relaxed);
        self.queues[heat as usize].put(unit.0 as usize, Entry { unit, due });
        self.next.fetch_min(due, Ordering::Relaxed);
    }

    /// Takes a unit that is due after so many `evictions`. It looks at one part of each queue only, so it may find none
    /// although there is one: the next call looks elsewhere.
    pub fn take_due(&self, evictions: u64) -> Option<UnitIndex> {
        if evictions < self.next.load(Ordering::Relaxed) {
            return None;
        }
        let is_due = |entry: &Entry| entry.due <= evictions;
        let entry = self.queues.iter().find_map(|queue| queue.take_if(is_due));
        if entry.is_none() {
            let next = self.queues.iter().map(due).min().unwrap_or(u64::MAX);
            self.next.store(next, Ordering::Relaxed);
        }
        self.taken(entry)
    }

    /// Takes the unit that is due first.
    pub fn take_first(&self) -> Option<UnitIndex> {
        let [one, other] = &self.queues;
        let [first, then] = if due(one) <= due(other) { [one, other] } else { [other, one] };
        self.taken(first.take().or_else(|| then.take()))
    }

    fn taken(&self, entry: Option<Entry>) -> Option<UnitIndex> {
        entry.map(|Entry { unit, .. }| {
            self.len.fetch_sub(1, Ordering::Relaxed);
            unit
        })
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether they leave no room for others in memory for `limit` units, of which `passing` pass.
    pub fn are_too_many(&self, passing: u64, limit: u64) -> bool {
        are_too_many(self.len(), passing, limit)
    }

    /// Entries, about now.
    pub fn len(&self) -> u64 {
        self.len.load(Ordering::Relaxed)
    }
}

/// When the next of a queue is due.
fn due(queue: &Queue<Entry>) -> u64 {
    queue.peek(|entry| entry.due).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_due_in_its_time() {
        let hot = Hot::for_entries(0);
        hot.put(UnitIndex(1), Heat::Hottest, 0, 100);
        hot.put(UnitIndex(2), Heat::Hot, 1, 100);
        let due = |evictions| hot.take_due(evictions).map(|unit| unit.0);
        assert_eq!(
            [due(800), due(801), due(3199), due(3200), due(3200)],
            [None, Some(2), None, Some(1), None]
        );
        assert!(hot.is_empty());
    }

    #[test]
    fn the_first_to_be_due_makes_room() {
        let hot = Hot::for_entries(0);
        hot.put(UnitIndex(1), Heat::Hottest, 0, 100);
        hot.put(UnitIndex(2), Heat::Hot, 2000, 100);
        hot.put(UnitIndex(3), Heat::Hot, 2500, 100);
        assert!(hot.are_too_many(0, 3) && !hot.are_too_many(0, 40));
        let first = std::iter::from_fn(|| hot.take_first()).map(|unit| unit.0);
        assert_eq!(first.collect::<Vec<_>>(), [2, 1, 3]);
        assert!(hot.is_empty());
    }
}
