//! Invented bytes to measure with, the same in every run: in the likeness of a heap, but of no program's. What figures
//! of real pages are, `make bench-codec` and `make bench-engine` tell.

#![allow(dead_code, reason = "each program uses its part")]

const WORDS: [&str; 12] = [
    "index",
    "private",
    "the",
    "java/util/",
    "value",
    "of",
    "return",
    "String",
    "entry",
    "null",
    "size",
    "element",
];

/// Numbers that look random.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (((self.0 >> 32) * u64::from(n)) >> 32) as u32
    }
}

/// `len` bytes of small objects: headers, compressed references that lie near each other, small numbers, now and then a
/// hash, and text.
pub fn objects(len: usize) -> Vec<u8> {
    let mut random = Random(0x5eed);
    let mut bytes = Vec::with_capacity(len + 256);
    while bytes.len() < len {
        let class = random.below(16);
        header(&mut bytes, class);
        match class {
            0..4 => text(&mut bytes, &mut random),
            _ => fields(&mut bytes, class, &mut random),
        }
        bytes.resize(bytes.len().next_multiple_of(8), 0);
    }
    bytes.truncate(len);
    bytes
}

/// A mark word and a compressed class.
fn header(bytes: &mut Vec<u8>, class: u32) {
    bytes.extend(1_u64.to_le_bytes());
    bytes.extend((0x0100_0000 + class * 0x248).to_le_bytes());
}

fn text(bytes: &mut Vec<u8>, random: &mut Random) {
    let words: Vec<&str> = (0..1 + random.below(6)).map(|_| WORDS[random.below(12) as usize]).collect();
    let text = words.join(" ");
    bytes.extend((text.len() as u32).to_le_bytes());
    bytes.extend(text.bytes());
}

fn fields(bytes: &mut Vec<u8>, class: u32, random: &mut Random) {
    let here = 0x2000_0000 + bytes.len() as u32 / 8;
    for field in 0..1 + class / 2 {
        let value = match (class + field) % 4 {
            0 => random.below(100),
            1 if random.below(4) == 0 => random.below(u32::MAX),
            1 => 0,
            _ => here - random.below(4096),
        };
        bytes.extend(value.to_le_bytes());
    }
}

/// `len` bytes of doubles with three decimals, which a filter packs.
pub fn decimals(len: usize) -> Vec<u8> {
    let mut random = Random(0x5eed);
    let values = std::iter::repeat_with(|| f64::from(random.below(100_000)) / 1000.0);
    values.flat_map(f64::to_le_bytes).take(len).collect()
}

/// `len` bytes that do not compress.
pub fn noise(len: usize) -> Vec<u8> {
    let mut random = Random(0x5eed);
    std::iter::repeat_with(|| random.below(256) as u8).take(len).collect()
}
