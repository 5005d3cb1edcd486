//! Finds what repeats in a unit. The result is a block of LZ4, as any decoder of that format reads it.
//!
//! As fast as possible rather than as small as possible: the most recent place with the same hash is the only one that
//! is looked at, and what matches there is taken. Unlike liblz4's encoder, this one wants [`WORDS`] or [`TEXT`] equal bytes,
//! not four: a sequence takes three bytes and much the same time whatever its length, so short matches gain little.

use super::block::Block;

/// The longest unit: positions in the table are of 16 bits, as are the format's offsets.
pub const LONGEST: usize = 1 << 16;

/// Equal bytes that make a match in a unit of objects, whose words have 8 or 4 bytes, and of text.
const WORDS: u32 = 8;
const TEXT: u32 = 7;
/// The same in a unit that such matches make hardly smaller.
const SHORT: u32 = 5;

/// The part of a text by which one can tell: most texts are such, and their whole search would be in vain. Of objects the
/// beginning tells little.
const TRIAL: usize = 4;
/// Percent of its length that the part must be longer than. At the beginning little is known that can repeat, so this is
/// more than the unit may have in the end.
const IN_VAIN: usize = 85;

/// 16 KiB: it stays in the first cache, beside the unit, and is soon cleared.
const TABLE_BITS: u32 = 13;
/// 2^64 divided by the golden ratio, as a multiplier that spreads words over the table (Fibonacci hashing).
const HASH: u64 = 0x9e37_79b9_7f4a_7c15;

/// Neighbouring positions that are looked at before any is left out.
const PROBES: usize = 4;
/// After so many bytes without a match, one is left out at each step; after twice as many, two.
const PATIENCE: usize = 64;
/// Bytes from each position to the next one in haste. Java's objects, and so copies of them, lie whole words from each other,
/// and these positions are a perfect difference set: any number of words is, modulo 21, the distance of two of them. So a
/// copy is found within its first 21 words, but for places with the same hash, which replace each other.
const HASTY_STEPS: [usize; 5] = [8, 3 * 8, 10 * 8, 2 * 8, 5 * 8];

/// The format wants so many bytes at the end outside matches.
const LAST_LITERALS: usize = 5;
/// Bytes that are compared without a look at where the unit ends.
const STRIDE: usize = 24;
/// Nothing is looked for in so many bytes at the end, which makes it safe to read a stride at each probe. It is more than
/// the 12 bytes before the end by which the format wants the last match to begin.
const TAIL: usize = PROBES - 1 + STRIDE + LAST_LITERALS;

/// Where an earlier position with the same hash was seen last. 0 says that there is none.
type Table = [u16; 1 << TABLE_BITS];

/// The encoder's memory.
pub struct Encoder {
    table: Box<Table>,
}

/// Bytes at `at` that are those at `from`, which is less.
#[derive(Clone, Copy)]
struct Match {
    at: usize,
    from: usize,
    /// The bits that differ between the 8 bytes at each.
    differs: u64,
}

impl Encoder {
    /// One for units of any length.
    pub fn new() -> Self {
        Self { table: Box::new([0; 1 << TABLE_BITS]) }
    }

    /// Encodes `src` to the front of `dst` and returns how many bytes that took. `None` if `dst` is too short, or `src` longer
    /// than [`LONGEST`]. Where nothing repeats, no more than one place in `acceleration` is looked at.
    pub fn encode(&mut self, src: &[u8], dst: &mut [u8], acceleration: usize) -> Option<usize> {
        let pace = |since| PROBES * acceleration + since / PATIENCE;
        let small = (src.len() - src.len() / 4).min(dst.len());
        let (table, front) = (&mut self.table, &mut dst[..small]);
        let found_long = if is_text(src) {
            search::<TEXT, PROBES>(table, src, front, src.len() / TRIAL, pace)
        } else {
            search::<WORDS, PROBES>(table, src, front, NO_TRIAL, pace)
        };
        found_long.or_else(|| search::<SHORT, PROBES>(&mut self.table, src, dst, NO_TRIAL, pace))
    }

    /// The same for what is noise most likely: it finds little but long copies.
    pub fn encode_in_haste(&mut self, src: &[u8], dst: &mut [u8]) -> Option<usize> {
        let mut steps = HASTY_STEPS.iter().cycle();
        let pace = |_| *steps.next().expect("there is always one more");
        search::<WORDS, 1>(&mut self.table, src, dst, NO_TRIAL, pace)
    }
}

/// A search that goes on to the end.
const NO_TRIAL: usize = usize::MAX;

/// Encodes what has matches of `LEAST` bytes, looking at `LOOKS` neighbouring positions at a time. `pace` says how far to go
/// from there if none matches, and so many bytes before had no match. `None` also if so little of the first `trial` bytes
/// matches that the rest would be in vain.
fn search<const LEAST: u32, const LOOKS: usize>(
    table: &mut Table,
    src: &[u8],
    dst: &mut [u8],
    mut trial: usize,
    mut pace: impl FnMut(usize) -> usize,
) -> Option<usize> {
    if src.len() > LONGEST {
        return None;
    }
    table.fill(0);
    let mut block = Block::new(src, dst);
    let last = src.len().saturating_sub(TAIL);
    // Not at 0, which in the table says that nothing is there.
    let mut at = 1;
    while at <= last {
        if at >= trial {
            if 100 * (block.len() + at - block.read()) > IN_VAIN * at {
                return None;
            }
            trial = NO_TRIAL;
        }
        // SAFETY: `at` is TAIL bytes before the end at least. All positions in the table are before it: behind a look it
        // goes on by `LOOKS` or more, and a match ends behind all that was looked at.
        let Some(found) = (unsafe { probe::<LEAST, LOOKS>(table, src, at) }) else {
            at += LOOKS.max(pace(at - block.read()));
            continue;
        };
        // SAFETY: it is at most `PROBES - 1` bytes behind `at`, so a stride and the last literals are behind it.
        let end = unsafe { end_of_match::<LEAST>(src, found) };
        // SAFETY: `LEAST` bytes match, and a stride is in the source.
        unsafe { block.push(found.at, found.at - found.from, end)? };
        at = end;
        if at > last {
            break;
        }
        // SAFETY: TAIL bytes are behind `at`, and before it the match.
        unsafe { insert::<LEAST>(table, word(src, at - 2), at - 2) };
    }
    block.finish()
}

/// The first match in `LOOKS` positions from `at` on, of which all up to it are entered in the table.
///
/// # Safety
/// `at` is TAIL bytes before the end of `src` at least, and behind all positions in the table.
#[inline(always)]
unsafe fn probe<const LEAST: u32, const LOOKS: usize>(
    table: &mut Table,
    src: &[u8],
    at: usize,
) -> Option<Match> {
    for at in at..at + LOOKS {
        // SAFETY: TAIL is as long as all looks, of which there are `PROBES` at most, and a stride.
        let here = unsafe { word(src, at) };
        let from = insert::<LEAST>(table, here, at);
        // SAFETY: what the table says is before `at`.
        let differs = here ^ unsafe { word(src, from) };
        if low::<LEAST>(differs) == 0 {
            return Some(Match { at, from, differs });
        }
    }
    None
}

/// Where the match ends: the first byte that differs, or the last literals.
///
/// # Safety
/// A stride and the last literals are in `src` from `found.at` on.
#[inline(always)]
unsafe fn end_of_match<const LEAST: u32>(src: &[u8], found: Match) -> usize {
    let Match { at, from, differs } = found;
    if LEAST < 8 && differs != 0 {
        return at + same_bytes(differs);
    }
    // 16 bytes at once: most matches end there, but nobody can tell in which half.
    // SAFETY: both words are in the stride; `from` is before `at`.
    let [near, far] = [8, 16].map(|more| unsafe { word(src, at + more) ^ word(src, from + more) });
    if near | far != 0 {
        return at + if near != 0 { 8 + same_bytes(near) } else { 16 + same_bytes(far) };
    }
    // SAFETY: a stride is in `src`.
    unsafe { end_of_long_match(src, at + STRIDE, from + STRIDE) }
}

/// The same for bytes of which a stride before `at` is known to match.
///
/// # Safety
/// `from` is before `at`, and `at` not behind the end of `src`.
#[inline(always)]
unsafe fn end_of_long_match(src: &[u8], mut at: usize, mut from: usize) -> usize {
    let end = src.len() - LAST_LITERALS;
    while at + 8 <= end {
        // SAFETY: `at + 8` was just compared with less than the length, and `from` is before it.
        let differs = unsafe { word(src, at) ^ word(src, from) };
        if differs != 0 {
            return at + same_bytes(differs);
        }
        (at, from) = (at + 8, from + 8);
    }
    while at < end && src[at] == src[from] {
        (at, from) = (at + 1, from + 1);
    }
    at
}

/// Enters `at`, where `word` is, and returns which position with the same hash was entered last.
#[inline(always)]
fn insert<const LEAST: u32>(table: &mut Table, word: u64, at: usize) -> usize {
    let hash = low::<LEAST>(word).wrapping_mul(HASH) >> (64 - TABLE_BITS);
    usize::from(std::mem::replace(&mut table[hash as usize], at as u16))
}

/// The first `LEAST` bytes of a word, with zeros before them.
#[inline(always)]
fn low<const LEAST: u32>(word: u64) -> u64 {
    word << (64 - 8 * LEAST)
}

/// Bytes before the first one that differs.
#[inline(always)]
fn same_bytes(differs: u64) -> usize {
    (differs.trailing_zeros() / 8) as usize
}

/// The 8 bytes at `at`, the first one lowest.
///
/// # Safety
/// They are in `src`.
#[inline(always)]
unsafe fn word(src: &[u8], at: usize) -> u64 {
    debug_assert!(at + 8 <= src.len());
    // SAFETY: the caller says so; any bytes are a word.
    u64::from_le_bytes(unsafe { src.as_ptr().add(at).cast::<[u8; 8]>().read() })
}

/// Words that are looked at to tell text from objects, at even distances.
const SAMPLE: usize = 32;

/// Whether a third of `src` or more seems to be text, in bytes. Words of objects that have no zero are rare, and their bytes
/// are not all of ASCII.
fn is_text(src: &[u8]) -> bool {
    let words = src.as_chunks::<8>().0;
    let sample = words.iter().step_by((words.len() / SAMPLE).max(1));
    let texts: usize = sample.map(|&word| usize::from(is_ascii(u64::from_le_bytes(word)))).sum();
    3 * texts >= SAMPLE
}

/// Whether each byte is from 1 to 127.
fn is_ascii(word: u64) -> bool {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    // A zero borrows, which makes a highest bit, if none was there before.
    (word | word.wrapping_sub(ONES)) & (ONES << 7) == 0
}
