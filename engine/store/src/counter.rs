//! A sum that many threads add to without waiting for each other.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

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
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        thread_local!(static CELL: Cell<usize> = const { Cell::new(usize::MAX) });
        if CELL.get() == usize::MAX {
            CELL.set(NEXT.fetch_add(1, Ordering::Relaxed) % CELLS);
        }
        &self.0[CELL.get()].0
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
