//! Windows to be read ahead by threads of the range, where whoever faults serves itself and should go on at once.

use std::collections::VecDeque;
use std::time::Duration;

use ztera_store::Units;
use ztera_sync::{Condvar, Mutex};

use crate::linger::Linger;

/// Pieces of windows kept: the largest windows of all readers that are followed.
const MOST: usize = 128;

/// For how long a thread looks for another window before it sleeps: a reader wants the next one soon.
const LINGER: Duration = Duration::from_micros(100);

/// What is wanted next, in pieces: several threads bring in what one reader wants.
#[derive(Debug, Default)]
pub(crate) struct Ahead {
    state: Mutex<State>,
    changed: Condvar,
    linger: Linger,
}

#[derive(Debug, Default)]
struct State {
    pieces: VecDeque<Units>,
    stop: bool,
}

impl State {
    /// What there is for a thread, if anything: a piece, or the order to end (`None`).
    fn take(&mut self) -> Option<Option<Units>> {
        if self.stop { Some(None) } else { self.pieces.pop_front().map(Some) }
    }
}

impl Ahead {
    /// Asks for `window`, in pieces of `len` units. Never waits; the oldest ones are forgotten if there are too many.
    pub fn want(&self, window: Units, len: u32) {
        let mut state = self.state.lock();
        state.pieces.extend(window.batches(len));
        let forgotten = state.pieces.len().saturating_sub(MOST);
        state.pieces.drain(..forgotten);
        // Who lingers comes here again: at once if it has found nothing, else after its piece. Others are called for more.
        let calls = state.pieces.len() - usize::from(self.linger.is_taken());
        drop(state);
        for _ in 0..calls {
            self.changed.notify_one();
        }
    }

    /// A piece that nobody else has; blocks until there is one. `None`: the thread has to end.
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
    fn pieces_come_in_order_and_the_oldest_are_forgotten() {
        let ahead = Ahead::default();
        let all = MOST as u32 + 3;
        ahead.want(Units { first: UnitIndex(0), end: UnitIndex(2 * all) }, 2);
        let got: Vec<_> = (0..MOST).map(|_| ahead.next()).collect();
        let wanted: Vec<_> = (3..all).map(|piece| Some(window(2 * piece))).collect();
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
        ahead.want(window(0), 1);
        assert_eq!(ahead.next(), None);
    }
}
