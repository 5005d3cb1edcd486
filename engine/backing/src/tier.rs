//! The tier, as its users see it.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::{fmt, io};

use ztera_sync::Mutex;

use crate::batch::{BATCH, Batch, Written};
use crate::buffer::{Buffer, ReadBuffer};
use crate::medium::Medium;
use crate::place::{BLOCK, GRANULE, Place};
use crate::record::{self, Title};
use crate::segments::{Emptied, Purpose, SEGMENT, SegmentIndex, Segments};

/// Where and how much.
#[derive(Clone, Debug)]
pub struct Config {
    /// Directory of the file.
    pub directory: PathBuf,
    /// Most bytes of the file, rounded down to MiB; `None` = as much as the file system has, at most 2 TiB.
    pub limit: Option<u64>,
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
}

/// Bytes read for who reads on: some units, for about twice the time that one takes (a virtual SSD of 2026).
const AHEAD: usize = 128 << 10;

/// The part of `buffer` that is what was pushed to `place` with `title`.
fn held(place: Place, title: Title, buffer: &ReadBuffer) -> Option<Range<usize>> {
    let (offset, len) = place.extent();
    let blocks = buffer.find(offset, len)?;
    let start = blocks.start + (place.offset() - offset) as usize;
    let pushed = record::read(&buffer.bytes[start..blocks.end], title).ok()?.len();
    let start = start + record::HEADER;
    Some(start..start + pushed)
}

#[derive(Debug, Default)]
struct Counters {
    count: AtomicU64,
    reads: AtomicU64,
    writes: AtomicU64,
    read_bytes: AtomicU64,
    write_bytes: AtomicU64,
    errors: AtomicU64,
}

/// A segment that is worth cleaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sparse(SegmentIndex);

/// Records in a file. All methods may be called by any thread.
#[derive(Debug)]
pub struct Tier {
    medium: Medium,
    segments: Mutex<Segments>,
    limit: u64,
    counters: Counters,
}

impl Tier {
    /// A new, empty file.
    pub fn open(config: &Config) -> io::Result<Self> {
        let most = config.limit.unwrap_or(Place::REACH).min(Place::REACH) / SEGMENT as u64;
        if most == 0 {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "the SSD tier needs at least 1 MiB"));
        }
        let medium = Medium::create(&config.directory)?;
        let segments = Mutex::new(Segments::new(most as u32));
        Ok(Self { medium, segments, limit: most * SEGMENT as u64, counters: Counters::default() })
    }

    /// Whether the kernel's page cache is left out.
    pub fn is_direct(&self) -> bool {
        self.medium.is_direct()
    }

    /// Memory for reading records of up to `len` bytes, and what follows them.
    pub fn read_buffer(len: usize) -> ReadBuffer {
        let len = ((record::HEADER + len).next_multiple_of(BLOCK) + BLOCK).max(AHEAD);
        ReadBuffer { bytes: Buffer::new(len), offset: 0, valid: 0 }
    }

    /// Memory for a batch.
    pub fn write_buffer() -> Buffer {
        Buffer::new(BATCH)
    }

    /// Begins a batch in memory made by [`write_buffer`](Self::write_buffer). The memory comes back as an
    /// error when the file is full, but for what is kept for [cleaning](Self::sparsest).
    pub fn begin(&self, buffer: Buffer, purpose: Purpose) -> Result<Batch, Buffer> {
        match self.segments.lock().take(purpose) {
            Some(filling) => Ok(Batch::new(filling, buffer)),
            None => Err(buffer),
        }
    }

    /// Writes `batch`. After an error none of the places that it gave holds anything, and the file is as if
    /// it had not been tried.
    pub fn write(&self, mut batch: Batch) -> (Buffer, io::Result<Written>) {
        let (offset, bytes) = batch.extent();
        let len = bytes.len();
        let result = self.medium.write(bytes, offset);
        let records = if result.is_ok() { batch.records } else { 0 };
        // What a failed write left behind is not used again in this life of the segment.
        batch.filling.used += len;
        let emptied = self.segments.lock().close(batch.filling, records);
        self.make_hole(emptied);
        let c = &self.counters;
        match &result {
            Ok(()) => {
                c.count.fetch_add(records.into(), Ordering::Relaxed);
                c.writes.fetch_add(records.into(), Ordering::Relaxed);
                c.write_bytes.fetch_add(len as u64, Ordering::Relaxed);
            }
            Err(_) => _ = c.errors.fetch_add(1, Ordering::Relaxed),
        }
        (batch.buffer, result.map(|()| Written { records, bytes: len as u64 }))
    }

    /// Gives a batch up unwritten: none of its places holds anything.
    pub fn cancel(&self, batch: Batch) -> Buffer {
        let emptied = self.segments.lock().close(batch.filling, 0);
        self.make_hole(emptied);
        batch.buffer
    }

    /// The record at `place`, which was written for `key`, in `buffer` from [`read_buffer`](Self::read_buffer).
    /// The caller sees to it that nobody frees the place meanwhile. With `ahead`, records that follow are read
    /// too: the next reads, with this buffer, find them there.
    pub fn read<'b>(
        &self,
        place: Place,
        key: u32,
        buffer: &'b mut ReadBuffer,
        ahead: bool,
    ) -> Result<&'b [u8], ReadError> {
        self.counters.reads.fetch_add(1, Ordering::Relaxed);
        let title = Title { key, life: self.segments.lock().life(SegmentIndex::at(place.offset())) };
        // What is there may be of an earlier life, or from before the record was written; then it has another
        // title, or no good checksum. In one life a place is written once.
        let found = held(place, title, buffer);
        let result = match found {
            Some(range) => Ok(range),
            None => self.read_extent(place, title, buffer, ahead),
        };
        match result {
            Ok(range) => Ok(&buffer.bytes[range]),
            Err(error) => {
                self.counters.errors.fetch_add(1, Ordering::Relaxed);
                Err(error)
            }
        }
    }

    fn read_extent(
        &self,
        place: Place,
        title: Title,
        buffer: &mut ReadBuffer,
        ahead: bool,
    ) -> Result<Range<usize>, ReadError> {
        let (offset, least) = place.extent();
        let rest_of_segment = SEGMENT - (offset as usize % SEGMENT);
        let len = if ahead { AHEAD.min(rest_of_segment).max(least) } else { least };
        buffer.valid = 0;
        let read = self.medium.read(&mut buffer.bytes[..len], offset).map_err(ReadError::Io)?;
        if ztera_fail::at("backing.corrupt").is_some() {
            buffer.bytes[(place.offset() - offset) as usize + record::HEADER] ^= 1;
        }
        self.counters.read_bytes.fetch_add(read as u64, Ordering::Relaxed);
        (buffer.offset, buffer.valid) = (offset, read);
        held(place, title, buffer).ok_or(ReadError::Corrupt)
    }

    /// A segment whose records should be written elsewhere, so that their holes are room again.
    pub fn sparsest(&self) -> Option<Sparse> {
        self.segments.lock().sparsest().map(Sparse)
    }

    /// Calls `f` with key, place and bytes of each record of a segment, freed ones too, in memory of its own.
    /// Records that are freed meanwhile may be left out, and so may those that cannot be read.
    pub fn each_record(
        &self,
        Sparse(segment): Sparse,
        mut f: impl FnMut(u32, Place, &[u8]),
    ) -> io::Result<()> {
        let life = self.segments.lock().life(segment);
        let mut buffer = Buffer::new(SEGMENT);
        // The file may end inside its last segment.
        let len = self.medium.read(&mut buffer, segment.offset())?;
        let mut at = 0;
        while at + GRANULE <= len {
            let Ok((key, bytes)) = record::first(&buffer[at..len], life) else {
                at = (at + 1).next_multiple_of(BLOCK);
                continue;
            };
            f(key, Place::new(segment.offset() + at as u64, record::HEADER + bytes.len()), bytes);
            at += record::footprint(bytes.len());
        }
        Ok(())
    }

    /// Cleaning has left records in a segment: it is not the sparsest any more.
    pub fn is_stubborn(&self, Sparse(segment): Sparse) {
        self.segments.lock().is_stubborn(segment);
    }

    /// The record at `place` is not needed any more.
    pub fn free(&self, place: Place) {
        self.counters.count.fetch_sub(1, Ordering::Relaxed);
        let emptied = self.segments.lock().free_record(SegmentIndex::at(place.offset()));
        self.make_hole(emptied);
    }

    fn make_hole(&self, emptied: Option<Emptied>) {
        let Some(emptied) = emptied else { return };
        // Outside the lock: the file system may take its time.
        self.medium.make_hole(emptied.0.offset(), SEGMENT as u64);
        self.segments.lock().hole(emptied);
    }

    /// Bytes in segments that may still be taken.
    pub fn room(&self) -> u64 {
        u64::from(self.segments.lock().left()) * SEGMENT as u64
    }

    /// A snapshot of the statistics.
    pub fn stats(&self) -> Stats {
        let c = &self.counters;
        let get = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Stats {
            bd_count: get(&c.count),
            bd_reads: get(&c.reads),
            bd_writes: get(&c.writes),
            bd_read_bytes: get(&c.read_bytes),
            bd_write_bytes: get(&c.write_bytes),
            bd_errors: get(&c.errors),
            bd_used: u64::from(self.segments.lock().in_use()) * SEGMENT as u64,
            bd_limit: self.limit,
        }
    }

    /// Bytes of the file system that the file takes now, as it tells: it may be late, and may round.
    pub fn allocated(&self) -> u64 {
        self.medium.allocated()
    }
}
