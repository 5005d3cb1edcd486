//! The address space that chunks are cut from.

use std::io;
use std::ptr::NonNull;

use crate::system;

/// A private anonymous mapping. Reserving it costs nothing; memory is taken page by page when it is
/// first written and given back by [`release`](Region::release).
#[derive(Debug)]
pub(crate) struct Region {
    base: NonNull<u8>,
    len: usize,
}

// SAFETY: the region is only an address range; who may touch which bytes is decided by its users.
unsafe impl Send for Region {}
// SAFETY: as above.
unsafe impl Sync for Region {}

impl Region {
    pub fn reserve(len: usize) -> io::Result<Self> {
        ztera_fail::check("pool.map")?;
        Ok(Self { base: system::map(len)?, len })
    }

    /// Address of the byte at `offset`. Panics if `len` bytes from there are not in the region.
    pub fn at(&self, offset: usize, len: usize) -> NonNull<u8> {
        assert!(offset <= self.len && len <= self.len - offset, "{offset}+{len} outside the pool");
        // SAFETY: inside the mapping, as just checked.
        unsafe { self.base.add(offset) }
    }

    /// Takes memory for `len` bytes at `offset`, all of which are about to be written.
    pub fn populate(&self, offset: usize, len: usize) {
        system::populate(self.at(offset, len), len);
    }

    /// Gives the memory of `len` bytes at `offset` back to the system; they read as zeros afterwards.
    ///
    /// # Safety
    /// No object lives there, and nobody accesses these bytes meanwhile.
    pub unsafe fn release(&self, offset: usize, len: usize) {
        // SAFETY: inside our mapping, and by the caller's promise nothing there is needed.
        unsafe { system::discard(self.at(offset, len), len) };
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        // SAFETY: the mapping is ours, and borrows of it end before the pool is dropped.
        unsafe { system::unmap(self.base, self.len) };
    }
}
