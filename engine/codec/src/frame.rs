//! The bytes of a compressed object: a 4-byte header, then the codec's output.
//!
//! | byte | meaning |
//! |------|---------|
//! | 0..2 | length of the codec's output, little-endian |
//! | 2    | [`CodecKind`] |
//! | 3    | filter applied before the codec; 0 = none, the only one so far |
//!
//! The length is in the frame because the pool rounds objects up to its size classes.

use crate::codec::{CodecKind, DecodeError};

/// Bytes in front of the codec's output.
pub const HEADER: usize = 4;

/// Longest codec output that a frame can describe.
pub const MAX_BODY: usize = u16::MAX as usize;

/// Writes the header for `body_len` bytes of `kind`'s output to the front of `frame`.
///
/// Panics if the length does not fit (units are at most 64 KiB and only kept when they shrink).
pub fn write_header(frame: &mut [u8], kind: CodecKind, body_len: usize) {
    let len = u16::try_from(body_len).expect("compressed unit is shorter than 64 KiB");
    frame[..2].copy_from_slice(&len.to_le_bytes());
    frame[2] = kind as u8;
    frame[3] = 0;
}

/// Splits `object` (a frame followed by anything) into its codec and the codec's output.
pub fn parse(object: &[u8]) -> Result<(CodecKind, &[u8]), DecodeError> {
    let (header, rest) = object.split_first_chunk::<HEADER>().ok_or(DecodeError::Truncated)?;
    let len = usize::from(u16::from_le_bytes([header[0], header[1]]));
    let kind = CodecKind::from_number(header[2]).ok_or(DecodeError::UnknownFormat)?;
    if header[3] != 0 {
        return Err(DecodeError::UnknownFormat);
    }
    let body = rest.get(..len).ok_or(DecodeError::Truncated)?;
    Ok((kind, body))
}
