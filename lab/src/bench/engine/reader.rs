// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! One thread reads mapped memory, and is timed.

use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::latency::Latency;
use crate::kit::clock::Spent;
use crate::kit::data::pages::{PAGE, sum};

/// The time of reading and the bytes read.
#[derive(Debug, Serialize, Deserialize)]
pub struct Reading {
    /// Of all of it.
    pub spent: Spent,
    /// Of what was read; equal data has equal sums.
    pub sum: u64,
}

/// Memory that somebody else keeps mapped: a range of the engine, a mapped file.
#[derive(Clone, Copy)]
pub struct Memory {
    base: *mut u8,
    len: usize,
}

impl Memory {
    /// `len` bytes from `base` on, which starts a page.
    ///
    /// # Safety
    /// They can be read, after a fault or not, and nobody else changes them, for as long as the result is used.
    pub unsafe fn new(base: *mut u8, len: usize) -> Self {
        Self { base, len }
    }

    /// Reads the word at each offset, and times each read.
    pub fn touch(self, offsets: &[usize]) -> (Latency, Reading) {
        // SAFETY: `timed` gives aligned addresses inside the memory, which can be read by `new`'s promise.
        self.timed(offsets, |_, at| unsafe { at.read_volatile() })
    }

    /// Writes the word of `bytes` at each offset, and times each write.
    ///
    /// # Safety
    /// It can be written to.
    pub unsafe fn overwrite(self, offsets: &[usize], bytes: &[u8]) -> (Latency, Reading) {
        self.timed(offsets, |offset, at| {
            let word = sum(&bytes[offset..offset + size_of::<u64>()]);
            // SAFETY: `timed` gives aligned addresses inside the memory, which can be written to by the caller's
            // promise.
            unsafe { at.write_volatile(word) };
            word
        })
    }

    fn timed(self, offsets: &[usize], access: impl Fn(usize, *mut u64) -> u64) -> (Latency, Reading) {
        let mut times = Vec::with_capacity(offsets.len());
        let mut sum = 0_u64;
        let spent = Spent::during(|| {
            for &offset in offsets {
                assert!(offset + size_of::<u64>() <= self.len && offset.is_multiple_of(size_of::<u64>()));
                // SAFETY: inside the memory, as just checked.
                let at = unsafe { self.base.add(offset).cast() };
                let start = Instant::now();
                let word = access(offset, at);
                times.push(start.elapsed());
                sum = sum.wrapping_add(word);
            }
        });
        (Latency::of(times), Reading { spent, sum })
    }

    /// Reads all of it, page by page, from first to last.
    pub fn scan(self) -> Reading {
        let mut total = 0_u64;
        let spent = Spent::during(|| {
            for offset in (0..self.len).step_by(PAGE) {
                let len = PAGE.min(self.len - offset);
                // SAFETY: inside the memory, which can be read and does not change by `new`'s promise.
                let page = unsafe { std::slice::from_raw_parts(self.base.add(offset), len) };
                total = total.wrapping_add(sum(page));
            }
        });
        Reading { spent, sum: total }
    }
}

/// The sum that [`Memory::touch`] finds in `bytes`.
pub fn sum_at(bytes: &[u8], offsets: &[usize]) -> u64 {
    offsets.iter().fold(0, |total, &at| total.wrapping_add(sum(&bytes[at..at + size_of::<u64>()])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_is_what_is_there() {
        let mut words: Vec<u64> = (0..2048).collect();
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        // SAFETY: the vector outlives its use here.
        let memory = unsafe { Memory::new(words.as_mut_ptr().cast(), bytes.len()) };
        assert_eq!(memory.scan().sum, sum(&bytes));
        let offsets = [4096, 0, 8];
        assert_eq!((memory.touch(&offsets).1.sum, sum_at(&bytes, &offsets)), (513, 513));
    }
}
