//! Waiting awake: threads that serve others look for more work for a little while before they sleep, since waking a
//! sleeping thread takes longer (about 30 us here, on another CPU) than serving a fault.

use std::time::Duration;

use ztera_sync::atomic::{AtomicBool, Ordering};
use ztera_sync::thread;
use ztera_sync::time::Instant;

/// Whose turn it is. One thread at a time lingers: more would only take CPU time from the program.
#[derive(Debug, Default)]
pub(crate) struct Linger {
    taken: AtomicBool,
}

impl Linger {
    /// What `poll` finds within `most`. Where another thread lingers already, it is asked once.
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
        let linger = Linger::default();
        let asked = Cell::new(0);
        let poll = || {
            asked.set(asked.get() + 1);
            (asked.get() == 5).then_some("it")
        };
        assert_eq!(linger.wait(LONG, poll), Some("it"));
        assert!(!linger.is_taken());
    }

    #[test]
    fn nothing_comes_and_the_next_has_its_turn() {
        let linger = Linger::default();
        assert_eq!(linger.wait(Duration::ZERO, || None::<u8>), None);
        assert!(!linger.is_taken());
    }

    #[test]
    fn one_at_a_time() {
        let linger = Linger::default();
        let (asked, asked_of_second) = (Cell::new(0), Cell::new(0));
        let second = || {
            let found = linger.wait(LONG, || {
                asked_of_second.set(asked_of_second.get() + 1);
                None::<u8>
            });
            assert_eq!(found, None);
        };
        let poll = || {
            asked.set(asked.get() + 1);
            (asked.get() == 2).then(second)
        };
        linger.wait(LONG, poll);
        assert_eq!((asked.get(), asked_of_second.get()), (2, 1));
    }
}
