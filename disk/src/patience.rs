// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Waits that are shorter than a sleep: a thread that sleeps costs its waker a system call, and itself tens of
//! microseconds in a virtual machine. That is as long as it takes to compress a piece of a request.

use std::hint::spin_loop;
use std::time::{Duration, Instant};

/// A wait that is not longer than this is shorter than a sleep and two changes of threads.
const SHORT: Duration = Duration::from_micros(60);

/// Loops until `is_over`, for a short while at most; whether it is over then.
pub(crate) fn look_for(is_over: impl Fn() -> bool) -> bool {
    let start = Instant::now();
    loop {
        // The clock takes longer than a look.
        for _ in 0..16 {
            if is_over() {
                return true;
            }
            spin_loop();
        }
        if start.elapsed() > SHORT {
            return is_over();
        }
    }
}

/// How long a thread had to wait for work the last time. One whose waits are long goes to sleep at once.
pub(crate) struct Patience {
    was_short: bool,
}

impl Patience {
    pub fn new() -> Self {
        Self { was_short: false }
    }

    /// Whether the next wait is short, as far as one can tell.
    pub fn expects_short(&self) -> bool {
        self.was_short
    }

    /// A wait since `start` is over.
    pub fn waited(&mut self, start: Instant) {
        self.was_short = start.elapsed() < 2 * SHORT;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looking_ends_when_there_is_something_and_after_a_while() {
        assert!(look_for(|| true));
        assert!(!look_for(|| false));
    }

    #[test]
    fn a_long_wait_makes_impatient() {
        let mut patience = Patience::new();
        assert!(!patience.expects_short());
        patience.waited(Instant::now() + Duration::from_secs(1));
        assert!(patience.expects_short());
        patience.waited(Instant::now() - Duration::from_secs(1));
        assert!(!patience.expects_short());
    }
}
