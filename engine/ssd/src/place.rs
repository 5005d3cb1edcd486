//! Where a record is.

/// Bytes between the places that a record can start at.
pub(crate) const GRANULE: usize = 64;

/// Bytes in a block of the file: direct reads and writes are of whole ones.
pub(crate) const BLOCK: usize = 4096;

/// Bytes that are read in vain rather than that there are two reads: another one takes as long as 64 KiB.
const GAP: u64 = 16 << 10;

/// Bits of a place that say how many blocks have to be read.
const BLOCKS_BITS: u32 = 5;

/// Locates one record in the file, in 40 bits: where it starts, and how many blocks it touches.
///
/// A place *owns* its record, though it can be copied: it may be freed once, and not be read after that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place(u64);

impl Place {
    /// Significant bits of [`bits`](Place::bits).
    pub const BITS: u32 = 40;

    /// Bytes of a file that places can point into.
    pub(crate) const REACH: u64 = (GRANULE as u64) << (Self::BITS - BLOCKS_BITS);

    /// The place of `len` bytes at `offset`, a multiple of [`GRANULE`].
    pub(crate) fn new(offset: u64, len: usize) -> Self {
        debug_assert!(offset.is_multiple_of(GRANULE as u64) && offset < Self::REACH && len > 0);
        let blocks = (offset as usize % BLOCK + len).div_ceil(BLOCK) as u64;
        debug_assert!(blocks <= 1 << BLOCKS_BITS);
        Self(((offset / GRANULE as u64) << BLOCKS_BITS) | (blocks - 1))
    }

    /// The byte of the file that the record starts at.
    pub(crate) fn offset(self) -> u64 {
        (self.0 >> BLOCKS_BITS) * GRANULE as u64
    }

    /// The first block's offset, and the length of all blocks that the record touches.
    pub(crate) fn extent(self) -> (u64, usize) {
        let blocks = (self.0 & ((1 << BLOCKS_BITS) - 1)) as usize + 1;
        (self.offset() & !(BLOCK as u64 - 1), blocks * BLOCK)
    }

    /// Where its last block ends.
    pub(crate) fn end(self) -> u64 {
        let (offset, len) = self.extent();
        offset + len as u64
    }

    /// Whether `next` lies so close behind that one read of both takes less time than two: with one record between them, or
    /// some small ones.
    pub fn is_followed_by(self, next: Self) -> bool {
        let between = GAP.max(self.extent().1 as u64);
        next.offset() >= self.offset() && next.offset() <= self.end() + between
    }

    /// The place as a number, to be kept in a table.
    pub fn bits(self) -> u64 {
        self.0
    }

    /// The place that [`bits`](Place::bits) made a number of.
    pub fn from_bits(bits: u64) -> Self {
        Self(bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_tells_which_blocks_to_read() {
        for (offset, len, extent) in [
            (0, 1, (0, 4096)),
            (0, 4096, (0, 4096)),
            (0, 4097, (0, 8192)),
            (4032, 64, (0, 4096)),
            (4032, 65, (0, 8192)),
            (4096 * 1000 + 64, 65536 + 16, (4096 * 1000, 17 * 4096)),
            (Place::REACH - 64, 64, (Place::REACH - 4096, 4096)),
        ] {
            let place = Place::from_bits(Place::new(offset, len).bits());
            assert_eq!((place.offset(), place.extent()), (offset, extent));
            assert!(place.bits() < 1 << Place::BITS);
        }
    }
}
