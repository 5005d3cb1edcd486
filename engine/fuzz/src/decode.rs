//! Decoders. The first byte says how long the unit is; the rest is what is decoded.

use ztera_codec::{CodecKind, Packed, Packer, Settings, frame as format};

/// Unit lengths: those that exist, and some that do not.
const LENS: [usize; 6] = [4096, 16384, 65536, 1, 4097, 70_000];

/// The body of an lz4 frame.
pub fn lz4(data: &[u8]) {
    body(CodecKind::Lz4, data);
}

/// The body of a zstd frame.
pub fn zstd(data: &[u8]) {
    body(CodecKind::Zstd, data);
}

fn body(kind: CodecKind, data: &[u8]) {
    let Some((&len, body)) = data.split_first() else { return };
    let mut object = vec![0; format::HEADER];
    object.extend(&body[..body.len().min(format::MAX_BODY)]);
    let body_len = object.len() - format::HEADER;
    format::write_header(&mut object, kind, body_len);
    decode(&object, len);
}

/// A whole object, header and all; and the bytes as a unit, which have to come back as they were.
pub fn frame(data: &[u8]) {
    let Some((&len, rest)) = data.split_first() else { return };
    decode(rest, len);
    for kind in [CodecKind::Lz4, CodecKind::Zstd] {
        round_trip(kind, rest);
    }
}

fn decode(object: &[u8], len: u8) {
    const GUARD: usize = 64;
    let len = LENS[usize::from(len) % LENS.len()];
    let mut buffer = vec![0xc3; len + 2 * GUARD];
    let mut packer = Packer::new(Settings::default(), 65536);
    let first = packer.unpack(object, &mut buffer[GUARD..GUARD + len]);
    assert!(buffer[..GUARD].iter().chain(&buffer[GUARD + len..]).all(|&byte| byte == 0xc3), "out of bounds");
    // The same again gives the same: no state is left from an object that was refused.
    let mut again = vec![0; len];
    assert_eq!(packer.unpack(object, &mut again), first);
    assert!(first.is_err() || again == buffer[GUARD..GUARD + len]);
}

/// Repeats `seed` to a unit, packs it, and unpacks it.
fn round_trip(kind: CodecKind, seed: &[u8]) {
    let Some(unit) = (!seed.is_empty()).then(|| seed.iter().copied().cycle().take(4096).collect::<Vec<_>>())
    else {
        return;
    };
    let mut packer = Packer::new(Settings { kind, level: 0 }, unit.len());
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
