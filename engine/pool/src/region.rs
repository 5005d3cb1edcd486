//! The address space that chunks are cut from.

use std::ffi::c_void;
use std::io;
use std::ptr::NonNull;

use rustix::mm::{Advice, MapFlags, ProtFlags};

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
        let flags = MapFlags::PRIVATE | MapFlags::NORESERVE;
        let prot = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: a new mapping at an address of the kernel's choice affects no existing memory.
        let base = unsafe { rustix::mm::mmap_anonymous(std::ptr::null_mut(), len, prot, flags)? };
        // Huge pages would keep memory of freed neighbours, and a forked child has no use for the pool.
        for advice in [Advice::LinuxNoHugepage, Advice::LinuxDontFork] {
            // SAFETY: exactly the mapping made above. Refusal only costs efficiency.
            let _ = unsafe { rustix::mm::madvise(base, len, advice) };
        }
        let base = NonNull::new(base.cast()).ok_or(io::ErrorKind::OutOfMemory)?;
        Ok(Self { base, len })
    }

    /// Address of the byte at `offset`. Panics if `len` bytes from there are not in the region.
    pub fn at(&self, offset: usize, len: usize) -> NonNull<u8> {
        assert!(offset <= self.len && len <= self.len - offset, "{offset}+{len} outside the pool");
        // SAFETY: inside the mapping, as just checked.
        unsafe { self.base.add(offset) }
    }

    /// Gives the memory of `len` bytes at `offset` back to the system; they read as zeros afterwards.
    ///
    /// # Safety
    /// No object lives there, and nobody accesses these bytes meanwhile.
    pub unsafe fn release(&self, offset: usize, len: usize) {
        let at = self.at(offset, len).as_ptr().cast::<c_void>();
        // SAFETY: inside our mapping, and by the caller's promise nothing there is needed. The call can
        // fail only for a locked mapping (mlockall), where giving back is what the program forbade.
        let _ = unsafe { rustix::mm::madvise(at, len, Advice::LinuxDontNeed) };
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        // SAFETY: the mapping is ours, and borrows of it end before the pool is dropped.
        let _ = unsafe { rustix::mm::munmap(self.base.as_ptr().cast(), self.len) };
    }
}
