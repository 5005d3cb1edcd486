//! A sum that many threads add to without waiting for each other.

use std::sync::atomic::{AtomicU64, Ordering};

const CELLS: usize = 8;

#[derive(Debug, Default)]
#[repr(align(64))]
struct Line(AtomicU64);

/// A counter or gauge spread over cache lines. Reading sums them up: exact once the threads that
/// change it are quiet, approximate before.
#[derive(Debug, Default)]
pub struct Counter([Line; CELLS]);

impl Counter {
    fn cell(&self) -> &AtomicU64 {
        &self.0[ztera_sync::ticket() % CELLS].0
    }

    /// Adds `n`.
    pub fn add(&self, n: u64) {
        self.cell().fetch_add(n, Ordering::Relaxed);
    }

    /// Takes `n` away; another thread may have added it.
    pub fn sub(&self, n: u64) {
        self.cell().fetch_sub(n, Ordering::Relaxed);
    }

    /// The sum. A gauge caught in the middle of a change never shows below zero.
    pub fn get(&self) -> u64 {
        let sum = self.0.iter().fold(0_u64, |sum, line| sum.wrapping_add(line.0.load(Ordering::Relaxed)));
        if sum > i64::MAX as u64 { 0 } else { sum }
    }
}
