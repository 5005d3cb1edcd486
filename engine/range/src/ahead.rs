//! Windows to be read ahead by threads of the range, where whoever faults serves itself and should go on at once.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use ztera_store::Units;
use ztera_sync::{Condvar, Mutex, MutexGuard};

/// Windows kept. More than that are of readers that have gone on by themselves meanwhile.
const MOST: usize = 8;

/// What is wanted next, the newest first.
#[derive(Debug, Default)]
pub(crate) struct Ahead {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    windows: VecDeque<Units>,
    /// A thread looks for the next window, awake.
    lingers: bool,
    stop: bool,
}

/// For how long one thread looks for another window before it sleeps: a reader wants the next one soon, and waking a thread
/// takes longer than reading a unit ahead.
const LINGER: Duration = Duration::from_micros(100);

impl Ahead {
    /// Asks for `window`. Never waits; the oldest one is forgotten if there are too many.
    pub fn want(&self, window: Units) {
        let mut state = self.state.lock();
        state.windows.push_front(window);
        state.windows.truncate(MOST);
        // Who looks takes one; others are called for more.
        let call = !state.lingers || state.windows.len() > 1;
        drop(state);
        if call {
            self.changed.notify_one();
        }
    }

    /// A window that nobody else has; blocks until there is one. `None`: the thread has to end.
    pub fn next(&self) -> Option<Units> {
        let mut state = self.linger();
        while state.windows.is_empty() && !state.stop {
            self.changed.wait(&mut state);
        }
        if state.stop { None } else { state.windows.pop_front() }
    }

    /// Waits awake for a little, unless another thread does that.
    fn linger(&self) -> MutexGuard<'_, State> {
        let mut state = self.state.lock();
        if state.lingers {
            return state;
        }
        let start = Instant::now();
        while state.windows.is_empty() && !state.stop && start.elapsed() < LINGER {
            state.lingers = true;
            drop(state);
            std::thread::yield_now();
            state = self.state.lock();
        }
        state.lingers = false;
        state
    }

    /// Makes [`next`](Self::next) return `None` from now on.
    pub fn stop(&self) {
        self.state.lock().stop = true;
        self.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use ztera_store::UnitIndex;

    use super::*;

    fn window(first: u32) -> Units {
        Units { first: UnitIndex(first), end: UnitIndex(first + 2) }
    }

    #[test]
    fn the_newest_comes_first_and_the_oldest_is_forgotten() {
        let ahead = Ahead::default();
        (0..=MOST as u32).for_each(|first| ahead.want(window(first)));
        let got: Vec<_> = (0..MOST).map(|_| ahead.next()).collect();
        let wanted: Vec<_> = (1..=MOST as u32).rev().map(|first| Some(window(first))).collect();
        assert_eq!(got, wanted);
    }

    #[test]
    fn a_thread_that_waits_is_ended() {
        let ahead = Ahead::default();
        std::thread::scope(|scope| {
            let waiter = scope.spawn(|| ahead.next());
            ahead.stop();
            assert_eq!(waiter.join().expect("it does not panic"), None);
        });
        ahead.want(window(0));
        assert_eq!(ahead.next(), None);
    }
}
