// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Pages, as they come: to a file, and to who looks how they compress.

use std::io::{self, Write};

use super::by_class::{ByClass, Classes};
use super::census::{BLOCK, Census, Compression};

/// Bytes of a page.
const PAGE: usize = 4096;

/// Takes bytes one after the other, as pages.
pub struct Image<W> {
    out: Option<W>,
    census: Census,
    classes: Option<Classes>,
    block: Vec<u8>,
    /// Where objects begin in the block.
    starts: Vec<usize>,
    bytes: u64,
}

/// All that is known of pages in the end.
pub struct Seen {
    /// How many bytes there are.
    pub bytes: u64,
    /// How they compress.
    pub compression: Compression,
    /// How they would by objects, if that was asked for.
    pub by_class: Option<ByClass>,
}

impl<W: Write> Image<W> {
    /// Writes to `out`, if there is one, in blocks of 16 KiB.
    pub fn new(out: Option<W>, census: Census) -> Self {
        let block = Vec::with_capacity(BLOCK);
        Self { out, census, classes: None, block, starts: Vec::new(), bytes: 0 }
    }

    /// The same, and looks how objects would compress by their classes.
    pub fn with_classes(self) -> Self {
        Self { classes: Some(Classes::new()), ..self }
    }

    /// The next byte begins an object.
    pub fn begin(&mut self) {
        self.starts.push(self.block.len());
    }

    /// Takes the next bytes.
    pub fn write(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            let (now, later) = bytes.split_at(bytes.len().min(BLOCK - self.block.len()));
            self.block.extend_from_slice(now);
            bytes = later;
            if self.block.len() == BLOCK {
                self.flush()?;
            }
        }
        Ok(())
    }

    /// Fills the last page with zeros.
    pub fn finish(mut self) -> io::Result<Seen> {
        self.block.resize(self.block.len().next_multiple_of(PAGE), 0);
        self.flush()?;
        if let Some(out) = &mut self.out {
            out.flush()?;
        }
        let by_class = self.classes.map(Classes::finish);
        Ok(Seen { bytes: self.bytes, compression: self.census.finish(), by_class })
    }

    fn flush(&mut self) -> io::Result<()> {
        if let Some(out) = &mut self.out {
            out.write_all(&self.block)?;
        }
        self.bytes += self.block.len() as u64;
        let is_measured = self.census.chooses_next();
        if let Some(classes) = &mut self.classes {
            classes.block(&self.block, &self.starts, is_measured);
        }
        self.census.block(&mut self.block);
        self.block.clear();
        self.starts.clear();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_become_pages() {
        let mut out = Vec::new();
        let mut image = Image::new(Some(&mut out), Census::new(0, 0));
        for part in [&[1; 5000][..], &[2; 20_000], &[3; 1]] {
            image.write(part).unwrap();
        }
        let seen = image.finish().unwrap();
        let expected = [vec![1; 5000], vec![2; 20_000], vec![3], vec![0; 28_672 - 25_001]].concat();
        assert_eq!((seen.bytes, out), (28_672, expected));
        assert_eq!(seen.compression.measured_bytes, 28_672);
    }

    #[test]
    fn nothing_is_no_page() {
        let mut out = Vec::new();
        assert_eq!(Image::new(Some(&mut out), Census::new(0, 0)).finish().unwrap().bytes, 0);
        assert!(out.is_empty());
    }
}
