//! Misfits: objects in slots of a larger class than their own.
//!
//! While all room is promised, no chunk may be opened for short objects, so they take what there is: slots of larger
//! classes, up to a whole unit each. Nothing moves them together later, as the chunks that they fill are not sparse.
//! So the pool counts them, and [evacuation](crate::evacuation) moves them to smaller slots.
//!
//! [`marks`](crate::marks) tell them from other objects.

use ztera_sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::classes::{Class, Classes};

/// How many misfits there are, by their own class. Counts change beside the objects, so they may be off for a moment.
#[derive(Debug)]
pub(crate) struct Misfits {
    /// Bytes of their slots.
    bytes: Box<[AtomicU64]>,
    /// Those that have whole units.
    whole: Box<[AtomicU64]>,
    /// Bytes of all of them when a pass last began.
    seen: AtomicU64,
    /// An object was moved since.
    moved: AtomicBool,
    chunk_len: u64,
    units_per_chunk: u64,
    raw: Class,
}

impl Misfits {
    pub fn new(classes: &Classes) -> Self {
        let zeros = || classes.all().map(|_| AtomicU64::new(0)).collect();
        let (chunk_len, units_per_chunk) = (classes.chunk_len() as u64, classes.units_per_chunk() as u64);
        let (seen, moved) = (AtomicU64::new(0), AtomicBool::new(false));
        Self { bytes: zeros(), whole: zeros(), seen, moved, chunk_len, units_per_chunk, raw: classes.raw() }
    }

    /// An object of the class `own` has got a slot of `len` bytes, of the class `slot`.
    pub fn add(&self, own: Class, slot: Class, len: usize) {
        self.bytes[own.index()].fetch_add(len as u64, Ordering::Relaxed);
        if slot == self.raw {
            self.whole[own.index()].fetch_add(1, Ordering::Relaxed);
        }
    }

    /// It has left that slot.
    pub fn remove(&self, own: Class, slot: Class, len: usize) {
        self.bytes[own.index()].fetch_sub(len as u64, Ordering::Relaxed);
        if slot == self.raw {
            self.whole[own.index()].fetch_sub(1, Ordering::Relaxed);
        }
    }

    /// Bytes of the slots of all.
    pub fn total(&self) -> u64 {
        self.bytes.iter().map(|bytes| bytes.load(Ordering::Relaxed)).sum()
    }

    /// Whether they have as much memory as a chunk.
    pub fn fill_a_chunk(&self) -> bool {
        self.total() >= self.chunk_len
    }

    /// The smallest class of which a chunk pays for a misfit of the class `own` in a slot of the class `slot`: those that
    /// it is for have as much memory now. It is their own class if there are enough of that; else those of several
    /// classes that have whole units share it.
    pub fn class_that_pays(&self, own: Class, slot: Class) -> Option<Class> {
        if self.bytes[own.index()].load(Ordering::Relaxed) >= self.chunk_len {
            return Some(own);
        }
        if slot != self.raw {
            return None;
        }
        let mut units = 0;
        (own.0..self.raw.0).map(Class).find(|class| {
            units += self.whole[class.index()].load(Ordering::Relaxed);
            units >= self.units_per_chunk
        })
    }

    /// An object, misfit or not, gets another place.
    pub fn moved(&self) {
        self.moved.store(true, Ordering::Relaxed);
    }

    /// A pass ends that took care of a pool with `used` bytes: whether it is worth another one.
    pub fn go_on(&self, used: u64) -> bool {
        self.moved.load(Ordering::Relaxed) && self.total() > (used / 16).max(self.chunk_len)
    }

    /// A pass is about to begin: whether there is reason to look for misfits. If the last pass moved nothing, about as
    /// many have no better place now, either.
    pub fn begin_pass(&self) -> bool {
        let now = self.total();
        let before = self.seen.swap(now, Ordering::Relaxed);
        let has_moved = self.moved.swap(false, Ordering::Relaxed);
        now > 0 && (has_moved || now.abs_diff(before) >= self.chunk_len)
    }
}
