//! Windows to be read ahead by threads of the range, where whoever faults serves itself and should go on at once.

use std::collections::VecDeque;
use std::time::Duration;

use ztera_store::Units;
use ztera_sync::{Condvar, Mutex};

use crate::linger::Linger;

/// Windows kept. More than that are of readers that have gone on by themselves meanwhile.
const MOST: usize = 8;

/// For how long a thread looks for another window before it sleeps: a reader wants the next one soon.
const LINGER: Duration = Duration::from_micros(100);

/// What is wanted next, the newest first.
#[derive(Debug, Default)]
pub(crate) struct Ahead {
    state: Mutex<State>,
    changed: Condvar,
    linger: Linger,
}

#[derive(Debug, Default)]
struct State {
    windows: VecDeque<Units>,
    stop: bool,
}

impl State {
    /// What there is for a thread, if anything: a window, or the order to end (`None`).
    fn take(&mut self) -> Option<Option<Units>> {
        if self.stop { Some(None) } else { self.windows.pop_front().map(Some) }
    }
}

impl Ahead {
    /// Asks for `window`. Never waits; the oldest one is forgotten if there are too many.
    pub fn want(&self, window: Units) {
        let mut state = self.state.lock();
        state.windows.push_front(window);
        state.windows.truncate(MOST);
        // Who lingers comes here again: at once if it has found nothing, else after its window. Others are called for more.
        let call = !self.linger.is_taken() || state.windows.len() > 1;
        drop(state);
        if call {
            self.changed.notify_one();
        }
    }

    /// A window that nobody else has; blocks until there is one. `None`: the thread has to end.
    pub fn next(&self) -> Option<Units> {
        if let Some(order) = self.linger.wait(LINGER, || self.state.lock().take()) {
            return order;
        }
        let mut state = self.state.lock();
        loop {
            if let Some(order) = state.take() {
                return order;
            }
            self.changed.wait(&mut state);
        }
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
