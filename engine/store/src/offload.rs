//! Units that an accelerator compresses in place of the calling thread.

use std::sync::Arc;

use ztera_accel::{Accelerator, Made, Ticket};
use ztera_codec::{CodecKind, Packed, Packer};

use crate::scratch::Scratch;
use crate::slot::Slot;
use crate::store::{Full, Store};

impl Store {
    /// The same, with an accelerator. It makes deflate, so it serves new objects if that is their codec, and those that
    /// are recompressed by it.
    pub fn with_accelerator(mut self, accelerator: Arc<Accelerator>) -> Self {
        self.accelerator = Some(accelerator);
        self
    }

    /// The accelerator.
    pub fn accelerator(&self) -> Option<&Accelerator> {
        self.accelerator.as_deref()
    }

    /// The accelerator, if it makes what that codec does.
    pub(crate) fn accelerator_for(&self, kind: CodecKind) -> Option<&Accelerator> {
        self.accelerator().filter(|_| kind == CodecKind::Deflate)
    }

    /// Gives units that are to be stored to the accelerator, as one batch. `None` for each that the calling thread has to
    /// [`put`](Self::put): of numbers, words and noise our filters make more than deflate does.
    pub fn offer(&self, units: &[&[u8]]) -> Vec<Option<Ticket>> {
        let Some(accelerator) = self.accelerator_for(self.codec().kind) else {
            return units.iter().map(|_| None).collect();
        };
        let is_plain: Vec<bool> = units.iter().map(|unit| Packer::is_plain(unit)).collect();
        let plain = units.iter().zip(&is_plain).filter(|(_, is_plain)| **is_plain);
        let mut tickets = accelerator.offer(plain.map(|(unit, _)| *unit)).into_iter();
        is_plain.into_iter().map(|is_plain| is_plain.then(|| tickets.next().flatten()).flatten()).collect()
    }

    /// Waits for what the accelerator makes of a unit that it was offered. `None`: the calling thread has to do it.
    pub fn made(&self, ticket: &Ticket, unit: &[u8], scratch: &mut Scratch) -> Option<Made> {
        let Scratch { packer, unit: room, .. } = scratch;
        wait(self.accelerator()?, ticket, unit, packer, room)
    }

    /// [`put`](Self::put) for a unit that the accelerator has compressed.
    pub fn put_made(&self, slot: &mut Slot<'_>, unit: &[u8], made: &Made) -> Result<(), Full> {
        let packed = match made {
            Made::Frame(frame) => Packed::Frame(frame),
            Made::Huge => Packed::Huge,
        };
        self.put_packed(slot, packed, unit)
    }

    /// Has the accelerator compress one unit, if `kind` is what it makes; `None`: the calling thread has to do it. `room`
    /// is as long as the unit.
    pub(crate) fn offload(
        &self,
        kind: CodecKind,
        unit: &[u8],
        packer: &mut Packer,
        room: &mut [u8],
    ) -> Option<Made> {
        let accelerator =
            self.accelerator().filter(|_| kind == CodecKind::Deflate && Packer::is_plain(unit))?;
        let ticket = accelerator.offer([unit]).pop().flatten()?;
        wait(accelerator, &ticket, unit, packer, room)
    }
}

fn wait(
    accelerator: &Accelerator,
    ticket: &Ticket,
    unit: &[u8],
    packer: &mut Packer,
    room: &mut [u8],
) -> Option<Made> {
    accelerator.wait(ticket, |frame| packer.unpack(frame, room).is_ok() && *room == *unit).ok()
}
