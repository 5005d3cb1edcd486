//! The work of a backend.

use std::collections::VecDeque;
use std::io;

use crate::answer::{Facts, Fault};
use crate::job::Job;

/// A device that compresses. Called by any thread.
pub trait Device: Send + Sync {
    /// Its abilities.
    fn facts(&self) -> Facts;

    /// Takes jobs from the front of `batch`, as many as its rings have room for, and does not wait. It answers each of them
    /// by [`Job::finish`] from a thread of its own, in any order. A job that it drops is [`Fault::Lost`].
    fn submit(&self, batch: &mut VecDeque<Job>) -> Result<(), Fault>;

    /// Drops all jobs, and makes the device ready again. May take long.
    fn reset(&self) -> io::Result<()>;
}
