//! lz4, by the C library, with its 16 KiB of working memory reused from unit to unit.

use std::ffi::{c_char, c_int, c_void};

use crate::codec::{Codec, DecodeError};

// `lz4-sys` builds these but does not declare them.
unsafe extern "C" {
    fn LZ4_sizeofState() -> c_int;
    fn LZ4_compress_fast_extState(
        state: *mut c_void,
        src: *const c_char,
        dst: *mut c_char,
        src_size: c_int,
        dst_capacity: c_int,
        acceleration: c_int,
    ) -> c_int;
}

/// Acceleration at which noise costs little more than the search's memory: one place in 32 is looked at, then fewer.
const HASTE: c_int = 32;

/// Compressor state; the decompressor needs none.
pub struct Lz4 {
    state: Box<[u64]>,
    acceleration: c_int,
}

impl Lz4 {
    /// `acceleration` 1 compresses best; each step above it is about 3 % faster and a little larger.
    pub fn new(acceleration: i32) -> Self {
        // SAFETY: takes no arguments and only returns a constant.
        let bytes = unsafe { LZ4_sizeofState() } as usize;
        Self { state: vec![0; bytes.div_ceil(8)].into_boxed_slice(), acceleration: acceleration.max(1) }
    }

    /// Like [`compress`](Codec::compress), but gives up very soon where nothing repeats.
    pub fn compress_in_haste(&mut self, src: &[u8], dst: &mut [u8]) -> Option<usize> {
        self.compress_with(HASTE, src, dst)
    }

    fn compress_with(&mut self, acceleration: c_int, src: &[u8], dst: &mut [u8]) -> Option<usize> {
        let src_len = c_int::try_from(src.len()).ok()?;
        let dst_len = c_int::try_from(dst.len()).ok()?;
        // SAFETY: `state` is 8-byte aligned and at least LZ4_sizeofState() bytes; both slices are
        // passed with their true lengths, and the function writes at most `dst_len` bytes.
        let written = unsafe {
            LZ4_compress_fast_extState(
                self.state.as_mut_ptr().cast(),
                src.as_ptr().cast(),
                dst.as_mut_ptr().cast(),
                src_len,
                dst_len,
                acceleration,
            )
        };
        // 0 says that it did not fit.
        usize::try_from(written).ok().filter(|&n| n > 0)
    }
}

impl Codec for Lz4 {
    fn compress(&mut self, src: &[u8], dst: &mut [u8]) -> Option<usize> {
        self.compress_with(self.acceleration, src, dst)
    }

    fn decompress(&mut self, src: &[u8], dst: &mut [u8]) -> Result<(), DecodeError> {
        let src_len = c_int::try_from(src.len()).map_err(|_| DecodeError::Malformed)?;
        let dst_len = c_int::try_from(dst.len()).map_err(|_| DecodeError::WrongLength)?;
        // SAFETY: both slices are passed with their true lengths; LZ4_decompress_safe is specified to
        // stay inside them for any input.
        let written = unsafe {
            lz4_sys::LZ4_decompress_safe(src.as_ptr().cast(), dst.as_mut_ptr().cast(), src_len, dst_len)
        };
        match usize::try_from(written) {
            Err(_) => Err(DecodeError::Malformed),
            Ok(n) if n == dst.len() => Ok(()),
            Ok(_) => Err(DecodeError::WrongLength),
        }
    }
}
