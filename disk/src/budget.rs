// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! How much clients may have under way: requests that nobody has replied to cost our memory.
//!
//! All connections share a number of bytes. Beside them each has one *seat*, for one request or piece of one. So none
//! waits for a client that stops in the middle of a request, or does not read its replies.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use parking_lot::{Condvar, Mutex};

/// Bytes of requests under way at most, beside those in seats.
const MOST_BYTES: u64 = 32 << 20;

/// Requests of one connection under way at most.
const MOST_REQUESTS: u32 = 256;

/// Shared by all connections.
#[derive(Default)]
pub(crate) struct Budget {
    /// Bytes that are taken. Windows change under this lock, too.
    taken: Mutex<u64>,
    freed: Condvar,
}

/// Requests under way of one connection.
pub(crate) struct Window {
    budget: Arc<Budget>,
    requests: AtomicU32,
    is_seat_taken: AtomicBool,
}

/// A request under way. Dropping it ends that.
pub(crate) struct Pass {
    window: Arc<Window>,
    /// Of the bytes that all share; `None`: it has the seat.
    shared: Option<u64>,
}

impl Window {
    pub fn of(budget: Arc<Budget>) -> Arc<Self> {
        Arc::new(Self { budget, requests: AtomicU32::new(0), is_seat_taken: AtomicBool::new(false) })
    }

    /// Waits until `bytes` more may be under way.
    pub fn enter(self: &Arc<Self>, bytes: u64) -> Pass {
        let mut taken = self.budget.taken.lock();
        loop {
            if let Some(shared) = self.find_room(&mut taken, bytes) {
                self.requests.fetch_add(1, Ordering::Relaxed);
                return Pass { window: self.clone(), shared };
            }
            self.budget.freed.wait(&mut taken);
        }
    }

    fn find_room(&self, taken: &mut u64, bytes: u64) -> Option<Option<u64>> {
        if !self.is_seat_taken.swap(true, Ordering::Relaxed) {
            return Some(None);
        }
        let has_room = self.requests.load(Ordering::Relaxed) < MOST_REQUESTS && *taken + bytes <= MOST_BYTES;
        has_room.then(|| {
            *taken += bytes;
            Some(bytes)
        })
    }
}

impl Drop for Pass {
    fn drop(&mut self) {
        let Window { budget, requests, is_seat_taken } = &*self.window;
        let mut taken = budget.taken.lock();
        requests.fetch_sub(1, Ordering::Relaxed);
        match self.shared {
            Some(bytes) => *taken -= bytes,
            None => is_seat_taken.store(false, Ordering::Relaxed),
        }
        drop(taken);
        budget.freed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_budget_opens_when_somebody_leaves() {
        let budget = Arc::new(Budget::default());
        let [one, other] = [(); 2].map(|()| Window::of(budget.clone()));
        let seat = one.enter(MOST_BYTES + 1);
        let all = one.enter(MOST_BYTES);
        let others = other.enter(1);
        std::thread::scope(|scope| {
            let second = scope.spawn(|| other.enter(1));
            drop(all);
            second.join().expect("it gets in");
        });
        drop((seat, others));
        assert_eq!(*budget.taken.lock(), 0);
        assert!(one.enter(1).shared.is_none() && other.enter(1).shared.is_none(), "the seats are free");
    }

    /// A client that does not go on once could have as much as it liked.
    #[test]
    fn who_has_all_of_it_does_not_hold_others_up() {
        let budget = Arc::new(Budget::default());
        let greedy = Window::of(budget.clone());
        let _all = (greedy.enter(1), greedy.enter(MOST_BYTES));
        let modest = Window::of(budget);
        (0..10).for_each(|_| drop(modest.enter(1 << 20)));
    }

    #[test]
    fn requests_of_no_bytes_count() {
        let window = Window::of(Arc::default());
        let all: Vec<_> = (0..MOST_REQUESTS).map(|_| window.enter(0)).collect();
        assert!(window.find_room(&mut 0, 0).is_none());
        drop(all);
        drop(window.enter(0));
    }
}
