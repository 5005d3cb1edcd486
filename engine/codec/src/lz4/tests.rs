//! liblz4 reads all that the encoder writes, and keeps the format's rules.

use proptest::prelude::*;
use ztera_kit::noise;

use super::Lz4;
use super::encoder::LONGEST;
use crate::codec::Codec;

/// Bytes of a Java heap more or less: headers, references that differ in few bytes, small integers.
fn objects() -> impl Strategy<Value = Vec<u8>> {
    let word = prop_oneof![
        4 => (0..40_u64).prop_map(|class| class << 32 | 1),
        4 => (0..5000_u64).prop_map(|place| 0x8_1000 + 8 * place),
        2 => (0..3_u64, 0..200_u64).prop_map(|(low, high)| high << 32 | low),
        1 => any::<u64>(),
    ];
    proptest::collection::vec(word, 1..100)
        .prop_map(|words| words.iter().flat_map(|word| word.to_le_bytes()).collect())
}

fn text() -> impl Strategy<Value = Vec<u8>> {
    let word =
        proptest::sample::select(&["public ", "static ", "return ", "this.", "\n    ", "int ", "};\n"][..]);
    let name = "[a-z]{1,9} ".prop_map(String::from);
    proptest::collection::vec(prop_oneof![word.prop_map(String::from), name], 1..100)
        .prop_map(|words| words.concat().into_bytes())
}

/// Of any length that is encoded, and of any contents.
fn source() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        objects(),
        text(),
        proptest::collection::vec(any::<u8>(), 1..300),
        (any::<u8>(), 1..2000_usize).prop_map(|(byte, n)| vec![byte; n]),
        (proptest::collection::vec(any::<u8>(), 1..20), 1..100_usize).prop_map(|(bytes, n)| bytes.repeat(n)),
    ];
    let pieces = proptest::collection::vec(piece, 1..12).prop_map(|pieces| pieces.concat());
    let len = prop_oneof![0..200_usize, 200..20_000_usize, Just(8192), Just(16384), Just(LONGEST)];
    // Those that are shorter begin again: far matches.
    (pieces, len).prop_map(|(bytes, len)| bytes.iter().copied().cycle().take(len).collect())
}

/// Enough for any result.
fn room(src: &[u8]) -> Vec<u8> {
    vec![0xa5; src.len() + src.len() / 255 + 16]
}

fn encode(acceleration: i32, src: &[u8]) -> Vec<u8> {
    let mut dst = room(src);
    let len = Lz4::new(acceleration).compress(src, &mut dst).expect("there is room");
    dst.truncate(len);
    dst
}

fn encode_in_haste(src: &[u8]) -> Vec<u8> {
    let mut dst = room(src);
    let len = Lz4::new(1).compress_in_haste(src, &mut dst).expect("there is room");
    dst.truncate(len);
    dst
}

fn decoded(block: &[u8], len: usize) -> Vec<u8> {
    let mut out = vec![0xee; len];
    Lz4::new(1).decompress(block, &mut out).expect("liblz4 reads it");
    out
}

/// A length that begins with a token's half.
fn read_length(block: &mut &[u8], half: u8) -> usize {
    let mut length = usize::from(half);
    if half == 15 {
        loop {
            let (&byte, rest) = block.split_first().expect("lengths are complete");
            *block = rest;
            length += usize::from(byte);
            if byte < 255 {
                break;
            }
        }
    }
    length
}

/// Where matches begin and end.
fn matches(mut block: &[u8]) -> Vec<(usize, usize)> {
    let (mut matches, mut at) = (Vec::new(), 0);
    loop {
        let (&token, rest) = block.split_first().expect("the last sequence has no match");
        block = rest;
        let literals = read_length(&mut block, token >> 4);
        block = &block[literals..];
        at += literals;
        if block.is_empty() {
            return matches;
        }
        let distance = usize::from(u16::from_le_bytes([block[0], block[1]]));
        assert!((1..=at).contains(&distance), "distance {distance} at {at}");
        block = &block[2..];
        let end = at + 4 + read_length(&mut block, token & 15);
        matches.push((at, end));
        at = end;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn liblz4_reads_what_is_encoded(src in source(), acceleration in -1..40_i32) {
        for block in [encode(acceleration, &src), encode_in_haste(&src)] {
            prop_assert!(decoded(&block, src.len()) == src);
        }
    }

    #[test]
    fn the_end_is_as_the_format_wants_it(src in source()) {
        for block in [encode(1, &src), encode_in_haste(&src)] {
            for (begin, end) in matches(&block) {
                prop_assert!(begin + 12 <= src.len() && end + 5 <= src.len(), "{begin}..{end} of {}", src.len());
            }
        }
    }

    #[test]
    fn nothing_is_written_behind_the_room(src in source(), share in 0.0..1.1_f64) {
        let (full, hasty) = (encode(1, &src), encode_in_haste(&src));
        let room = (full.len() as f64 * share) as usize;
        let mut dst = vec![0xa5; room + 64];
        let mut lz4 = Lz4::new(1);
        for (in_haste, full) in [(false, &full), (true, &hasty)] {
            let (front, behind) = dst.split_at_mut(room);
            let len = if in_haste { lz4.compress_in_haste(&src, front) } else { lz4.compress(&src, front) };
            prop_assert!(behind.iter().all(|&byte| byte == 0xa5));
            prop_assert!(len.is_some() || room < full.len(), "{} bytes do not fit in {room}", full.len());
            if let Some(len) = len {
                prop_assert!(len <= room && decoded(&front[..len], src.len()) == src);
            }
        }
    }

    #[test]
    fn a_result_fits_in_as_much_as_it_takes(src in source()) {
        let full = encode(1, &src);
        let mut dst = vec![0; full.len()];
        prop_assert_eq!(Lz4::new(1).compress(&src, &mut dst), Some(full.len()));
        prop_assert!(dst == full);
    }

    #[test]
    fn whole_copies_are_found_in_haste(seed in any::<u64>(), words in 64..1000_usize) {
        let once = noise(seed, 8 * words);
        let block = encode_in_haste(&once.repeat(2));
        // Thrice 21 words: places with the same hash replace each other.
        let most = once.len() + once.len() / 255 + 3 * 21 * 8 + 20;
        prop_assert!(block.len() < most, "{} words take {} bytes", words, block.len());
    }
}

#[test]
fn all_short_lengths() {
    for len in 0..300 {
        for src in [vec![7; len], (0..len).map(|i| (i % 9) as u8).collect()] {
            assert_eq!(decoded(&encode(1, &src), len), src, "{len} bytes");
        }
    }
}

#[test]
fn more_than_64_kib_is_refused() {
    let src = vec![0; LONGEST + 1];
    assert_eq!(Lz4::new(1).compress(&src, &mut room(&src)), None);
    assert_eq!(Lz4::new(1).compress_in_haste(&src, &mut room(&src)), None);
}

#[test]
fn short_matches_are_used_where_there_are_no_long_ones() {
    // Times in milliseconds: of eight bytes, five are always the same.
    let mut state = 1_u64;
    let time = |_| {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        (0x18f_0000_0000_u64 | state >> 40).to_le_bytes()
    };
    let src: Vec<u8> = (0..1024).flat_map(time).collect();
    let len = encode(1, &src).len();
    assert!(len < src.len() * 7 / 8, "{len}");
}

/// The search for long matches ends in vain after such a start, and the one for short matches has to find the rest.
#[test]
fn a_bad_start_does_not_spoil_a_unit() {
    for repeated in [&b"the same again and again "[..], &[1, 0, 0, 0, 9, 8, 7, 6, 5, 4, 3, 2]] {
        let mut src = noise(1, 4096);
        src.extend(repeated.iter().cycle().take(12 << 10));
        let encoded = encode(1, &src);
        assert!(encoded.len() < src.len() / 3, "{} bytes", encoded.len());
        let mut back = vec![0; src.len()];
        Lz4::new(1).decompress(&encoded, &mut back).expect("it is a block");
        assert!(back == src);
    }
}
