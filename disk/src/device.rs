// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The device itself: any bytes, read and written by the calling thread.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use parking_lot::RwLock;
use ztera_codec::{CodecKind, Settings};
use ztera_store::{Backing, Scratch, Slot, SsdConfig, Store, UnitIndex, UnitSize};

use crate::bell::Bell;
use crate::densen::Densening;
use crate::error::Error;
use crate::extent::{Extent, Part};
use crate::offload::{Offload, Pieces};
use crate::recompress::{Denser, MOST_CODECS};
use crate::stats::{BdStat, Counters, IoStat, MmStat, More, Stats};
use crate::touches::Touches;

/// Sizes and limits of a device.
#[derive(Clone, Debug)]
pub struct Config {
    /// Bytes that it shows: a multiple of 512.
    pub size: u64,
    /// How much is compressed as one. A write of less costs a read of the rest.
    pub unit: UnitSize,
    /// Most bytes of compressed objects in DRAM, at least 1 MiB; `None` = no limit.
    pub memory_limit: Option<u64>,
    /// Codec for new objects.
    pub codec: Settings,
    /// Denser codecs for objects that nobody wants now.
    pub denser: Denser,
    /// Threads that will use it.
    pub threads: usize,
    /// The SSD tier; `None` = there is none.
    pub ssd: Option<SsdConfig>,
    /// The accelerator; `None` = there is none. The device's codec or a denser one must be deflate.
    pub accelerator: Option<Offload>,
}

#[cfg(test)]
impl Config {
    /// A device of 1 MiB in units of 16 KiB with an SSD tier in `dir`, for unit tests.
    pub(crate) fn small(dir: &std::path::Path) -> Self {
        Self {
            size: 1 << 20,
            unit: UnitSize::new(16 << 10).expect("a unit's size"),
            memory_limit: Some(1 << 20),
            codec: Settings::default(),
            denser: Denser::default(),
            threads: 1,
            ssd: Some(SsdConfig { limit: Some(8 << 20), ..SsdConfig::new(dir) }),
            accelerator: None,
        }
    }
}

/// A compressed block device. All methods may be called by any thread; a request is atomic for each unit by itself.
pub struct Device {
    size: u64,
    codec: Settings,
    pub(crate) store: Store,
    pub(crate) touches: Touches,
    pub(crate) counters: Counters,
    pub(crate) denser: Denser,
    /// Wakes the thread that makes room.
    pub(crate) bell: Arc<Bell>,
    /// Memory without objects that the last compaction left.
    pub(crate) left_sparse: AtomicU64,
    /// `None` if denser codecs are used only when asked for.
    pub(crate) densening: Option<Densening>,
    /// Whether new units may go to an accelerator.
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

/// The least memory limit: with less the pool has no chunk for each class of objects.
const LEAST_LIMIT: u64 = 1 << 20;

/// The part of the memory limit that is left to changes of what is there when the device is full.
const RESERVE_SHARE: u64 = 64;

/// Units of it at least, unless that would be much: two chunks of the pool, which small objects of some length share.
const LEAST_RESERVE: u64 = 32;
const MOST_RESERVE_SHARE: u64 = 16;

impl Device {
    /// A device full of zeros. Fails if a size is not possible, or the SSD tier cannot be opened.
    pub fn new(config: Config) -> io::Result<Self> {
        let invalid = |why: &str| io::Error::new(io::ErrorKind::InvalidInput, why);
        let unit_len = config.unit.bytes() as u64;
        if config.size == 0 || !config.size.is_multiple_of(512) {
            return Err(invalid("the device's size must be a multiple of 512 bytes, and not 0"));
        }
        if config.memory_limit.is_some_and(|limit| limit < LEAST_LIMIT) {
            return Err(invalid("the memory limit must be at least 1 MiB"));
        }
        if config.denser.codecs.len() > MOST_CODECS {
            return Err(invalid("a device has at most three denser codecs"));
        }
        let units = u32::try_from(config.size.div_ceil(unit_len))
            .map_err(|_| invalid("the device is too large for units of this size: take larger ones"))?;
        let accelerator = config.accelerator.map(|offload| offload.open(&config)).transpose()?;
        let (accelerator, missing_accelerator) = match accelerator {
            Some(Ok(accelerator)) => (Some(accelerator), None),
            Some(Err(missing)) => (None, Some(missing)),
            None => (None, None),
        };
        let store = Store::new(ztera_store::Config {
            unit: config.unit,
            units,
            pool_limit: config.memory_limit,
            // Nothing is staged: a write has ended when its units are stored.
            staging_limit: 0,
            staging_strict: true,
            codec: config.codec,
            dense: None,
            threads: config.threads,
            ssd: config.ssd,
        })?;
        let offloads = accelerator.is_some() && config.codec.kind == CodecKind::Deflate;
        let store = match accelerator {
            Some(accelerator) => store.with_accelerator(accelerator),
            None => store,
        };
        let store = store.with_reserve(config.memory_limit.map_or(0, |limit| reserve(limit / unit_len)));
        Ok(Self {
            size: config.size,
            codec: config.codec,
            touches: Touches::new(units).ok_or(io::ErrorKind::OutOfMemory)?,
            counters: Counters::default(),
            bell: Arc::default(),
            densening: Densening::new(&store, &config.denser),
            denser: config.denser,
            left_sparse: AtomicU64::new(0),
            offloads,
            missing_accelerator,
            room: RwLock::default(),
            store,
            zeros: vec![0; config.unit.bytes()].into_boxed_slice(),
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
        self.store.unit()
    }

    /// `len` bytes at `offset`; an error if they are not all on the device.
    pub fn extent(&self, offset: u64, len: u64) -> Result<Extent, Error> {
        Extent::within(self.size, offset, len).ok_or_else(|| {
            self.counters.invalid_io.add(1);
            Error::OutOfRange
        })
    }

    /// Working memory for a thread.
    pub fn workspace(&self) -> Workspace {
        let unit = vec![0; self.unit().bytes()].into_boxed_slice();
        Workspace { scratch: self.store.scratch(), unit }
    }

    /// Fills `out` with the bytes from `offset` on.
    pub fn read(&self, offset: u64, out: &mut [u8], with: &mut Workspace) -> Result<(), Error> {
        let extent = self.extent(offset, out.len() as u64)?;
        self.counters.reads.add(1);
        self.counters.read_bytes.add(extent.len);
        let (now, mut rest) = (self.touches.now(), out);
        for part in extent.parts(self.unit()) {
            let (piece, tail) = rest.split_at_mut(part.len);
            rest = tail;
            self.touches.touch(part.unit, now);
            self.read_part(part, piece, with).inspect_err(|_| self.counters.failed_reads.add(1))?;
        }
        Ok(())
    }

    fn read_part(&self, part: Part, out: &mut [u8], with: &mut Workspace) -> Result<(), Error> {
        let mut slot = self.store.table().lock(part.unit);
        match slot.backing() {
            Backing::Empty => out.fill(0),
            Backing::OnSsd(_) => {
                let Workspace { scratch, unit } = with;
                self.load(part.unit, &slot, scratch, unit)?;
                out.copy_from_slice(&unit[part.from..part.from + part.len]);
                self.promote(&mut slot, with);
            }
            _ => {
                let unit = self.store.contents(part.unit, &slot, &mut with.scratch).map_err(lost)?;
                out.copy_from_slice(&unit[part.from..part.from + part.len]);
            }
        }
        Ok(())
    }

    /// Whether a unit of the extent is on the SSD: any, or only one of which the extent is a part.
    pub(crate) fn is_on_ssd(&self, extent: Extent, whole_too: bool) -> bool {
        let mut parts = extent.parts(self.unit()).filter(|&part| whole_too || !self.is_whole(part));
        parts.any(|part| self.store.table().glance(part.unit).on_ssd)
    }

    fn load(
        &self,
        unit: UnitIndex,
        slot: &Slot<'_>,
        scratch: &mut Scratch,
        into: &mut [u8],
    ) -> Result<(), Error> {
        into.copy_from_slice(self.store.contents(unit, slot, scratch).map_err(lost)?);
        Ok(())
    }

    /// Puts a unit that was read from SSD for the second time back into the pool, if that has room already.
    fn promote(&self, slot: &mut Slot<'_>, with: &mut Workspace) {
        let again = slot.is_warm();
        slot.set_warm(true);
        if again && self.has_room() && self.store.put(slot, &with.unit, &mut with.scratch).is_ok() {
            slot.set_warm(false);
            self.counters.promoted_units.add(1);
        }
    }

    /// Makes `bytes` the contents from `offset` on.
    pub fn write(&self, offset: u64, bytes: &[u8], with: &mut Workspace) -> Result<(), Error> {
        let extent = self.extent(offset, bytes.len() as u64)?;
        self.counters.writes.add(1);
        self.counters.write_bytes.add(extent.len);
        let (now, mut rest) = (self.touches.now(), bytes);
        let pieces = extent.parts(self.unit()).map(|part| {
            let (piece, tail) = rest.split_at(part.len);
            rest = tail;
            self.touches.renew(part.unit, now);
            (part, piece)
        });
        if self.offloads {
            self.write_offloaded(&pieces.collect::<Pieces<'_>>(), with)?;
        } else {
            for (part, piece) in pieces {
                self.write_part(part, piece, with)?;
            }
        }
        self.ring_if_full();
        Ok(())
    }

    /// Has zeros from `offset` on. Whole units are given back.
    pub fn write_zeroes(&self, extent: Extent, with: &mut Workspace) -> Result<(), Error> {
        let now = self.touches.now();
        for part in extent.parts(self.unit()) {
            if self.is_whole(part) {
                self.store.clear(&mut self.store.table().lock(part.unit));
            } else {
                self.touches.renew(part.unit, now);
                self.write_part(part, &self.zeros[..part.len], with)?;
            }
        }
        Ok(())
    }

    /// Gives whole units back, which are zeros then. Of other units nothing changes.
    pub fn discard(&self, extent: Extent) {
        for part in extent.parts(self.unit()).filter(|&part| self.is_whole(part)) {
            let mut slot = self.store.table().lock(part.unit);
            if slot.backing() != Backing::Empty {
                self.store.clear(&mut slot);
                self.counters.notify_free.add(self.unit().pages());
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
        let mut slot = self.store.table().lock(part.unit);
        let Workspace { scratch, unit } = with;
        let whole = if part.len == unit.len() {
            bytes
        } else {
            self.load(part.unit, &slot, scratch, unit)?;
            unit[part.from..part.from + part.len].copy_from_slice(bytes);
            unit
        };
        self.store.put(&mut slot, whole, scratch).map_err(|_full| Error::NoSpace)?;
        self.written(&mut slot);
        Ok(())
    }

    /// The slot has new contents.
    pub(crate) fn written(&self, slot: &mut Slot<'_>) {
        slot.set_warm(false);
        if matches!(slot.backing(), Backing::Raw(_)) {
            self.counters.huge_pages_since.add(self.unit().pages());
        }
    }

    /// A snapshot of the statistics.
    pub fn stats(&self) -> Stats {
        let (s, c) = (self.store.stats(), &self.counters);
        let pages = self.unit().pages();
        Stats {
            disksize: self.size,
            unit: self.unit().bytes() as u64,
            comp_algorithm: self.codec.to_string(),
            recomp_algorithm: self.denser.codecs.iter().map(ToString::to_string).collect(),
            mm_stat: MmStat {
                orig_data_size: s.orig_data_size,
                compr_data_size: s.compr_data_size,
                mem_used_total: s.mem_used_total,
                mem_limit: s.mem_limit,
                mem_used_max: s.mem_used_max,
                same_pages: s.same_pages,
                pages_compacted: s.pages_compacted,
                huge_pages: s.huge_pages,
                huge_pages_since: c.huge_pages_since.get(),
            },
            io_stat: IoStat {
                failed_reads: c.failed_reads.get(),
                failed_writes: c.failed_writes.get(),
                invalid_io: c.invalid_io.get(),
                notify_free: c.notify_free.get(),
            },
            bd_stat: self.store.tier().is_some().then_some(BdStat {
                bd_count: s.bd_count * pages,
                bd_reads: s.bd_reads * pages,
                bd_writes: s.bd_writes * pages,
            }),
            more: More {
                reads: c.reads.get(),
                writes: c.writes.get(),
                read_bytes: c.read_bytes.get(),
                write_bytes: c.write_bytes.get(),
                table_bytes: self.store.table_bytes() + 8 * u64::from(self.store.table().len()),
                bd_used: s.bd_used,
                bd_limit: s.bd_limit,
                bd_write_bytes: s.bd_write_bytes,
                bd_errors: s.bd_errors,
                writeback_limit: s.writeback_limit,
                demoted_units: c.demoted_units.get(),
                promoted_units: c.promoted_units.get(),
                recompressed_units: c.recompressed_units.get(),
            },
            accelerator: self.offload_stats(),
        }
    }
}

/// Units that are left to changes of what is there, of so many.
fn reserve(limit: u64) -> u64 {
    (limit / RESERVE_SHARE).max(LEAST_RESERVE.min(limit / MOST_RESERVE_SHARE))
}

/// The store's reason goes to whoever runs the daemon: a client learns no more than that it is lost.
fn lost(error: ztera_store::LoadError) -> Error {
    ztera_log::say(format_args!("{error}"));
    Error::Lost
}
