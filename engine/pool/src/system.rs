//! The system's memory, and what stands in for it under Miri, which knows few system calls.

pub(crate) use calls::{discard, map, populate, unmap};

#[cfg(not(miri))]
mod calls {
    use std::ffi::c_void;
    use std::io;
    use std::ptr::{NonNull, null_mut};

    use rustix::mm::{Advice, MapFlags, ProtFlags};

    /// `len` bytes that read as zeros and cost nothing until they are written to.
    pub fn map(len: usize) -> io::Result<NonNull<u8>> {
        let flags = MapFlags::PRIVATE | MapFlags::NORESERVE;
        let prot = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: a new mapping at an address of the kernel's choice affects no existing memory.
        let base = unsafe { rustix::mm::mmap_anonymous(null_mut(), len, prot, flags)? };
        // Huge pages would keep memory of freed neighbours, and a forked child has no use for the pool.
        for advice in [Advice::LinuxNoHugepage, Advice::LinuxDontFork] {
            // SAFETY: exactly the mapping made above. Refusal only costs efficiency.
            let _ = unsafe { rustix::mm::madvise(base, len, advice) };
        }
        NonNull::new(base.cast()).ok_or(io::ErrorKind::OutOfMemory.into())
    }

    /// Has the system give memory for whole pages of a mapping of [`map`]'s now, by one call in place of a fault each.
    pub fn populate(at: NonNull<u8>, len: usize) {
        // SAFETY: changes no contents. Where it fails, the pages come by faults.
        let _ = unsafe { rustix::mm::madvise(at.as_ptr().cast::<c_void>(), len, Advice::LinuxPopulateWrite) };
    }

    /// # Safety
    /// The bytes are part of a mapping of [`map`]'s, and nobody needs what is in them.
    pub unsafe fn discard(at: NonNull<u8>, len: usize) {
        // SAFETY: by the caller's promise. The call can fail only for a locked mapping (mlockall), where
        // giving back is what the program forbade.
        let _ = unsafe { rustix::mm::madvise(at.as_ptr().cast::<c_void>(), len, Advice::LinuxDontNeed) };
    }

    /// # Safety
    /// A whole mapping of [`map`]'s that nobody uses any more.
    pub unsafe fn unmap(at: NonNull<u8>, len: usize) {
        // SAFETY: by the caller's promise.
        let _ = unsafe { rustix::mm::munmap(at.as_ptr().cast(), len) };
    }
}

#[cfg(miri)]
mod calls {
    use std::alloc::{Layout, alloc_zeroed, dealloc};
    use std::io;
    use std::ptr::NonNull;

    fn layout(len: usize) -> Layout {
        Layout::from_size_align(len, 4096).expect("a mapping has a size")
    }

    pub fn map(len: usize) -> io::Result<NonNull<u8>> {
        // SAFETY: the layout has a size.
        NonNull::new(unsafe { alloc_zeroed(layout(len)) }).ok_or(io::ErrorKind::OutOfMemory.into())
    }

    pub fn populate(_: NonNull<u8>, _: usize) {}

    pub unsafe fn discard(at: NonNull<u8>, len: usize) {
        // SAFETY: by the caller's promise.
        unsafe { at.write_bytes(0, len) };
    }

    pub unsafe fn unmap(at: NonNull<u8>, len: usize) {
        // SAFETY: by the caller's promise.
        unsafe { dealloc(at.as_ptr(), layout(len)) };
    }
}
