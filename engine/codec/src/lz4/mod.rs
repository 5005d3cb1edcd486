//! lz4: encoded by [`encoder`], decoded by the C library.

mod block;
mod encoder;
#[cfg(test)]
mod tests;

use std::ffi::{c_char, c_int};

use crate::codec::{Codec, DecodeError};
use encoder::Encoder;

// The crate declares a part of the library's functions. This one stays inside both slices for any input, too, as lz4.h says.
unsafe extern "C" {
    fn LZ4_decompress_safe_partial(
        src: *const c_char,
        dst: *mut c_char,
        src_len: c_int,
        wanted: c_int,
        dst_len: c_int,
    ) -> c_int;
}

/// The encoder's memory; the decoder needs none.
pub struct Lz4 {
    encoder: Encoder,
    acceleration: usize,
}

impl Lz4 {
    /// `acceleration` 1 compresses best. Above it, one place in so many is looked at where nothing repeats.
    pub fn new(acceleration: i32) -> Self {
        Self { encoder: Encoder::new(), acceleration: acceleration.max(1) as usize }
    }

    /// Like [`compress`](Codec::compress), but gives up very soon where nothing repeats.
    pub fn compress_in_haste(&mut self, src: &[u8], dst: &mut [u8]) -> Option<usize> {
        self.encoder.encode_in_haste(src, dst)
    }

    /// [`decompress`](Codec::decompress), which needs no memory.
    pub fn decode(src: &[u8], dst: &mut [u8]) -> Result<(), DecodeError> {
        let src_len = c_int::try_from(src.len()).map_err(|_| DecodeError::Malformed)?;
        let dst_len = c_int::try_from(dst.len()).map_err(|_| DecodeError::WrongLength)?;
        // SAFETY: both slices are passed with their true lengths; LZ4_decompress_safe is specified to
        // stay inside them for any input.
        let written = unsafe {
            lz4_sys::LZ4_decompress_safe(src.as_ptr().cast(), dst.as_mut_ptr().cast(), src_len, dst_len)
        };
        is_filled(written, dst)
    }

    /// Fills `dst` with the front of what `src` is the output for, and looks at no more of it.
    pub fn decode_front(src: &[u8], dst: &mut [u8]) -> Result<(), DecodeError> {
        let src_len = c_int::try_from(src.len()).map_err(|_| DecodeError::Malformed)?;
        let dst_len = c_int::try_from(dst.len()).map_err(|_| DecodeError::WrongLength)?;
        // SAFETY: as above.
        let written = unsafe {
            LZ4_decompress_safe_partial(
                src.as_ptr().cast(),
                dst.as_mut_ptr().cast(),
                src_len,
                dst_len,
                dst_len,
            )
        };
        is_filled(written, dst)
    }
}

fn is_filled(written: c_int, dst: &[u8]) -> Result<(), DecodeError> {
    match usize::try_from(written) {
        Err(_) => Err(DecodeError::Malformed),
        Ok(n) if n == dst.len() => Ok(()),
        Ok(_) => Err(DecodeError::WrongLength),
    }
}

impl Codec for Lz4 {
    /// `None` also if `src` is longer than 64 KiB, as no unit is.
    fn compress(&mut self, src: &[u8], dst: &mut [u8]) -> Option<usize> {
        self.encoder.encode(src, dst, self.acceleration)
    }

    fn decompress(&mut self, src: &[u8], dst: &mut [u8]) -> Result<(), DecodeError> {
        Self::decode(src, dst)
    }
}
