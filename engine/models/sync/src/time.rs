//! Time, which passes as chance has it.

use std::time::Duration;

use shuttle::rand::{Rng, thread_rng};

/// As `std::time::Instant`, but any time may be over by now, or not.
#[derive(Clone, Copy, Debug)]
pub struct Instant;

impl Instant {
    pub fn now() -> Self {
        Self
    }

    pub fn elapsed(&self) -> Duration {
        if thread_rng().r#gen() { Duration::MAX } else { Duration::ZERO }
    }
}
