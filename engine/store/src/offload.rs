//! Units that a device compresses in place of the calling thread, where the store's owner has one.

use std::time::{Duration, Instant};

/// A device that makes deflate. Called by any thread.
pub trait Offload: Send + Sync {
    /// Has the device compress one unit. `decodes` says whether the CPU decodes a frame to the unit. `None`: the calling
    /// thread has to do it.
    fn compress(&self, unit: &[u8], decodes: &mut dyn FnMut(&[u8]) -> bool) -> Option<Offloaded>;

    /// A thread compresses a unit itself, and tells how long that [took](Self::cpu_ends).
    fn cpu_begins(&self);

    /// It is done.
    fn cpu_ends(&self, took: Duration);
}

/// A unit as a device has compressed it.
pub enum Offloaded {
    /// A frame, as [`ztera_codec::Packer::pack`] makes them.
    Frame(Box<dyn AsRef<[u8]>>),
    /// The unit hardly becomes smaller.
    Huge,
}

/// A CPU that compresses in place of the device, until this is dropped.
pub(crate) struct OnCpu<'s> {
    device: &'s dyn Offload,
    start: Instant,
}

impl<'s> OnCpu<'s> {
    pub fn begin(device: &'s dyn Offload) -> Self {
        device.cpu_begins();
        Self { device, start: Instant::now() }
    }
}

impl Drop for OnCpu<'_> {
    fn drop(&mut self) {
        self.device.cpu_ends(self.start.elapsed());
    }
}
