//! Records that are written together.

use crate::buffer::Buffer;
use crate::cipher::{Cipher, TAG};
use crate::place::{BLOCK, Place};
use crate::record::{self, Title};
use crate::segments::{Extent, WORTH_FILLING};

/// Most bytes that are written at once.
pub(crate) const BATCH: usize = 256 << 10;

/// Records on their way to the file, in memory of their own. Belongs to one thread.
#[derive(Debug)]
pub struct Batch {
    buffer: Buffer,
    /// Bytes that encryption adds to each of them.
    tag: usize,
    used: usize,
    records: Vec<Pushed>,
}

#[derive(Clone, Copy, Debug)]
struct Pushed {
    key: u32,
    at: usize,
    /// Of its body.
    len: usize,
}

impl Batch {
    /// An empty one, the records of which will be encrypted or not.
    pub(crate) fn new(encrypted: bool) -> Self {
        let tag = if encrypted { TAG } else { 0 };
        Self { buffer: Buffer::new(BATCH + WORTH_FILLING), tag, used: 0, records: Vec::new() }
    }

    /// Adds a record of `bytes` (1 to 64 KiB) for `key`. False if it does not fit any more.
    pub fn push(&mut self, key: u32, bytes: &[u8]) -> bool {
        debug_assert!(!bytes.is_empty());
        let len = bytes.len() + self.tag;
        let footprint = record::footprint(len);
        if self.used + footprint > BATCH {
            return false;
        }
        record::write(&mut self.buffer[self.used..], bytes, footprint);
        self.records.push(Pushed { key, at: self.used, len });
        self.used += footprint;
        true
    }

    /// Whether nothing was added.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Takes everything out again.
    pub(crate) fn clear(&mut self) {
        self.used = 0;
        self.records.clear();
    }

    /// Records.
    pub(crate) fn count(&self) -> u32 {
        self.records.len() as u32
    }

    /// Bytes to be written: whole blocks.
    pub(crate) fn len(&self) -> usize {
        self.used.next_multiple_of(BLOCK)
    }

    /// The bytes as `tier` is to write them to `extent` and its rest. Only once: what was pushed is not to be had after that.
    pub(crate) fn seal(&mut self, extent: &Extent, tier: u32, cipher: Option<&Cipher>) -> &[u8] {
        debug_assert!(self.len() <= extent.len && self.len() + extent.rest <= self.buffer.len());
        let end = self.len() + extent.rest;
        self.buffer[self.used..end].fill(0);
        for &Pushed { key, at, len } in &self.records {
            let title = Title { key, life: extent.life, offset: extent.offset + at as u64, tier };
            if let Some(cipher) = cipher {
                let body = &mut self.buffer[at + record::HEADER..][..len];
                cipher.seal(title.life, title.offset, body);
            }
            record::seal(&mut self.buffer[at..], title, len);
        }
        &self.buffer[..end]
    }

    /// Where the records are once they are written to `extent`, in the order in which they were pushed.
    pub(crate) fn places(&self, extent: &Extent) -> Vec<Place> {
        let place =
            |pushed: &Pushed| Place::new(extent.offset + pushed.at as u64, record::HEADER + pushed.len);
        self.records.iter().map(place).collect()
    }
}
