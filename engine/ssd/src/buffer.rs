//! Memory that direct I/O accepts.

use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::ops::{Deref, DerefMut, Range};
use std::ptr::NonNull;

use ztera_policy::reading::Guesses;

use crate::place::BLOCK;

/// Bytes, zeros at first, that start at a block's boundary. Belongs to one thread at a time.
#[derive(Debug)]
pub struct Buffer {
    start: NonNull<u8>,
    len: usize,
}

// SAFETY: it owns its memory, like a box.
unsafe impl Send for Buffer {}
// SAFETY: as above; shared references only read.
unsafe impl Sync for Buffer {}

impl Buffer {
    /// A buffer of `len` bytes, a multiple of 4 KiB and not 0.
    pub(crate) fn new(len: usize) -> Self {
        let layout = Self::layout(len);
        // SAFETY: the layout has a size.
        let start = NonNull::new(unsafe { alloc_zeroed(layout) });
        Self { start: start.unwrap_or_else(|| handle_alloc_error(layout)), len }
    }

    fn layout(len: usize) -> Layout {
        assert!(len > 0 && len.is_multiple_of(BLOCK));
        Layout::from_size_align(len, BLOCK).expect("buffers are small")
    }
}

impl Deref for Buffer {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        // SAFETY: our own memory, initialised when it was made.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}

impl DerefMut for Buffer {
    fn deref_mut(&mut self) -> &mut [u8] {
        // SAFETY: as above, and the exclusive borrow is ours.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.len) }
    }
}

/// The bytes that a reader read last. Belongs to one thread at a time.
#[derive(Debug)]
pub struct ReadBuffer {
    pub(crate) bytes: Buffer,
    /// Where in the file its bytes are from, and how many of them.
    pub(crate) offset: u64,
    pub(crate) valid: usize,
    /// Whether what came besides was wanted.
    pub(crate) guesses: Guesses,
    /// The bytes that were decrypted last.
    pub(crate) plain: Vec<u8>,
}

impl ReadBuffer {
    /// The part of it that holds `len` bytes at `offset` of the file.
    pub(crate) fn find(&self, offset: u64, len: usize) -> Option<Range<usize>> {
        let start = usize::try_from(offset.checked_sub(self.offset)?).ok()?;
        (start + len <= self.valid).then_some(start..start + len)
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: allocated by `new` with this layout.
        unsafe { dealloc(self.start.as_ptr(), Self::layout(self.len)) };
    }
}
