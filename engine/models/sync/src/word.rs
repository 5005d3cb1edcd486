//! A word that threads can wait on, and the queue of `parking_lot_core` as a lock and a condition.

use crate::checker::sync::atomic::{AtomicU64, Ordering};
use crate::locks::{Condvar, Mutex};

/// As of the real crate.
#[derive(Debug)]
pub struct Word {
    value: AtomicU64,
    queue: Mutex<()>,
    unparked: Condvar,
}

impl Word {
    pub fn new(value: u64) -> Self {
        Self { value: AtomicU64::new(value), queue: Mutex::new(()), unparked: Condvar::new() }
    }

    pub fn zeros(len: usize) -> Option<Box<[Self]>> {
        Some((0..len).map(|_| Self::new(0)).collect())
    }

    pub fn load(&self, order: Ordering) -> u64 {
        self.value.load(order)
    }

    pub fn swap(&self, value: u64, order: Ordering) -> u64 {
        self.value.swap(value, order)
    }

    pub fn store(&self, value: u64, order: Ordering) {
        self.value.store(value, order);
    }

    pub fn fetch_add(&self, value: u64, order: Ordering) -> u64 {
        self.value.fetch_add(value, order)
    }

    pub fn compare_exchange(&self, old: u64, new: u64, ok: Ordering, err: Ordering) -> Result<u64, u64> {
        self.value.compare_exchange(old, new, ok, err)
    }

    pub fn park(&self, still: impl FnOnce() -> bool) {
        let mut queue = self.queue.lock();
        if still() {
            self.unparked.wait(&mut queue);
        }
    }

    pub fn unpark_all(&self) {
        let _queue = self.queue.lock();
        self.unparked.notify_all();
    }
}

/// Never spins: a model has time.
#[derive(Debug, Default)]
pub struct SpinWait;

impl SpinWait {
    pub fn new() -> Self {
        Self
    }

    pub fn spin(&mut self) -> bool {
        false
    }

    pub fn reset(&mut self) {}
}
