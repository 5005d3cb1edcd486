// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Writes that an accelerator compresses: all units of a piece are under way together, while this thread compresses
//! those that the device does not get.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use ztera_accel::Backend;
use ztera_codec::CodecKind;
use ztera_store::{Accelerator, Made};

use crate::device::{Config, Device, Workspace};
use crate::error::Error;
use crate::extent::Part;

/// An accelerator of a device.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Offload {
    /// The backend.
    pub backend: Backend,
    /// How it is used.
    pub options: ztera_accel::Options,
}

impl Offload {
    /// Opens it. Where its library or the device is missing, that is said in words, and the CPU does the work.
    pub(crate) fn open(&self, config: &Config) -> io::Result<Result<Arc<Accelerator>, String>> {
        let mut codecs = std::iter::once(&config.codec).chain(&config.denser.codecs);
        if !codecs.any(|codec| codec.kind == CodecKind::Deflate) {
            let why = "an accelerator makes deflate: take it as codec, or as a denser one";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
        }
        match self.backend.open() {
            Ok(device) => Ok(Ok(Arc::new(Accelerator::start(device, self.options)?))),
            Err(missing) if missing.kind() == io::ErrorKind::NotFound => Ok(Err(missing.to_string())),
            Err(error) => Err(error),
        }
    }
}

/// Parts of a write with their bytes.
pub(crate) type Pieces<'b> = Vec<(Part, &'b [u8])>;

impl Device {
    /// Writes each part, whole units by the accelerator.
    pub(crate) fn write_offloaded(&self, pieces: &Pieces<'_>, with: &mut Workspace) -> Result<(), Error> {
        let at_once = self.store.accelerator().map_or(usize::MAX, Accelerator::most_at_once);
        pieces.chunks(at_once).try_for_each(|batch| self.write_batch(batch, with))
    }

    fn write_batch(&self, pieces: &[(Part, &[u8])], with: &mut Workspace) -> Result<(), Error> {
        let (whole, others): (Pieces<'_>, Pieces<'_>) =
            pieces.iter().copied().partition(|(part, _)| part.len == self.unit().bytes());
        let units: Vec<&[u8]> = whole.iter().map(|(_, bytes)| *bytes).collect();
        let tickets = self.store.offer(&units);
        let refused = whole.iter().zip(&tickets).filter(|(_, ticket)| ticket.is_none());
        for &(part, bytes) in others.iter().chain(refused.map(|(piece, _)| piece)) {
            self.write_part(part, bytes, with)?;
        }
        for (&(part, bytes), ticket) in whole.iter().zip(&tickets) {
            let Some(ticket) = ticket else { continue };
            match self.store.made(ticket, bytes, &mut with.scratch) {
                Some(made) => self.write_made(part, bytes, &made)?,
                None => self.write_part(part, bytes, with)?,
            }
        }
        Ok(())
    }

    fn write_made(&self, part: Part, bytes: &[u8], made: &Made) -> Result<(), Error> {
        self.until_there_is_room(|| {
            let mut slot = self.store.table().lock(part.unit);
            self.store.put_made(&mut slot, bytes, made).map_err(|_full| Error::NoSpace)?;
            self.written(&mut slot);
            Ok(())
        })
    }

    /// Counts of the accelerator by the names of `ztera_metrics::OFFLOAD`; `None` without one.
    pub(crate) fn offload_stats(&self) -> Option<BTreeMap<String, u64>> {
        let stats = self.store.accelerator()?.stats();
        let names = ztera_metrics::OFFLOAD.iter().map(|statistic| statistic.name.to_owned());
        Some(names.zip(stats.values()).collect())
    }
}
