// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The device itself: any bytes, read and written by the calling thread.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::RwLock;
use ztera_accel::Accelerator;
use ztera_codec::{CodecKind, Settings};
use ztera_store::{Backing, Scratch, Slot, UnitSize};

use crate::config::Config;
use crate::core::Core;
use crate::error::Error;
use crate::extent::{Extent, Part};
use crate::stats::Counters;
use crate::touches::Touches;
use crate::upkeep::{Recompress, Recompressed, Upkeep, WriteBack};

/// A compressed block device. All methods may be called by any thread; a request is atomic for each unit by itself.
pub struct Device {
    size: u64,
    pub(crate) codec: Settings,
    pub(crate) core: Arc<Core>,
    pub(crate) upkeep: Arc<Upkeep>,
    pub(crate) accelerator: Option<Arc<Accelerator>>,
    /// Whether new units may go to it.
    pub(crate) offloads: bool,
    /// Why there is none, if one was asked for.
    missing_accelerator: Option<String>,
    /// Held by writes, and alone by one for which there was no room.
    pub(crate) room: RwLock<()>,
    zeros: Box<[u8]>,
}

/// Working memory of one thread.
pub struct Workspace {
    pub(crate) scratch: Scratch,
    /// A unit that is being changed in part, or brought back from SSD.
    unit: Box<[u8]>,
}

impl Device {
    /// A device full of zeros. Fails if a size is not possible, or the SSD tier cannot be opened.
    pub fn new(config: Config) -> io::Result<Self> {
        let units = config.units()?;
        let codecs = std::iter::once(&config.codec).chain(&config.denser.codecs);
        let accelerator = config.accelerator.map(|offload| offload.open(codecs)).transpose()?;
        let (accelerator, missing_accelerator) = match accelerator {
            Some(Ok(accelerator)) => (Some(accelerator), None),
            Some(Err(missing)) => (None, Some(missing)),
            None => (None, None),
        };
        let offloads = accelerator.is_some() && config.codec.kind == CodecKind::Deflate;
        let store = config.store(units)?;
        let store = match &accelerator {
            Some(accelerator) => store.with_offload(accelerator.clone()),
            None => store,
        };
        let touches = Touches::new(units).ok_or(io::ErrorKind::OutOfMemory)?;
        let core = Arc::new(Core { store, touches, counters: Counters::default() });
        Ok(Self {
            size: config.size,
            codec: config.codec,
            upkeep: Arc::new(Upkeep::new(core.clone(), config.denser)),
            accelerator,
            offloads,
            missing_accelerator,
            room: RwLock::default(),
            zeros: vec![0; config.unit.bytes()].into_boxed_slice(),
            core,
        })
    }

    /// Why the CPU does the work of an accelerator that was asked for: its library, or the device, is missing.
    pub fn missing_accelerator(&self) -> Option<&str> {
        self.missing_accelerator.as_deref()
    }

    /// Bytes that it shows.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// How much is compressed as one.
    pub fn unit(&self) -> UnitSize {
        self.core.store.unit()
    }

    /// `len` bytes at `offset`; an error if they are not all on the device.
    pub fn extent(&self, offset: u64, len: u64) -> Result<Extent, Error> {
        Extent::within(self.size, offset, len).ok_or_else(|| {
            self.core.counters.invalid_io.add(1);
            Error::OutOfRange
        })
    }

    /// Moves objects together; returns how many bytes of memory that gave back.
    pub fn compact(&self) -> u64 {
        self.upkeep.compact()
    }

    /// Has every unit be idle, until it is read or written, that was not for so long.
    pub fn mark_idle(&self, untouched: Duration) {
        self.core.touches.mark_idle(untouched);
    }

    /// Makes objects anew by denser codecs where that is smaller. Requests go on meanwhile. An error says which codec
    /// there is not.
    pub fn recompress(&self, which: &Recompress) -> Result<Recompressed, String> {
        self.upkeep.recompress(which)
    }

    /// Moves units of the pool to the SSD; returns how many went. `None`: the device has none, or it takes no more.
    pub fn write_back(&self, which: &WriteBack) -> Option<u64> {
        self.upkeep.write_back(which)
    }

    /// Has the SSD forget what it holds, if it is a block device. For the end of the process: units there are lost.
    pub fn forget_ssd(&self) {
        self.core.store.tier().into_iter().for_each(|tier| tier.forget_all());
    }

    /// Working memory for a thread.
    pub fn workspace(&self) -> Workspace {
        let unit = vec![0; self.unit().bytes()].into_boxed_slice();
        Workspace { scratch: self.core.store.scratch(), unit }
    }

    /// Fills `out` with the bytes from `offset` on.
    pub fn read(&self, offset: u64, out: &mut [u8], with: &mut Workspace) -> Result<(), Error> {
        let extent = self.extent(offset, out.len() as u64)?;
        self.core.counters.reads.add(1);
        self.core.counters.read_bytes.add(extent.len);
        let (now, mut rest) = (self.core.touches.now(), out);
        for part in extent.parts(self.unit()) {
            let (piece, tail) = rest.split_at_mut(part.len);
            rest = tail;
            self.core.touches.touch(part.unit, now);
            self.read_part(part, piece, with).inspect_err(|_| self.core.counters.failed_reads.add(1))?;
        }
        Ok(())
    }

    fn read_part(&self, part: Part, out: &mut [u8], with: &mut Workspace) -> Result<(), Error> {
        let mut slot = self.core.store.table().lock(part.unit);
        match slot.backing() {
            Backing::Empty => out.fill(0),
            Backing::OnSsd(_) => {
                let Workspace { scratch, unit } = with;
                self.load(&slot, scratch, unit)?;
                out.copy_from_slice(&unit[part.from..part.from + part.len]);
                self.promote(&mut slot, with);
            }
            _ => {
                let unit = self.core.store.contents(&slot, &mut with.scratch).map_err(lost)?;
                out.copy_from_slice(&unit[part.from..part.from + part.len]);
            }
        }
        Ok(())
    }

    /// Whether a unit of the extent is on the SSD: any, or only one of which the extent is a part.
    pub(crate) fn is_on_ssd(&self, extent: Extent, whole_too: bool) -> bool {
        let mut parts = extent.parts(self.unit()).filter(|&part| whole_too || !self.is_whole(part));
        parts.any(|part| self.core.store.table().glance(part.unit).on_ssd)
    }

    fn load(&self, slot: &Slot<'_>, scratch: &mut Scratch, into: &mut [u8]) -> Result<(), Error> {
        into.copy_from_slice(self.core.store.contents(slot, scratch).map_err(lost)?);
        Ok(())
    }

    /// Puts a unit that was read from SSD for the second time back into the pool, if that has room already.
    fn promote(&self, slot: &mut Slot<'_>, with: &mut Workspace) {
        let again = slot.is_warm();
        slot.set_warm(true);
        if again && self.core.has_room() && self.core.store.put(slot, &with.unit, &mut with.scratch).is_ok() {
            slot.set_warm(false);
            self.core.counters.promoted_units.add(1);
        }
    }

    /// Makes `bytes` the contents from `offset` on.
    pub fn write(&self, offset: u64, bytes: &[u8], with: &mut Workspace) -> Result<(), Error> {
        let extent = self.extent(offset, bytes.len() as u64)?;
        self.core.counters.writes.add(1);
        self.core.counters.write_bytes.add(extent.len);
        let (now, mut rest) = (self.core.touches.now(), bytes);
        let pieces = extent.parts(self.unit()).map(|part| {
            let (piece, tail) = rest.split_at(part.len);
            rest = tail;
            self.core.touches.renew(part.unit, now);
            (part, piece)
        });
        match self.accelerator.as_ref().filter(|_| self.offloads) {
            Some(accelerator) => {
                self.write_offloaded(&pieces.collect::<Vec<_>>(), accelerator, with)?;
            }
            None => {
                for (part, piece) in pieces {
                    self.write_part(part, piece, with)?;
                }
            }
        }
        self.upkeep.ring_if_full();
        Ok(())
    }

    /// Has zeros from `offset` on. Whole units are given back.
    pub fn write_zeroes(&self, extent: Extent, with: &mut Workspace) -> Result<(), Error> {
        let now = self.core.touches.now();
        for part in extent.parts(self.unit()) {
            if self.is_whole(part) {
                self.core.store.clear(&mut self.core.store.table().lock(part.unit));
            } else {
                self.core.touches.renew(part.unit, now);
                self.write_part(part, &self.zeros[..part.len], with)?;
            }
        }
        Ok(())
    }

    /// Gives whole units back, which are zeros then. Of other units nothing changes.
    pub fn discard(&self, extent: Extent) {
        for part in extent.parts(self.unit()).filter(|&part| self.is_whole(part)) {
            let mut slot = self.core.store.table().lock(part.unit);
            if slot.backing() != Backing::Empty {
                self.core.store.clear(&mut slot);
                self.core.counters.notify_free.add(self.unit().pages());
            }
        }
    }

    /// Whether the part is all that the device shows of the unit.
    fn is_whole(&self, part: Part) -> bool {
        let shown = self.size - self.unit().offset_of(part.unit).0;
        part.from == 0 && part.len as u64 == shown.min(self.unit().bytes() as u64)
    }

    pub(crate) fn write_part(&self, part: Part, bytes: &[u8], with: &mut Workspace) -> Result<(), Error> {
        self.until_there_is_room(|| self.try_write_part(part, bytes, with))
    }

    fn try_write_part(&self, part: Part, bytes: &[u8], with: &mut Workspace) -> Result<(), Error> {
        let mut slot = self.core.store.table().lock(part.unit);
        let Workspace { scratch, unit } = with;
        let whole = if part.len == unit.len() {
            bytes
        } else {
            self.load(&slot, scratch, unit)?;
            unit[part.from..part.from + part.len].copy_from_slice(bytes);
            unit
        };
        self.core.store.put(&mut slot, whole, scratch).map_err(|_full| Error::NoSpace)?;
        self.written(&mut slot);
        Ok(())
    }

    /// The slot has new contents.
    pub(crate) fn written(&self, slot: &mut Slot<'_>) {
        slot.set_warm(false);
        if matches!(slot.backing(), Backing::Raw(_)) {
            self.core.counters.huge_pages_since.add(self.unit().pages());
        }
    }
}

/// The store's reason goes to whoever runs the daemon: a client learns no more than that it is lost.
fn lost(error: ztera_store::LoadError) -> Error {
    ztera_log::say(format_args!("{error}"));
    Error::Lost
}
