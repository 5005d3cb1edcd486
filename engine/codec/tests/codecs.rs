//! Every codec gives back what it was given, and takes no damage from what it was not.

use proptest::prelude::*;
use ztera_codec::frame::{self, Form};
use ztera_codec::{CodecKind, DecodeError, Numbers, Packed, Packer, Settings, split};
use ztera_kit::noise;

const UNITS: [usize; 3] = [4096, 16384, 65536];

/// Bytes of a unit, from compressible to not: runs, copies of earlier parts, and noise.
fn unit(len: usize) -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        (any::<u8>(), 1..600_usize).prop_map(|(byte, n)| vec![byte; n]),
        proptest::collection::vec(any::<u8>(), 1..600),
        proptest::collection::vec(0..4_u8, 1..600),
    ];
    proptest::collection::vec(piece, 1..40).prop_map(move |pieces| {
        let mut bytes: Vec<u8> = pieces.into_iter().flatten().collect();
        while bytes.len() < len {
            bytes.extend_from_within(..(len - bytes.len()).min(bytes.len()));
        }
        bytes.truncate(len);
        bytes
    })
}

fn settings() -> impl Strategy<Value = Settings> {
    (proptest::sample::select(&CodecKind::ALL[..]), -5..7_i32)
        .prop_map(|(kind, level)| Settings { kind, level })
}

fn any_unit() -> impl Strategy<Value = Vec<u8>> {
    proptest::sample::select(&UNITS[..]).prop_flat_map(unit)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_packed_unpacks(unit in any_unit(), settings in settings(), tail in 0..50_usize) {
        let mut packer = Packer::new(settings, unit.len());
        let Packed::Frame(frame) = packer.pack(&unit) else { return Ok(()) };
        prop_assert!(frame.len() <= unit.len() / 8 * 7);
        // The pool hands objects out with whatever follows them in their slot.
        let mut object = frame.to_vec();
        object.extend(std::iter::repeat_n(0xa5, tail));
        let mut out = vec![0xee; unit.len()];
        prop_assert_eq!(packer.unpack(&object, &mut out), Ok(()));
        prop_assert!(out == unit);
    }

    #[test]
    fn pages_of_a_split_unit_unpack_alone(unit in any_unit(), settings in settings(), tail in 0..50_usize) {
        let mut packer = Packer::new(settings, unit.len());
        let Packed::Frame(frame) = packer.pack_split(&unit) else { return Ok(()) };
        prop_assert!(frame.len() <= unit.len() / 8 * 7);
        let mut object = frame.to_vec();
        object.extend(std::iter::repeat_n(0xa5, tail));
        let is_split = frame::parse(&object).is_ok_and(|frame| frame.form == Form::Split);
        let mut out = vec![0xee; unit.len()];
        for (number, page) in unit.chunks(split::PAGE).enumerate() {
            prop_assert_eq!(packer.unpack_pages(&object, &mut out, |other| other == number), Ok(()));
            let (decoded, rest) = out.split_at(number * split::PAGE + split::PAGE);
            prop_assert!(decoded.ends_with(page));
            prop_assert!(!is_split || rest.iter().all(|&byte| byte == 0xee), "others stay as they were");
        }
        out.fill(0);
        prop_assert_eq!(packer.unpack(&object, &mut out), Ok(()));
        prop_assert!(out == unit);
    }

    /// Of a unit that is encoded as a whole, at least the pages up to the one that is wanted are decoded.
    #[test]
    fn pages_of_a_whole_unit_unpack(unit in any_unit(), settings in settings(), tail in 0..50_usize) {
        let mut packer = Packer::new(settings, unit.len());
        let Packed::Frame(frame) = packer.pack(&unit) else { return Ok(()) };
        let mut object = frame.to_vec();
        object.extend(std::iter::repeat_n(0xa5, tail));
        for (number, page) in unit.chunks(split::PAGE).enumerate() {
            let mut out = vec![0xee; unit.len()];
            prop_assert_eq!(packer.unpack_pages(&object, &mut out, |other| other == number), Ok(()));
            prop_assert!(out[number * split::PAGE..].starts_with(page));
        }
    }

    #[test]
    fn a_cut_frame_is_an_error(unit in any_unit(), settings in settings(), cut in any::<proptest::sample::Index>()) {
        let mut packer = Packer::new(settings, unit.len());
        let Packed::Frame(frame) = packer.pack(&unit) else { return Ok(()) };
        let object = frame[..cut.index(frame.len())].to_vec();
        prop_assert_eq!(packer.unpack(&object, &mut vec![0; unit.len()]), Err(DecodeError::Truncated));
    }

    #[test]
    fn the_wrong_unit_size_is_an_error(unit in unit(16384), settings in settings(), off in 1..9000_usize) {
        let mut packer = Packer::new(settings, unit.len());
        let Packed::Frame(frame) = packer.pack(&unit) else { return Ok(()) };
        let frame = frame.to_vec();
        prop_assert!(packer.unpack(&frame, &mut vec![0; unit.len() - off]).is_err());
        prop_assert!(packer.unpack(&frame, &mut vec![0; unit.len() + off]).is_err());
    }
}

#[test]
fn noise_is_huge_and_zeros_are_same() {
    let noise = noise(1, 16384);
    for kind in CodecKind::ALL {
        let mut packer = Packer::new(Settings { kind, level: 0 }, 16384);
        assert_eq!(packer.pack(&noise), Packed::Huge);
        assert_eq!(packer.pack(&[0; 16384]), Packed::Same(0));
        assert_eq!(packer.pack(&[0x5a; 16384]), Packed::Same(0x5a5a_5a5a));
    }
}

#[test]
fn each_packer_reads_every_codec() {
    let unit: Vec<u8> = (0..16384_u32).map(|i| (i / 100) as u8).collect();
    let pairs = CodecKind::ALL.into_iter().flat_map(|from| CodecKind::ALL.map(|to| (from, to)));
    for (from, to) in pairs.filter(|(from, to)| from != to) {
        let [mut from, mut to] = [from, to].map(|kind| Packer::new(Settings { kind, level: 0 }, 16384));
        let Packed::Frame(frame) = from.pack(&unit) else { panic!("the unit compresses") };
        let mut out = vec![0; unit.len()];
        assert_eq!(to.unpack(frame, &mut out), Ok(()));
        assert_eq!(out, unit);
    }
}

#[test]
fn unknown_formats_are_named() {
    let mut packer = Packer::new(Settings::default(), 4096);
    let mut out = vec![0; 4096];
    assert_eq!(packer.unpack(&[], &mut out), Err(DecodeError::Truncated));
    assert_eq!(packer.unpack(&[0, 0, 0, 0], &mut out), Err(DecodeError::UnknownFormat));
    assert_eq!(packer.unpack(&[0, 0, 1, 1], &mut out), Err(DecodeError::Malformed));
    assert_eq!(packer.unpack(&[1, 0, 1, 0], &mut out), Err(DecodeError::Truncated));
    // There are no such numbers, and an `int` has no digits behind the point.
    for form in [0x02, 0x50, 0x11] {
        assert_eq!(packer.unpack(&[0, 0, 1, form], &mut out), Err(DecodeError::UnknownFormat), "{form:#x}");
    }
    let frame =
        frame::Frame { kind: CodecKind::Zstd, form: Form::Numbers(Numbers::Doubles(3)), body: &[9, 8] };
    assert_eq!(frame::parse(&[2, 0, 2, 0x43, 9, 8, 7]), Ok(frame));
    assert_eq!(frame::parse(&[2, 0, 2, 0, 9, 8, 7]), Ok(frame::Frame { form: Form::Whole, ..frame }));
    assert_eq!(frame::parse(&[2, 0, 2, 1, 9, 8, 7]), Ok(frame::Frame { form: Form::Split, ..frame }));
}
