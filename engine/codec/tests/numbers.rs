//! The filter for numbers gives back every bit, and is chosen where it pays.

use proptest::prelude::*;
use proptest::sample::select;
use ztera_codec::{CodecKind, DecodeError, Numbers, Packed, Packer, Settings, frame, frame::Form};
use ztera_kit::Random;

const CODECS: [CodecKind; 3] = CodecKind::ALL;
const UNIT: usize = 16384;

fn numbers() -> impl Strategy<Value = Numbers> {
    prop_oneof![
        Just(Numbers::Ints),
        Just(Numbers::Longs),
        (0..10_u8).prop_map(Numbers::Floats),
        (0..10_u8).prop_map(Numbers::Doubles),
    ]
}

/// A word of any kind: of decimals, integers, pairs of each, and bits that are easily lost.
fn word() -> impl Strategy<Value = u64> {
    let pair = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
    let odd =
        [f64::NAN, -f64::NAN, f64::INFINITY, -0.0, f64::MIN_POSITIVE, f64::MAX, 5e-324].map(f64::to_bits);
    let signalling = [0x7ff0_0000_0000_0001, 0x7f80_0001_ff80_0001, 0x8000_0000_8000_0000];
    prop_oneof![
        4 => (-1_000_000..1_000_000_i64).prop_map(|i| (i as f64 / 1000.0).to_bits()),
        2 => (-99_999..99_999_i32, -99_999..99_999_i32)
            .prop_map(move |(a, b)| pair((a as f32 / 100.0).to_bits(), (b as f32 / 100.0).to_bits())),
        2 => (0..3000_u32, any::<u32>()).prop_map(move |(a, b)| pair(a, b)),
        1 => any::<u64>(),
        1 => any::<f64>().prop_map(f64::to_bits),
        1 => select([&odd[..], &signalling].concat()),
    ]
}

/// Words in runs, each of one kind more or less.
fn words(len: usize) -> impl Strategy<Value = Vec<u8>> {
    let run = (word(), 0..2000_u64, 1..200_usize).prop_map(|(first, step, n)| {
        (0..n as u64).map(|i| first.wrapping_add(i.wrapping_mul(step))).collect::<Vec<_>>()
    });
    let runs = prop_oneof![run, proptest::collection::vec(word(), 1..200)];
    proptest::collection::vec(runs, 1..20).prop_map(move |runs| {
        let words: Vec<u64> = runs.concat();
        words.iter().cycle().flat_map(|word| word.to_le_bytes()).take(len).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_split_is_joined(numbers in numbers(), blocks in 1..20_usize, unit in words(20 * 512)) {
        let unit = &unit[..blocks * 512];
        // Of floats, whose words are as short as exceptions, all may be exceptions.
        let (mut packed, mut rest) = (vec![0; 2 * unit.len()], vec![0; 2 * unit.len()]);
        let lens = numbers.split(unit, &mut packed, &mut rest).expect("there is room");
        let (packed, rest) = (&packed[..lens.packed], &rest[..lens.rest]);
        let mut back = vec![0xee; unit.len()];
        prop_assert_eq!(numbers.join(packed, rest, &mut back), Ok(()));
        prop_assert!(back == unit);
        for wrong in [unit.len() - 512, unit.len() - 8, unit.len() + 1, unit.len() + 512] {
            prop_assert!(numbers.join(packed, rest, &mut vec![0; wrong]).is_err(), "{} bytes", wrong);
        }
        prop_assert!(numbers.join(packed, &[rest, &[0]].concat(), &mut back).is_err());
        prop_assert!(numbers.join(&[packed, &[0]].concat(), rest, &mut back).is_err());
        prop_assert!(numbers.join(packed, &rest[..rest.len() - 1], &mut back).is_err());
    }

    #[test]
    fn without_room_there_is_no_result(numbers in numbers(), unit in words(4096), short in 1..5000_usize) {
        let (mut packed, mut rest) = (vec![0; 2 * unit.len()], vec![0; 2 * unit.len()]);
        let lens = numbers.split(&unit, &mut packed, &mut rest).expect("there is room");
        let less = |len: usize| len.saturating_sub(short);
        if lens.packed > 0 {
            prop_assert_eq!(numbers.split(&unit, &mut packed[..less(lens.packed)], &mut rest), None);
        }
        prop_assert_eq!(numbers.split(&unit, &mut packed, &mut rest[..less(lens.rest)]), None);
    }

    #[test]
    fn what_is_packed_unpacks(unit in select(&[4096, 8192, UNIT, 65536][..]).prop_flat_map(words), kind in select(&CODECS[..])) {
        let mut packer = Packer::new(Settings { kind, level: 0 }, unit.len());
        let Packed::Frame(frame) = packer.pack(&unit) else { return Ok(()) };
        prop_assert!(frame.len() <= unit.len() / 8 * 7);
        let frame = frame.to_vec();
        let mut back = vec![0xee; unit.len()];
        prop_assert_eq!(packer.unpack(&frame, &mut back), Ok(()));
        prop_assert!(back == unit);
    }

    #[test]
    fn odd_lengths_are_left_alone(numbers in numbers(), unit in words(1000), len in 1..1000_usize) {
        if len % 512 != 0 {
            let (mut packed, mut rest) = ([0; 2048], [0; 2048]);
            // Numbers of 4 bytes come in blocks of half that length.
            let short = matches!(numbers, Numbers::Ints | Numbers::Floats(_)) && len % 256 == 0;
            prop_assert_eq!(numbers.split(&unit[..len], &mut packed, &mut rest).is_some(), short);
            let joined = numbers.join(&[], &[], &mut vec![0; len]);
            prop_assert_eq!(joined == Err(DecodeError::WrongLength), !short);
        }
    }
}

/// Units of arrays of 1000 elements behind their headers, as in a Java heap.
fn arrays<const N: usize>(mut element: impl FnMut(&mut Random) -> [u8; N]) -> Vec<u8> {
    let mut random = Random(1);
    let mut bytes = Vec::new();
    while bytes.len() < 8 * UNIT {
        bytes.extend([1_u64.to_le_bytes(), (1000_u64 << 32 | 0x1a98).to_le_bytes()].concat());
        (0..1000).for_each(|_| bytes.extend(element(&mut random)));
    }
    bytes.truncate(8 * UNIT);
    bytes
}

/// Bytes of all units' objects, the filters that they were given, and how many are kept as they are.
fn packed(bytes: &[u8], kind: CodecKind) -> (usize, Vec<Option<Numbers>>, usize) {
    let mut packer = Packer::new(Settings { kind, level: 0 }, UNIT);
    let (mut len, mut filters, mut huge) = (0, Vec::new(), 0);
    for unit in bytes.chunks(UNIT) {
        match packer.pack(unit) {
            Packed::Frame(frame) => {
                len += frame.len();
                filters.push(match frame::parse(frame).unwrap().form {
                    Form::Numbers(numbers) => Some(numbers),
                    Form::Whole | Form::Split => None,
                });
            }
            Packed::Huge => {
                len += unit.len();
                huge += 1;
            }
            Packed::Same(_) => {}
        }
    }
    (len, filters, huge)
}

fn rounded(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0
}

#[test]
fn doubles_with_three_decimals_are_two_and_a_half_times_smaller() {
    let mut walk = 0.0;
    let steps = arrays(|random| {
        walk += random.fraction() * 2.0 - 1.0;
        rounded(walk).to_le_bytes()
    });
    let scattered = arrays(|random| rounded(random.fraction() * 1000.0 - 500.0).to_le_bytes());
    for (bytes, kind) in [&steps, &scattered].into_iter().flat_map(|bytes| CODECS.map(|kind| (bytes, kind))) {
        let (len, filters, _) = packed(bytes, kind);
        assert!(len * 5 < bytes.len() * 2, "{len} of {} bytes with {kind:?}", bytes.len());
        assert_eq!(filters, [Some(Numbers::Doubles(3)); 8]);
    }
}

#[test]
fn each_kind_of_number_is_recognised() {
    let mut time = 1_700_000_000_000_u64;
    let times = arrays(|random| {
        time += (random.fraction() * 1000.0) as u64;
        time.to_le_bytes()
    });
    let mut reference = 1_u32 << 28;
    let references = arrays(|random| {
        reference += (random.fraction() * 100.0) as u32;
        reference.to_le_bytes()
    });
    let floats = arrays(|random| (rounded(random.fraction() * 100.0) as f32).to_le_bytes());
    let prices = arrays(|random| ((random.fraction() * 10_000.0).round() / 100.0).to_le_bytes());
    for (bytes, numbers) in [
        (times, Numbers::Longs),
        (references, Numbers::Ints),
        (floats, Numbers::Floats(3)),
        (prices, Numbers::Doubles(2)),
    ] {
        for kind in CODECS {
            let (len, filters, _) = packed(&bytes, kind);
            let plain: usize = bytes.chunks(UNIT).map(|unit| plain_len(unit, kind)).sum();
            assert_eq!(filters, [Some(numbers); 8], "{kind:?}");
            assert!(len < plain, "{len} with the filter, {plain} without");
        }
    }
}

fn plain_len(unit: &[u8], kind: CodecKind) -> usize {
    match Packer::without_filters(Settings { kind, level: 0 }, UNIT).pack(unit) {
        Packed::Frame(frame) => frame.len(),
        _ => unit.len(),
    }
}

#[test]
fn random_mantissas_are_kept_as_they_are() {
    let doubles = arrays(|random| random.fraction().to_le_bytes());
    let floats = arrays(|random| ((random.fraction() * 100.0) as f32).to_le_bytes());
    for (bytes, kind) in [&doubles, &floats].into_iter().flat_map(|bytes| CODECS.map(|kind| (bytes, kind))) {
        assert_eq!(packed(bytes, kind), (bytes.len(), vec![], 8), "{kind:?}");
    }
}

#[test]
fn noise_is_not_given_to_a_slow_codec_but_copies_of_it_are_found() {
    let mut random = Random(1);
    let noise: Vec<u8> = (0..UNIT / 16).flat_map(|_| random.fraction().to_le_bytes()).collect();
    let twice = noise.repeat(2);
    let mut packer = Packer::new(Settings { kind: CodecKind::Zstd, level: 0 }, UNIT);
    let Packed::Frame(frame) = packer.pack(&twice) else { panic!("half of the unit is a copy") };
    assert_eq!(frame::parse(frame).unwrap().kind, CodecKind::Lz4);
    assert!(frame.len() < UNIT / 8 * 5);
}

#[test]
fn objects_are_left_to_the_codec() {
    let mut random = Random(1);
    let mut below = |n: u64| (random.fraction() * n as f64) as u64;
    // A header, references that lie anywhere, small numbers, a flag, and nothing.
    let objects: Vec<u8> = (0..UNIT / 32)
        .flat_map(|_| [1, 0x1a98 | below(1 << 28) << 32, below(1 << 28) | below(100) << 32, below(2)])
        .flat_map(u64::to_le_bytes)
        .collect();
    let text = b"All animals are equal, but some animals are more equal than others. ".repeat(UNIT / 68 + 1);
    for unit in [&objects, &text[..UNIT]] {
        for kind in CODECS {
            assert_eq!(packed(unit, kind).1, [None]);
        }
    }
}

/// They are numbers, but packing makes each of them a few bits, and a codec many of them a few bytes.
#[test]
fn what_repeats_is_left_to_the_codec() {
    let words =
        |word: fn(usize) -> u64| (0..UNIT / 8).flat_map(|i| word(i).to_le_bytes()).collect::<Vec<_>>();
    let runs = words(|i| (i / 50) as u64);
    let period = words(|i| (i % 20) as u64 * 12345);
    let prices = words(|i| ((i * i % 7) as f64 + 0.25).to_bits());
    for unit in [&runs, &period, &prices] {
        for kind in CODECS {
            assert_eq!(packed(unit, kind).1, [None]);
        }
    }
}
