//! Records that are written together.

use crate::buffer::Buffer;
use crate::place::{BLOCK, Place};
use crate::record::{self, Title};
use crate::segments::{Filling, SEGMENT};

/// Most bytes that are written at once.
pub(crate) const BATCH: usize = 256 << 10;

/// Records on their way to the file, in memory of their own. Belongs to one thread; must be given to
/// [`Tier::write`](crate::Tier::write) or [`Tier::cancel`](crate::Tier::cancel).
#[derive(Debug)]
pub struct Batch {
    pub(crate) filling: Filling,
    pub(crate) buffer: Buffer,
    pub(crate) used: usize,
    pub(crate) records: u32,
}

/// A batch has been written: the places that it gave hold its records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// Records.
    pub records: u32,
    /// Bytes that went to the file, with headers and padding.
    pub bytes: u64,
}

impl Batch {
    pub(crate) fn new(filling: Filling, buffer: Buffer) -> Self {
        Self { filling, buffer, used: 0, records: 0 }
    }

    /// Adds a record of `bytes` (1 to 64 KiB) for `key`, and returns where it will be. `None`: it does not fit
    /// any more.
    pub fn push(&mut self, key: u32, bytes: &[u8]) -> Option<Place> {
        let footprint = record::footprint(bytes.len());
        let room = (SEGMENT - self.filling.used).min(self.buffer.len());
        if self.used + footprint > room {
            return None;
        }
        let title = Title { key, life: self.filling.life };
        record::write(&mut self.buffer[self.used..], title, bytes);
        let offset = self.filling.segment.offset() + (self.filling.used + self.used) as u64;
        self.used += footprint;
        self.records += 1;
        Some(Place::new(offset, record::HEADER + bytes.len()))
    }

    /// Whether nothing was added.
    pub fn is_empty(&self) -> bool {
        self.records == 0
    }

    /// Whole blocks to be written, padded with zeros, and where.
    pub(crate) fn extent(&mut self) -> (u64, &[u8]) {
        let end = self.used.next_multiple_of(BLOCK);
        self.buffer[self.used..end].fill(0);
        (self.filling.segment.offset() + self.filling.used as u64, &self.buffer[..end])
    }
}
