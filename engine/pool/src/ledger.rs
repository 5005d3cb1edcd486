//! The right to take memory: the pool's limit, and what has been promised under it.
//!
//! Everything is counted in *raw slots*, the space of one unit that does not compress. `spare` is
//!
//! ```text
//!   free slots in raw chunks + slots of chunks not in use - promised slots - slots kept back
//! ```
//!
//! and nobody is promised what would make it negative; only a lower limit can. As a chunk of another class takes all its
//! slots away at once, such a chunk is only opened when all promises can still be kept without it. So a promised unit always
//! finds a place.
//!
//! A chunk's worth of slots is *kept back* for the thread that moves objects: in a full pool nothing could move without a
//! free slot to begin with. They are lent to it, and the first slots that become free pay that back.

use ztera_sync::Mutex;
use ztera_sync::atomic::{AtomicI64, AtomicU64, Ordering};

use crate::handle::ChunkIndex;

/// A promise for a number of units, made by [`Pool::reserve`](crate::Pool::reserve).
#[derive(Debug)]
#[must_use = "a lost reservation is never given back"]
pub struct Reservation {
    units: u32,
}

impl Reservation {
    /// Splits off the promise for one unit, while there is one.
    pub fn take_one(&mut self) -> Option<Grant> {
        self.units = self.units.checked_sub(1)?;
        Some(Grant(()))
    }
}

/// A promise for one unit. Spend it with [`Pool::store`](crate::Pool::store) or give it back with
/// [`Pool::release`](crate::Pool::release).
#[derive(Debug)]
#[must_use = "a lost grant is never given back"]
pub struct Grant(());

#[derive(Debug)]
pub(crate) struct Ledger {
    /// Raw slots of a chunk.
    per_chunk: i64,
    spare: AtomicI64,
    /// Slots kept back, and how many of them are lent.
    kept_back: AtomicI64,
    lent: AtomicI64,
    chunks: Mutex<Chunks>,
    /// Units of memory taken from the system.
    taken: AtomicU64,
    peak: AtomicU64,
}

#[derive(Debug)]
struct Chunks {
    /// Chunks below `next` that are not in use; the last one returned goes first.
    free: Vec<ChunkIndex>,
    next: u32,
    max: u32,
    /// Chunks that the limit allows now. More may be in use: what was promised before it was lowered is kept.
    allowed: u32,
}

impl Chunks {
    fn in_use(&self) -> u32 {
        self.next - self.free.len() as u32
    }
}

/// Chunks kept back of so many. Of few that would be much.
const fn kept_back(chunks: u32) -> i64 {
    if chunks < 16 { 0 } else { 1 }
}

impl Ledger {
    /// For so many chunks of so many raw slots.
    pub fn new(max_chunks: u32, per_chunk: usize) -> Self {
        let per_chunk = per_chunk as i64;
        let kept_back = kept_back(max_chunks) * per_chunk;
        Self {
            per_chunk,
            spare: AtomicI64::new(i64::from(max_chunks) * per_chunk - kept_back),
            kept_back: AtomicI64::new(kept_back),
            lent: AtomicI64::new(0),
            chunks: Mutex::new(Chunks { free: Vec::new(), next: 0, max: max_chunks, allowed: max_chunks }),
            taken: AtomicU64::new(0),
            peak: AtomicU64::new(0),
        }
    }

    /// Takes `slots` from `spare` if there are as many.
    fn take(&self, slots: i64) -> bool {
        let update = |spare: i64| (spare >= slots).then(|| spare - slots);
        self.spare.fetch_update(Ordering::AcqRel, Ordering::Relaxed, update).is_ok()
    }

    /// Gives `slots` back: first those that are lent, the rest to `spare`.
    fn give(&self, slots: i64) {
        let rest = if self.lent.load(Ordering::Relaxed) == 0 { slots } else { slots - self.pay_back(slots) };
        self.spare.fetch_add(rest, Ordering::AcqRel);
    }

    fn pay_back(&self, slots: i64) -> i64 {
        let mut paid = 0;
        let update = |lent: i64| {
            paid = slots.min(lent);
            Some(lent - paid)
        };
        let _ = self.lent.fetch_update(Ordering::AcqRel, Ordering::Relaxed, update);
        paid
    }

    /// Takes `slots` from `spare`, or else of those that are kept back.
    fn borrow(&self, slots: i64) -> bool {
        let kept_back = self.kept_back.load(Ordering::Relaxed);
        let update = |lent: i64| (lent + slots <= kept_back).then_some(lent + slots);
        self.take(slots) || self.lent.fetch_update(Ordering::AcqRel, Ordering::Relaxed, update).is_ok()
    }

    /// From now on there are `to` chunks where there were `from`: promises that were made are kept.
    pub fn change_limit(&self, from: u32, to: u32) {
        let usable = |chunks: u32| i64::from(chunks) - kept_back(chunks);
        self.chunks.lock().allowed = to;
        self.kept_back.store(kept_back(to) * self.per_chunk, Ordering::Relaxed);
        self.spare.fetch_add((usable(to) - usable(from)) * self.per_chunk, Ordering::AcqRel);
    }

    /// Units that are kept back, lent or not.
    pub fn kept_back(&self) -> u64 {
        self.kept_back.load(Ordering::Relaxed) as u64
    }

    /// Units that could still be promised.
    pub fn spare(&self) -> u64 {
        self.spare.load(Ordering::Relaxed).max(0) as u64
    }

    pub fn reserve(&self, units: u32) -> Option<Reservation> {
        self.take(i64::from(units)).then_some(Reservation { units })
    }

    pub fn release(&self, reservation: Reservation) {
        self.give(i64::from(reservation.units));
    }

    pub fn release_one(&self, grant: Grant) {
        let Grant(()) = grant;
        self.give(1);
    }

    /// Charges one raw slot, to `grant` if there is one. A place for it then exists.
    pub fn charge_raw(&self, grant: Option<Grant>) -> bool {
        grant.is_some() || self.take(1)
    }

    /// Charges one raw slot to whoever moves objects.
    pub fn charge_raw_to_move(&self) -> bool {
        self.borrow(1)
    }

    /// A raw slot became free (and can already be found).
    pub fn refund_raw(&self) {
        self.give(1);
    }

    /// Opens a chunk for a class other than raw, if promises allow it. The grant is spent on success.
    pub fn open(&self, grant: &mut Option<Grant>) -> Option<ChunkIndex> {
        let chunk = self.open_if(|| self.take(self.per_chunk - i64::from(grant.is_some())))?;
        *grant = None;
        Some(chunk)
    }

    /// Opens a chunk for a class other than raw for whoever moves objects.
    pub fn open_to_move(&self) -> Option<ChunkIndex> {
        self.open_if(|| self.borrow(self.per_chunk))
    }

    fn open_if(&self, has_slots: impl FnOnce() -> bool) -> Option<ChunkIndex> {
        // The chunk comes first: if there is none, nobody else must find its slots taken meanwhile.
        let chunk = self.open_raw()?;
        if !has_slots() {
            self.chunks.lock().free.push(chunk);
            return None;
        }
        Some(chunk)
    }

    /// Whether the limit allows a chunk that is not in use.
    pub fn has_chunk(&self) -> bool {
        let chunks = self.chunks.lock();
        chunks.in_use() < chunks.allowed
    }

    /// Opens a chunk for raw objects, which were charged one by one.
    pub fn open_raw(&self) -> Option<ChunkIndex> {
        let mut chunks = self.chunks.lock();
        let chunk = match chunks.free.pop() {
            Some(chunk) => chunk,
            None if chunks.next < chunks.max => {
                chunks.next += 1;
                ChunkIndex(chunks.next - 1)
            }
            None => return None,
        };
        Some(chunk)
    }

    /// Takes back a chunk whose memory is already with the system.
    pub fn close(&self, chunk: ChunkIndex, raw: bool) {
        self.chunks.lock().free.push(chunk);
        if !raw {
            self.give(self.per_chunk);
        }
    }

    /// So many units of memory of a chunk are about to be touched for the first time.
    pub fn touch(&self, units: u64) {
        let now = self.taken.fetch_add(units, Ordering::Relaxed) + units;
        self.peak.fetch_max(now, Ordering::Relaxed);
    }

    /// So many units of memory are with the system again.
    pub fn give_back(&self, units: u64) {
        self.taken.fetch_sub(units, Ordering::Relaxed);
    }

    /// Units of memory taken from the system.
    pub fn taken(&self) -> u64 {
        self.taken.load(Ordering::Relaxed)
    }

    /// Chunks that were in use at any time.
    pub fn ever_used(&self) -> u64 {
        u64::from(self.chunks.lock().next)
    }

    /// Most of them at any time.
    pub fn peak(&self) -> u64 {
        self.peak.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A chunk beyond a limit that had been lowered counted, though nobody could open it: a full pool emptied none of those in
    /// use for objects that had too large a slot.
    #[test]
    fn a_lower_limit_leaves_no_chunk() {
        let ledger = Ledger::new(32, 4);
        let chunks: Vec<_> = (0..8).map(|_| ledger.open(&mut None).expect("it is empty")).collect();
        assert!(ledger.has_chunk());
        ledger.change_limit(32, 8);
        assert!(!ledger.has_chunk(), "all that are allowed are in use");
        chunks.into_iter().for_each(|chunk| ledger.close(chunk, false));
        assert!(ledger.has_chunk(), "none is");
        let raw: Vec<_> = (0..9).map(|_| ledger.open_raw().expect("what was promised has a place")).collect();
        assert!(!ledger.has_chunk(), "more are in use than are allowed");
        ledger.change_limit(8, 32);
        assert!(ledger.has_chunk());
        raw.into_iter().for_each(|chunk| ledger.close(chunk, true));
    }
}
