//! Every decoder entry point, fed with anything: valid objects that were damaged, and noise.
//!
//! A short run with a fixed seed. Longer ones, and others:
//!
//! ```text
//! ZTERA_SEED=7 ZTERA_FUZZ_ROUNDS=1000000 cargo test --release -p ztera-codec --test hostile_input
//! ```
//! Under `engine/sanitize.sh address` an access out of bounds, in the C libraries too, is found where it
//! happens; here it shows as damaged guard bytes or a crash.

use ztera_codec::frame::{self, Form};
use ztera_codec::{CodecKind, Packed, Packer, Settings};
use ztera_kit::Random;

fn from_env(name: &str, default: u64) -> u64 {
    std::env::var(name)
        .map_or(default, |value| value.parse().unwrap_or_else(|_| panic!("{name} must be a number")))
}

/// Half of them are numbers with something between them.
fn some_unit(random: &mut Random, len: usize) -> Vec<u8> {
    let mut unit = some_bytes(random, len);
    if random.below(2) == 0 {
        for word in unit.chunks_exact_mut(8).skip(1) {
            if random.below(50) == 0 {
                continue;
            }
            word.copy_from_slice(&(random.below(1000) as f64 / 100.0).to_le_bytes());
        }
    }
    unit
}

fn some_bytes(random: &mut Random, len: usize) -> Vec<u8> {
    let mut unit = Vec::with_capacity(len);
    while unit.len() < len {
        let n = (1 + random.below(300)).min(len - unit.len());
        match random.below(3) {
            0 => unit.extend(std::iter::repeat_n(random.next() as u8, n)),
            1 => unit.extend((0..n).map(|_| random.next() as u8)),
            _ if unit.is_empty() => unit.push(0),
            _ => {
                let from = random.below(unit.len());
                let n = n.min(unit.len() - from);
                unit.extend_from_within(from..from + n);
            }
        }
    }
    unit
}

/// Flips, overwrites, cuts, repeats or inserts bytes.
fn damage(random: &mut Random, object: &mut Vec<u8>) {
    for _ in 0..1 + random.below(4) {
        if object.is_empty() {
            return object.push(random.next() as u8);
        }
        let at = random.below(object.len());
        match random.below(6) {
            0 => object[at] ^= 1 << random.below(8),
            1 => object[at] = [0, 0xff, 0x7f, 0x80, 0x0f, 0xf0][random.below(6)],
            2 => object.truncate(at),
            3 => object.insert(at, random.next() as u8),
            4 => drop(object.remove(at)),
            _ => {
                let n = random.below(40).min(object.len() - at);
                object.extend_from_within(at..at + n);
            }
        }
    }
}

/// Decodes pages with a bit in `wanted` into the middle of a larger buffer and checks that nothing around it changed.
fn decode_guarded(packer: &mut Packer, object: &[u8], len: usize, wanted: u64) -> bool {
    const GUARD: usize = 256;
    let mut buffer = vec![0xc3; len + 2 * GUARD];
    let is_wanted = |page| wanted >> (page % 64) & 1 == 1;
    let ok = packer.unpack_pages(object, &mut buffer[GUARD..GUARD + len], is_wanted).is_ok();
    let guards = buffer[..GUARD].iter().chain(&buffer[GUARD + len..]);
    assert!(guards.copied().all(|byte| byte == 0xc3), "wrote outside the unit");
    ok
}

#[test]
fn damaged_objects_never_harm() {
    let seed = from_env("ZTERA_SEED", 1);
    let rounds = from_env("ZTERA_FUZZ_ROUNDS", 20_000);
    println!("replay with ZTERA_SEED={seed} ZTERA_FUZZ_ROUNDS={rounds}");
    let mut random = Random(seed);
    let lens = [4096, 16384, 65536];
    let mut packers = CodecKind::ALL.map(|kind| Packer::new(Settings { kind, level: 0 }, 65536));
    let mut valid: Vec<(Vec<u8>, usize)> = Vec::new();
    let mut accepted = 0_u64;
    for round in 0..rounds {
        let packer = &mut packers[random.below(packers.len())];
        if valid.len() < 60 || round % 100 == 0 {
            let len = lens[random.below(3)];
            if let Some(frame) = pack(packer, &some_unit(&mut random, len), random.below(3) == 0) {
                assert!(packer_accepts(&frame, len));
                let object = (frame, len);
                if valid.len() < 60 { valid.push(object) } else { valid[random.below(60)] = object }
            }
            continue;
        }
        let (object, len) = &valid[random.below(valid.len())];
        let mut object = object.clone();
        damage(&mut random, &mut object);
        if random.below(4) > 0 {
            restore_header(&mut random, &mut object);
        }
        let len = if random.below(8) == 0 { 1 + random.below(70000) } else { *len };
        accepted += u64::from(decode_guarded(packer, &object, len, random.next()));
    }
    println!("{accepted} of {rounds} damaged objects still decoded to the right length");
    let forms = || valid.iter().filter_map(|(object, _)| Some(frame::parse(object).ok()?.form));
    let filtered = forms().filter(|form| matches!(form, Form::Numbers(_))).count();
    assert!(filtered > 5, "the filter's decoder was hardly tested");
    assert!(forms().filter(|&form| form == Form::Split).count() > 5, "nor that of split units");
}

fn pack(packer: &mut Packer, unit: &[u8], split: bool) -> Option<Vec<u8>> {
    match if split { packer.pack_split(unit) } else { packer.pack(unit) } {
        Packed::Frame(frame) => Some(frame.to_vec()),
        Packed::Same(_) | Packed::Huge => None,
    }
}

fn packer_accepts(frame: &[u8], len: usize) -> bool {
    decode_guarded(&mut Packer::new(Settings::default(), 65536), frame, len, u64::MAX)
}

/// Makes the header right again, mostly with the form that it had, so that the damage reaches the decoders.
fn restore_header(random: &mut Random, object: &mut [u8]) {
    if object.len() >= frame::HEADER {
        let body = (object.len() - frame::HEADER).min(frame::MAX_BODY);
        let byte = if random.below(4) > 0 { object[3] } else { random.next() as u8 };
        let kind = CodecKind::ALL[random.below(CodecKind::ALL.len())];
        frame::write_header(object, kind, Form::from_byte(byte).unwrap_or(Form::Whole), body);
    }
}

#[test]
fn noise_never_harms() {
    let mut random = Random(from_env("ZTERA_SEED", 1) ^ 0xdead);
    let mut packer = Packer::new(Settings::default(), 65536);
    for _ in 0..from_env("ZTERA_FUZZ_ROUNDS", 20_000) / 2 {
        let mut object: Vec<u8> = (0..random.below(400)).map(|_| random.next() as u8).collect();
        restore_header(&mut random, &mut object);
        decode_guarded(&mut packer, &object, 1 + random.below(20000), u64::MAX);
    }
}
