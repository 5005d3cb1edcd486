//! Windows to be read ahead by threads of the range, where whoever faults serves itself and should go on at once.

use std::collections::VecDeque;
use std::time::Duration;

use ztera_store::{UnitIndex, Units};
use ztera_sync::atomic::{AtomicBool, Ordering};
use ztera_sync::{Condvar, Mutex, thread};

use crate::fault::spin::Spin;

/// For how long a thread looks for another window before it sleeps: a reader wants the next one soon.
const SPIN: Duration = Duration::from_micros(100);

/// How often a window is offered while others have the lock, which is for less than a microsecond at a time.
const TRIES: usize = 4;

/// Units that are wanted next, in pieces: several threads bring them in for one reader.
#[derive(Debug)]
pub(crate) struct Ahead {
    /// Units kept at most.
    most: u32,
    /// Whether there may be something to take, so that who spins leaves the lock alone.
    waiting: AtomicBool,
    state: Mutex<State>,
    changed: Condvar,
    spin: Spin,
}

#[derive(Debug, Default)]
struct State {
    pieces: VecDeque<Units>,
    stop: bool,
}

impl State {
    /// Forgets what the reader that faults at `fault`, and now wants `window`, has passed. As windows grow, that was in
    /// less than two windows of this size.
    fn forget_behind(&mut self, fault: UnitIndex, window: Units) {
        let since = fault.0.saturating_sub(2 * window.count());
        self.pieces.retain(|piece| piece.first.0 < since || fault < piece.end);
    }

    /// Forgets the oldest pieces, until no more than so many units are kept.
    fn forget_beyond(&mut self, most: u32) {
        let mut units: u32 = self.pieces.iter().map(|piece| piece.count()).sum();
        while units > most {
            units -= self.pieces.pop_front().map_or(units, |piece| piece.count());
        }
    }

    /// The next task of a thread, if there is one: a piece, or the order to end (`None`).
    fn take(&mut self) -> Option<Option<Units>> {
        if self.stop { Some(None) } else { self.pieces.pop_front().map(Some) }
    }
}

impl Ahead {
    /// One that keeps at most so many units: what nobody comes to in time must not push out what is in use.
    pub fn new(most: u32) -> Self {
        let (state, changed, spin) = Default::default();
        Self { most, waiting: AtomicBool::new(false), state, changed, spin }
    }

    /// Asks for `window`, which has units and no more than are kept, for the reader that faults at `fault`, in pieces of `len`
    /// units. Never waits: the window is lost where others are at it for long.
    pub fn want(&self, fault: UnitIndex, window: Units, len: u32) {
        let Some(mut state) = (0..TRIES).find_map(|_| self.state.try_lock().or_else(yield_now)) else {
            return;
        };
        state.forget_behind(fault, window);
        state.pieces.extend(window.batches(len));
        state.forget_beyond(self.most);
        debug_assert!(!state.pieces.is_empty(), "a window has units, and no more than are kept");
        self.waiting.store(true, Ordering::Release);
        // A thread that spins comes here again: at once if it has found nothing, else after its piece. Others are called for more.
        let calls = state.pieces.len() - usize::from(self.spin.is_taken());
        drop(state);
        for _ in 0..calls {
            self.changed.notify_one();
        }
    }

    /// The piece that `fault` lies in, if no thread has come to it yet: the reader has, and brings it in itself. Never waits.
    pub fn take_from(&self, fault: UnitIndex) -> Option<Units> {
        if !self.waiting.load(Ordering::Acquire) {
            return None;
        }
        let mut state = self.state.try_lock()?;
        let place = state.pieces.iter().position(|piece| piece.first <= fault && fault < piece.end)?;
        state.pieces.remove(place)
    }

    /// A piece that nobody else has; blocks until there is one. `None`: the thread has to end.
    pub fn next(&self) -> Option<Units> {
        if let Some(order) = self.spin.wait(SPIN, || self.poll()) {
            return order;
        }
        let mut state = self.state.lock();
        loop {
            if let Some(order) = self.take(&mut state) {
                return order;
            }
            self.changed.wait(&mut state);
        }
    }

    fn poll(&self) -> Option<Option<Units>> {
        self.waiting.load(Ordering::Acquire).then(|| self.take(&mut self.state.lock())).flatten()
    }

    fn take(&self, state: &mut State) -> Option<Option<Units>> {
        let order = state.take();
        if state.pieces.is_empty() && !state.stop {
            self.waiting.store(false, Ordering::Relaxed);
        }
        order
    }

    /// Makes [`next`](Self::next) return `None` from now on.
    pub fn stop(&self) {
        self.state.lock().stop = true;
        self.waiting.store(true, Ordering::Release);
        self.changed.notify_all();
    }
}

fn yield_now<T>() -> Option<T> {
    thread::yield_now();
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(first: u32, end: u32) -> Units {
        Units { first: UnitIndex(first), end: UnitIndex(end) }
    }

    fn pieces(ahead: &Ahead) -> Vec<Units> {
        ahead.state.lock().pieces.drain(..).collect()
    }

    #[test]
    fn pieces_come_in_order_and_the_oldest_are_forgotten() {
        let ahead = Ahead::new(10);
        ahead.want(UnitIndex(99), units(100, 117), 3);
        let wanted = [units(109, 112), units(112, 115), units(115, 117)];
        assert_eq!([ahead.next(), ahead.next(), ahead.next()], wanted.map(Some));
        assert_eq!(pieces(&ahead), []);
    }

    #[test]
    fn what_a_reader_has_passed_is_forgotten() {
        let ahead = Ahead::new(100);
        ahead.want(UnitIndex(500), units(501, 503), 2);
        ahead.want(UnitIndex(10), units(16, 20), 2);
        ahead.want(UnitIndex(15), units(21, 29), 4);
        assert_eq!(
            pieces(&ahead),
            [units(501, 503), units(16, 18), units(18, 20), units(21, 25), units(25, 29)]
        );
        ahead.want(UnitIndex(500), units(501, 503), 2);
        ahead.want(UnitIndex(15), units(16, 24), 4);
        ahead.want(UnitIndex(22), units(25, 33), 4);
        assert_eq!(pieces(&ahead), [units(501, 503), units(20, 24), units(25, 29), units(29, 33)]);
    }

    #[test]
    fn a_reader_takes_the_piece_that_it_has_come_to() {
        let ahead = Ahead::new(100);
        ahead.want(UnitIndex(10), units(16, 24), 4);
        assert_eq!(ahead.take_from(UnitIndex(24)), None);
        assert_eq!(ahead.take_from(UnitIndex(21)), Some(units(20, 24)));
        assert_eq!(ahead.take_from(UnitIndex(21)), None, "it has it");
        assert_eq!(pieces(&ahead), [units(16, 20)]);
    }

    #[test]
    fn a_thread_that_waits_is_ended() {
        let ahead = Ahead::new(1);
        std::thread::scope(|scope| {
            let waiter = scope.spawn(|| ahead.next());
            ahead.stop();
            assert_eq!(waiter.join().expect("it does not panic"), None);
        });
        ahead.want(UnitIndex(0), units(1, 2), 1);
        assert_eq!(ahead.next(), None);
    }
}
