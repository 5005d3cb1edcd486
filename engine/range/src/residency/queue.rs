//! A queue that many threads put into and take from without waiting for each other.

use std::collections::VecDeque;

use ztera_sync::Mutex;
use ztera_sync::atomic::{AtomicU64, Ordering};

/// Several queues, each with a lock of its own. Entries are spread over them, and taken from each in turn: about in
/// the order in which they came, and exactly so if there is one only.
#[derive(Debug)]
pub(crate) struct Queue<T> {
    parts: Box<[Part<T>]>,
    /// Takes so far: the next one begins at the next part.
    takes: AtomicU64,
}

/// On a cache line of its own.
#[derive(Debug)]
#[repr(align(64))]
struct Part<T>(Mutex<VecDeque<T>>);

/// Enough that threads of a large machine seldom meet.
const MOST_PARTS: u64 = 16;

/// Entries expected in a part at least, so that coming a few places too early or too late means little.
const LEAST_ENTRIES: u64 = 128;

impl<T> Queue<T> {
    /// For about so many entries.
    pub fn for_entries(entries: u64) -> Self {
        Self::of_parts((entries / LEAST_ENTRIES).clamp(1, MOST_PARTS) as usize)
    }

    pub(crate) fn of_parts(parts: usize) -> Self {
        let part = |_| Part(Mutex::new(VecDeque::new()));
        Self { parts: (0..parts).map(part).collect(), takes: AtomicU64::new(0) }
    }

    /// Puts an entry at the tail; `number` says which one.
    pub fn put(&self, number: usize, entry: T) {
        self.parts[number % self.parts.len()].0.lock().push_back(entry);
    }

    /// Takes the entry at the head.
    pub fn take(&self) -> Option<T> {
        let count = self.parts.len();
        let first = self.takes.fetch_add(1, Ordering::Relaxed) as usize;
        (0..count).find_map(|i| self.parts[first.wrapping_add(i) % count].0.lock().pop_front())
    }

    /// Takes the entry at the head, and those behind it for as long as each `joins` the one before. Adds them to `taken`.
    pub fn take_run(&self, joins: impl Fn(&T, &T) -> bool, taken: &mut Vec<T>) -> usize {
        let count = self.parts.len();
        let first = self.takes.fetch_add(1, Ordering::Relaxed) as usize;
        let before = taken.len();
        for i in 0..count {
            let mut part = self.parts[first.wrapping_add(i) % count].0.lock();
            while let Some(next) = part.front()
                && (taken.len() == before || taken.last().is_some_and(|last| joins(last, next)))
            {
                taken.extend(part.pop_front());
            }
            if taken.len() > before {
                break;
            }
        }
        taken.len() - before
    }

    /// Entries, about now.
    pub fn len(&self) -> usize {
        self.parts.iter().map(|part| part.0.lock().len()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_first_leaves_first_or_nearly_so() {
        for (entries, parts) in [(0, 1), (255, 1), (256, 2), (1 << 20, 16)] {
            let queue = Queue::for_entries(entries);
            assert_eq!(queue.parts.len(), parts);
            (0..1000).for_each(|i| queue.put(i, i));
            assert_eq!(queue.len(), 1000);
            for i in 0..1000 {
                let taken = queue.take().expect("there are as many");
                assert!(taken.abs_diff(i) < parts, "{taken} came as number {i} of {parts} parts");
            }
            assert_eq!(queue.take(), None);
        }
    }

    #[test]
    fn neighbours_are_taken_together() {
        let queue = Queue::of_parts(4);
        let mut taken = Vec::new();
        let mut take = || {
            taken.clear();
            queue.take_run(|a, b| a / 4 == b / 4, &mut taken);
            taken.clone()
        };
        (4..11).for_each(|i| queue.put(i / 4, i));
        assert_eq!([take(), take(), take()], [vec![4, 5, 6, 7], vec![8, 9, 10], vec![]]);
    }

    #[test]
    fn what_lies_in_one_part_is_found() {
        let queue = Queue::of_parts(4);
        (0..9).for_each(|i| queue.put(4 * i + 3, i));
        assert_eq!(std::iter::from_fn(|| queue.take()).collect::<Vec<_>>(), (0..9).collect::<Vec<_>>());
    }
}
