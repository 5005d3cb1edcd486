//! The pool itself: finding a slot, copying in, reading, freeing.

use std::io;
use std::ptr::NonNull;

use ztera_sync::atomic::{AtomicU64, Ordering};
use ztera_sync::{Mutex, MutexGuard, Rank, thread};

use crate::chunk::Chunk;
use crate::classes::{Class, Classes};
use crate::group::Group;
use crate::handle::{ChunkIndex, Handle, SlotIndex};
use crate::ledger::{Grant, Ledger, Reservation};
use crate::misfits::Misfits;
use crate::region::Region;
use crate::shard::Shard;

/// The use that a pool is made for.
#[derive(Clone, Copy, Debug)]
pub struct Config {
    /// Bytes of the largest object: a power of two from 4 KiB to 64 KiB.
    pub unit_len: usize,
    /// Most bytes to take from the system, rounded down to whole chunks: 4 units, or up to 16 in a large pool. Of 16
    /// chunks and more one is kept back for objects that are to be moved. [`Pool::set_limit`] can lower the limit and raise it to this
    /// again, or to what a [growing](Pool::growing) pool has addresses for.
    pub limit: u64,
    /// Threads that are expected to use the pool at the same time.
    pub threads: usize,
}

/// Memory taken from the system, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usage {
    /// Now.
    pub used: u64,
    /// At most, so far.
    pub peak: u64,
    /// Of that, slots that have an object. The rest is free for others, though not for those of any class.
    pub occupied: u64,
    /// Of that, slots of objects for which a smaller class would do.
    pub misfit: u64,
    /// Given back so far because objects were [moved](Pool::relocate); what they took elsewhere counts in `used`.
    pub compacted: u64,
}

/// Allocator of compressed objects. All methods may be called by any thread at any time.
#[derive(Debug)]
pub struct Pool {
    pub(crate) classes: Classes,
    region: Region,
    pub(crate) chunks: Box<[Chunk]>,
    pub(crate) shards: Box<[Mutex<Shard>]>,
    pub(crate) ledger: Ledger,
    pub(crate) misfits: Misfits,
    /// Chunks that may be in use.
    allowed: Mutex<u32>,
    /// Bytes of slots that have an object.
    occupied: AtomicU64,
    /// Units of chunks that became empty so far because objects were moved.
    compacted: AtomicU64,
}

/// A slot that was just taken.
struct Taken {
    handle: Handle,
    /// Units of its chunk that had been touched until then, and how many it touches first.
    before: u64,
    touched: u64,
}

/// Threads that share one shard: its lock is held for 50 ns out of the 5 us or more that it takes to
/// compress what is stored, and every shard costs memory in partly filled chunks.
const THREADS_PER_SHARD: usize = 4;
const MAX_SHARDS: usize = 16;

impl Pool {
    /// Reserves address space for the limit. No memory is taken until objects are stored.
    pub fn new(config: Config) -> io::Result<Self> {
        Self::growing(config, config.limit)
    }

    /// The same, with address space for a limit of `most`, to which it may be raised later: chunks are as long as suits the
    /// limit that there is now. Where the system does not give so much, the pool has as much as for that.
    pub fn growing(config: Config, most: u64) -> io::Result<Self> {
        let unit_len = config.unit_len;
        if !unit_len.is_power_of_two() || !(4096..=65536).contains(&unit_len) {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        let classes = Classes::new(unit_len, config.limit / unit_len as u64);
        let count = config.limit / classes.chunk_len() as u64;
        if count == 0 || config.limit > Self::most(unit_len) {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        let shards = config.threads.div_ceil(THREADS_PER_SHARD).clamp(1, MAX_SHARDS);
        let most = (most / classes.chunk_len() as u64).clamp(count, ChunkIndex::MOST);
        let as_now = |error| if most > count { Self::lay_out(count, &classes) } else { Err(error) };
        let (region, chunks) = Self::lay_out(most, &classes).or_else(as_now)?;
        let placed = chunks.len() as u32;
        let pool = Self {
            region,
            chunks,
            shards: (0..shards).map(|_| Mutex::new(Shard::new(&classes))).collect(),
            ledger: Ledger::new(placed, classes.units_per_chunk()),
            misfits: Misfits::new(&classes),
            allowed: Mutex::ranked(Rank::Chunks, placed),
            occupied: AtomicU64::new(0),
            compacted: AtomicU64::new(0),
            classes,
        };
        pool.allow(count as u32);
        Ok(pool)
    }

    /// Address space for so many chunks, and their table.
    fn lay_out(chunks: u64, classes: &Classes) -> io::Result<(Region, Box<[Chunk]>)> {
        let chunks = chunks as usize;
        let region = Region::reserve(chunks * classes.chunk_len())?;
        Ok((region, Chunk::table(chunks).ok_or(io::ErrorKind::OutOfMemory)?))
    }

    /// The largest limit that there can be.
    pub fn most(unit_len: usize) -> u64 {
        ChunkIndex::MOST * Classes::new(unit_len, u64::MAX).chunk_len() as u64
    }

    /// Another limit, at most what the pool has addresses for. Memory above a lower one stays until it is freed, and promises
    /// are kept. Returns whether there may be more chunks than before.
    pub fn set_limit(&self, limit: u64) -> bool {
        let most = self.chunks.len() as u64;
        self.allow((limit / self.classes.chunk_len() as u64).clamp(1, most) as u32)
    }

    /// The highest limit that this pool can have.
    pub fn highest_limit(&self) -> u64 {
        self.chunks.len() as u64 * self.classes.chunk_len() as u64
    }

    fn allow(&self, chunks: u32) -> bool {
        let mut allowed = self.allowed.lock();
        self.ledger.change_limit(*allowed, chunks);
        std::mem::replace(&mut *allowed, chunks) < chunks
    }

    /// Promises room for `units` objects of a whole unit each, or `None` if that cannot be kept.
    pub fn reserve(&self, units: u32) -> Option<Reservation> {
        self.ledger.reserve(units)
    }

    /// Gives back what is left of a promise.
    pub fn release(&self, reservation: Reservation) {
        self.ledger.release(reservation);
    }

    /// Gives back the promise for one unit.
    pub fn release_one(&self, grant: Grant) {
        self.ledger.release_one(grant);
    }

    /// Units that could be promised now.
    pub fn spare_units(&self) -> u64 {
        self.ledger.spare()
    }

    /// Units that are never promised: room for objects that are to be moved.
    pub fn kept_back_units(&self) -> u64 {
        self.ledger.kept_back()
    }

    /// Memory taken from the system.
    pub fn usage(&self) -> Usage {
        let unit = self.classes.slot_len(self.classes.raw()) as u64;
        Usage {
            used: self.ledger.taken() * unit,
            peak: self.ledger.peak() * unit,
            occupied: self.occupied.load(Ordering::Relaxed),
            misfit: self.misfits.total(),
            compacted: self.compacted.load(Ordering::Relaxed) * unit,
        }
    }

    /// Bytes of bookkeeping beside the chunks, as far as it was ever needed.
    pub fn table_bytes(&self) -> u64 {
        self.ledger.ever_used() * size_of::<Chunk>() as u64
    }

    /// Bytes that an object of `len` bytes, at most a unit, takes of the pool.
    pub fn slot_len(&self, len: usize) -> u64 {
        let class = self.classes.fitting(len).expect("an object is at most a unit");
        self.classes.slot_len(class) as u64
    }

    /// Keeps a copy of `bytes` (at most a unit). With a grant this always succeeds; without one it
    /// gives `None` when the pool is full or what is left is promised to others.
    pub fn store(&self, bytes: &[u8], grant: Option<Grant>) -> Option<Handle> {
        self.keep(bytes, grant, 0)
    }

    /// The same without a grant. `None` also if it would leave less room than `rest` units need that do not compress.
    pub fn store_leaving(&self, bytes: &[u8], rest: u64) -> Option<Handle> {
        self.keep(bytes, None, rest)
    }

    fn keep(&self, bytes: &[u8], grant: Option<Grant>, rest: u64) -> Option<Handle> {
        let class = self.classes.fitting(bytes.len()).expect("an object is at most a unit");
        let handle = self.note_misfit(self.allocate(class, grant, rest)?, class);
        self.fill(&handle, bytes);
        Some(handle)
    }

    /// Keeps a copy of `bytes` in the place of an object, which is gone then. Panics if the place is shorter: its length is
    /// that of what [`read`](Self::read) gives.
    pub fn replace(&self, handle: Handle, bytes: &[u8]) -> Handle {
        let class = self.classes.fitting(bytes.len()).expect("an object is at most a unit");
        self.forget_misfit(&handle);
        let handle = Handle::new(handle.chunk(), handle.slot());
        self.fill(&handle, bytes);
        self.note_misfit(handle, class)
    }

    fn fill(&self, handle: &Handle, bytes: &[u8]) {
        let (at, len) = self.locate(handle);
        assert!(bytes.len() <= len);
        // SAFETY: the slot is at least as long as `bytes`, and inside the region. It belongs to the caller, who lends its
        // contents to nobody now. So `bytes` cannot overlap it.
        unsafe { at.copy_from_nonoverlapping(NonNull::from(bytes).cast(), bytes.len()) };
    }

    /// The object, followed by whatever its slot held before up to the slot's length.
    pub fn read<'a>(&'a self, handle: &'a Handle) -> &'a [u8] {
        let (at, len) = self.locate(handle);
        // SAFETY: inside the region, which is readable throughout. The handle's owner lends it to us, so
        // the slot is neither freed nor written while the slice lives.
        unsafe { std::slice::from_raw_parts(at.as_ptr(), len) }
    }

    /// Drops the object. A chunk that becomes empty goes back to the system.
    pub fn free(&self, handle: Handle) {
        self.drop_object(handle, false);
    }

    /// The same with an object of which there is a [copy](Self::relocate) elsewhere.
    pub fn free_moved(&self, handle: Handle) {
        self.drop_object(handle, true);
    }

    fn drop_object(&self, handle: Handle, is_moved: bool) {
        let index = handle.chunk();
        let chunk = self.chunk(index);
        self.forget_misfit(&handle);
        let mut shard = self.lock(chunk.shard());
        let class = chunk.class();
        let is_compacted = is_moved || chunk.group() == Group::SOURCE;
        let link = |next| self.write_link(index, class, handle.slot(), next);
        shard.put(&self.chunks, index, handle.slot(), link);
        let empty = chunk.used() == 0;
        debug_assert!(self.occupied.load(Ordering::Relaxed) >= self.classes.slot_len(class) as u64);
        drop(shard);
        self.occupied.fetch_sub(self.classes.slot_len(class) as u64, Ordering::Relaxed);

        if empty {
            self.close(index, class, is_compacted);
        }
        if class == self.classes.raw() {
            self.ledger.refund_raw();
        }
    }

    /// Gives the memory of a chunk back that has just become empty, which took it out of its list.
    fn close(&self, index: ChunkIndex, class: Class, is_compacted: bool) {
        debug_assert_eq!(self.chunk(index).used(), 0, "its objects would be lost");
        let units = self.classes.units(class, self.chunk(index).touched());
        let len = self.classes.chunk_len();
        // SAFETY: the chunk holds no object, is in no list and not yet free to be taken, so this thread alone
        // knows it.
        unsafe { self.region.release(index.0 as usize * len, len) };
        self.ledger.give_back(units);
        self.ledger.close(index, class == self.classes.raw());
        if is_compacted {
            self.compacted.fetch_add(units, Ordering::Relaxed);
        }
    }

    fn allocate(&self, class: Class, mut grant: Option<Grant>, rest: u64) -> Option<Handle> {
        if grant.is_none() && ztera_fail::at("pool.store").is_some() {
            return None;
        }
        // Others may take slots at the same time, and leave a little less.
        let leaves_rest = |slots: usize| rest == 0 || self.ledger.spare() >= slots as u64 + rest;
        if class == self.classes.raw() {
            return (leaves_rest(1) && self.ledger.charge_raw(grant)).then(|| self.take_raw());
        }
        let home = self.home_shard();
        let mut open =
            || leaves_rest(self.classes.units_per_chunk()).then(|| self.ledger.open(&mut grant)).flatten();
        let found = self
            .take_dense(home, class)
            .or_else(|| Some(self.take_new(home, class, open()?)))
            .or_else(|| self.classes.from(class).find_map(|class| self.take_anywhere(home, class)));
        match (found, grant) {
            (Some(handle), Some(unspent)) => {
                self.ledger.release_one(unspent);
                Some(handle)
            }
            (Some(handle), None) => Some(handle),
            (None, grant) => (leaves_rest(1) && self.ledger.charge_raw(grant)).then(|| self.take_raw()),
        }
    }

    /// A slot of the raw class, which has been charged and therefore exists.
    fn take_raw(&self) -> Handle {
        let raw = self.classes.raw();
        let home = self.home_shard();
        loop {
            if let Some(handle) = self.take_anywhere(home, raw) {
                return handle;
            }
            if let Some(chunk) = self.ledger.open_raw() {
                return self.take_new(home, raw, chunk);
            }
            // Another thread is between freeing its slot and making it findable.
            thread::yield_now();
        }
    }

    /// A free slot of `class` in a chunk that is not a source: of the shard `home`, or of another one that nobody is
    /// using. A thread that finds none opens a chunk, so that threads which get into each other's way get out of it again.
    pub(crate) fn take_dense(&self, home: usize, class: Class) -> Option<Handle> {
        let count = self.shards.len();
        (0..count).find_map(|i| {
            let shard = &self.shards[(home + i) % count];
            let mut shard = if i == 0 { shard.lock() } else { shard.try_lock()? };
            let index = shard.fullest(class)?;
            let taken = self.take_slot(&mut shard, class, index);
            drop(shard);
            Some(self.populate(taken))
        })
    }

    /// A free slot of `class` wherever there is one.
    fn take_anywhere(&self, home: usize, class: Class) -> Option<Handle> {
        let count = self.shards.len();
        (0..count).find_map(|i| {
            let mut shard = self.lock((home + i) % count);
            let index = shard.partial(class)?;
            let taken = self.take_slot(&mut shard, class, index);
            drop(shard);
            Some(self.populate(taken))
        })
    }

    pub(crate) fn take_new(&self, home: usize, class: Class, index: ChunkIndex) -> Handle {
        let mut shard = self.lock(home);
        self.chunk(index).open(class, home);
        shard.add(&self.chunks, index);
        let taken = self.take_slot(&mut shard, class, index);
        drop(shard);
        self.populate(taken)
    }

    /// Takes a slot of a chunk in `shard`'s lists. [`populate`](Self::populate) makes it one that can be written to at once.
    fn take_slot(&self, shard: &mut Shard, class: Class, index: ChunkIndex) -> Taken {
        let chunk = self.chunk(index);
        let before = self.classes.units(class, chunk.touched());
        let slot = shard.take(&self.chunks, index, |slot| self.read_link(index, class, slot));
        self.occupied.fetch_add(self.classes.slot_len(class) as u64, Ordering::Relaxed);
        let touched = self.classes.units(class, chunk.touched()) - before;
        if touched > 0 {
            self.ledger.touch(touched);
        }
        Taken { handle: Handle::new(index, slot), before, touched }
    }

    /// Has the system give memory for what a slot was the first to touch. That takes its time, so no shard is locked; the
    /// chunk stays, as the slot is in use, and who takes another slot of it meanwhile gets memory by faults.
    fn populate(&self, Taken { handle, before, touched }: Taken) -> Handle {
        if touched > 0 {
            let start = handle.chunk().0 as usize * self.classes.chunk_len() + self.classes.len_of(before);
            self.region.populate(start, self.classes.len_of(touched));
        }
        handle
    }

    fn read_link(&self, chunk: ChunkIndex, class: Class, slot: SlotIndex) -> SlotIndex {
        let (at, _) = self.slot(chunk, class, slot);
        // SAFETY: a free slot of a chunk whose shard the caller has locked; slots are 8-byte aligned and
        // longer than the link.
        let next = SlotIndex(unsafe { at.cast::<u16>().read() });
        assert!(next == SlotIndex::NONE || next.0 < self.classes.slots(class), "free list overwritten");
        next
    }

    fn write_link(&self, chunk: ChunkIndex, class: Class, slot: SlotIndex, next: SlotIndex) {
        let (at, _) = self.slot(chunk, class, slot);
        // SAFETY: as in `read_link`; the slot's owner has just given it up.
        unsafe { at.cast::<u16>().write(next.0) };
    }

    pub(crate) fn locate(&self, handle: &Handle) -> (NonNull<u8>, usize) {
        self.slot(handle.chunk(), self.chunk(handle.chunk()).class(), handle.slot())
    }

    fn slot(&self, chunk: ChunkIndex, class: Class, slot: SlotIndex) -> (NonNull<u8>, usize) {
        assert!(slot.0 < self.classes.slots(class));
        let len = self.classes.slot_len(class);
        let offset = chunk.0 as usize * self.classes.chunk_len() + usize::from(slot.0) * len;
        (self.region.at(offset, len), len)
    }

    pub(crate) fn chunk(&self, index: ChunkIndex) -> &Chunk {
        &self.chunks[index.0 as usize]
    }

    pub(crate) fn lock(&self, shard: usize) -> MutexGuard<'_, Shard> {
        self.shards[shard].lock()
    }

    pub(crate) fn home_shard(&self) -> usize {
        ztera_sync::ticket() % self.shards.len()
    }
}
