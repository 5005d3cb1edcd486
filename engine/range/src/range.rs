//! A range, as its users see it.

use std::io;
use std::mem::ManuallyDrop;
use std::ptr::{self, NonNull};
use std::sync::Arc;

use rustix::io::Errno;
use ztera_metrics::{Histogram, Stats, Tier};
use ztera_policy::admission::Cost;
use ztera_policy::clustering::{ClusterLen, Estimate};
use ztera_policy::readahead::{READERS, Windows};
use ztera_store::{ByteOffset, Config, Patch, Store, UnitIndex, Units, Workers};
use ztera_sync::{Mutex, Rank};

use crate::census::Census;
use crate::core::Core;
use crate::core::budget::Budget;
use crate::core::lost::Lost;
use crate::core::pins::Pins;
use crate::core::pins::recent::{Key, Which};
use crate::core::rewrites::Rewrites;
use crate::core::to_split::ToSplit;
use crate::core::watch::PoolWatch;
use crate::error::{Error, Result};
use crate::fault::Faults;
use crate::fault::handover::hand_over;
use crate::fault::pin::Refused;
use crate::fault::readers::{Readers, ReadersConfig};
use crate::fault::sigbus::SelfService;
use crate::fault::spin::Spin;
use crate::options::{FaultMode, Options};
use crate::os::memory::Memory;
use crate::os::uffd::{Fault, Uffd};
use crate::parts::Parts;
use crate::reclaim::idleness::Idleness;
use crate::reclaim::recompressor::Recompressor;
use crate::reclaim::splitter::Splitter;
use crate::reclaim::writeback::WriteBack;
use crate::residency::Residency;
use crate::stats::Counters;
use crate::threads::Threads;
use crate::trace::Recorder;

/// Memory that can hold more than is resident. Reads and writes go to its addresses directly, from
/// any thread and, but for [`FaultMode::Sigbus`], from system calls; all methods may be called by any thread at any
/// time.
///
/// Dropping it joins its threads and frees everything. Nobody may touch the addresses by then. A child that was forked has
/// neither the threads nor the memory; there, dropping it does nothing.
pub struct Range {
    // In the order in which they have to go.
    workers: ManuallyDrop<Workers>,
    threads: ManuallyDrop<Mutex<Threads>>,
    handlers: usize,
    parts: ManuallyDrop<Arc<Parts>>,
    /// The process that opened it.
    owner: u32,
}

/// The outcome of a pin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pinned {
    /// Pins bring in far more than their uses can be worth: more is in use than may be pinned. Handlers would serve what is
    /// touched, and no more ([`Range::use_handlers`]).
    pub handlers_pay: bool,
}

impl Drop for Range {
    fn drop(&mut self) {
        if std::process::id() != self.owner {
            // The parent's threads cannot be joined here, and what would stop them is shared with the parent.
            return;
        }
        // SAFETY: each is dropped once, here, and not used any more.
        unsafe {
            ManuallyDrop::drop(&mut self.workers);
            ManuallyDrop::drop(&mut self.threads);
            ManuallyDrop::drop(&mut self.parts);
        }
    }
}

impl Range {
    /// A range of `len` bytes at an address of the system's choice, all zeros.
    pub fn open(len: usize, options: &Options) -> Result<Self> {
        let unit = options.check(0, len)?;
        Self::build(len, options, || Memory::reserve(len, unit))
    }

    /// A range that takes over the `len` bytes at `base`, all zeros. When it is dropped, or if this
    /// fails, they are a PROT_NONE reservation again.
    ///
    /// # Safety
    /// They are a PROT_NONE reservation of the caller's, who leaves it alone meanwhile.
    pub unsafe fn open_at(base: NonNull<u8>, len: usize, options: &Options) -> Result<Self> {
        let base = base.as_ptr().expose_provenance();
        let unit = options.check(base, len)?;
        // SAFETY: by the caller's promise.
        Self::build(len, options, || unsafe { Memory::take_over(base, len, unit) })
    }

    fn build(len: usize, options: &Options, memory: impl FnOnce() -> io::Result<Memory>) -> Result<Self> {
        let unit = options.check(0, len)?;
        let sigbus = options.fault_mode == FaultMode::Sigbus;
        let uffd = Uffd::open(sigbus)?;
        let (worker_count, handler_count) = (options.worker_count(), options.fault_thread_count());
        let config = Config {
            unit,
            units: (len / unit.bytes()) as u32,
            pool_max: (options.pool_max != 0).then_some(options.pool_max),
            staging_limit: options.staging_limit,
            staging_strict: options.staging_strict,
            codec: options.codec,
            dense: options.recompress.filter(|dense| dense.kind != options.codec.kind),
            threads: worker_count + handler_count,
            ssd: options.ssd.clone(),
        };
        let store = Store::growing(config, if options.dram_max == 0 { 0 } else { options.pool_max_later });
        let store = store.map_err(Error::system(match &options.ssd {
            None => "reserving the pool",
            Some(_) => "reserving the pool, or making the file of the SSD tier",
        }))?;
        let store = Arc::new(match &options.accelerator {
            Some(accelerator) => store.with_offload(accelerator.clone()),
            None => store,
        });
        let resident_limit = options.resident_limit();
        let trace = options.trace.as_deref().map(|file| Recorder::create(file, unit, store.table().len()));
        let trace = trace.transpose().map_err(Error::system("making the file of the trace"))?;
        let memory = memory().map_err(Error::system("mapping the range"))?;
        // SAFETY: our own new mapping. It is touched only after `open` returned, when the handlers run.
        unsafe { uffd.register(memory.base(), memory.len()) }
            .map_err(Error::system("registering the range"))?;
        let windows = Windows::of(resident_limit, unit.bytes() as u64, store.tier().is_some());
        let core = Core {
            uffd,
            memory,
            store: store.clone(),
            residency: Residency::new(resident_limit, unit.bytes() as u64, (len / unit.bytes()) as u64),
            lost: Lost::default(),
            pins: Pins::default(),
            counters: Counters::default(),
            budget: (options.dram_max != 0 && options.trace.is_none()).then(|| Budget::new(options.limits())),
            watch: PoolWatch::new(options.pool_max),
            rewrites: Rewrites::new(unit, len as u64),
            to_split: ToSplit::default(),
        };
        let faults = Faults {
            readers: Readers::new(ReadersConfig {
                units: (len / unit.bytes()) as u32,
                windows,
                clusters: ClusterLen::of(unit.bytes() as u64, resident_limit),
                come: Estimate::UNKNOWN,
                written: Estimate::UNKNOWN,
            }),
            sigbus: sigbus.then(|| SelfService::new(windows.most * READERS as u32)),
            spin: Spin::default(),
        };
        let idleness = Idleness::new(options.idle_epochs);
        let recompress = options.recompress;
        let recompressor = recompress.map(|settings| Recompressor::new(store.recompressor(settings)));
        let splitter = Splitter::new(&store);
        let parts = Arc::new(Parts { core, faults, idleness, recompress, recompressor, splitter, trace });
        parts.core.share_budget();
        let starting = "starting threads";
        let threads = Threads::start(parts.clone(), handler_count).map_err(Error::system(starting))?;
        let workers = Workers::start(store, worker_count, parts.clone(), Parts::work_idly);
        let workers = workers.map_err(Error::system(starting))?;
        Ok(Self {
            workers: ManuallyDrop::new(workers),
            threads: ManuallyDrop::new(Mutex::ranked(Rank::Threads, threads)),
            handlers: handler_count,
            parts: ManuallyDrop::new(parts),
            owner: std::process::id(),
        })
    }

    /// Its first byte.
    pub fn base(&self) -> *mut u8 {
        ptr::with_exposed_provenance_mut(self.parts.core.memory.base())
    }

    /// Its length in bytes.
    pub fn len(&self) -> usize {
        self.parts.core.memory.len()
    }

    /// Never: a range has at least one unit.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Serves a fault that the calling thread has just taken at `address`, for writing or not, and that its handler of
    /// SIGBUS was told of ([`FaultMode::Sigbus`]; the signal's code is `BUS_ADRERR`). When it returns true, the
    /// instruction works if it is tried again. False: the contents are lost, or the address is not of this range.
    pub fn serve_fault(&self, address: usize, write: bool) -> bool {
        self.parts.server().serve_own_fault(Fault { address, write })
    }

    /// From now on threads of the range serve faults, and system calls work ([`FaultMode::Handler`]). Until this returns
    /// nobody may write to its addresses, or use what is read there, except where they are pinned. An error if that is so
    /// already, or if threads, descriptors or mappings cannot be had: then who faults goes on to serve itself.
    pub fn use_handlers(&self) -> Result<()> {
        let mut threads = self.threads.lock();
        if self.parts.faults.sigbus.is_none() || self.parts.core.uffd.is_handed_over() {
            return Err(Error::Invalid("handlers serve it already"));
        }
        self.parts.core.uffd.open_second()?;
        threads.start_handlers(self.handlers).map_err(Error::system("starting threads"))?;
        hand_over(&self.parts.core).map_err(Error::system("handing the range over to fault handlers"))
    }

    /// Makes room for `bytes` that the calling thread is about to touch beside the range, and keeps it free for a while. False
    /// if there is less, though all has left memory that can. That may take a while; where there is room, it takes next to
    /// nothing. Without a [limit for both](Options::dram_max) nobody looks.
    pub fn make_room(&self, bytes: u64) -> bool {
        let Some(budget) = &self.parts.core.budget else { return true };
        budget.ceiling.promised.take(bytes)
            || self.parts.lend(|scratch| self.parts.evictor().make_room_beside(budget, bytes, scratch))
    }

    /// `bytes` for which [room was made](Self::make_room) are free again.
    pub fn end_room(&self, bytes: u64) {
        if let Some(budget) = &self.parts.core.budget {
            budget.ceiling.promised.free(bytes);
        }
    }

    /// Somebody is about to need memory who cannot ask for it, such as a child process. For some seconds the kernel can have
    /// more. That may take some tenths of a second.
    pub fn expect(&self) {
        if let Some(budget) = &self.parts.core.budget {
            self.parts.lend(|scratch| self.parts.evictor().expect(budget, scratch));
        }
    }

    /// A staging buffer of [`BUFFER_LEN`](crate::BUFFER_LEN) bytes, page-aligned, with undefined
    /// contents, the caller's until it is submitted or cancelled.
    ///
    /// When the limit is reached, the caller compresses queued units itself until there is one.
    pub fn acquire(&self) -> Result<NonNull<u8>> {
        let parts = self.parts.as_ref();
        let acquired = parts.core.store.acquire(parts, &|bytes| parts.has_memory(bytes));
        acquired.map_err(Error::system("mapping a staging buffer"))
    }

    /// Makes the first `len` bytes of `buffer` the contents of the range from `offset` on, at once for
    /// every reader. Both must be multiples of the unit size, and `buffer` from [`acquire`](Self::acquire);
    /// it then belongs to the range again. After an error it is still the caller's. [`Error::Pinned`]: some of the units are.
    pub fn submit(&self, buffer: *mut u8, offset: u64, len: usize) -> Result<()> {
        let units = self.free_units(offset, len as u64)?;
        Ok(self.parts.submit(buffer, units)?)
    }

    /// Gives a staging buffer back unused.
    pub fn cancel(&self, buffer: *mut u8) -> Result<()> {
        Ok(self.parts.core.store.cancel(buffer)?)
    }

    /// Waits until nothing is staged, helping meanwhile.
    pub fn drain(&self) {
        self.parts.core.store.drain(self.parts.as_ref());
    }

    /// Makes `len` bytes from `offset` zeros and gives back all memory they took, whatever state they
    /// are in. Both must be multiples of the unit size. [`Error::Pinned`]: some of the units are, and nothing has changed.
    pub fn discard(&self, offset: u64, len: u64) -> Result<()> {
        self.parts.discard(self.free_units(offset, len)?);
        Ok(())
    }

    /// Corrects the unit at `offset` where it is not in memory, and reads nothing for that. Readers find the `patches` made. No two of
    /// them are of the same bytes. False, and nothing has changed: it is in memory or on its way out of it, or patches take as much
    /// memory as they may. Then write to its addresses. Nobody else may write to the same bytes meanwhile.
    pub fn patch(&self, offset: u64, patches: &[Patch]) -> Result<bool> {
        let units = self.units(offset, self.parts.core.unit_len() as u64)?;
        let fits = |patch: &Patch| {
            let place = patch.offset as usize;
            place.is_multiple_of(Patch::LEN) && place < self.parts.core.unit_len()
        };
        if patches.is_empty() || !patches.iter().all(fits) {
            return Err(Error::Invalid("there must be patches, each of four bytes of the unit"));
        }
        Ok(self.parts.core.patch(units.first, patches))
    }

    /// Makes the units of `len` bytes from `offset` resident and writable, and keeps them so until as many calls of
    /// [`unpin`](Self::unpin) with that offset: system calls may be given these addresses. They may be any bytes, but
    /// `offset` a multiple of 8, and pins that begin there have one length. A range that was pinned just before costs next to
    /// nothing. Pins of several threads are counted, and may overlap; nobody waits for another one's to end. Nobody may
    /// submit or discard these bytes while this call lasts.
    ///
    /// Half of what may be resident may be pinned.
    pub fn pin(&self, offset: u64, len: u64) -> Result<Pinned> {
        let end = offset.checked_add(len).filter(|&end| end <= self.len() as u64);
        let unit = self.parts.core.store.unit();
        let (Some(end), Some(key)) = (end, Key::of(ByteOffset(offset))) else {
            return Err(Error::Invalid("a pin begins at a multiple of 8, and lies in the range"));
        };
        let first = unit.unit_at(ByteOffset(offset));
        let end = UnitIndex(unit.unit_at(ByteOffset(end.max(offset + 1) - 1)).0 + 1);
        match self.parts.server().pin(key, Units { first, end }) {
            Ok(handlers_pay) => Ok(Pinned { handlers_pay }),
            Err(Refused::TooMany) => Err(Error::System("pinning", Errno::NOMEM.into())),
            Err(Refused::Full) => Err(Error::System("pinning", Errno::AGAIN.into())),
            Err(Refused::Lost) => Err(Error::System("pinning", Errno::IO.into())),
            Err(Refused::Overlap) => Err(Error::Invalid("pins that begin at one offset have one length")),
        }
    }

    /// Ends one [`pin`](Self::pin) at `offset`. False if there is none, and then nothing has changed.
    pub fn unpin(&self, offset: u64) -> bool {
        Key::of(ByteOffset(offset)).is_some_and(|key| self.parts.server().unpin(key))
    }

    /// Ends all pins: nobody uses one any more, whoever may have forgotten to say so.
    pub fn unpin_all(&self) {
        self.parts.core.give_up_pins(Which::All);
    }

    /// Moves what the pool has of `len` bytes from `offset` to SSD, or only what of it is idle, and returns how many
    /// bytes that is, uncompressed. Pages that are in memory stay there too. Both must be multiples of the unit
    /// size.
    pub fn write_back(&self, offset: u64, len: u64, which: WriteBack) -> Result<u64> {
        let units = self.units(offset, len)?;
        if self.parts.core.store.tier().is_none() {
            return Err(Error::Invalid("there is no SSD tier"));
        }
        let moved = self.parts.demoter().write_back(units, which);
        let full = |_| Error::System("writing to the SSD tier", io::ErrorKind::StorageFull.into());
        Ok(u64::from(moved.map_err(full)?) * self.parts.core.unit_len() as u64)
    }

    /// Moves objects together within the pool, for as long as that gives memory back to the system; returns how many
    /// bytes it gave. Workers do so by themselves when it pays. Nobody has to wait for it but the caller.
    pub fn compact(&self) -> u64 {
        self.parts.compactor().compact()
    }

    /// Bytes that may be submitted now with the certainty that pool and SSD can hold them even if nothing
    /// compresses; `None` = no limit.
    pub fn room(&self) -> Option<u64> {
        self.parts.core.room()
    }

    /// Bytes that may be submitted now if each of them takes `cost` of DRAM once it is compressed; `None` = no limit.
    pub fn capacity(&self, cost: Cost) -> Option<u64> {
        self.parts.core.capacity(cost)
    }

    /// The DRAM that `bytes`, whole units, would take if they were compressed as far as they can be.
    pub fn sample(&self, bytes: &[u8]) -> Result<u64> {
        if !bytes.len().is_multiple_of(self.parts.core.unit_len()) {
            return Err(Error::Invalid("a sample must be of whole units"));
        }
        Ok(self.parts.core.store.sample(bytes))
    }

    /// Another [`dram_max`](Options::dram_max) than it was opened with; pages leave memory for it soon, not at
    /// once.
    pub fn set_dram_max(&self, bytes: u64) -> Result<()> {
        if self.parts.core.budget.is_none() {
            return Err(Error::Invalid("it was opened without a limit for both"));
        }
        self.parts.core.set_budget(bytes);
        Ok(())
    }

    /// The oldest decision about the division of memory that was not asked for yet, with its reason; the last few
    /// are kept.
    pub fn next_decision(&self) -> Option<String> {
        self.parts.core.budget.as_ref()?.next_decision()
    }

    /// Shows which unit was lost last and why, if one was. Neither waits nor allocates.
    pub fn last_loss<R>(&self, show: impl FnOnce(&str) -> R) -> Option<R> {
        self.parts.core.lost.last(show)
    }

    /// Lets the engine's clock tick: the host finished one garbage collection.
    pub fn tick(&self) {
        self.parts.pass_epoch();
    }

    /// Where the units of `len` bytes from `offset` are, about now. Both must be multiples of the unit size.
    pub fn census(&self, offset: u64, len: u64) -> Result<Census> {
        Ok(Census::of(self.units(offset, len)?, &self.parts.core, &self.parts.idleness))
    }

    /// A snapshot of the statistics.
    pub fn stats(&self) -> Stats {
        let (residency, c) = (&self.parts.core.residency, &self.parts.core.counters);
        let unit = self.parts.core.unit_len() as u64;
        Stats {
            resident_bytes: residency.units() * unit,
            resident_limit: residency.limit().map_or(0, |units| units * unit),
            fault_count: c.faults.get(),
            read_ahead_units: c.read_ahead.get(),
            wp_fault_count: c.wp_faults.get(),
            evicted_clean: c.evicted_clean.get(),
            evicted_dirty: c.evicted_dirty.get(),
            promoted_units: c.promoted.get(),
            demoted_units: c.demoted.get(),
            recompressed_units: c.recompressed.get(),
            recompress_tried_units: c.recompress_tried.get(),
            split_units: c.split.get(),
            discarded_units: c.discarded_units.get(),
            over_limit_bytes: if residency.is_pool_full() || residency.is_fruitless() {
                residency.beyond_limit() * unit
            } else {
                0
            },
            held_writes: c.held_writes.get(),
            pinned_bytes: self.parts.core.pins.units() * unit,
            store_table_bytes: self.table_bytes(),
            ..self.parts.core.store.stats()
        }
    }

    /// How long faults took so far, by the tier that had the contents, in the order of [`Tier::ALL`].
    pub fn fault_times(&self) -> [Histogram; Tier::ALL.len()] {
        self.parts.core.counters.fault_times.get()
    }

    /// Bytes of tables beside pool and pages: what says where contents are, and in which order they came into memory.
    pub fn table_bytes(&self) -> u64 {
        let residency = &self.parts.core.residency;
        let queue = residency.queued() * size_of::<UnitIndex>();
        self.parts.core.store.table_bytes() + residency.holes().bytes() + queue as u64
    }

    /// The units of these bytes, none of which is pinned.
    fn free_units(&self, offset: u64, len: u64) -> Result<Units> {
        let units = self.units(offset, len)?;
        if self.parts.core.is_in_use(units) { Err(Error::Pinned) } else { Ok(units) }
    }

    fn units(&self, offset: u64, len: u64) -> Result<Units> {
        let units = self.parts.core.store.unit().units_of(ByteOffset(offset), len);
        let fits = |units: &Units| units.end.0 <= self.parts.core.store.table().len();
        units.filter(fits).ok_or(Error::Invalid("offset and length must be whole units inside the range"))
    }
}
