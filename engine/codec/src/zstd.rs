//! zstd, by the C library, with reused contexts.

use zstd_safe::{CCtx, CParameter, DCtx};

use crate::codec::{Codec, DecodeError};

/// One compression and one decompression context.
pub struct Zstd {
    compressor: CCtx<'static>,
    decompressor: DCtx<'static>,
}

impl Zstd {
    /// `level` 0 is the library's default (3). Values out of range are clamped by the library.
    pub fn new(level: i32) -> Self {
        let mut compressor = CCtx::create();
        // A level is always accepted (the library clamps it), and a refused parameter would only
        // mean default behaviour, so the results carry nothing to act on.
        let _ = compressor.set_parameter(CParameter::CompressionLevel(level));
        // The unit's size is known to whoever decodes; a checksum over memory buys nothing.
        let _ = compressor.set_parameter(CParameter::ContentSizeFlag(false));
        let _ = compressor.set_parameter(CParameter::ChecksumFlag(false));
        Self { compressor, decompressor: DCtx::create() }
    }
}

impl Codec for Zstd {
    fn compress(&mut self, src: &[u8], dst: &mut [u8]) -> Option<usize> {
        self.compressor.compress2(dst, src).ok().filter(|&n| n > 0)
    }

    fn decompress(&mut self, src: &[u8], dst: &mut [u8]) -> Result<(), DecodeError> {
        match self.decompressor.decompress(dst, src) {
            Err(_) => Err(DecodeError::Malformed),
            Ok(n) if n == dst.len() => Ok(()),
            Ok(_) => Err(DecodeError::WrongLength),
        }
    }
}
