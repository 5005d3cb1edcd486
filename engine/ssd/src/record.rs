//! The bytes of a record: a header, then a body, which is what was pushed, or that encrypted. Records start at
//! multiples of 64 bytes.
//!
//! | byte   | meaning, little-endian |
//! |--------|---------|
//! | 0..4   | length of the body; 0 = no record: padding to the end of the block |
//! | 4..8   | key: for whom it was written |
//! | 8..12  | life: how often the segment had been taken into use |
//! | 12..16 | CRC-32 of bytes 0..12, of the body, and of what is not written: its place, and a number of the tier's own |

use crate::place::GRANULE;

/// Bytes in front of the body.
pub(crate) const HEADER: usize = 16;

/// The title tells a record from all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Title {
    pub key: u32,
    pub life: u32,
    /// Where it is, in bytes.
    pub offset: u64,
    /// Drawn when the tier was opened: a block device may still have what another process wrote.
    pub tier: u32,
}

/// The bytes are not those that were written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Corrupt;

/// Bytes from the start of one record with a body of `len` bytes to that of the next.
pub(crate) fn footprint(len: usize) -> usize {
    (HEADER + len).next_multiple_of(GRANULE)
}

/// Writes `bytes` to where the record at the front of `out`, of `footprint` bytes, has its body, and zeros behind.
pub(crate) fn write(out: &mut [u8], bytes: &[u8], footprint: usize) {
    let (body, padding) = out[HEADER..footprint].split_at_mut(bytes.len());
    body.copy_from_slice(bytes);
    padding.fill(0);
}

/// Completes the record at the front of `out`, the body of which has `len` bytes.
pub(crate) fn seal(out: &mut [u8], title: Title, len: usize) {
    let (header, rest) = out.split_at_mut(HEADER);
    header[..4].copy_from_slice(&(len as u32).to_le_bytes());
    header[4..8].copy_from_slice(&title.key.to_le_bytes());
    header[8..12].copy_from_slice(&title.life.to_le_bytes());
    let sum = checksum(&header[..12], &rest[..len], title);
    header[12..].copy_from_slice(&sum.to_le_bytes());
}

/// The body of the record with `title`, if that is what `from` starts with.
pub(crate) fn read(from: &[u8], title: Title) -> Result<&[u8], Corrupt> {
    let (header, rest) = from.split_first_chunk::<HEADER>().ok_or(Corrupt)?;
    let word = |at: usize| u32::from_le_bytes(header[at..at + 4].try_into().expect("four bytes"));
    let body = rest.get(..word(0) as usize).ok_or(Corrupt)?;
    let found = Title { key: word(4), life: word(8), ..title };
    if body.is_empty() || found != title || word(12) != checksum(&header[..12], body, title) {
        return Err(Corrupt);
    }
    Ok(body)
}

/// The record that `from` starts with, if it has `title` but for the key: for whom, and its body.
pub(crate) fn first(from: &[u8], title: Title) -> Result<(u32, &[u8]), Corrupt> {
    let key = from.get(4..8).ok_or(Corrupt)?;
    let key = u32::from_le_bytes(key.try_into().expect("four bytes"));
    read(from, Title { key, ..title }).map(|bytes| (key, bytes))
}

fn checksum(header: &[u8], bytes: &[u8], title: Title) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(header);
    hasher.update(bytes);
    hasher.update(&title.offset.to_le_bytes());
    hasher.update(&title.tier.to_le_bytes());
    hasher.finalize()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn record(out: &mut [u8], bytes: &[u8]) {
        write(out, bytes, footprint(bytes.len()));
        seal(out, TITLE, bytes.len());
    }

    const TITLE: Title = Title { key: 7, life: 3, offset: 8192, tier: 5 };

    #[test]
    fn a_record_is_read_by_its_own_title_only() {
        let mut out = [0xaa; 256];
        record(&mut out, b"some bytes");
        assert_eq!(read(&out, TITLE), Ok(&b"some bytes"[..]));
        assert_eq!(read(&out, Title { key: 8, ..TITLE }), Err(Corrupt));
        assert_eq!(read(&out, Title { life: 2, ..TITLE }), Err(Corrupt));
        assert_eq!(read(&out, Title { offset: 4096, ..TITLE }), Err(Corrupt));
        assert_eq!(read(&out, Title { tier: 6, ..TITLE }), Err(Corrupt));
        assert_eq!(first(&out, Title { key: 0, ..TITLE }), Ok((7, &b"some bytes"[..])));
        assert_eq!(first(&out, Title { tier: 6, ..TITLE }), Err(Corrupt));
        assert!(out[HEADER + 10..64].iter().all(|&byte| byte == 0) && out[64] == 0xaa);
        assert_eq!(read(&[0; 64], Title { key: 0, life: 0, ..TITLE }), Err(Corrupt));
    }

    proptest! {
        #[test]
        fn a_changed_byte_is_noticed(bytes in prop::collection::vec(any::<u8>(), 1..3000), at: prop::sample::Index, flip in 1_u8..) {
            let mut out = vec![0; footprint(bytes.len())];
            record(&mut out, &bytes);
            prop_assert_eq!(read(&out, TITLE), Ok(&bytes[..]));
            out[at.index(HEADER + bytes.len())] ^= flip;
            prop_assert_eq!(read(&out, TITLE), Err(Corrupt));
        }

        #[test]
        fn any_bytes_can_be_read(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            prop_assert_eq!(read(&bytes, TITLE), Err(Corrupt));
        }
    }
}
