//! Reading: one record, and what follows it when that is likely to be wanted.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Instant;
use std::{fmt, io};

use ztera_policy::reading::{AHEAD, Guesses, Wish};
use ztera_sync::thread;

use crate::buffer::{Buffer, ReadBuffer};
use crate::cipher::TAG;
use crate::patience::Patience;
use crate::place::{BLOCK, Place};
use crate::reach::Reach;
use crate::record::{self, Title};
use crate::segments::{SEGMENT, SegmentIndex};
use crate::tier::Tier;

/// Why a record cannot be had.
#[derive(Debug)]
pub enum Cause {
    /// The medium did not give its bytes.
    Io(io::Error),
    /// The medium gave other bytes than those that were written.
    Corrupt,
}

/// A record that cannot be had, also when it was read again, if the reader had patience. Nobody sees the bytes that were read
/// in its place.
#[derive(Debug)]
pub struct ReadError {
    /// Why, the last time.
    pub cause: Cause,
    /// How often it was read.
    tries: usize,
    /// Where the record starts, in bytes of the file.
    offset: u64,
    /// The file's directory, or the device.
    directory: PathBuf,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("reading from the SSD tier: ")?;
        match &self.cause {
            Cause::Io(error) => write!(f, "{error}")?,
            Cause::Corrupt => f.write_str("the checksum is wrong")?,
        }
        let (tries, directory) = (self.tries, self.directory.display());
        write!(f, "; {tries} times, at byte {} of {directory}", self.offset)
    }
}

impl std::error::Error for ReadError {}

/// The record that is wanted.
#[derive(Clone, Copy)]
struct Wanted {
    place: Place,
    title: Title,
}

impl Wanted {
    /// The part of `buffer` that is its body.
    fn find(self, buffer: &ReadBuffer) -> Option<Range<usize>> {
        let (offset, len) = self.place.extent();
        let blocks = buffer.find(offset, len)?;
        let start = blocks.start + (self.place.offset() - offset) as usize;
        let body = record::read(&buffer.bytes[start..blocks.end], self.title).ok()?.len();
        let start = start + record::HEADER;
        Some(start..start + body)
    }
}

/// Bytes that were read, as part of a buffer.
type Found = Result<Range<usize>, Cause>;

/// Bytes of the blocks that so many records touch which are about as long as one that touches `blocks` bytes of them:
/// records lie across blocks, so that each touches about one block more than it fills.
fn extent_of_several(blocks: usize, records: usize) -> usize {
    (blocks - BLOCK).max(BLOCK).saturating_mul(records) + BLOCK
}

impl Tier {
    /// Memory for reading records of up to `len` bytes, and what follows them.
    pub fn read_buffer(len: usize) -> ReadBuffer {
        let len = ((record::HEADER + len + TAG).next_multiple_of(BLOCK) + BLOCK).max(AHEAD);
        ReadBuffer {
            bytes: Buffer::new(len),
            offset: 0,
            valid: 0,
            guesses: Guesses::default(),
            plain: Vec::new(),
        }
    }

    /// The record at `place`, which was written for `key`, in `buffer` from [`read_buffer`](Self::read_buffer).
    /// The caller sees to it that nobody frees the place meanwhile. Some records that follow are read too, as far as `reach`
    /// says: the next reads, with this buffer, find them there. An error counts only if the reader had patience: else the
    /// reader that needs the record finds out whether it can be had.
    pub fn read<'b>(
        &self,
        place: Place,
        key: u32,
        buffer: &'b mut ReadBuffer,
        reach: Reach,
        patience: Patience,
    ) -> Result<&'b [u8], ReadError> {
        self.counters.reads.fetch_add(1, Ordering::Relaxed);
        let title = self.title(place, key);
        // The bytes there may be of an earlier life, or from before the record was written; then it has another
        // title, or no good checksum. In one life a place is written once.
        let wanted = Wanted { place, title };
        let result = match wanted.find(buffer) {
            Some(range) => {
                buffer.guesses.were_of_use();
                Ok(range)
            }
            None => self.read_again(wanted, buffer, reach, patience),
        };
        let ReadBuffer { bytes, plain, .. } = buffer;
        let result =
            result.and_then(|range| self.open_body(title.life, place.offset(), &bytes[range], plain));
        result.map_err(|cause| {
            self.counters.errors.fetch_add(u64::from(patience == Patience::Some), Ordering::Relaxed);
            let (tries, directory) = (patience.pauses().len() + 1, self.medium.directory().to_owned());
            ReadError { cause, tries, offset: place.offset(), directory }
        })
    }

    /// The same, if it is still in `buffer`: no read.
    pub fn read_last<'b>(&self, place: Place, key: u32, buffer: &'b mut ReadBuffer) -> Option<&'b [u8]> {
        let wanted = Wanted { place, title: self.title(place, key) };
        let range = wanted.find(buffer)?;
        let ReadBuffer { bytes, plain, .. } = buffer;
        self.open_body(wanted.title.life, place.offset(), &bytes[range], plain).ok()
    }

    fn title(&self, place: Place, key: u32) -> Title {
        let life = self.segments.lock().life(SegmentIndex::at(place.offset()));
        Title { key, life, offset: place.offset(), tier: self.number }
    }

    /// The bytes that were pushed, from a record's body.
    pub(crate) fn open_body<'b>(
        &self,
        life: u32,
        offset: u64,
        body: &'b [u8],
        plain: &'b mut Vec<u8>,
    ) -> Result<&'b [u8], Cause> {
        let Some(cipher) = &self.cipher else { return Ok(body) };
        cipher.open(life, offset, body, plain).map_err(|_| Cause::Corrupt)?;
        Ok(plain)
    }

    /// [`read_extent`](Self::read_extent), and where that fails the record's own blocks, as often as `patience` says.
    fn read_again(&self, wanted: Wanted, buffer: &mut ReadBuffer, reach: Reach, patience: Patience) -> Found {
        let mut result = self.read_extent(wanted, buffer, reach, patience);
        for pause in patience.pauses() {
            if result.is_ok() {
                break;
            }
            thread::sleep(*pause);
            result = self.read_extent(wanted, buffer, Reach::Through(wanted.place), patience);
        }
        result
    }

    fn read_extent(
        &self,
        wanted: Wanted,
        buffer: &mut ReadBuffer,
        reach: Reach,
        patience: Patience,
    ) -> Found {
        let place = wanted.place;
        let (offset, least) = place.extent();
        let rest_of_segment = SEGMENT - (offset as usize % SEGMENT);
        let up_to = |last: Place| last.end().saturating_sub(offset) as usize;
        let wish = match reach {
            Reach::Around => Wish::Around,
            Reach::Records(count) => Wish::Some(extent_of_several(least, count)),
            Reach::Through(last) => Wish::All(up_to(last)),
            Reach::With(last) => Wish::With(up_to(last)),
        };
        let len = buffer.guesses.bytes(wish, least, rest_of_segment.max(least));
        buffer.valid = 0;
        let started = Instant::now();
        let read = self.medium.read(&mut buffer.bytes[..len], offset, patience);
        self.counters.read_ns.fetch_add(started.elapsed().as_nanos() as u64, Ordering::Relaxed);
        let read = read.map_err(Cause::Io)?;
        if ztera_fail::at("ssd.corrupt").is_some() {
            buffer.bytes[(place.offset() - offset) as usize + record::HEADER] ^= 1;
        }
        self.counters.read_bytes.fetch_add(read as u64, Ordering::Relaxed);
        (buffer.offset, buffer.valid) = (offset, read);
        wanted.find(buffer).ok_or(Cause::Corrupt)
    }
}
