// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Pages, as they come: to a file, and to who looks how they compress.

use std::io::{self, Write};

use super::census::{BLOCK, Census};

/// Bytes of a page.
const PAGE: usize = 4096;

/// Takes bytes one after the other, as pages.
pub struct Image<W> {
    out: Option<W>,
    census: Census,
    block: Vec<u8>,
    bytes: u64,
}

impl<W: Write> Image<W> {
    /// Writes to `out`, if there is one, in blocks of 16 KiB.
    pub fn new(out: Option<W>, census: Census) -> Self {
        Self { out, census, block: Vec::with_capacity(BLOCK), bytes: 0 }
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

    /// Fills the last page with zeros. Returns how many bytes there are, and what they are like.
    pub fn finish(mut self) -> io::Result<(u64, Census)> {
        self.block.resize(self.block.len().next_multiple_of(PAGE), 0);
        self.flush()?;
        if let Some(out) = &mut self.out {
            out.flush()?;
        }
        Ok((self.bytes, self.census))
    }

    fn flush(&mut self) -> io::Result<()> {
        if let Some(out) = &mut self.out {
            out.write_all(&self.block)?;
        }
        self.bytes += self.block.len() as u64;
        self.census.block(&mut self.block);
        self.block.clear();
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
        let (bytes, census) = image.finish().unwrap();
        let expected = [vec![1; 5000], vec![2; 20_000], vec![3], vec![0; 28_672 - 25_001]].concat();
        assert_eq!((bytes, out), (28_672, expected));
        assert_eq!(census.finish().measured_bytes, 28_672);
    }

    #[test]
    fn nothing_is_no_page() {
        let mut out = Vec::new();
        assert_eq!(Image::new(Some(&mut out), Census::new(0, 0)).finish().unwrap().0, 0);
        assert!(out.is_empty());
    }
}
