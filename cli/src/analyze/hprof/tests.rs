// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

use std::io::Cursor;

use proptest::prelude::*;

use super::testing::Dump;
use super::types::Type;
use super::*;
use crate::analyze::census::Census;

fn read(dump: &[u8], width: Option<Width>) -> anyhow::Result<(Vec<u8>, Heap)> {
    let mut pages = Vec::new();
    let mut image = Image::new(Some(&mut pages), Census::new(1 << 40, 1));
    let heap = convert(Cursor::new(dump), dump.len() as u64, width, &mut image, &mut |_| Ok(()))?;
    image.finish()?;
    Ok((pages, heap))
}

fn refusal(dump: &[u8]) -> String {
    read(dump, None).unwrap_err().to_string()
}

/// Where classes and objects lie, in MiB-like heaps of 4-byte ids too.
const OBJECT: u64 = 0x1000;
const POINT: u64 = 0x1010;
const LABELLED: u64 = 0x1020;
const POINTS: u64 = 0x1030;
const A: u64 = 0x2000;
const B: u64 = 0x2020;
const ARRAY: u64 = 0x2048;

/// Each kind of record that there is.
fn small_dump(id_bytes: usize) -> Vec<u8> {
    let mut dump = Dump::new(id_bytes);
    for other in tag::WITHOUT_OBJECTS {
        dump.record(other, b"something");
    }
    dump.class(OBJECT, 0, &[]);
    dump.class(POINT, OBJECT, &[Type::Int, Type::Double]);
    for (root, bytes) in [(tag::ROOT_UNKNOWN, 0), (tag::ROOT_STICKY_CLASS, 0), (tag::ROOT_MONITOR, 0)]
        .into_iter()
        .chain([(tag::ROOT_NATIVE_STACK, 4), (tag::ROOT_THREAD_BLOCK, 4)])
        .chain([(tag::ROOT_JNI_LOCAL, 8), (tag::ROOT_FRAME, 8), (tag::ROOT_THREAD, 8)])
    {
        dump.part(root, &[A], &vec![0xee; bytes]);
    }
    dump.part(tag::ROOT_JNI_GLOBAL, &[A, 3], &[]);
    dump.instance(A, POINT, &[&7_i32.to_be_bytes()[..], &0.5_f64.to_be_bytes()].concat());
    dump.segment();
    let contents = [&dump.id(A)[..], &[0xab, 0xcd, 1], &9_i32.to_be_bytes(), &1.5_f64.to_be_bytes()].concat();
    dump.instance(B, LABELLED, &contents);
    dump.references(ARRAY, POINTS, &[B, 0, A]);
    dump.primitives(0x2100, Type::Short, 3, &[1, 2, 3, 4, 5, 6]);
    dump.primitives(0x2200, Type::Byte, 0, &[]);
    // Classes may come after their instances.
    dump.class(LABELLED, POINT, &[Type::Reference, Type::Char, Type::Boolean]);
    dump.class(POINTS, OBJECT, &[]);
    dump.finish()
}

/// Little-endian words of 4 bytes, and zeros up to the end of the page.
fn page(words: &[u32]) -> Vec<u8> {
    let mut page: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    page.resize(4096, 0);
    page
}

fn words(value: f64) -> [u32; 2] {
    let bits = value.to_bits();
    [bits as u32, (bits >> 32) as u32]
}

const KLASS: u32 = shapes::KLASS_BYTES;
const FIRST: u32 = 16 * KLASS;

fn expected_with_narrow_references() -> Vec<u8> {
    let [half, half_and_one] = [words(0.5), words(1.5)];
    let (a, b) = (A as u32 >> 3, B as u32 >> 3);
    page(
        &[
            // mark, class, x; y
            [1, 0, FIRST + KLASS, 7, half[0], half[1]].to_vec(),
            // mark, class, x; y; char and boolean; reference
            [1, 0, FIRST + 2 * KLASS, 9, half_and_one[0], half_and_one[1], 0x0001_abcd, a].to_vec(),
            // mark, class, length; elements and padding
            [1, 0, FIRST + 3 * KLASS, 3, b, 0, a, 0].to_vec(),
            [1, 0, 9 * KLASS, 3, 0x0304_0102, 0x0506].to_vec(),
            [1, 0, 8 * KLASS, 0].to_vec(),
        ]
        .concat(),
    )
}

#[test]
fn objects_are_laid_out_as_in_a_heap() {
    for id_bytes in [4, 8] {
        let (pages, heap) = read(&small_dump(id_bytes), None).unwrap();
        assert_eq!(pages, expected_with_narrow_references(), "{id_bytes}");
        assert_eq!(heap.references, Width::Narrow);
    }
}

#[test]
fn references_may_be_wide() {
    let (pages, _) = read(&small_dump(8), Some(Width::Wide)).unwrap();
    let labelled = &pages[24..24 + 40];
    let [half, more] = words(1.5);
    let words = [1, 0, FIRST + 2 * KLASS, 9, half, more, 0x0001_abcd, 0, A as u32, 0];
    assert_eq!(labelled, &page(&words)[..40]);
    let array = [1, 0, FIRST + 3 * KLASS, 3, B as u32, 0, 0, 0, A as u32, 0];
    assert_eq!(pages[64..64 + 40], page(&array)[..40]);
}

#[test]
fn objects_are_counted_by_kind() {
    let tally = read(&small_dump(8), None).unwrap().1.tally;
    assert_eq!((tally.instances.objects, tally.instances.bytes), (2, 56));
    assert_eq!((tally.reference_arrays.objects, tally.reference_arrays.bytes), (1, 32));
    let arrays: Vec<_> = tally.primitive_arrays.iter().map(|(&kind, count)| (kind, count.bytes)).collect();
    assert_eq!(arrays, [(Type::Byte, 16), (Type::Short, 24)]);
}

#[test]
fn a_long_array_is_whole() {
    let numbers: Vec<u32> = (0..20_001).collect();
    let mut dump = Dump::new(8);
    let contents: Vec<u8> = numbers.iter().flat_map(|number| number.to_be_bytes()).collect();
    dump.primitives(0x100, Type::Int, numbers.len() as u32, &contents);
    let (pages, heap) = read(&dump.finish(), None).unwrap();
    let expected: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    assert_eq!(pages[16..16 + expected.len()], expected);
    assert_eq!(heap.tally.primitive_arrays[&Type::Int].bytes, 16 + 80_004 + 4);
}

#[test]
fn a_heap_without_segments_has_no_end_record() {
    let mut inner = Dump::new(4);
    inner.primitives(0x10, Type::Byte, 1, &[5]);
    inner.segment();
    let heap = inner.unfinished()[31 + 9..].to_vec();
    let mut dump = Dump::new(4);
    dump.record(tag::HEAP_DUMP, &heap);
    assert_eq!(read(&dump.unfinished(), None).unwrap().0[16], 5);
}

#[test]
fn a_dump_that_ends_too_early_is_refused_wherever_it_ends() {
    let whole = small_dump(8);
    for end in 1..whole.len() {
        let said = refusal(&whole[..end]);
        assert!(said.contains("ends too early") && said.contains("take a new one"), "{end}: {said}");
    }
}

#[test]
fn foreign_files_are_told_apart() {
    assert!(refusal(b"").contains("GC.heap_dump"));
    assert!(refusal(b"\x7fELF and so on, and on, and on").contains("no heap dump"));
    assert!(refusal(b"JAVA PROFILE 1.0.9\0").contains("no heap dump"));
    assert!(refusal(b"\x1f\x8b\x08 and so on, and on, and on").contains("gunzip"));
    assert!(refusal(b"JAVA PROFILE 1.0.3\0\0\0\0\x04").contains("hprof-conv"));
}

#[test]
fn damage_is_named_with_its_place() {
    let damaged = |change: &dyn Fn(&mut Dump)| {
        let mut dump = Dump::new(8);
        change(&mut dump);
        refusal(&dump.finish())
    };
    assert!(damaged(&|dump| dump.part(0x99, &[], &[])).contains("byte 41"));
    assert!(damaged(&|dump| dump.record(0x55, &[])).contains("unknown kind 0x55"));
    assert!(
        damaged(&|dump| dump.primitives(8, Type::Int, 5, &[0; 19])).contains("after the end of its segment")
    );
    assert!(damaged(&|dump| dump.instance(8, 16, &[])).contains("class that is not in it"));
    assert!(refusal(&Dump::new(5).finish()).contains("ids of 5 bytes"));
    let circle = damaged(&|dump| {
        dump.class(16, 16, &[]);
        dump.instance(8, 16, &[]);
    });
    assert!(circle.contains("superclass"), "{circle}");
}

#[test]
fn whoever_is_told_of_progress_may_end_it() {
    let dump = small_dump(8);
    let mut image = Image::new(None::<Vec<u8>>, Census::new(0, 0));
    let mut told = Vec::new();
    let mut progress = |bytes| {
        told.push(bytes);
        anyhow::ensure!(bytes < dump.len() as u64, "enough");
        Ok(())
    };
    let len = dump.len() as u64;
    let ended = convert(Cursor::new(&dump), len, None, &mut image, &mut progress);
    assert_eq!(ended.unwrap_err().to_string(), "enough");
    assert_eq!(told.len(), 2);
}

/// Parts of a heap that are well-formed by themselves, or nearly.
fn part() -> impl Strategy<Value = Vec<u8>> {
    let known = prop::sample::select(vec![0x20_u8, 0x21, 0x22, 0x23, 0x01, 0x05, 0xff, 0x77]);
    let small = prop::collection::vec(prop_oneof![Just(0_u8), 0..12_u8, any::<u8>()], 0..60);
    (known, small).prop_map(|(tag, rest)| [vec![tag], rest].concat())
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(id_bytes in prop::sample::select(vec![4, 8]), bytes: Vec<u8>) {
        let dump = [Dump::new(id_bytes).unfinished(), bytes].concat();
        let _ = read(&dump, None);
    }

    #[test]
    fn no_heap_makes_it_panic(
        id_bytes in prop::sample::select(vec![4, 8]),
        parts in prop::collection::vec(part(), 0..20),
        wide in any::<bool>(),
    ) {
        let mut dump = Dump::new(id_bytes);
        parts.iter().for_each(|part| dump.part(part[0], &[], &part[1..]));
        let _ = read(&dump.finish(), wide.then_some(Width::Wide));
    }

    #[test]
    fn one_wrong_byte_does_not_make_it_panic(at in 0..1000_usize, byte: u8) {
        let mut dump = small_dump(8);
        let at = at % dump.len();
        dump[at] = byte;
        let _ = read(&dump, None);
    }
}
