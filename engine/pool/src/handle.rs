//! Where an object is.

/// Locates one object of one [`Pool`](crate::Pool), in 40 bits.
///
/// A handle *owns* its object: it cannot be copied, whoever holds it may read the object, and
/// [`Pool::free`](crate::Pool::free) takes it. Losing a handle leaks the object until the pool goes.
#[derive(Debug, PartialEq, Eq)]
#[must_use = "a lost handle leaks its object"]
pub struct Handle(u64);

impl Handle {
    /// Significant bits of [`into_bits`](Handle::into_bits).
    pub const BITS: u32 = ChunkIndex::BITS + SlotIndex::BITS + 1;

    /// The object lies in a slot of a larger class than its own.
    const MISFIT: u64 = 1 << (ChunkIndex::BITS + SlotIndex::BITS);

    pub(crate) fn new(chunk: ChunkIndex, slot: SlotIndex) -> Self {
        Self(u64::from(chunk.0) << SlotIndex::BITS | u64::from(slot.0))
    }

    pub(crate) fn of_misfit(self) -> Self {
        Self(self.0 | Self::MISFIT)
    }

    pub(crate) fn is_misfit(bits: u64) -> bool {
        bits & Self::MISFIT != 0
    }

    pub(crate) fn chunk(&self) -> ChunkIndex {
        Self::chunk_of(self.0)
    }

    pub(crate) fn chunk_of(bits: u64) -> ChunkIndex {
        ChunkIndex(((bits & !Self::MISFIT) >> SlotIndex::BITS) as u32)
    }

    pub(crate) fn slot(&self) -> SlotIndex {
        SlotIndex((self.0 & ((1 << SlotIndex::BITS) - 1)) as u16)
    }

    /// The handle as a number, to be kept in a table. Ownership goes with it.
    pub fn into_bits(self) -> u64 {
        self.0
    }

    /// The same number, to ask with about the object. Ownership stays here.
    pub fn bits(&self) -> u64 {
        self.0
    }

    /// The handle that [`into_bits`](Handle::into_bits) turned into `bits`.
    ///
    /// # Safety
    /// `bits` came from `into_bits`, and at any time at most one handle made from them is used to free
    /// the object, and none is used after that.
    pub unsafe fn from_bits(bits: u64) -> Self {
        Self(bits)
    }
}

/// Position of a chunk in the pool's region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ChunkIndex(pub u32);

impl ChunkIndex {
    pub const BITS: u32 = 27;
    /// Chunks that there can be.
    pub const MOST: u64 = (1 << Self::BITS) - 1;
    /// No chunk: the end of a list.
    pub const NONE: Self = Self(u32::MAX);
}

/// Position of an object in its chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SlotIndex(pub u16);

impl SlotIndex {
    pub const BITS: u32 = 12;
    /// No slot: the end of a chunk's free list.
    pub const NONE: Self = Self(u16::MAX);
}
