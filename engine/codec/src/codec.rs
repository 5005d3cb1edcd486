//! The interface of all codecs, and the choice of one.

use std::fmt;

/// A compression algorithm together with its working memory.
///
/// `&mut self` because the working memory is reused from call to call; a codec is never shared.
pub trait Codec: Send {
    /// Compresses all of `src` into the front of `dst` and returns how many bytes that took, or
    /// `None` if `dst` is too small for the result. `dst` may hold anything afterwards.
    fn compress(&mut self, src: &[u8], dst: &mut [u8]) -> Option<usize>;

    /// Decompresses `src`, which must be exactly what [`compress`](Codec::compress) wrote, and fills
    /// `dst` exactly. Any other input gives an error: never a panic, and never an access outside the
    /// two slices. After an error `dst` may hold anything.
    fn decompress(&mut self, src: &[u8], dst: &mut [u8]) -> Result<(), DecodeError>;
}

/// Names a codec. The numbers are those of the C interface and of the [frame](crate::frame) header.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[repr(u8)]
pub enum CodecKind {
    /// Fastest to decode; the default.
    #[default]
    Lz4 = 1,
    /// Denser, 3 to 5 times slower to decode.
    Zstd = 2,
    /// Denser than lz4, slower than zstd; what compression accelerators speak.
    Deflate = 3,
}

impl CodecKind {
    /// The codec with this number, if there is one.
    pub fn from_number(number: u8) -> Option<Self> {
        match number {
            1 => Some(Self::Lz4),
            2 => Some(Self::Zstd),
            3 => Some(Self::Deflate),
            _ => None,
        }
    }
}

/// Why bytes could not be decoded. Seeing one means that memory was corrupted or that a caller mixed
/// up objects: the engine never decodes anything it did not encode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecodeError {
    /// The frame is shorter than its header or than the header says.
    Truncated,
    /// The header names no known codec or filter.
    UnknownFormat,
    /// The codec found its input malformed.
    Malformed,
    /// The input decodes, but not to the expected number of bytes.
    WrongLength,
    /// The object holds fractions, and this thread has been told to round in another way than to the nearest.
    Rounding,
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Truncated => "compressed object is truncated",
            Self::UnknownFormat => "compressed object has an unknown format",
            Self::Malformed => "compressed object is malformed",
            Self::WrongLength => "compressed object has the wrong length",
            Self::Rounding => "this thread does not round to nearest",
        })
    }
}

impl std::error::Error for DecodeError {}
