//! Units that a device compresses in place of a thread, where the store's owner has one.

use std::sync::Arc;
use std::time::Instant;

use ztera_codec::{CodecKind, Offered, Offload, Offloaded, Packer};

use crate::store::Store;

/// A unit that the device has; `None` if the calling thread has to compress it.
pub(crate) type Offer<'s> = Option<Box<dyn Offered + 's>>;

/// A CPU that compresses in place of the device, until this is dropped.
pub(crate) struct OnCpu<'s> {
    device: &'s dyn Offload,
    start: Instant,
}

impl<'s> OnCpu<'s> {
    fn begin(device: &'s dyn Offload) -> Self {
        device.cpu_begins();
        Self { device, start: Instant::now() }
    }
}

impl Drop for OnCpu<'_> {
    fn drop(&mut self) {
        self.device.cpu_ends(self.start.elapsed());
    }
}

impl Store {
    /// The same, with a device. It serves new objects if their codec is deflate, and those that are recompressed by it.
    pub fn with_offload(mut self, device: Arc<dyn Offload>) -> Self {
        self.offload = Some(device);
        self
    }

    /// The device, for objects of that codec.
    pub(crate) fn device(&self, kind: CodecKind) -> Option<&dyn Offload> {
        self.offload.as_deref().filter(|_| kind == CodecKind::Deflate)
    }

    /// Notes that the calling thread compresses what the device could.
    pub(crate) fn on_cpu(&self, kind: CodecKind) -> Option<OnCpu<'_>> {
        self.device(kind).map(OnCpu::begin)
    }

    /// Offers units to the device as one batch, if `kind` is what it makes. Of numbers, words and noise our filters make
    /// more than deflate does: those stay here.
    pub(crate) fn offer(&self, kind: CodecKind, units: &[&[u8]]) -> Vec<Offer<'_>> {
        let Some(device) = self.device(kind) else { return Vec::new() };
        let is_plain: Vec<bool> = units.iter().map(|unit| Packer::is_plain(unit)).collect();
        let plain: Vec<&[u8]> =
            units.iter().zip(&is_plain).filter_map(|(unit, is_plain)| is_plain.then_some(*unit)).collect();
        let mut offers: Vec<Offer<'_>> = Vec::new();
        for batch in plain.chunks(device.most_at_once().max(1)) {
            offers.extend(device.offer(batch));
        }
        self.counters.offload_missed.add(offers.iter().filter(|offer| offer.is_none()).count() as u64);
        let mut offers = offers.into_iter();
        is_plain.into_iter().map(|is_plain| is_plain.then(|| offers.next().flatten()).flatten()).collect()
    }

    /// Waits for what the device makes of a unit that it was offered. `room` is as long as the unit.
    pub(crate) fn collect(
        &self,
        offered: &dyn Offered,
        unit: &[u8],
        packer: &mut Packer,
        room: &mut [u8],
    ) -> Option<Offloaded> {
        let mut is_wrong = false;
        let made = offered.wait(&mut |frame| {
            let is_right = packer.unpack(frame, room).is_ok() && *room == *unit;
            is_wrong |= !is_right;
            is_right
        });
        let c = &self.counters;
        if made.is_some() { &c.offloaded } else { &c.offload_missed }.add(1);
        c.offload_wrong.add(u64::from(is_wrong));
        made
    }
}
