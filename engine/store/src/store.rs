//! Contents in, and every change of a unit's backing.

use std::io;
use std::sync::Arc;

use ztera_codec::{Offload, Packed, Settings, frame};
use ztera_metrics::Stats;
use ztera_pool::{Grant, Handle, Pool};
use ztera_ssd::{Place, Tier};
use ztera_sync::atomic::{AtomicU64, Ordering};
use ztera_sync::{Mutex, Rank};

use crate::counter::Counter;
use crate::form::{Density, Use};
use crate::pass::Pass;
use crate::patches::{Patch, Patches};
use crate::scratch::Scratch;
use crate::slot::{Backing, ObjectBits, PlaceBits, Slot};
use crate::staging::Staging;
use crate::stats::Counters;
use crate::table::Table;
use ztera_policy::prices::Sums;
use ztera_policy::units::{PAGE_LEN, UnitSize};

/// The use that a store is made for.
#[derive(Clone, Debug)]
pub struct Config {
    /// How much is compressed as one.
    pub unit: UnitSize,
    /// Units in the range.
    pub units: u32,
    /// Most bytes of pool memory; `None` = as much as the range can need. [`Store::set_pool_limit`] changes it.
    pub pool_max: Option<u64>,
    /// Most bytes of staging buffers.
    pub staging_limit: u64,
    /// Whether they do without what the pool's limit leaves and nobody uses yet.
    pub staging_strict: bool,
    /// Codec for new objects.
    pub codec: Settings,
    /// Codec for new objects where the pool [is to have dense ones](Plan::density), by threads that have time; `None` = the same.
    pub dense: Option<Settings>,
    /// Threads that will compress.
    pub threads: usize,
    /// The SSD tier; `None` = there is none.
    pub ssd: Option<ztera_ssd::Config>,
}

/// The pool has no room for the unit now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

/// The host's decision about a submission.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Whether memory has room for all of it, so that it can stay uncompressed.
    pub keeps: bool,
    /// How small new objects should be.
    pub density: Density,
}

/// The owner of a store, as the threads that store a submission ask it, in this order.
pub trait Host: Send + Sync {
    /// Decides about a submission of `bytes`.
    fn plan(&self, bytes: u64) -> Plan;

    /// Makes the units of `slots` resident with the contents `bytes`: neighbours that memory has room for, or one that the pool
    /// has no room for. They are staged, and none is resident. The store then forgets their contents.
    fn keep(&self, slots: &mut [Slot<'_>], bytes: &[u8]);

    /// The submission is stored: what it was promised of the pool and did not need is free. A thread that stores more than there
    /// is room for makes room here, with `scratch`.
    fn freed(&self, scratch: &mut Scratch);
}

/// State and contents of all units of a range. All methods may be called by any thread.
pub struct Store {
    config: Config,
    table: Table,
    pub(crate) pool: Pool,
    pub(crate) staging: Staging,
    tier: Option<Tier>,
    pub(crate) mover: Mutex<()>,
    pub(crate) compaction: Mutex<Pass>,
    pub(crate) counters: Counters,
    /// Most bytes of the pool now; 0 = no limit.
    pool_limit: AtomicU64,
    /// Held by whoever changes it.
    limiting: Mutex<()>,
    pub(crate) zeros: Box<[u8]>,
    pub(crate) patches: Patches,
    /// Units of the pool that new contents leave to changes of others.
    pub(crate) reserve: u64,
    pub(crate) offload: Option<Arc<dyn Offload>>,
}

impl Store {
    /// A store in which every unit is empty.
    pub fn new(config: Config) -> io::Result<Self> {
        Self::growing(config, 0)
    }

    /// The same, whose pool may get limits of up to `pool_most` bytes, where that is more than its limit now.
    pub fn growing(config: Config, pool_most: u64) -> io::Result<Self> {
        let unit_len = config.unit.bytes();
        let range_len = u64::from(config.units) * unit_len as u64;
        // Twice the range is room for the worst fragmentation that is at all likely.
        let most = range_len * 2 + (256 << 20);
        let limit = config.pool_max.unwrap_or(most.min(Pool::most(unit_len)));
        let pool = ztera_pool::Config { unit_len, limit, threads: config.threads };
        let pool = Pool::growing(pool, pool_most.max(limit))?;
        Ok(Self {
            table: Table::new(config.units).ok_or(io::ErrorKind::OutOfMemory)?,
            pool,
            staging: Staging::new(config.staging_limit),
            tier: config.ssd.as_ref().map(Tier::open).transpose()?,
            mover: Mutex::ranked(Rank::Move, ()),
            pool_limit: AtomicU64::new(config.pool_max.unwrap_or(0)),
            limiting: Mutex::ranked(Rank::Limit, ()),
            compaction: Mutex::ranked(Rank::Work, Pass::default()),
            config,
            counters: Counters::default(),
            zeros: vec![0; unit_len].into_boxed_slice(),
            patches: Patches::default(),
            reserve: 0,
            offload: None,
        })
    }

    /// How much is compressed as one.
    pub fn unit(&self) -> UnitSize {
        self.config.unit
    }

    pub(crate) fn config(&self) -> &Config {
        &self.config
    }

    /// The slots.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The SSD tier.
    pub fn tier(&self) -> Option<&Tier> {
        self.tier.as_ref()
    }

    /// Working memory for a thread that will call [`contents`](Store::contents) or [`put`](Store::put), and that an access
    /// waits for. It never makes objects as small as they can be.
    pub fn scratch(&self) -> Scratch {
        Scratch::new(self.config.codec, self.config.unit)
    }

    /// The same for a thread that makes room, or stores what was submitted: it does where objects have to be small.
    pub fn patient_scratch(&self) -> Scratch {
        Scratch { dense: self.config.dense, ..self.scratch() }
    }

    /// Whether those who have time make objects smaller than others do.
    pub fn has_denser(&self) -> bool {
        self.config.dense.is_some()
    }

    /// Another limit of the pool than it was made with, and not above what it has addresses for. Memory beyond a lower one
    /// stays until it is freed. Nothing if it was made without. Returns whether there may be more of it than before.
    pub fn set_pool_limit(&self, bytes: u64) -> bool {
        let Some(first) = self.config.pool_max else { return false };
        let most = first.max(self.pool.highest_limit());
        let bytes = bytes.max(LEAST_UNITS * self.config.unit.bytes() as u64).min(most);
        if self.pool_limit() == bytes {
            return false;
        }
        // Both change together, or the pool would keep the limit of a thread that was overtaken.
        let _only = self.limiting.lock();
        self.pool_limit.store(bytes, Ordering::Relaxed);
        self.pool.set_limit(bytes)
    }

    /// Most bytes of the pool now; 0 = no limit.
    pub fn pool_limit(&self) -> u64 {
        self.pool_limit.load(Ordering::Relaxed)
    }

    /// Bytes that the pool would need for `bytes`, whole units, if they were made as small as they can be.
    pub fn sample(&self, bytes: &[u8]) -> u64 {
        let densest = self.config.dense.unwrap_or(self.config.codec);
        let mut scratch = Scratch::new(densest, self.config.unit);
        let unit_len = self.config.unit.bytes();
        let stored = |unit: &[u8]| match scratch.packer.pack(unit) {
            Packed::Same(_) => 0,
            Packed::Frame(frame) => self.pool.slot_len(frame.len()),
            Packed::Huge => unit_len as u64,
        };
        bytes.chunks_exact(unit_len).map(stored).sum()
    }

    /// Stores `bytes` as the contents of the unit whose slot is locked, replacing what it had. In a full pool they take its
    /// place, if they fit in there.
    pub fn put(&self, slot: &mut Slot<'_>, bytes: &[u8], scratch: &mut Scratch) -> Result<(), Full> {
        self.put_as(slot, bytes, Use::Whole, &mut Density::Usual, scratch)
    }

    /// The same of a unit that the program uses so, as an object of that density. Where a full pool may have room for a denser
    /// one, the unit becomes that, and so should those that are stored next.
    pub fn put_as(
        &self,
        slot: &mut Slot<'_>,
        bytes: &[u8],
        used: Use,
        density: &mut Density,
        scratch: &mut Scratch,
    ) -> Result<(), Full> {
        let first = self.put_packed(slot, self.pack_with(scratch.packer(*density), bytes, used), bytes);
        if first.is_err() && scratch.can_be_denser(density) {
            return self.put_packed(slot, self.pack(bytes, *density, scratch), bytes);
        }
        first
    }

    /// Drops the backing: the unit is resident and dirty, and no copy of it is left to go stale.
    pub fn forget(&self, slot: &mut Slot<'_>) {
        self.replace(slot, Backing::Dirty);
    }

    /// Makes the unit empty. The caller has taken care of mapped memory.
    pub fn clear(&self, slot: &mut Slot<'_>) {
        self.replace(slot, Backing::Empty);
    }

    /// Corrects contents that are not in memory, and reads nothing for that. Readers find the `patches` made.
    /// There is at least one, and no two are of the same bytes. False, and nothing has changed: the contents are in memory, or on
    /// their way to the pool, or empty; or an earlier patch left other bytes than a new one takes them for.
    pub fn patch(&self, slot: &mut Slot<'_>, patches: &[Patch]) -> bool {
        let is_kept = matches!(slot.backing(), Backing::Packed(_) | Backing::Raw(_) | Backing::OnSsd(_));
        !slot.is_mapped() && is_kept && self.patches.add(slot.unit(), patches)
    }

    /// Bytes that patches take.
    pub fn patch_bytes(&self) -> u64 {
        self.patches.bytes()
    }

    /// Bytes that may be submitted with the certainty that pool and SSD can hold them, whatever they are;
    /// `None` = no limit.
    pub fn room(&self) -> Option<u64> {
        let pool = self.config.pool_max.map(|_| self.pool_spare());
        // Staged units were promised room in the pool only as far as that had some.
        let staged = self.counters.staged_units.get() * self.config.unit.bytes() as u64;
        Some(pool? + self.ssd_room().saturating_sub(staged))
    }

    /// Bytes that the SSD can surely take.
    pub fn ssd_room(&self) -> u64 {
        self.tier.as_ref().map_or(0, ssd_room)
    }

    /// Bytes that the pool could promise to units now, as they are.
    pub(crate) fn pool_spare(&self) -> u64 {
        self.pool.spare_units() * self.config.unit.bytes() as u64
    }

    /// The pool's limit, if staging buffers may have room under it.
    pub(crate) fn staging_pool_limit(&self) -> Option<u64> {
        self.config.pool_max.filter(|_| !self.config.staging_strict).map(|_| self.pool_limit())
    }

    /// Bytes of staging buffers beyond their limit: memory that the pool could have and does not use yet.
    pub fn staged_beyond(&self) -> u64 {
        self.staging.bytes_beyond()
    }

    /// Bytes of all staging buffers.
    pub fn staging_bytes(&self) -> u64 {
        self.staging.bytes()
    }

    /// Has a worker do [idle work](crate::Workers::start) as soon as there is nothing to store.
    pub fn want_idle_work(&self) {
        self.staging.want_idle_work();
    }

    /// Units that the pool holds.
    pub fn pooled_units(&self) -> u64 {
        self.counters.pooled_units.get()
    }

    /// Units that it has the contents of, those on SSD too.
    pub fn stored_units(&self) -> u64 {
        self.counters.orig_units.get()
    }

    /// Units that it holds as they are.
    pub fn raw_units(&self) -> u64 {
        self.counters.huge_units.get()
    }

    /// Units of which nothing but mapped memory has the contents.
    pub fn dirty_units(&self) -> u64 {
        self.counters.dirty_units.get()
    }

    /// Bytes that the pool has taken from the system.
    pub fn pool_used(&self) -> u64 {
        self.pool.usage().used
    }

    /// Bytes of the tables that say where contents are: the slots, and the pool's.
    pub fn table_bytes(&self) -> u64 {
        self.table.bytes() + self.pool.table_bytes() + self.patches.bytes()
    }

    /// Bytes of the pool that objects take, each with what its length was rounded up by.
    pub fn pool_occupied(&self) -> u64 {
        self.pool.usage().occupied
    }

    /// Bytes of the pool that lie between objects, or in slots that are larger than their objects need: moving objects may
    /// give them back.
    pub fn pool_unused(&self) -> u64 {
        let usage = self.pool.usage();
        (usage.used + usage.misfit).saturating_sub(usage.occupied)
    }

    /// Bytes of compressed objects in the pool.
    pub fn pooled(&self) -> u64 {
        self.counters.compr_bytes.get()
    }

    /// The costs of encoding and decoding so far.
    pub fn sums(&self) -> Sums {
        let c = &self.counters;
        Sums {
            decode_ns: c.decompress_ns.get(),
            loaded: c.units_loaded.get(),
            encode_ns: c.compress_ns.get(),
            stored: c.units_stored.get(),
        }
    }

    /// A snapshot of the statistics.
    pub fn stats(&self) -> Stats {
        let unit = self.config.unit;
        let usage = self.pool.usage();
        let c = &self.counters;
        let ssd = self.tier.as_ref().map(Tier::stats).unwrap_or_default();
        let (ssd_units, units) = (c.ssd_units.get(), u64::from(self.table.len()));
        Stats {
            // Never less than the part of it that is on SSD, nor more than there is, though units move while this is read:
            // those count twice for a moment.
            orig_data_size: c.orig_units.get().max(ssd_units).min(units) * unit.bytes() as u64,
            compr_data_size: c.compr_bytes.get(),
            mem_used_total: usage.used,
            mem_limit: self.pool_limit(),
            mem_used_max: usage.peak,
            same_pages: c.same_units.get() * unit.pages(),
            huge_pages: c.huge_units.get() * unit.pages(),
            pages_compacted: usage.compacted / PAGE_LEN,
            staged_bytes: c.staged_units.get() * unit.pages() * PAGE_LEN,
            staging_bytes: self.staging.bytes(),
            units_stored: c.units_stored.get(),
            units_loaded: c.units_loaded.get(),
            compacted_units: c.compacted_units.get(),
            compress_ns: c.compress_ns.get(),
            decompress_ns: c.decompress_ns.get(),
            offloaded_units: c.offloaded.get(),
            offload_missed_units: c.offload_missed.get(),
            offload_wrong_units: c.offload_wrong.get(),
            bd_data_size: ssd_units * unit.bytes() as u64,
            ..ssd
        }
    }

    /// Makes what became of `bytes` a backing that no slot has yet. Give it to [`replace`](Self::replace) or
    /// [`discard_unused`](Self::discard_unused).
    pub(crate) fn keep(
        &self,
        packed: Packed<'_>,
        bytes: &[u8],
        grant: Option<Grant>,
    ) -> Result<Backing, Full> {
        let object = |handle: Handle| ObjectBits(handle.into_bits());
        match packed {
            Packed::Same(word) => {
                self.release(grant);
                Ok(Backing::Same(word))
            }
            Packed::Frame(frame) => {
                debug_assert!(
                    frame.len() < bytes.len(),
                    "of records, those as long as a unit are not compressed"
                );
                self.pool.store(frame, grant).map(|h| Backing::Packed(object(h))).ok_or(Full)
            }
            Packed::Huge => self.pool.store(bytes, grant).map(|h| Backing::Raw(object(h))).ok_or(Full),
        }
    }

    pub(crate) fn release(&self, grant: Option<Grant>) {
        if let Some(grant) = grant {
            self.pool.release_one(grant);
        }
    }

    /// Frees what a backing owns that no slot has, or not any more.
    pub(crate) fn discard_unused(&self, backing: Backing) {
        match backing {
            Backing::Packed(object) | Backing::Raw(object) => {
                // SAFETY: `keep` made these bits from a handle, and no slot has them.
                self.pool.free(unsafe { Handle::from_bits(object.0) });
            }
            Backing::OnSsd(PlaceBits(place)) => {
                let tier = self.tier.as_ref().expect("without the tier nothing is on it");
                tier.free(Place::from_bits(place));
            }
            Backing::Empty | Backing::Dirty | Backing::Staged(_) | Backing::Same(_) => {}
        }
    }

    /// The only place where a slot's backing changes: counts, and frees what the old one owned.
    pub(crate) fn replace(&self, slot: &mut Slot<'_>, new: Backing) {
        if matches!(new, Backing::Empty | Backing::Dirty | Backing::Staged(_)) {
            self.patches.drop_of(slot.unit());
        }
        let old = slot.backing();
        self.count(new, true);
        self.count(old, false);
        slot.set_backing(new);
        self.discard_unused(old);
    }

    pub(crate) fn count(&self, backing: Backing, added: bool) {
        let c = &self.counters;
        let change = |counter: &Counter, by: u64| if added { counter.add(by) } else { counter.sub(by) };
        match backing {
            Backing::Empty => return,
            Backing::Dirty => return change(&c.dirty_units, 1),
            Backing::Staged(_) => return change(&c.staged_units, 1),
            Backing::Same(_) => change(&c.same_units, 1),
            Backing::Packed(object) => {
                change(&c.pooled_units, 1);
                change(&c.compr_bytes, self.frame_len(object));
            }
            Backing::Raw(_) => {
                change(&c.pooled_units, 1);
                change(&c.huge_units, 1);
                change(&c.compr_bytes, self.config.unit.bytes() as u64);
            }
            Backing::OnSsd(_) => change(&c.ssd_units, 1),
        }
        change(&c.orig_units, 1);
        if added {
            c.units_stored.add(1);
        }
    }

    /// Bytes that the contents of the unit take when they are compressed, as far as that can be told at once.
    pub fn stored_len(&self, slot: &Slot<'_>) -> Option<u64> {
        match slot.backing() {
            Backing::Same(_) => Some(0),
            Backing::Packed(object) => Some(self.frame_len(object)),
            Backing::Raw(_) => Some(self.config.unit.bytes() as u64),
            Backing::Empty | Backing::Dirty | Backing::Staged(_) | Backing::OnSsd(_) => None,
        }
    }

    fn frame_len(&self, object: ObjectBits) -> u64 {
        self.with_frame(object, <[u8]>::len) as u64
    }

    /// Calls `f` with a compressed object, without what follows it in its slot of the pool.
    pub(crate) fn with_frame<R>(&self, object: ObjectBits, f: impl FnOnce(&[u8]) -> R) -> R {
        let len = |bytes: &[u8]| frame::parse(bytes).map_or(0, |frame| frame.object_len());
        self.with_object(object, |bytes| f(&bytes[..len(bytes)]))
    }

    /// Calls `f` with an object that is a unit's bytes as they are.
    pub(crate) fn with_raw<R>(&self, object: ObjectBits, f: impl FnOnce(&[u8]) -> R) -> R {
        self.with_object(object, |bytes| f(&bytes[..self.config.unit.bytes()]))
    }

    pub(crate) fn with_object<R>(&self, object: ObjectBits, f: impl FnOnce(&[u8]) -> R) -> R {
        // SAFETY: the bits came from `into_bits`; this handle only reads, and whoever calls holds the
        // lock of the slot that owns the object (or nobody else knows the object yet).
        let handle = unsafe { Handle::from_bits(object.0) };
        f(self.pool.read(&handle))
    }
}

/// Units that a pool has room for whatever its limit becomes: with fewer chunks it would refuse objects for want of one of
/// their class.
const LEAST_UNITS: u64 = 256;

/// Bytes of units that the tier can surely take: up to a quarter is lost between records, batches and at the
/// ends of segments.
fn ssd_room(tier: &Tier) -> u64 {
    if tier.refuses() { 0 } else { tier.room() / 4 * 3 }
}
