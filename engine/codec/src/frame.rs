//! The bytes of a compressed object: a 4-byte header, then the body.
//!
//! | byte | meaning |
//! |------|---------|
//! | 0..2 | length of the body, little-endian |
//! | 2    | [`CodecKind`] |
//! | 3    | [`Form`]: 0, that of [`Numbers`], or 1 for [split](crate::split) |
//!
//! The body of a whole unit is the codec's output. That of numbers is:
//!
//! | byte | meaning |
//! |------|---------|
//! | 0..2 | length of the rest before the codec |
//! | 2..4 | length *p* of the packed numbers |
//! | 4..4+*p* | the packed numbers |
//! | 4+*p*.. | the codec's output for the rest |
//!
//! The length is in the frame because the pool rounds objects up to its size classes.

use crate::codec::{CodecKind, DecodeError};
use crate::numbers::{Lens, Numbers};

/// Bytes in front of the body.
pub const HEADER: usize = 4;

/// Longest body that a frame can describe.
pub const MAX_BODY: usize = u16::MAX as usize;

/// Bytes in front of packed numbers.
pub const NUMBERS_HEADER: usize = 4;

/// How a unit got to the codec.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// As it is.
    Whole,
    /// As small integers, which are packed, and a rest for the codec.
    Numbers(Numbers),
    /// Page by page: [`split`](crate::split).
    Split,
}

impl Form {
    fn to_byte(self) -> u8 {
        match self {
            Self::Whole => 0,
            Self::Split => 1,
            Self::Numbers(numbers) => numbers.to_byte(),
        }
    }

    /// The form with this byte in a header, if there is one.
    pub fn from_byte(byte: u8) -> Option<Self> {
        match byte {
            0 => Some(Self::Whole),
            1 => Some(Self::Split),
            byte => Numbers::from_byte(byte).map(Self::Numbers),
        }
    }
}

/// An object, taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame<'a> {
    /// The codec that compressed it.
    pub kind: CodecKind,
    /// How the unit got to the codec.
    pub form: Form,
    /// The body.
    pub body: &'a [u8],
}

impl Frame<'_> {
    /// Bytes of the object, header and all.
    pub fn object_len(&self) -> usize {
        HEADER + self.body.len()
    }
}

/// Writes the header for a body of `body_len` bytes to the front of `frame`.
///
/// Panics if the length does not fit (units are at most 64 KiB and only kept when they shrink).
pub fn write_header(frame: &mut [u8], kind: CodecKind, form: Form, body_len: usize) {
    let len = u16::try_from(body_len).expect("compressed unit is shorter than 64 KiB");
    frame[..2].copy_from_slice(&len.to_le_bytes());
    frame[2] = kind as u8;
    frame[3] = form.to_byte();
}

/// Takes `object` (a frame followed by anything) apart.
pub fn parse(object: &[u8]) -> Result<Frame<'_>, DecodeError> {
    let (header, rest) = object.split_first_chunk::<HEADER>().ok_or(DecodeError::Truncated)?;
    let len = usize::from(u16::from_le_bytes([header[0], header[1]]));
    let kind = CodecKind::from_number(header[2]).ok_or(DecodeError::UnknownFormat)?;
    let form = Form::from_byte(header[3]).ok_or(DecodeError::UnknownFormat)?;
    let body = rest.get(..len).ok_or(DecodeError::Truncated)?;
    Ok(Frame { kind, form, body })
}

/// Writes what is in front of packed numbers to the front of `body`. `None` if a length does not fit.
pub fn write_numbers_header(body: &mut [u8], lens: Lens) -> Option<()> {
    let [rest, packed] = [lens.rest, lens.packed].map(|len| u16::try_from(len).ok());
    body[..2].copy_from_slice(&rest?.to_le_bytes());
    body[2..NUMBERS_HEADER].copy_from_slice(&packed?.to_le_bytes());
    Some(())
}

/// The length of the rest, the packed numbers, and the codec's output for the rest.
pub fn parse_numbers(body: &[u8]) -> Result<(usize, &[u8], &[u8]), DecodeError> {
    let (header, body) = body.split_first_chunk::<NUMBERS_HEADER>().ok_or(DecodeError::Malformed)?;
    let [rest, packed] =
        [[header[0], header[1]], [header[2], header[3]]].map(|len| usize::from(u16::from_le_bytes(len)));
    let (packed, output) = body.split_at_checked(packed).ok_or(DecodeError::Malformed)?;
    Ok((rest, packed, output))
}
