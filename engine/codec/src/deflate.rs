//! Deflate without a wrapper (RFC 1951), by the C library libdeflate: what compression accelerators make, too.

use libdeflater::{CompressionLvl, Compressor, Decompressor};

use crate::codec::{Codec, DecodeError};

/// One compression and one decompression context.
pub struct Deflate {
    level: i32,
    /// Made when it is needed first: who only decodes has no use for its hundreds of KiB.
    compressor: Option<Compressor>,
    decompressor: Decompressor,
}

/// The library's own default.
const DEFAULT: i32 = 6;

impl Deflate {
    /// `level` 0 is the library's default (6). Values out of range are clamped.
    pub fn new(level: i32) -> Self {
        let level = if level == 0 { DEFAULT } else { level.clamp(1, 12) };
        Self { level, compressor: None, decompressor: Decompressor::new() }
    }
}

impl Codec for Deflate {
    fn compress(&mut self, src: &[u8], dst: &mut [u8]) -> Option<usize> {
        let make = || Compressor::new(CompressionLvl::new(self.level).expect("it was clamped"));
        self.compressor.get_or_insert_with(make).deflate_compress(src, dst).ok().filter(|&len| len > 0)
    }

    fn decompress(&mut self, src: &[u8], dst: &mut [u8]) -> Result<(), DecodeError> {
        match self.decompressor.deflate_decompress(src, dst) {
            Err(_) => Err(DecodeError::Malformed),
            Ok(n) if n == dst.len() => Ok(()),
            Ok(_) => Err(DecodeError::WrongLength),
        }
    }
}
