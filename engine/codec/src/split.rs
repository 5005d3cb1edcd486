//! The body of a split unit: its pages, each compressed without the others.
//!
//! | bytes | meaning |
//! |-------|---------|
//! | 0..2*n* | lengths of the *n* pages' outputs, 2 bytes each, little-endian |
//! | 2*n*.. | the outputs, one after the other |
//!
//! An output as long as a page is the page as it is. All pages take more than their unit, and each decodes faster:
//! `docs/decisions/0103-objects-read-by-the-page-are-split.md` has figures.

use crate::codec::{Codec, DecodeError};

/// Bytes of a page.
pub const PAGE: usize = 4096;

/// Bytes of a length.
const LEN: usize = 2;

/// Compresses each page of `unit`, which is whole pages, into the front of `body`. Returns how much that took, or `None` if
/// `body` is too small.
pub(crate) fn pack(unit: &[u8], codec: &mut dyn Codec, body: &mut [u8]) -> Option<usize> {
    let (pages, []) = unit.as_chunks::<PAGE>() else { return None };
    let (lens, outputs) = body.split_at_mut_checked(pages.len() * LEN)?;
    let mut end = 0;
    for (page, len) in pages.iter().zip(lens.as_chunks_mut::<LEN>().0) {
        let output = pack_page(page, codec, &mut outputs[end..])?;
        *len = u16::try_from(output).ok()?.to_le_bytes();
        end += output;
    }
    Some(lens.len() + end)
}

fn pack_page(page: &[u8], codec: &mut dyn Codec, dst: &mut [u8]) -> Option<usize> {
    let limit = dst.len().min(PAGE - 1);
    if let Some(len) = codec.compress(page, &mut dst[..limit]) {
        return Some(len);
    }
    dst.get_mut(..PAGE)?.copy_from_slice(page);
    Some(PAGE)
}

/// Decodes those pages of `unit` that are `wanted`, by their numbers. Any input that [`pack`] has not made gives an error:
/// never a panic, and never an access outside the slices.
pub(crate) fn unpack(
    body: &[u8],
    codec: &mut dyn Codec,
    unit: &mut [u8],
    wanted: impl Fn(usize) -> bool,
) -> Result<(), DecodeError> {
    let (pages, []) = unit.as_chunks_mut::<PAGE>() else { return Err(DecodeError::WrongLength) };
    let (lens, mut outputs) = body.split_at_checked(pages.len() * LEN).ok_or(DecodeError::Malformed)?;
    for (number, (page, len)) in pages.iter_mut().zip(lens.as_chunks::<LEN>().0).enumerate() {
        let len = usize::from(u16::from_le_bytes(*len));
        let (output, rest) = outputs.split_at_checked(len).ok_or(DecodeError::Malformed)?;
        outputs = rest;
        if !wanted(number) {
            continue;
        }
        match <&[u8; PAGE]>::try_from(output) {
            Ok(plain) => *page = *plain,
            Err(_) => codec.decompress(output, page)?,
        }
    }
    if outputs.is_empty() { Ok(()) } else { Err(DecodeError::Malformed) }
}
