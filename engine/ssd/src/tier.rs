//! The tier, as its users see it: writing, freeing and cleaning. [`read`](crate::read) has reading.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use ztera_sync::{Mutex, thread};

use crate::batch::{BATCH, Batch};
use crate::buffer::Buffer;
use crate::cipher::{Cipher, random};
use crate::config::Config;
use crate::medium::Medium;
use crate::patience::Patience;
use crate::place::{BLOCK, GRANULE, Place};
use crate::quota::{LEAST_RATE, Quota};
use crate::record::{self, Title};
use crate::segments::{Extent, Purpose, SEGMENT, SegmentIndex, Segments};
use crate::stats::Counters;
use ztera_metrics::Stats;

/// How long nothing is cleaned after a write failed, and nobody who faults calls for more writes after any refusal: whoever
/// wants room would read a whole segment, or have a batch made, for nothing.
/// For so long after a write was refused, and none taken since, there is no room. Then somebody may have made some, which
/// only another write shows.
const RECKONED_FULL: Duration = Duration::from_secs(10);

const LEFT_ALONE: Duration = Duration::from_millis(100);

/// Bytes that a block device is told to forget by one call.
const FORGOTTEN_AT_ONCE: usize = 1 << 30;

/// In place of the time of the last failure: writes succeed.
const WORKS: u64 = u64::MAX;

/// A segment that is worth cleaning, in one of its lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sparse {
    segment: SegmentIndex,
    life: u32,
}

/// Why nothing was written.
#[derive(Debug)]
pub enum WriteError {
    /// The file has no room.
    Full,
    /// The medium did not take it.
    Io(io::Error),
}

/// Records in a file. All methods may be called by any thread.
#[derive(Debug)]
pub struct Tier {
    pub(crate) medium: Medium,
    pub(crate) cipher: Option<Cipher>,
    /// In the checksum of each record.
    pub(crate) number: u32,
    pub(crate) segments: Mutex<Segments>,
    /// Whether some of them wait to be given back, as of the last change: for who must not wait for their lock.
    has_emptied: AtomicBool,
    limit: u64,
    quota: Mutex<Quota>,
    writes_per_day: u64,
    opened: Instant,
    /// Nanoseconds after `opened` at which the last write failed, or [`WORKS`].
    failed_at: AtomicU64,
    /// The same of the last batch that was not written, for whatever reason.
    refused_at: AtomicU64,
    pub(crate) counters: Counters,
}

impl Tier {
    /// A new, empty file; or a block device, which is always encrypted, as it may keep what is written to it.
    pub fn open(config: &Config) -> io::Result<Self> {
        if config.write_rate.is_some_and(|rate| rate < LEAST_RATE) {
            let least = "the SSD tier must be allowed to write 1 MiB per second at least";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, least));
        }
        let medium = Medium::create(&config.directory)?;
        let limit = match config.limit {
            Some(limit) => limit,
            None => medium.room()?,
        };
        let most = limit.min(medium.most()).min(Place::REACH) / SEGMENT as u64;
        if most == 0 {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "the SSD tier needs at least 1 MiB"));
        }
        let is_secret = config.encrypt || medium.is_device();
        Ok(Self {
            medium,
            cipher: is_secret.then(Cipher::new).transpose()?,
            number: u32::from_le_bytes(random()?),
            segments: Mutex::new(Segments::new(most as u32)),
            has_emptied: AtomicBool::new(false),
            limit: most * SEGMENT as u64,
            quota: Mutex::new(Quota::new(config.write_rate, config.writes_per_day)),
            writes_per_day: config.writes_per_day.unwrap_or(0),
            opened: Instant::now(),
            failed_at: AtomicU64::new(WORKS),
            refused_at: AtomicU64::new(WORKS),
            counters: Counters::default(),
        })
    }

    /// An empty batch, for [`write`](Self::write).
    pub fn batch(&self) -> Batch {
        Batch::new(self.cipher.is_some())
    }

    /// Writes what was pushed to `batch`, and returns where it is, in the order in which it was pushed. After an
    /// error the file is as if it had not been tried. The batch is empty in either case. Waits as long as the
    /// limit per second demands.
    pub fn write(&self, batch: &mut Batch, purpose: Purpose) -> Result<Vec<Place>, WriteError> {
        let written = self.write_records(batch, purpose);
        if !batch.is_empty() {
            self.note(&self.refused_at, written.is_ok());
        }
        batch.clear();
        written
    }

    fn write_records(&self, batch: &mut Batch, purpose: Purpose) -> Result<Vec<Place>, WriteError> {
        if batch.is_empty() {
            return Ok(Vec::new());
        }
        let len = batch.len();
        // Before there is a segment that would be closed for nothing.
        if self.left_today().is_some_and(|left| left < len as u64) {
            return Err(WriteError::Full);
        }
        let extent = self.reserve(len, purpose).ok_or(WriteError::Full)?;
        let written = self.write_to(&extent, batch);
        let records = if written.is_ok() { batch.count() } else { 0 };
        self.change_segments(|segments| segments.settle(&extent, records));
        written?;
        let (c, records) = (&self.counters, batch.count());
        c.count.fetch_add(records.into(), Ordering::Relaxed);
        c.writes.fetch_add(records.into(), Ordering::Relaxed);
        if purpose == Purpose::Clean {
            c.moved.fetch_add(records.into(), Ordering::Relaxed);
        }
        c.write_bytes.fetch_add((len + extent.rest) as u64, Ordering::Relaxed);
        Ok(batch.places(&extent))
    }

    fn write_to(&self, extent: &Extent, batch: &mut Batch) -> Result<(), WriteError> {
        let len = (batch.len() + extent.rest) as u64;
        if !self.wait_for_quota(len) {
            return Err(WriteError::Full);
        }
        let result = self.write_extent(batch.seal(extent, self.number, self.cipher.as_ref()), extent);
        self.note(&self.failed_at, result.is_ok());
        result.map_err(|error| {
            self.quota.lock().give_back(len);
            self.counters.errors.fetch_add(1, Ordering::Relaxed);
            WriteError::Io(error)
        })
    }

    /// Waits until `bytes` may be written. False if they may not be today.
    fn wait_for_quota(&self, bytes: u64) -> bool {
        let Some(wait) = self.quota.lock().take(bytes, self.opened.elapsed()) else { return false };
        if wait > Duration::ZERO {
            ztera_fail::at("ssd.quota");
            self.counters.wait_ns.fetch_add(wait.as_nanos() as u64, Ordering::Relaxed);
            thread::sleep(wait);
        }
        true
    }

    /// Whether a write would have to wait because of the limit per second.
    pub fn would_wait(&self) -> bool {
        self.quota.lock().would_wait(self.opened.elapsed())
    }

    fn reserve(&self, len: usize, purpose: Purpose) -> Option<Extent> {
        let found = self.segments.lock().reserve(len, purpose);
        found.or_else(|| {
            self.make_holes();
            self.segments.lock().reserve(len, purpose)
        })
    }

    fn write_extent(&self, bytes: &[u8], extent: &Extent) -> io::Result<()> {
        if extent.is_first {
            self.medium.allocate(extent.segment.offset(), SEGMENT as u64)?;
        }
        self.medium.write(bytes, extent.offset)
    }

    fn note(&self, at: &AtomicU64, works: bool) {
        let now = self.opened.elapsed().as_nanos() as u64;
        at.store(if works { WORKS } else { now }, Ordering::Relaxed);
    }

    /// How long ago `at` was, if nothing has succeeded since.
    fn since(&self, at: &AtomicU64) -> Option<Duration> {
        let at = at.load(Ordering::Relaxed);
        (at != WORKS).then(|| self.opened.elapsed().saturating_sub(Duration::from_nanos(at)))
    }

    /// Whether nothing was taken a moment ago, because writes fail, or there is no room: more will hardly be.
    pub fn has_just_refused(&self) -> bool {
        self.since(&self.refused_at).is_some_and(|since| since < LEFT_ALONE)
    }

    /// Nanoseconds that a record takes to be read, on average; a guess before some were.
    pub fn mean_read(&self) -> u64 {
        const ENOUGH: u64 = 64;
        const AT_FIRST: u64 = 100_000;
        let [reads, ns] =
            [&self.counters.reads, &self.counters.read_ns].map(|counter| counter.load(Ordering::Relaxed));
        if reads < ENOUGH { AT_FIRST } else { ns / reads }
    }

    /// Whether nothing was taken for some time now: no room is to be reckoned with.
    pub fn refuses(&self) -> bool {
        self.since(&self.refused_at).is_some_and(|since| since < RECKONED_FULL)
    }

    /// A segment whose records should be written elsewhere, so that their holes are room again. None if nothing
    /// may be written today, or a write has just failed.
    pub fn sparsest(&self) -> Option<Sparse> {
        if self.left_today().is_some_and(|left| left < BATCH as u64)
            || self.since(&self.failed_at).is_some_and(|since| since < LEFT_ALONE)
        {
            return None;
        }
        self.segments.lock().sparsest().map(|(segment, life)| Sparse { segment, life })
    }

    /// Writing what is left of a segment elsewhere failed: [`sparsest`](Self::sparsest) may find it again.
    pub fn was_not_cleaned(&self, sparse: Sparse) {
        self.segments.lock().was_not_cleaned(sparse.segment, sparse.life);
    }

    /// Calls `f` with key, place and bytes of each record of a segment, freed ones too, in memory of its own.
    /// Records that are freed meanwhile may be left out, and so may those that cannot be read; whether a place
    /// still is of that segment's life, and not of a later one, [`holds`](Self::holds) tells.
    pub fn each_record(&self, sparse: Sparse, mut f: impl FnMut(u32, Place, &[u8])) -> io::Result<()> {
        let (mut buffer, mut plain) = (Buffer::new(SEGMENT), Vec::new());
        let start = sparse.segment.offset();
        // The file may end inside its last segment.
        let len = self.medium.read(&mut buffer, start, Patience::None)?;
        let mut at = 0;
        while at + GRANULE <= len {
            let offset = start + at as u64;
            let title = Title { key: 0, life: sparse.life, offset, tier: self.number };
            let Ok((key, body)) = record::first(&buffer[at..len], title) else {
                at = (at + 1).next_multiple_of(BLOCK);
                continue;
            };
            if let Ok(bytes) = self.open_body(sparse.life, offset, body, &mut plain) {
                f(key, Place::new(offset, record::HEADER + body.len()), bytes);
            }
            at += record::footprint(body.len());
        }
        Ok(())
    }

    /// Whether a place that somebody owns now is in the segment that was found sparse, in the life in which it was.
    pub fn holds(&self, sparse: Sparse, place: Place) -> bool {
        let segment = SegmentIndex::at(place.offset());
        segment == sparse.segment && self.segments.lock().life(segment) == sparse.life
    }

    /// The record at `place` is not needed any more. Its room comes back with [`make_holes`](Self::make_holes).
    pub fn free(&self, place: Place) {
        self.counters.count.fetch_sub(1, Ordering::Relaxed);
        self.change_segments(|segments| segments.free_record(SegmentIndex::at(place.offset())));
    }

    /// Whether [`make_holes`](Self::make_holes) has something to do. No lock is taken.
    pub fn wants_holes(&self) -> bool {
        self.has_emptied.load(Ordering::Relaxed)
    }

    /// Lets `change` empty segments, or take emptied ones.
    fn change_segments<R>(&self, change: impl FnOnce(&mut Segments) -> R) -> R {
        let mut segments = self.segments.lock();
        let result = change(&mut segments);
        self.has_emptied.store(segments.has_emptied(), Ordering::Relaxed);
        result
    }

    /// Gives segments of which nothing is left back to the file system, which may take its time for that.
    pub fn make_holes(&self) {
        loop {
            let Some(segment) = self.change_segments(Segments::pop_emptied) else { return };
            self.medium.make_hole(segment.offset(), SEGMENT as u64);
            self.segments.lock().hole(segment);
        }
    }

    /// Bytes in segments that may still be taken, and today; none while writing fails.
    pub fn room(&self) -> u64 {
        if self.since(&self.failed_at).is_some() {
            return 0;
        }
        let room = u64::from(self.segments.lock().left()) * SEGMENT as u64;
        match self.left_today() {
            // A batch of another size may not be allowed any more.
            Some(left) if left < BATCH as u64 => 0,
            Some(left) => room.min(left),
            None => room,
        }
    }

    /// Has a block device forget all that was written to it, as far as it can. Nothing can be read any more: for the end.
    /// A file goes with the process anyway.
    pub fn forget_all(&self) {
        let end = self.segments.lock().ever_used();
        if !self.medium.is_device() {
            return;
        }
        // In parts, as some devices take long.
        for start in (0..end).step_by(FORGOTTEN_AT_ONCE) {
            self.medium.make_hole(start, (end - start).min(FORGOTTEN_AT_ONCE as u64));
        }
    }

    fn left_today(&self) -> Option<u64> {
        self.quota.lock().left(self.opened.elapsed())
    }

    /// Bytes of a record in the mean of all that were written; 0 before the first.
    pub fn mean_record(&self) -> u64 {
        let get = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        get(&self.counters.write_bytes).checked_div(get(&self.counters.writes)).unwrap_or(0)
    }

    /// A snapshot of the statistics.
    pub fn stats(&self) -> Stats {
        let c = &self.counters;
        let get = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let in_use = self.segments.lock().in_use();
        Stats {
            bd_count: get(&c.count),
            bd_reads: get(&c.reads),
            bd_writes: get(&c.writes),
            bd_moved: get(&c.moved),
            bd_read_bytes: get(&c.read_bytes),
            bd_write_bytes: get(&c.write_bytes),
            bd_errors: get(&c.errors),
            bd_used: u64::from(in_use) * SEGMENT as u64,
            bd_limit: self.limit,
            bd_wait_ns: get(&c.wait_ns),
            bd_read_ns: get(&c.read_ns),
            writeback_limit: self.left_today().unwrap_or(0),
            writes_per_day: self.writes_per_day,
            ..Stats::default()
        }
    }

    /// Bytes of the file system that the file takes now, as it tells: it may be late, and may round.
    pub fn allocated(&self) -> u64 {
        self.medium.allocated()
    }
}

impl Drop for Tier {
    fn drop(&mut self) {
        self.forget_all();
    }
}
