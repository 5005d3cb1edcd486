// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Writes that an accelerator compresses: all units of a piece are under way together, while this thread compresses
//! those that the device does not get.

use std::collections::BTreeMap;

use ztera_accel::{Accelerator, Made, Ticket};
use ztera_codec::{Packed, Packer};

use crate::device::{Device, Workspace};
use crate::error::Error;
use crate::extent::Part;

/// Parts of a write with their bytes.
type Pieces<'b> = Vec<(Part, &'b [u8])>;

impl Device {
    /// Writes each part, whole units by the accelerator.
    pub(crate) fn write_offloaded(
        &self,
        pieces: &[(Part, &[u8])],
        accelerator: &Accelerator,
        with: &mut Workspace,
    ) -> Result<(), Error> {
        let mut batches = pieces.chunks(accelerator.most_at_once());
        batches.try_for_each(|batch| self.write_batch(batch, accelerator, with))
    }

    fn write_batch(
        &self,
        pieces: &[(Part, &[u8])],
        accelerator: &Accelerator,
        with: &mut Workspace,
    ) -> Result<(), Error> {
        let (whole, others): (Pieces<'_>, Pieces<'_>) =
            pieces.iter().copied().partition(|(part, _)| part.len == self.unit().bytes());
        let tickets = offer(accelerator, &whole);
        let refused = whole.iter().zip(&tickets).filter(|(_, ticket)| ticket.is_none());
        for &(part, bytes) in others.iter().chain(refused.map(|(piece, _)| piece)) {
            self.write_part(part, bytes, with)?;
        }
        for (&(part, bytes), ticket) in whole.iter().zip(&tickets) {
            let Some(ticket) = ticket else { continue };
            let decodes = |frame: &[u8]| self.core.store.decodes(frame, bytes, &mut with.scratch);
            match accelerator.wait(ticket, decodes) {
                Ok(made) => self.write_made(part, bytes, &made)?,
                Err(_) => self.write_part(part, bytes, with)?,
            }
        }
        Ok(())
    }

    fn write_made(&self, part: Part, bytes: &[u8], made: &Made) -> Result<(), Error> {
        self.until_there_is_room(|| {
            let packed = match made {
                Made::Frame(frame) => Packed::Frame(frame),
                Made::Huge => Packed::Huge,
            };
            let mut slot = self.core.store.table().lock(part.unit);
            self.core.store.put_packed(&mut slot, packed, bytes).map_err(|_full| Error::NoSpace)?;
            self.written(&mut slot);
            Ok(())
        })
    }

    /// Counts of the accelerator by the names of `ztera_metrics::OFFLOAD`; `None` without one.
    pub(crate) fn offload_stats(&self) -> Option<BTreeMap<String, u64>> {
        let stats = self.accelerator.as_ref()?.stats();
        let names = ztera_metrics::OFFLOAD.iter().map(|statistic| statistic.name.to_owned());
        Some(names.zip(stats.values()).collect())
    }
}

/// Gives units to the accelerator, as one batch. `None` for each that the calling thread has to compress: of numbers,
/// words and noise our filters make more than deflate does.
fn offer(accelerator: &Accelerator, units: &Pieces<'_>) -> Vec<Option<Ticket>> {
    let is_plain: Vec<bool> = units.iter().map(|(_, bytes)| Packer::is_plain(bytes)).collect();
    let plain = units.iter().zip(&is_plain).filter(|(_, is_plain)| **is_plain);
    let mut tickets = accelerator.offer(plain.map(|((_, bytes), _)| *bytes)).into_iter();
    is_plain.into_iter().map(|is_plain| is_plain.then(|| tickets.next().flatten()).flatten()).collect()
}
