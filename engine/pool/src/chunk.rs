//! Knowledge of each chunk: 20 bytes, nothing inside the chunk itself while it is full.

use std::alloc::Layout;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, Ordering::Relaxed};

use crate::classes::Class;
use crate::group::Group;
use crate::handle::{ChunkIndex, SlotIndex};

/// All fields but `shard` and `class` belong to whoever holds that shard's lock, which orders the accesses; they are
/// atomic only because the table is shared.
///
/// `shard` and `class` do not change while the chunk holds an object, so that a handle's owner may read them; so may it
/// `group`, which may be another one by then.
#[derive(Debug)]
pub(crate) struct Chunk {
    next: AtomicU32,
    prev: AtomicU32,
    shard: AtomicU16,
    used: AtomicU16,
    /// Slots from here on were never used, and their memory never touched.
    fresh: AtomicU16,
    /// First slot of the list of free slots below `fresh`; each names the next in its first 2 bytes.
    free: AtomicU16,
    class: AtomicU8,
    group: AtomicU8,
}

impl Chunk {
    /// A table of unused chunks, which are all zeros, so that untouched parts of it cost no memory.
    /// `None` if the system has no room for it.
    pub fn table(len: usize) -> Option<Box<[Self]>> {
        let layout = Layout::array::<Self>(len).ok()?;
        assert!(layout.size() > 0);
        if ztera_fail::at("pool.table").is_some() {
            return None;
        }
        // SAFETY: the layout has a size. All fields are atomics, for which zeros are valid, and the box
        // frees with the same layout and allocator.
        unsafe {
            let table = std::alloc::alloc_zeroed(layout).cast::<Self>();
            (!table.is_null()).then(|| Box::from_raw(std::ptr::slice_from_raw_parts_mut(table, len)))
        }
    }

    /// Makes an empty chunk of `class` out of an unused one.
    pub fn open(&self, class: Class, shard: usize) {
        self.class.store(class.0, Relaxed);
        self.used.store(0, Relaxed);
        self.fresh.store(0, Relaxed);
        self.free.store(SlotIndex::NONE.0, Relaxed);
        self.shard.store(shard as u16, Relaxed);
    }

    /// Index of the shard that it belongs to.
    pub fn shard(&self) -> usize {
        self.shard.load(Relaxed).into()
    }

    pub fn class(&self) -> Class {
        Class(self.class.load(Relaxed))
    }

    pub fn group(&self) -> Group {
        Group(self.group.load(Relaxed))
    }

    pub fn set_group(&self, group: Group) {
        self.group.store(group.0, Relaxed);
    }

    pub fn used(&self) -> u16 {
        self.used.load(Relaxed)
    }

    /// Slots that were ever used.
    pub fn touched(&self) -> u16 {
        self.fresh.load(Relaxed)
    }

    /// Takes a free slot. `next_free` reads the link in a slot that is free.
    pub fn take(&self, slots: u16, next_free: impl FnOnce(SlotIndex) -> SlotIndex) -> Option<SlotIndex> {
        let slot = match SlotIndex(self.free.load(Relaxed)) {
            SlotIndex::NONE => {
                let fresh = self.fresh.load(Relaxed);
                if fresh == slots {
                    return None;
                }
                self.fresh.store(fresh + 1, Relaxed);
                SlotIndex(fresh)
            }
            slot => {
                self.free.store(next_free(slot).0, Relaxed);
                slot
            }
        };
        self.used.store(self.used() + 1, Relaxed);
        Some(slot)
    }

    /// Puts `slot` back. `link` writes the link into it.
    pub fn put(&self, slot: SlotIndex, link: impl FnOnce(SlotIndex)) {
        debug_assert!(slot.0 < self.fresh.load(Relaxed), "slot was never handed out");
        let used = self.used();
        assert!(used > 0, "object freed twice");
        link(SlotIndex(self.free.load(Relaxed)));
        self.free.store(slot.0, Relaxed);
        self.used.store(used - 1, Relaxed);
    }

    pub fn next(&self) -> ChunkIndex {
        ChunkIndex(self.next.load(Relaxed))
    }

    pub fn prev(&self) -> ChunkIndex {
        ChunkIndex(self.prev.load(Relaxed))
    }

    pub fn set_next(&self, chunk: ChunkIndex) {
        self.next.store(chunk.0, Relaxed);
    }

    pub fn set_prev(&self, chunk: ChunkIndex) {
        self.prev.store(chunk.0, Relaxed);
    }
}
