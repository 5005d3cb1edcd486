//! A range with its threads, and the program that uses it.

use std::sync::Arc;

use shuttle::sync::RwLock;
use shuttle::thread::{self, JoinHandle};
use ztera_codec::{CodecKind, Settings};
use ztera_store::{
    BUFFER_LEN, Backing, ByteOffset, Config, Mover, SsdConfig, Store, UnitIndex, UnitSize, Units, Workers,
};
use ztera_sync::Mutex;

use crate::core::Core;
use crate::core::budget::Budget;
use crate::core::pins::recent::Key;
use crate::core::rewrites::Rewrites;
use crate::core::to_split::ToSplit;
use crate::core::watch::PoolWatch;
use crate::fault::Faults;
use crate::fault::handover::hand_over;
use crate::fault::readers::{Readers, ReadersConfig};
use crate::fault::sigbus::SelfService;
use crate::fault::spin::Spin;
use crate::kernel::{Access, FaultMode, Kernel, Sigbus};
use crate::os::memory::Memory;
use crate::os::uffd::{Fault, Uffd};
use crate::parts::Parts;
use crate::reclaim::governor::{Governor, Pace};
use crate::reclaim::idleness::Idleness;
use crate::reclaim::recompressor::Recompressor;
use crate::reclaim::splitter::Splitter;
use crate::residency::Residency;
use crate::stats::Counters;
use ztera_policy::clustering::{ClusterLen, Estimate};
use ztera_policy::division::Limits;
use ztera_policy::readahead::Windows;

/// The range to be built. Units are of `unit_len` bytes.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    pub unit_len: usize,
    pub units: u32,
    /// 0 = no limit.
    pub resident_units: u64,
    pub pool_units: Option<u64>,
    /// Bytes that resident units and the pool share; `resident_units` is then what the former have in any case.
    pub budget: Option<u64>,
    pub fault_mode: FaultMode,
    /// Most units read ahead of a reader.
    pub read_ahead: u32,
    /// Whether a fault brings in the cluster of its unit, too.
    pub clusters: bool,
    /// Whether a write makes the cluster of its unit writable, too.
    pub writes_clusters: bool,
    /// Whether units come page by page, if they have four or more.
    pub parts: bool,
    /// Threads that serve faults, or who read ahead where the program's serve their own.
    pub handlers: usize,
    pub workers: usize,
    /// Whether there is an SSD tier, in a real file.
    pub ssd: bool,
    /// 0 = nothing ever is idle; else units are recompressed.
    pub idle_epochs: u32,
}

/// The codec for idle units.
const DENSER: Settings = Settings { kind: CodecKind::Zstd, level: 1 };

/// The contents of a unit are lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lost;

/// A range as `Range` would build it.
pub struct Machine {
    options: Options,
    kernel: Arc<Kernel>,
    parts: Arc<Parts>,
    pace: Arc<Pace>,
    workers: Option<Workers>,
    threads: Mutex<Vec<JoinHandle<()>>>,
    /// Read-locked by every instruction that touches the range, write-locked by who needs that there are none.
    safepoint: RwLock<()>,
}

impl Machine {
    pub fn start(options: Options) -> Self {
        let unit = UnitSize::new(options.unit_len).expect("a unit size");
        let kernel = Kernel::new(options.units as usize * options.unit_len, options.fault_mode);
        let bytes = |units: u64| units * options.unit_len as u64;
        let store = Store::new(Config {
            unit,
            units: options.units,
            pool_max: options.pool_units.map(bytes),
            staging_limit: BUFFER_LEN as u64,
            staging_strict: false,
            // Objects that take long to decode are split where pages come one at a time.
            codec: if options.parts { DENSER } else { Settings::default() },
            dense: None,
            threads: options.handlers + options.workers,
            ssd: options
                .ssd
                .then(|| SsdConfig { limit: Some(4 << 20), ..SsdConfig::new(std::env::temp_dir()) }),
        });
        let store = Arc::new(store.expect("address space for a small store"));
        let core = Core {
            uffd: Uffd(kernel.clone()),
            memory: Memory { kernel: kernel.clone(), unit },
            store: store.clone(),
            residency: Residency::new(
                bytes(options.resident_units),
                options.unit_len as u64,
                options.units.into(),
            ),
            lost: crate::core::lost::Lost::default(),
            pins: crate::core::pins::Pins::default(),
            counters: Counters::default(),
            budget: options.budget.map(|budget| {
                Budget::new(Limits {
                    resident_min: bytes(options.resident_units),
                    resident_max: 0,
                    pool_max: options.pool_units.map_or(0, bytes),
                    dram_max: budget,
                })
            }),
            watch: PoolWatch::new(options.pool_units.map_or(0, bytes)),
            rewrites: Rewrites::new(unit, u64::from(options.units) * options.unit_len as u64),
            to_split: ToSplit::default(),
        };
        let serves_itself = options.fault_mode == FaultMode::Sigbus;
        let parts = Arc::new(Parts {
            core,
            faults: Faults {
                readers: Readers::new(ReadersConfig {
                    units: options.units,
                    windows: Windows { most: options.read_ahead, proof: 0 },
                    clusters: if options.clusters {
                        ClusterLen::of(options.unit_len as u64, 0)
                    } else {
                        ClusterLen::ONE
                    },
                    come: Estimate::TOGETHER,
                    written: if options.writes_clusters { Estimate::TOGETHER } else { Estimate::UNKNOWN },
                }),
                sigbus: serves_itself.then(|| SelfService::new(2 * options.read_ahead)),
                spin: Spin::default(),
            },
            idleness: Idleness::new(options.idle_epochs),
            recompress: None,
            recompressor: (options.idle_epochs > 0).then(|| Recompressor::new(store.recompressor(DENSER))),
            splitter: Splitter::new(&store),
            trace: None,
        });
        if options.parts {
            (0..8).for_each(|_| parts.core.residency.wholes().note(UnitIndex(0), false));
        }
        parts.core.share_budget();
        let serve_or_read_ahead = match options.fault_mode {
            FaultMode::Handler => handler,
            FaultMode::Sigbus => reader_ahead,
        };
        let mut threads: Vec<_> = (0..options.handlers).map(|_| serve_or_read_ahead(parts.clone())).collect();
        threads.push(evictor(parts.clone()));
        if options.ssd {
            threads.push(demoter(parts.clone()));
        }
        let pace = Arc::default();
        if options.budget.is_some() {
            threads.push(governor(parts.clone(), Arc::clone(&pace)));
        }
        let workers = Workers::start(store, options.workers, parts.clone(), Parts::work_idly);
        let workers = workers.expect("threads start");
        let (threads, safepoint) = (Mutex::new(threads), RwLock::new(()));
        Self { options, kernel, parts, pace, workers: Some(workers), threads, safepoint }
    }

    /// The program reads a byte.
    pub fn read(&self, unit: u32, byte: usize) -> Result<u8, Lost> {
        self.access(self.offset(unit, byte), Access::Read)
    }

    /// The program writes a byte.
    pub fn write(&self, unit: u32, byte: usize, value: u8) -> Result<(), Lost> {
        self.access(self.offset(unit, byte), Access::Write(value)).map(|_| ())
    }

    /// An instruction, tried again whenever the program's handler of SIGBUS has had its fault served.
    fn access(&self, offset: usize, access: Access) -> Result<u8, Lost> {
        let fault =
            Fault { address: self.kernel.address(offset).expose_provenance(), write: access != Access::Read };
        loop {
            let touching = self.safepoint.read().expect("a thread that panics ends the model");
            match self.kernel.access(offset, access) {
                Ok(byte) => return Ok(byte),
                Err(Sigbus::Poisoned) => return Err(Lost),
                Err(Sigbus::Fault) => {}
            }
            // The thread that serves does not touch: the range may be handed over meanwhile.
            drop(touching);
            if !self.parts.server().serve_own_fault(fault) {
                return Err(Lost);
            }
        }
    }

    /// Whether what a unit's slot says when nobody has it locked is what the kernel knows: a resident unit is writable without a
    /// fault only if it has no copy, and a pinned one is.
    pub fn audit(&self, unit: u32) {
        let (start, len) = (self.offset(unit, 0), self.options.unit_len);
        let slot = self.parts.core.store.table().lock(UnitIndex(unit));
        if slot.is_mapped() && slot.backing() != Backing::Dirty {
            assert!(self.kernel.are_protected(start, len), "unit {unit} has a copy, and is writable");
        }
        if slot.pins() > 0 {
            assert!(self.kernel.are_writable(start, len), "unit {unit} is pinned, and not writable");
        }
    }

    /// Pins a unit, until `unpin`. False if as many are pinned as may be.
    pub fn pin(&self, unit: u32) -> bool {
        self.parts.server().pin(self.key(unit), self.units(unit, 1)).is_ok()
    }

    /// Ends one pin.
    pub fn unpin(&self, unit: u32) {
        assert!(self.parts.server().unpin(self.key(unit)), "it is pinned");
    }

    fn key(&self, unit: u32) -> Key {
        Key::of(ByteOffset(self.offset(unit, 0) as u64)).expect("units begin at multiples of 8")
    }

    /// A system call writes a byte of a unit that is pinned, and reads it again. `None` if there is a fault, which nobody
    /// would serve.
    pub fn write_by_call(&self, unit: u32, byte: usize, value: u8) -> Option<u8> {
        self.kernel.access_by_call(self.offset(unit, byte), Access::Write(value))?;
        self.kernel.access_by_call(self.offset(unit, byte), Access::Read)
    }

    /// From now on handlers serve.
    pub fn use_handlers(&self) {
        let _untouched = self.safepoint.write().expect("a thread that panics ends the model");
        self.threads.lock().extend((0..self.options.handlers).map(|_| handler(self.parts.clone())));
        hand_over(&self.parts.core).expect("the simulated kernel has mappings enough");
    }

    /// Another budget in place of the one that there was.
    pub fn set_budget(&self, bytes: u64) {
        self.parts.core.set_budget(bytes);
    }

    /// Whether resident units take more than the pool leaves them of the budget now.
    pub fn is_beyond_budget(&self) -> bool {
        let budget = self.parts.core.budget.as_ref().expect("there is one");
        let limit = budget.limits_now().resident_limit(self.parts.core.store.pool_used());
        self.parts.core.residency.units() * self.options.unit_len as u64 > limit
    }

    /// Makes `contents`, some whole units, the contents of the range from unit `first` on.
    pub fn submit(&self, first: u32, contents: &[u8]) {
        let parts = self.parts.as_ref();
        let buffer = parts.core.store.acquire(parts, &|bytes| parts.has_memory(bytes));
        let buffer = buffer.expect("memory for a buffer");
        // SAFETY: the buffer is ours until it is submitted, and long enough.
        unsafe { buffer.as_ptr().copy_from_nonoverlapping(contents.as_ptr(), contents.len()) };
        let units = self.units(first, (contents.len() / self.options.unit_len) as u32);
        assert!(!self.parts.core.is_in_use(units), "the program pins nothing that it submits");
        self.parts.submit(buffer.as_ptr(), units).expect("whole units");
    }

    pub fn discard(&self, first: u32, count: u32) {
        let units = self.units(first, count);
        assert!(!self.parts.core.is_in_use(units), "the program pins nothing that it discards");
        self.parts.discard(units);
    }

    pub fn drain(&self) {
        self.parts.core.store.drain(self.parts.as_ref());
    }

    /// Moves everything that is in the pool to SSD.
    pub fn write_back(&self) {
        let mut mover = Mover::new(&self.parts.core.store).expect("there is an SSD tier");
        for unit in self.units(0, self.options.units).iter() {
            let mut slot = self.parts.core.store.table().lock(unit);
            assert!(mover.add(&mut slot), "a batch for so few units");
        }
        mover.flush().expect("the disk works");
    }

    /// Recompresses everything that is in the pool, and nowhere else.
    pub fn recompress(&self) {
        let mut with = self.parts.core.store.recompressor(DENSER);
        for (unit, _) in self.parts.core.in_pool() {
            self.parts.core.store.recompress(unit.unit, unit.stamp, &mut with);
        }
    }

    /// Whether the pool could take a unit as it is.
    pub fn has_room(&self) -> bool {
        self.parts.core.store.room() != Some(0)
    }

    /// Bytes that units above the limit take.
    pub fn excess(&self) -> u64 {
        self.parts.core.residency.excess()
    }

    /// Ends all threads in the order in which `Range` does.
    pub fn stop(&mut self) {
        self.workers = None;
        self.parts.core.residency.stop_evictor();
        self.parts.core.watch.demoter.stop();
        self.pace.stop();
        self.parts.faults.sigbus.iter().for_each(|sigbus| sigbus.ahead.stop());
        self.kernel.close();
        self.threads.lock().drain(..).for_each(|thread| thread.join().expect("no thread fails"));
    }

    /// After everything was discarded and nothing runs: all memory went where it came from.
    pub fn assert_nothing_left(&self) {
        assert_eq!(self.parts.core.pins.units(), 0, "idle pins were given up");
        self.parts.core.store.tier().into_iter().for_each(|tier| tier.make_holes());
        let stats = self.parts.core.store.stats();
        // A fault that a handler had read, but not answered, when another one answered for both, may bring
        // an empty unit back after it was discarded; if it was a write, it may have been evicted since, as zeros.
        let resident = self.parts.core.residency.units() as usize;
        let zeros = (stats.same_pages * 4096) as usize / self.options.unit_len;
        assert!(resident + zeros <= self.options.handlers, "{resident} units are resident, {zeros} stored");
        assert_eq!(self.kernel.mapped(), resident * self.options.unit_len / 4096);
        assert_eq!(stats.orig_data_size, stats.same_pages * 4096);
        assert_eq!((stats.compr_data_size, stats.staged_bytes), (0, 0));
        assert_eq!((stats.huge_pages, stats.mem_used_total), (0, 0));
        let ssd_room = self.parts.core.store.tier().map_or(0, |tier| tier.room() / 4 * 3);
        // The pool's limit of now, in whole chunks of 4 units.
        let chunk = 4 * self.options.unit_len as u64;
        let chunks = (self.parts.core.store.pool_limit() / chunk).max(1);
        // Of 16 and more it keeps one back.
        let pool_room = (chunks - u64::from(chunks >= 16)) * chunk;
        assert_eq!(self.parts.core.store.room(), self.options.pool_units.map(|_| pool_room + ssd_room));
        assert_eq!((stats.bd_count, stats.bd_used), (0, 0));
        assert!(self.parts.core.residency.queued() <= self.options.units as usize, "units queue once");
        // One buffer is the limit; a second one exists only in a caller's hands.
        assert!(stats.staging_bytes <= BUFFER_LEN as u64, "{} bytes of staging", stats.staging_bytes);
    }

    fn units(&self, first: u32, count: u32) -> Units {
        Units { first: UnitIndex(first), end: UnitIndex(first + count) }
    }

    fn offset(&self, unit: u32, byte: usize) -> usize {
        unit as usize * self.options.unit_len + byte
    }
}

fn handler(parts: Arc<Parts>) -> JoinHandle<()> {
    thread::spawn(move || {
        let mut scratch = parts.core.store.scratch();
        while let Some(fault) = parts.core.uffd.next_fault() {
            let mut ahead = parts.server().serve(fault, &mut scratch);
            while ahead.count() > 0 {
                ahead = parts.server().read_ahead(ahead, &mut scratch);
            }
        }
    })
}

fn reader_ahead(parts: Arc<Parts>) -> JoinHandle<()> {
    thread::spawn(move || {
        let sigbus = parts.faults.sigbus.as_ref().expect("who faults serves itself");
        let mut scratch = parts.core.store.scratch();
        while let Some(piece) = sigbus.ahead.next() {
            parts.server().bring_piece(piece, &mut scratch);
        }
    })
}

fn evictor(parts: Arc<Parts>) -> JoinHandle<()> {
    thread::spawn(move || {
        let mut scratch = parts.core.store.patient_scratch();
        while parts.core.residency.wait_for_work() {
            parts.evictor().evict_to_low(&mut scratch);
            parts.evictor().offer_stored(&mut scratch);
        }
    })
}

fn governor(parts: Arc<Parts>, pace: Arc<Pace>) -> JoinHandle<()> {
    thread::spawn(move || Governor::new(&parts.core).into_iter().for_each(|governor| governor.run(&pace)))
}

fn demoter(parts: Arc<Parts>) -> JoinHandle<()> {
    thread::spawn(move || {
        let mut demoter = parts.demoter();
        while parts.core.watch.demoter.wait() {
            demoter.demote_until_room();
        }
    })
}
