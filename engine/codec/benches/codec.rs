//! How long it takes to encode and to decode one unit.

use std::fmt;

use divan::Bencher;
use divan::counter::BytesCount;
use ztera_codec::{CodecKind, Packed, Packer, Settings};
use ztera_kit::data;

/// Different units that take turns, so that no branch is learnt by heart; a sample is of each of them once.
const UNITS: usize = 64;

/// Units to be measured, and codecs.
struct Case {
    name: &'static str,
    kind: CodecKind,
    data: fn(usize) -> Vec<u8>,
}

const CASES: [Case; 5] = [
    Case { name: "lz4, synthetic objects", kind: CodecKind::Lz4, data: data::objects },
    Case { name: "zstd, synthetic objects", kind: CodecKind::Zstd, data: data::objects },
    Case { name: "deflate, synthetic objects", kind: CodecKind::Deflate, data: data::objects },
    Case { name: "lz4, synthetic decimals", kind: CodecKind::Lz4, data: data::decimals },
    Case { name: "zstd, synthetic decimals", kind: CodecKind::Zstd, data: data::decimals },
];

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl Case {
    fn packer(&self, unit_len: usize) -> Packer {
        Packer::new(Settings { kind: self.kind, level: 0 }, unit_len)
    }
}

fn main() {
    divan::main();
}

#[divan::bench(args = CASES, consts = [4096, 16384, 65536], sample_size = UNITS as u32)]
fn encode<const UNIT: usize>(bencher: Bencher<'_, '_>, case: &Case) {
    let data = (case.data)(UNITS * UNIT);
    let mut packer = case.packer(UNIT);
    let mut units = data.chunks_exact(UNIT).cycle();
    bencher.counter(BytesCount::new(UNIT)).bench_local(|| {
        let unit = units.next().expect("it never ends");
        matches!(packer.pack(divan::black_box(unit)), Packed::Frame(_))
    });
}

#[divan::bench(args = CASES, consts = [4096, 16384, 65536], sample_size = UNITS as u32)]
fn decode<const UNIT: usize>(bencher: Bencher<'_, '_>, case: &Case) {
    let data = (case.data)(UNITS * UNIT);
    let mut packer = case.packer(UNIT);
    let frames: Vec<Vec<u8>> = data.chunks_exact(UNIT).map(|unit| frame(&mut packer, unit)).collect();
    let mut frames = frames.iter().cycle();
    let mut unit = vec![0; UNIT];
    bencher.counter(BytesCount::new(UNIT)).bench_local(|| {
        let frame = frames.next().expect("it never ends");
        packer.unpack(divan::black_box(frame), &mut unit).expect("what was packed unpacks");
    });
}

fn frame(packer: &mut Packer, unit: &[u8]) -> Vec<u8> {
    let Packed::Frame(frame) = packer.pack(unit) else { panic!("this compresses") };
    frame.to_vec()
}
