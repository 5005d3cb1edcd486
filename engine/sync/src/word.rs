//! A 64-bit word that threads can wait on.

use std::alloc::Layout;
use std::sync::atomic::{AtomicU64, Ordering};

pub use parking_lot_core::SpinWait;
use parking_lot_core::{DEFAULT_PARK_TOKEN, DEFAULT_UNPARK_TOKEN};

/// An atomic word, and a queue of threads that wait for it to change.
#[derive(Debug, Default)]
#[repr(transparent)]
pub struct Word(AtomicU64);

impl Word {
    /// A word of this value.
    pub const fn new(value: u64) -> Self {
        Self(AtomicU64::new(value))
    }

    /// `len` zeros, which cost no memory until they are written to. `None` if the system has no room.
    pub fn zeros(len: usize) -> Option<Box<[Self]>> {
        let layout = Layout::array::<Self>(len).ok()?;
        if layout.size() == 0 {
            return Some(Box::default());
        }
        // SAFETY: the layout has a size. Zeros are valid words, and the box frees with the same layout.
        unsafe {
            let words = std::alloc::alloc_zeroed(layout).cast::<Self>();
            (!words.is_null()).then(|| Box::from_raw(std::ptr::slice_from_raw_parts_mut(words, len)))
        }
    }

    /// As of [`AtomicU64`].
    pub fn load(&self, order: Ordering) -> u64 {
        self.0.load(order)
    }

    /// As of [`AtomicU64`].
    pub fn swap(&self, value: u64, order: Ordering) -> u64 {
        self.0.swap(value, order)
    }

    /// As of [`AtomicU64`].
    pub fn store(&self, value: u64, order: Ordering) {
        self.0.store(value, order);
    }

    /// As of [`AtomicU64`].
    pub fn fetch_add(&self, value: u64, order: Ordering) -> u64 {
        self.0.fetch_add(value, order)
    }

    /// As of [`AtomicU64`].
    pub fn compare_exchange(&self, old: u64, new: u64, ok: Ordering, err: Ordering) -> Result<u64, u64> {
        self.0.compare_exchange(old, new, ok, err)
    }

    /// Waits for [`unpark_all`](Self::unpark_all), unless `still` says no; it is asked when nothing can
    /// be unparked before this thread sleeps. `still` must neither park nor panic.
    pub fn park(&self, still: impl FnOnce() -> bool) {
        // SAFETY: the closures neither panic nor call into parking_lot, and the key is the address of a
        // word, which nobody else parks on.
        unsafe { parking_lot_core::park(self.key(), still, || {}, |_, _| {}, DEFAULT_PARK_TOKEN, None) };
    }

    /// Lets all threads go on that are parked here.
    pub fn unpark_all(&self) {
        // SAFETY: as for `park`.
        unsafe { parking_lot_core::unpark_all(self.key(), DEFAULT_UNPARK_TOKEN) };
    }

    fn key(&self) -> usize {
        std::ptr::from_ref(self) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_are_words_of_their_own() {
        let words = Word::zeros(1000).expect("8 KiB");
        assert!(words.iter().all(|word| word.load(Ordering::Relaxed) == 0));
        words[7].swap(1, Ordering::Relaxed);
        assert_eq!(words.iter().map(|word| word.load(Ordering::Relaxed)).sum::<u64>(), 1);
        assert_eq!(Word::zeros(0).expect("nothing").len(), 0);
        assert!(Word::zeros(usize::MAX / 4).is_none(), "more than there is");
    }

    #[test]
    fn parking_ends_when_there_is_nothing_to_wait_for_or_with_an_unpark() {
        let word = Word::new(0);
        word.park(|| false);
        std::thread::scope(|scope| {
            scope.spawn(|| word.park(|| word.load(Ordering::Relaxed) == 0));
            word.swap(1, Ordering::Relaxed);
            word.unpark_all();
        });
    }
}
