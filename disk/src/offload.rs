// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Writes that an accelerator compresses: all units of a piece are under way together, while this thread compresses
//! those that the device does not get.

use std::collections::BTreeMap;

use ztera_store::{Accelerator, Made};

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
        with: &mut Workspace,
    ) -> Result<(), Error> {
        let at_once = self.core.store.accelerator().map_or(usize::MAX, Accelerator::most_at_once);
        pieces.chunks(at_once).try_for_each(|batch| self.write_batch(batch, with))
    }

    fn write_batch(&self, pieces: &[(Part, &[u8])], with: &mut Workspace) -> Result<(), Error> {
        let (whole, others): (Pieces<'_>, Pieces<'_>) =
            pieces.iter().copied().partition(|(part, _)| part.len == self.unit().bytes());
        let units: Vec<&[u8]> = whole.iter().map(|(_, bytes)| *bytes).collect();
        let tickets = self.core.store.offer(&units);
        let refused = whole.iter().zip(&tickets).filter(|(_, ticket)| ticket.is_none());
        for &(part, bytes) in others.iter().chain(refused.map(|(piece, _)| piece)) {
            self.write_part(part, bytes, with)?;
        }
        for (&(part, bytes), ticket) in whole.iter().zip(&tickets) {
            let Some(ticket) = ticket else { continue };
            match self.core.store.made(ticket, bytes, &mut with.scratch) {
                Some(made) => self.write_made(part, bytes, &made)?,
                None => self.write_part(part, bytes, with)?,
            }
        }
        Ok(())
    }

    fn write_made(&self, part: Part, bytes: &[u8], made: &Made) -> Result<(), Error> {
        self.until_there_is_room(|| {
            let mut slot = self.core.store.table().lock(part.unit);
            self.core.store.put_made(&mut slot, bytes, made).map_err(|_full| Error::NoSpace)?;
            self.written(&mut slot);
            Ok(())
        })
    }

    /// Counts of the accelerator by the names of `ztera_metrics::OFFLOAD`; `None` without one.
    pub(crate) fn offload_stats(&self) -> Option<BTreeMap<String, u64>> {
        let stats = self.core.store.accelerator()?.stats();
        let names = ztera_metrics::OFFLOAD.iter().map(|statistic| statistic.name.to_owned());
        Some(names.zip(stats.values()).collect())
    }
}
