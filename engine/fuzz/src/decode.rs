//! Decoders. The first byte says how long the unit is; the rest is what is decoded.

use ztera_codec::frame::{self as format, Form};
use ztera_codec::{CodecKind, DecodeError, Numbers, Packed, Packer, Settings, split};

/// Unit lengths: those that exist, and some that do not.
const LENS: [usize; 6] = [4096, 16384, 65536, 1, 4097, 70_000];
/// A unit that has to come back as it was, and one of several pages.
const UNIT: usize = 4096;
const SPLIT: usize = 16384;

/// The body of an lz4 frame.
pub fn lz4(data: &[u8]) {
    body(CodecKind::Lz4, data);
}

/// The body of a zstd frame.
pub fn zstd(data: &[u8]) {
    body(CodecKind::Zstd, data);
}

/// The body of a deflate frame.
pub fn deflate(data: &[u8]) {
    body(CodecKind::Deflate, data);
}

fn body(kind: CodecKind, data: &[u8]) {
    let Some((&len, body)) = data.split_first() else { return };
    let mut object = vec![0; format::HEADER];
    object.extend(&body[..body.len().min(format::MAX_BODY)]);
    let body_len = object.len() - format::HEADER;
    format::write_header(&mut object, kind, Form::Whole, body_len);
    decode(&object, len);
}

/// A whole object, header and all; and the bytes as a unit, which have to come back as they were.
pub fn frame(data: &[u8]) {
    let Some((&len, rest)) = data.split_first() else { return };
    decode(rest, len);
    for kind in CodecKind::ALL {
        // Few units get to the codec as they are if a filter can be had.
        round_trip(Packer::new(Settings { kind, level: 0 }, UNIT), rest);
        round_trip(Packer::without_filters(Settings { kind, level: 0 }, UNIT), rest);
        round_trip_split(Packer::new(Settings { kind, level: 0 }, SPLIT), rest);
    }
}

/// Input of the filter for numbers, which joins it: a byte that says which numbers, the length of those packed, these, and the rest. And
/// all of it as a unit of such numbers, which has to come back as it was.
pub fn numbers(data: &[u8]) {
    let Some((&[len, numbers, packed_low, packed_high], rest)) = data.split_first_chunk() else { return };
    let Some(numbers) = Numbers::from_byte(numbers) else { return };
    let len = LENS[usize::from(len) % LENS.len()];
    let packed = usize::from(u16::from_le_bytes([packed_low, packed_high]));
    if let Some((packed, rest)) = rest.split_at_checked(packed) {
        // Refused or not: it must only not do harm.
        let _ = guarded(len, |unit| numbers.join(packed, rest, unit));
    }
    let unit: Vec<u8> = data.iter().copied().cycle().take(4096).collect();
    let (mut packed, mut rest) = (vec![0; unit.len()], vec![0; 2 * unit.len()]);
    if let Some(lens) = numbers.split(&unit, &mut packed, &mut rest) {
        let joined = guarded(unit.len(), |out| numbers.join(&packed[..lens.packed], &rest[..lens.rest], out));
        assert_eq!(joined, Ok(unit));
    }
}

fn decode(object: &[u8], len: u8) {
    let len = LENS[usize::from(len) % LENS.len()];
    let mut packer = Packer::new(Settings::default(), 65536);
    let first = guarded(len, |unit| packer.unpack(object, unit));
    // The same again gives the same: no state is left from an object that was refused.
    assert!(guarded(len, |unit| packer.unpack(object, unit)) == first);
}

/// The `len` bytes that `decode` fills. It must touch no others.
fn guarded(
    len: usize,
    decode: impl FnOnce(&mut [u8]) -> Result<(), DecodeError>,
) -> Result<Vec<u8>, DecodeError> {
    const GUARD: usize = 64;
    let mut buffer = vec![0xc3; len + 2 * GUARD];
    let decoded = decode(&mut buffer[GUARD..GUARD + len]);
    assert!(buffer[..GUARD].iter().chain(&buffer[GUARD + len..]).all(|&byte| byte == 0xc3), "out of bounds");
    decoded.map(|()| buffer[GUARD..GUARD + len].to_vec())
}

/// Repeats `seed` to a unit, packs it, and unpacks it.
fn round_trip(mut packer: Packer, seed: &[u8]) {
    let Some(unit) = (!seed.is_empty()).then(|| seed.iter().copied().cycle().take(UNIT).collect::<Vec<_>>())
    else {
        return;
    };
    let mut back = vec![0; unit.len()];
    let object = match packer.pack(&unit) {
        Packed::Frame(object) => object.to_vec(),
        Packed::Same(word) => {
            ztera_codec::fill::expand(word, &mut back);
            return assert!(back == unit);
        }
        Packed::Huge => return,
    };
    assert!(object.len() <= unit.len() / 8 * 7);
    assert_eq!(packer.unpack(&object, &mut back), Ok(()));
    assert!(back == unit);
}

/// Repeats `seed` to a unit, packs it page by page, and unpacks each page by itself.
fn round_trip_split(mut packer: Packer, seed: &[u8]) {
    if seed.is_empty() {
        return;
    }
    let unit: Vec<u8> = seed.iter().copied().cycle().take(SPLIT).collect();
    let Packed::Frame(object) = packer.pack_split(&unit) else { return };
    let object = object.to_vec();
    assert!(object.len() <= unit.len() / 8 * 7);
    for (number, page) in unit.chunks(split::PAGE).enumerate() {
        let mut back = vec![0; SPLIT];
        assert_eq!(packer.unpack_pages(&object, &mut back, |other| other == number), Ok(()));
        assert!(back.chunks(split::PAGE).nth(number) == Some(page));
    }
}
