//! The work of a backend.

use std::collections::VecDeque;
use std::{fmt, io};

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

/// The abilities of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Jobs that it works on at a time.
    pub instances: u32,
    /// Jobs that its rings have room for.
    pub most: u32,
}

/// A device's answer for a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Bytes of its output: deflate without a wrapper.
    pub len: usize,
    /// Checksums, if the device makes them.
    pub sums: Option<Sums>,
}

/// CRC-32 (IEEE) by the device: of what its own decompressor made of the output, and of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sums {
    /// Of the unit.
    pub input: u32,
    /// Of the output.
    pub output: u32,
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Its rings have no room.
    Full,
    /// The device says that it failed.
    Error,
    /// The output is longer than its room, which is twice the unit.
    TooLong,
    /// The device has dropped the job, as it does when it is reset.
    Lost,
    /// It is not there any more.
    Gone,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Full => "the device's rings are full",
            Self::Error => "the device failed",
            Self::TooLong => "the output is too long",
            Self::Lost => "the device was reset",
            Self::Gone => "the device is gone",
        })
    }
}

impl std::error::Error for Fault {}
