//! Units that a device compresses in place of the calling thread: what a store asks, and who has a device answers.

use std::fmt;
use std::time::Duration;

/// A device that makes deflate. Called by any thread.
pub trait Offload: fmt::Debug + Send + Sync {
    /// Units that a thread is to offer at a time, at most.
    fn most_at_once(&self) -> usize;

    /// Has the device compress units as one batch. `None` for each that the calling thread has to compress.
    fn offer<'d>(&'d self, units: &[&[u8]]) -> Vec<Option<Box<dyn Offered + 'd>>>;

    /// A thread compresses a unit itself, and tells how long that [took](Self::cpu_ends).
    fn cpu_begins(&self);

    /// It is done.
    fn cpu_ends(&self, took: Duration);
}

/// A unit that the device has. Dropping it forgets the answer.
pub trait Offered {
    /// Waits for what the device makes of it. `decodes` says whether the CPU decodes a frame to the unit. `None`: the
    /// calling thread has to compress it.
    fn wait(&self, decodes: &mut dyn FnMut(&[u8]) -> bool) -> Option<Offloaded>;
}

/// A unit as a device has compressed it.
pub enum Offloaded {
    /// A frame, as [`Packer::pack`](crate::Packer::pack) makes them.
    Frame(Box<dyn AsRef<[u8]>>),
    /// The unit hardly becomes smaller.
    Huge,
}
