// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! How much a client may have under way: what it is ahead of its own replies costs our memory.

use parking_lot::{Condvar, Mutex};

/// Requests, and bytes of them, under way at most. One request is always let in.
const MOST_REQUESTS: u32 = 256;
const MOST_BYTES: u64 = 64 << 20;

#[derive(Default)]
pub(super) struct Window {
    taken: Mutex<(u32, u64)>,
    freed: Condvar,
}

impl Window {
    /// Waits until a request of `bytes` may be under way.
    pub fn enter(&self, bytes: u64) {
        let mut taken = self.taken.lock();
        let is_full = |taken: &mut (u32, u64)| {
            taken.0 > 0 && (taken.0 >= MOST_REQUESTS || taken.1 + bytes > MOST_BYTES)
        };
        self.freed.wait_while(&mut taken, is_full);
        *taken = (taken.0 + 1, taken.1 + bytes);
    }

    /// The request was replied to.
    pub fn leave(&self, bytes: u64) {
        let mut taken = self.taken.lock();
        *taken = (taken.0 - 1, taken.1 - bytes);
        self.freed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_window_opens_when_somebody_leaves() {
        let window = Window::default();
        window.enter(MOST_BYTES + 1);
        std::thread::scope(|scope| {
            let second = scope.spawn(|| window.enter(1));
            window.leave(MOST_BYTES + 1);
            second.join().expect("it gets in");
        });
        assert_eq!(*window.taken.lock(), (1, 1));
    }
}
