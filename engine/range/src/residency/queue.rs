//! A queue that many threads put into and take from without waiting for each other.

use std::collections::VecDeque;

use ztera_sync::Mutex;
use ztera_sync::atomic::{AtomicU64, Ordering};

/// Several queues, each with a lock of its own. What is put in is spread over them, and taken from each in turn: about in
/// the order in which it came, and exactly so if there is one only.
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
    fn what_lies_in_one_part_is_found() {
        let queue = Queue::of_parts(4);
        (0..9).for_each(|i| queue.put(4 * i + 3, i));
        assert_eq!(std::iter::from_fn(|| queue.take()).collect::<Vec<_>>(), (0..9).collect::<Vec<_>>());
    }
}
