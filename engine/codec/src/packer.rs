//! Everything one thread needs to encode and decode units.

use crate::codec::{Codec, CodecKind, DecodeError};
use crate::{fill, frame, lz4::Lz4, zstd::Zstd};

/// Which codec new objects get. Old ones say themselves how they were made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Settings {
    /// The codec.
    pub kind: CodecKind,
    /// zstd: its level; lz4: its acceleration. 0 = the codec's default.
    pub level: i32,
}

/// What became of a unit.
#[derive(Debug, PartialEq, Eq)]
pub enum Packed<'a> {
    /// It repeats this word.
    Same(u32),
    /// It shrank to this frame, which borrows the packer's scratch memory.
    Frame(&'a [u8]),
    /// It does not compress: keep the bytes as they are.
    Huge,
}

/// Encoder and decoder with all their working memory, for one thread at a time.
pub struct Packer {
    settings: Settings,
    lz4: Lz4,
    zstd: Option<Box<Zstd>>,
    frame: Box<[u8]>,
}

impl Packer {
    /// A packer for units of up to `unit_len` bytes.
    pub fn new(settings: Settings, unit_len: usize) -> Self {
        let acceleration = if settings.kind == CodecKind::Lz4 { settings.level } else { 0 };
        Self {
            settings,
            lz4: Lz4::new(acceleration),
            zstd: None,
            frame: vec![0; frame::HEADER + Self::limit(unit_len)].into_boxed_slice(),
        }
    }

    /// The longest codec output worth keeping for a unit of `unit_len` bytes: 7/8 of it.
    pub fn limit(unit_len: usize) -> usize {
        (unit_len - unit_len / 8).saturating_sub(frame::HEADER).min(frame::MAX_BODY)
    }

    fn codec(&mut self, kind: CodecKind) -> &mut dyn Codec {
        match kind {
            CodecKind::Lz4 => &mut self.lz4,
            // Built on first use: its contexts take hundreds of KiB.
            CodecKind::Zstd => {
                self.zstd.get_or_insert_with(|| Box::new(Zstd::new(self.settings.level))).as_mut()
            }
        }
    }

    /// Encodes `unit`, whose length is a multiple of 8.
    pub fn pack(&mut self, unit: &[u8]) -> Packed<'_> {
        if let Some(word) = fill::detect(unit) {
            return Packed::Same(word);
        }
        let kind = self.settings.kind;
        let mut out = std::mem::take(&mut self.frame);
        let end = (frame::HEADER + Self::limit(unit.len())).min(out.len());
        let written = self.codec(kind).compress(unit, &mut out[frame::HEADER..end]);
        self.frame = out;
        match written {
            Some(len) => {
                frame::write_header(&mut self.frame, kind, len);
                Packed::Frame(&self.frame[..frame::HEADER + len])
            }
            None => Packed::Huge,
        }
    }

    /// Decodes `object`, a frame that may be followed by anything, and fills `unit` exactly.
    ///
    /// Safe for any input whatever: it fails with an error, never reads or writes out of bounds and
    /// never panics. After an error `unit` may hold anything.
    pub fn unpack(&mut self, object: &[u8], unit: &mut [u8]) -> Result<(), DecodeError> {
        let (kind, body) = frame::parse(object)?;
        self.codec(kind).decompress(body, unit)
    }
}
