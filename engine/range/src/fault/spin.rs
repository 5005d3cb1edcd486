//! Waiting awake: threads that serve others look for more work for a little while before they sleep, since waking a
//! sleeping thread takes longer (about 30 us here, on another CPU) than serving a fault.

use std::time::Duration;

use ztera_sync::atomic::{AtomicBool, Ordering};
use ztera_sync::thread;
use ztera_sync::time::Instant;

/// Whose turn it is. One thread at a time spins: more would only take CPU time from the program.
#[derive(Debug, Default)]
pub(crate) struct Spin {
    taken: AtomicBool,
}

impl Spin {
    /// The value that `poll` finds within `most`. Where another thread spins already, it is asked once.
    pub fn wait<T>(&self, most: Duration, poll: impl Fn() -> Option<T>) -> Option<T> {
        let mut found = poll();
        if found.is_some() || self.taken.swap(true, Ordering::Relaxed) {
            return found;
        }
        let start = Instant::now();
        while found.is_none() && start.elapsed() < most {
            thread::yield_now();
            found = poll();
        }
        self.taken.store(false, Ordering::Relaxed);
        found
    }

    /// Whether a thread is at it. It may stop at any moment.
    pub fn is_taken(&self) -> bool {
        self.taken.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn what_comes_later_is_found() {
        let spin = Spin::default();
        let asked = Cell::new(0);
        let poll = || {
            asked.set(asked.get() + 1);
            (asked.get() == 5).then_some("it")
        };
        assert_eq!(spin.wait(LONG, poll), Some("it"));
        assert!(!spin.is_taken());
    }

    #[test]
    fn nothing_comes_and_the_next_has_its_turn() {
        let spin = Spin::default();
        assert_eq!(spin.wait(Duration::ZERO, || None::<u8>), None);
        assert!(!spin.is_taken());
    }

    #[test]
    fn one_at_a_time() {
        let spin = Spin::default();
        let (asked, asked_of_second) = (Cell::new(0), Cell::new(0));
        let second = || {
            let found = spin.wait(LONG, || {
                asked_of_second.set(asked_of_second.get() + 1);
                None::<u8>
            });
            assert_eq!(found, None);
        };
        let poll = || {
            asked.set(asked.get() + 1);
            (asked.get() == 2).then(second)
        };
        spin.wait(LONG, poll);
        assert_eq!((asked.get(), asked_of_second.get()), (2, 1));
    }
}
