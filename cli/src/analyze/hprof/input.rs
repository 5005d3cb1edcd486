// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Big-endian numbers from a file whose length is known, so that what is skipped is known to be there.

use std::io::{BufRead, Seek};

use super::error::Error;

/// A file, and how far it has been read. Nothing is read beyond the [section](Input::enter).
pub struct Input<R> {
    from: R,
    at: u64,
    section_end: u64,
    len: u64,
}

impl<R: BufRead + Seek> Input<R> {
    /// `from` is at its beginning and has `len` bytes. All of it is one section.
    pub fn new(from: R, len: u64) -> Self {
        Self { from, at: 0, section_end: len, len }
    }

    /// Bytes from the beginning.
    pub fn at(&self) -> u64 {
        self.at
    }

    /// Bytes up to the end of the section.
    pub fn left(&self) -> u64 {
        self.section_end - self.at
    }

    /// Bytes up to the end of the file.
    pub fn left_of_file(&self) -> u64 {
        self.len - self.at
    }

    /// The next `bytes` are the section.
    pub fn enter(&mut self, bytes: u64) -> Result<(), Error> {
        if bytes > self.left_of_file() {
            return Err(Error::Truncated(self.len));
        }
        self.section_end = self.at + bytes;
        Ok(())
    }

    /// The rest of the file is the section.
    pub fn leave(&mut self) {
        self.section_end = self.len;
    }

    /// An error if fewer than `bytes` are left.
    pub fn expect(&self, bytes: u64) -> Result<(), Error> {
        match bytes {
            _ if bytes <= self.left() => Ok(()),
            _ if self.section_end == self.len => Err(Error::Truncated(self.len)),
            _ => Err(self.damaged("a record goes on after the end of its segment")),
        }
    }

    /// Says so, here.
    pub fn damaged(&self, what: impl Into<String>) -> Error {
        Error::Damaged { at: self.at, what: what.into() }
    }

    /// Fills `bytes`.
    pub fn read(&mut self, bytes: &mut [u8]) -> Result<(), Error> {
        self.expect(bytes.len() as u64)?;
        self.from.read_exact(bytes)?;
        self.at += bytes.len() as u64;
        Ok(())
    }

    /// Passes over `bytes`.
    pub fn skip(&mut self, bytes: u64) -> Result<(), Error> {
        self.expect(bytes)?;
        // A file is shorter than that.
        self.from.seek_relative(bytes as i64)?;
        self.at += bytes;
        Ok(())
    }

    /// One byte.
    pub fn u1(&mut self) -> Result<u8, Error> {
        Ok(u8::from_be_bytes(self.array()?))
    }

    /// Two bytes.
    pub fn u2(&mut self) -> Result<u16, Error> {
        Ok(u16::from_be_bytes(self.array()?))
    }

    /// Four bytes.
    pub fn u4(&mut self) -> Result<u32, Error> {
        Ok(u32::from_be_bytes(self.array()?))
    }

    /// Eight bytes.
    pub fn u8(&mut self) -> Result<u64, Error> {
        Ok(u64::from_be_bytes(self.array()?))
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let mut bytes = [0; N];
        self.read(&mut bytes)?;
        Ok(bytes)
    }
}
