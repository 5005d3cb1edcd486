//! The words of a device: its abilities, its answers, and why there is none.

use std::fmt;

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
