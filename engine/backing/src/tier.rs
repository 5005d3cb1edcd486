//! The tier, as its users see it.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use std::{fmt, io};

use ztera_sync::{Mutex, thread};

use crate::batch::{BATCH, Batch};
use crate::buffer::{Buffer, ReadBuffer};
use crate::cipher::{Cipher, TAG};
use crate::medium::Medium;
use crate::place::{BLOCK, GRANULE, Place};
use crate::quota::{LEAST_RATE, Quota};
use crate::record::{self, Title};
use crate::segments::{Extent, Purpose, SEGMENT, SegmentIndex, Segments};

/// Where and how much.
#[derive(Clone, Debug)]
pub struct Config {
    /// Directory of the file; or a block device that nobody uses, and the contents of which are lost.
    pub directory: PathBuf,
    /// Most bytes of it, rounded down to MiB; `None` = nine tenths of what the file system has free now, or all of
    /// the device.
    pub limit: Option<u64>,
    /// Most bytes written per second, at least 1 MiB: who writes more waits. `None` = no limit.
    pub write_rate: Option<u64>,
    /// Most bytes written per day, days being counted from now on; after that there is no room until the next
    /// one. `None` = no limit.
    pub writes_per_day: Option<u64>,
    /// Encrypt what is written, with a key that only this process ever has.
    pub encrypt: bool,
}

impl Config {
    /// Without any limit but what the file system has, and not encrypted.
    pub fn new(directory: impl Into<PathBuf>) -> Self {
        Self {
            directory: directory.into(),
            limit: None,
            write_rate: None,
            writes_per_day: None,
            encrypt: false,
        }
    }
}

/// Why a record cannot be had. What was read instead is never shown.
#[derive(Debug)]
pub enum ReadError {
    /// The medium did not give its bytes.
    Io(io::Error),
    /// What the medium gave is not what was written.
    Corrupt,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "reading from the SSD tier: {error}"),
            Self::Corrupt => f.write_str("reading from the SSD tier: the checksum is wrong"),
        }
    }
}

impl std::error::Error for ReadError {}

/// A snapshot. Counts are of records, which are units for the store.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// On SSD now.
    pub bd_count: u64,
    /// Read so far.
    pub bd_reads: u64,
    /// Written so far.
    pub bd_writes: u64,
    /// Of those written, how many only changed their place, by cleaning.
    pub bd_moved: u64,
    /// Bytes read so far.
    pub bd_read_bytes: u64,
    /// Bytes written so far.
    pub bd_write_bytes: u64,
    /// Reads and writes that failed so far.
    pub bd_errors: u64,
    /// Bytes of the file in use, in whole segments.
    pub bd_used: u64,
    /// Most that they may be.
    pub bd_limit: u64,
    /// Nanoseconds that writers have waited so far because of the limit per second.
    pub bd_wait_ns: u64,
    /// Bytes that may still be written today; 0 without a limit per day.
    pub writeback_limit: u64,
    /// That limit; 0 = none.
    pub writes_per_day: u64,
}

/// Most bytes read for who reads on: some units, for about twice the time that one takes (a virtual SSD of 2026).
const AHEAD: usize = 128 << 10;

/// Bytes read for who does not: a few units more, for about a third of the time again. Units are written in order of
/// their addresses, and what lies together is often wanted together.
const AROUND: usize = 32 << 10;

/// How long nothing is cleaned after a write failed: whoever wants room would read a whole segment for nothing.
const LEFT_ALONE: Duration = Duration::from_millis(100);

/// In place of the time of the last failure: writes succeed.
const WORKS: u64 = u64::MAX;

/// The part of `buffer` that is the body of the record at `place` with `title`.
fn held(place: Place, title: Title, buffer: &ReadBuffer) -> Option<Range<usize>> {
    let (offset, len) = place.extent();
    let blocks = buffer.find(offset, len)?;
    let start = blocks.start + (place.offset() - offset) as usize;
    let body = record::read(&buffer.bytes[start..blocks.end], title).ok()?.len();
    let start = start + record::HEADER;
    Some(start..start + body)
}

/// Bytes of the blocks that so many records touch which are about as long as one that touches `blocks` bytes of them:
/// records lie across blocks, so that each touches about one block more than it fills.
fn extent_of_several(blocks: usize, records: usize) -> usize {
    (blocks - BLOCK).max(BLOCK).saturating_mul(records) + BLOCK
}

#[derive(Debug, Default)]
struct Counters {
    count: AtomicU64,
    reads: AtomicU64,
    writes: AtomicU64,
    moved: AtomicU64,
    read_bytes: AtomicU64,
    write_bytes: AtomicU64,
    wait_ns: AtomicU64,
    errors: AtomicU64,
}

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
    medium: Medium,
    cipher: Option<Cipher>,
    segments: Mutex<Segments>,
    limit: u64,
    quota: Mutex<Quota>,
    writes_per_day: u64,
    opened: Instant,
    /// Nanoseconds after `opened` at which the last write failed, or [`WORKS`].
    failed_at: AtomicU64,
    counters: Counters,
}

impl Tier {
    /// A new, empty file.
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
        Ok(Self {
            medium,
            cipher: config.encrypt.then(Cipher::new).transpose()?,
            segments: Mutex::new(Segments::new(most as u32)),
            limit: most * SEGMENT as u64,
            quota: Mutex::new(Quota::new(config.write_rate, config.writes_per_day)),
            writes_per_day: config.writes_per_day.unwrap_or(0),
            opened: Instant::now(),
            failed_at: AtomicU64::new(WORKS),
            counters: Counters::default(),
        })
    }

    /// Memory for reading records of up to `len` bytes, and what follows them.
    pub fn read_buffer(len: usize) -> ReadBuffer {
        let len = ((record::HEADER + len + TAG).next_multiple_of(BLOCK) + BLOCK).max(AHEAD);
        ReadBuffer { bytes: Buffer::new(len), offset: 0, valid: 0, unproven: false, plain: Vec::new() }
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
        self.segments.lock().settle(&extent, if written.is_ok() { batch.count() } else { 0 });
        written?;
        let (c, records) = (&self.counters, batch.count());
        c.count.fetch_add(records.into(), Ordering::Relaxed);
        c.writes.fetch_add(records.into(), Ordering::Relaxed);
        if purpose == Purpose::Clean {
            c.moved.fetch_add(records.into(), Ordering::Relaxed);
        }
        c.write_bytes.fetch_add(len as u64, Ordering::Relaxed);
        Ok(batch.places(&extent))
    }

    fn write_to(&self, extent: &Extent, batch: &mut Batch) -> Result<(), WriteError> {
        let len = batch.len() as u64;
        if !self.wait_for_quota(len) {
            return Err(WriteError::Full);
        }
        let result = self.write_extent(batch.seal(extent, self.cipher.as_ref()), extent);
        let now = self.opened.elapsed().as_nanos() as u64;
        self.failed_at.store(if result.is_ok() { WORKS } else { now }, Ordering::Relaxed);
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

    /// The record at `place`, which was written for `key`, in `buffer` from [`read_buffer`](Self::read_buffer).
    /// The caller sees to it that nobody frees the place meanwhile. Some records that follow are read too, so many that
    /// there are about `wanted` with this one if that is not 0: the next reads, with this buffer, find them there.
    pub fn read<'b>(
        &self,
        place: Place,
        key: u32,
        buffer: &'b mut ReadBuffer,
        wanted: usize,
    ) -> Result<&'b [u8], ReadError> {
        self.counters.reads.fetch_add(1, Ordering::Relaxed);
        let title = Title { key, life: self.segments.lock().life(SegmentIndex::at(place.offset())) };
        // What is there may be of an earlier life, or from before the record was written; then it has another
        // title, or no good checksum. In one life a place is written once.
        let found = held(place, title, buffer);
        let result = match found {
            Some(range) => {
                buffer.unproven = false;
                Ok(range)
            }
            None => self.read_extent(place, title, buffer, wanted),
        };
        let ReadBuffer { bytes, plain, .. } = buffer;
        result.and_then(|range| self.open_body(title.life, place.offset(), &bytes[range], plain)).inspect_err(
            |_| {
                self.counters.errors.fetch_add(1, Ordering::Relaxed);
            },
        )
    }

    /// What was pushed, from a record's body.
    fn open_body<'b>(
        &self,
        life: u32,
        offset: u64,
        body: &'b [u8],
        plain: &'b mut Vec<u8>,
    ) -> Result<&'b [u8], ReadError> {
        let Some(cipher) = &self.cipher else { return Ok(body) };
        cipher.open(life, offset, body, plain).map_err(|_| ReadError::Corrupt)?;
        Ok(plain)
    }

    fn read_extent(
        &self,
        place: Place,
        title: Title,
        buffer: &mut ReadBuffer,
        wanted: usize,
    ) -> Result<Range<usize>, ReadError> {
        let (offset, least) = place.extent();
        let rest_of_segment = SEGMENT - (offset as usize % SEGMENT);
        let several = if wanted > 0 { extent_of_several(least, wanted).min(AHEAD) } else { AROUND };
        // Where what was read last besides was of no use, the next one is read by itself.
        let len = if buffer.unproven { least } else { several.min(rest_of_segment).max(least) };
        buffer.valid = 0;
        buffer.unproven = len > least;
        let mut read = self.medium.read(&mut buffer.bytes[..len], offset);
        if read.is_err() && len > least {
            // What is wrong may be what nobody asked for.
            read = self.medium.read(&mut buffer.bytes[..least], offset);
        }
        let read = read.map_err(ReadError::Io)?;
        if ztera_fail::at("backing.corrupt").is_some() {
            buffer.bytes[(place.offset() - offset) as usize + record::HEADER] ^= 1;
        }
        self.counters.read_bytes.fetch_add(read as u64, Ordering::Relaxed);
        (buffer.offset, buffer.valid) = (offset, read);
        held(place, title, buffer).ok_or(ReadError::Corrupt)
    }

    /// How long ago a write failed, if none has succeeded since.
    fn failed_since(&self) -> Option<Duration> {
        let at = self.failed_at.load(Ordering::Relaxed);
        (at != WORKS).then(|| self.opened.elapsed().saturating_sub(Duration::from_nanos(at)))
    }

    /// A segment whose records should be written elsewhere, so that their holes are room again. None if nothing
    /// may be written today, or a write has just failed.
    pub fn sparsest(&self) -> Option<Sparse> {
        if self.left_today().is_some_and(|left| left < BATCH as u64)
            || self.failed_since().is_some_and(|since| since < LEFT_ALONE)
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
        let len = self.medium.read(&mut buffer, start)?;
        let mut at = 0;
        while at + GRANULE <= len {
            let Ok((key, body)) = record::first(&buffer[at..len], sparse.life) else {
                at = (at + 1).next_multiple_of(BLOCK);
                continue;
            };
            let offset = start + at as u64;
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
        self.segments.lock().free_record(SegmentIndex::at(place.offset()));
    }

    /// Whether [`make_holes`](Self::make_holes) has something to do.
    pub fn wants_holes(&self) -> bool {
        self.segments.lock().has_emptied()
    }

    /// Gives segments of which nothing is left back to the file system, which may take its time for that.
    pub fn make_holes(&self) {
        loop {
            let Some(segment) = self.segments.lock().pop_emptied() else { return };
            self.medium.make_hole(segment.offset(), SEGMENT as u64);
            self.segments.lock().hole(segment);
        }
    }

    /// Bytes in segments that may still be taken, and today; none while writing fails.
    pub fn room(&self) -> u64 {
        if self.failed_since().is_some() {
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

    fn left_today(&self) -> Option<u64> {
        self.quota.lock().left(self.opened.elapsed())
    }

    /// A snapshot of the statistics.
    pub fn stats(&self) -> Stats {
        let c = &self.counters;
        let get = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Stats {
            bd_count: get(&c.count),
            bd_reads: get(&c.reads),
            bd_writes: get(&c.writes),
            bd_moved: get(&c.moved),
            bd_read_bytes: get(&c.read_bytes),
            bd_write_bytes: get(&c.write_bytes),
            bd_errors: get(&c.errors),
            bd_used: u64::from(self.segments.lock().in_use()) * SEGMENT as u64,
            bd_limit: self.limit,
            bd_wait_ns: get(&c.wait_ns),
            writeback_limit: self.left_today().unwrap_or(0),
            writes_per_day: self.writes_per_day,
        }
    }

    /// Bytes of the file system that the file takes now, as it tells: it may be late, and may round.
    pub fn allocated(&self) -> u64 {
        self.medium.allocated()
    }
}
