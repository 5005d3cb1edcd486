//! Units of numbers as differences of neighbours, and what is left over.
//!
//! The unit's words are taken as integers ([`Lane`]), 64 to a block. Each becomes its difference from the one before, and
//! a block's differences take as many bits as most of them need. The words whose differences need more, and those that
//! stand for no integer, are exceptions: they are left over as they are.
//!
//! The rest is one entry per block (8 bytes that say which words are exceptions, and a byte with the width), then
//! the exceptions. It is for a codec: entries are much alike, and exceptions often are the headers of arrays.

use super::bits::{BLOCK, MOST_BITS, Widths, pack, packed_len, unpack};
use super::lane::Lane;
use crate::codec::DecodeError;

/// Bytes of an entry.
const ENTRY: usize = 9;

/// Bytes that were written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lens {
    /// Of small integers.
    pub packed: usize,
    /// Of what is left over.
    pub rest: usize,
}

/// Splits `unit` in two, each written to the front of its slice. `None` if it is not whole blocks, or a slice is too short.
pub fn split<L: Lane>(lane: L, unit: &[u8], packed: &mut [u8], rest: &mut [u8]) -> Option<Lens> {
    let whole = unit.len() / (L::BYTES * BLOCK) * (L::BYTES * BLOCK);
    let mut written = Lens { packed: 0, rest: unit.len() / (L::BYTES * BLOCK) * ENTRY };
    if whole != unit.len() || written.rest > rest.len() {
        return None;
    }
    let (entries, left_over) = rest.split_at_mut(written.rest);
    let (mut packed_at, mut left_at) = (0, 0);
    let mut before = 0;
    for (bytes, entry) in unit.chunks_exact(L::BYTES * BLOCK).zip(entries.chunks_exact_mut(ENTRY)) {
        let words = read_words::<L>(bytes);
        let mut block = Block::of(lane, &words, &mut before);
        let width = block.narrow(L::BYTES);
        let end = packed_at + packed_len(width);
        pack(&block.steps, width, packed.get_mut(packed_at..end)?);
        packed_at = end;
        entry[..8].copy_from_slice(&block.exceptions.to_le_bytes());
        entry[8] = width as u8;
        for i in ones(block.exceptions) {
            let word = &words[i].to_le_bytes()[..L::BYTES];
            left_over.get_mut(left_at..left_at + L::BYTES)?.copy_from_slice(word);
            left_at += L::BYTES;
        }
    }
    written.packed = packed_at;
    written.rest += left_at;
    Some(written)
}

/// The inverse of [`split`], whose slices these must be exactly. After an error `unit` may hold anything.
pub fn join<L: Lane>(lane: L, packed: &[u8], rest: &[u8], unit: &mut [u8]) -> Result<(), DecodeError> {
    if !unit.len().is_multiple_of(L::BYTES * BLOCK) {
        return Err(DecodeError::WrongLength);
    }
    let entries = unit.len() / (L::BYTES * BLOCK) * ENTRY;
    let (entries, mut left_over) = rest.split_at_checked(entries).ok_or(DecodeError::Malformed)?;
    let mut packed = packed;
    let mut before = 0;
    for (bytes, entry) in unit.chunks_exact_mut(L::BYTES * BLOCK).zip(entries.as_chunks::<ENTRY>().0) {
        let (exceptions, &[width]) = entry.split_first_chunk().expect("an entry is longer") else {
            unreachable!()
        };
        let (exceptions, width) = (u64::from_le_bytes(*exceptions), usize::from(width));
        if width > MOST_BITS {
            return Err(DecodeError::Malformed);
        }
        let mut words = [0; BLOCK];
        unpack(take(&mut packed, packed_len(width))?, width, &mut words);
        let kept = take(&mut left_over, exceptions.count_ones() as usize * L::BYTES)?;
        restore(lane, exceptions, kept, &mut words, &mut before);
        write_words::<L>(&words, bytes);
    }
    if packed.is_empty() && left_over.is_empty() { Ok(()) } else { Err(DecodeError::WrongLength) }
}

/// Makes words of differences. `kept` are the exceptions.
#[inline]
fn restore<L: Lane>(lane: L, exceptions: u64, kept: &[u8], steps: &mut [u64; BLOCK], before: &mut i64) {
    if exceptions == 0 {
        for step in &mut *steps {
            *before = before.wrapping_add(unfold(*step));
            *step = *before as u64;
        }
        steps.iter_mut().for_each(|word| *word = lane.word(*word as i64));
        return;
    }
    let mut kept = kept.chunks_exact(L::BYTES).map(read_word);
    for (i, step) in steps.iter_mut().enumerate() {
        if exceptions >> i & 1 == 0 {
            *before = before.wrapping_add(unfold(*step));
            *step = lane.word(*before);
        } else {
            *step = kept.next().expect("as many as there are exceptions");
            *before = lane.int(*step).unwrap_or(*before);
        }
    }
}

/// A block's differences, folded so that small ones of either sign are small.
struct Block {
    steps: [u64; BLOCK],
    exceptions: u64,
}

impl Block {
    /// `before` is the last integer in front of the block, and then the block's last.
    fn of<L: Lane>(lane: L, words: &[u64; BLOCK], before: &mut i64) -> Self {
        let mut block = Self { steps: [0; BLOCK], exceptions: 0 };
        for (i, &word) in words.iter().enumerate() {
            match lane.int(word) {
                Some(int) => {
                    block.steps[i] = fold(int.wrapping_sub(*before));
                    *before = int;
                }
                None => block.exceptions |= 1 << i,
            }
        }
        block
    }

    /// Makes exceptions of the differences that need more bits than is best, and returns that number of bits.
    fn narrow(&mut self, lane_bytes: usize) -> usize {
        let mut widths = Widths::none();
        // Those that already are exceptions, 0 here, cost the same at any width.
        self.steps.iter().for_each(|&step| widths.add(step));
        let (width, _) = widths.best(lane_bytes as u32 * u8::BITS);
        for (i, step) in self.steps.iter_mut().enumerate() {
            let fits = *step >> width == 0;
            self.exceptions |= u64::from(!fits) << i;
            *step = if fits { *step } else { 0 };
        }
        width
    }
}

/// 0, -1, 1, -2 to 0, 1, 2, 3.
#[inline]
pub fn fold(step: i64) -> u64 {
    (step << 1 ^ step >> 63) as u64
}

#[inline]
fn unfold(folded: u64) -> i64 {
    (folded >> 1) as i64 ^ -((folded & 1) as i64)
}

fn ones(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let next = (mask != 0).then_some(mask.trailing_zeros() as usize);
        mask &= mask.wrapping_sub(1);
        next
    })
}

fn take<'a>(from: &mut &'a [u8], len: usize) -> Result<&'a [u8], DecodeError> {
    let (taken, left) = from.split_at_checked(len).ok_or(DecodeError::Malformed)?;
    *from = left;
    Ok(taken)
}

/// A word of 4 or 8 bytes.
#[inline]
pub fn read_word(bytes: &[u8]) -> u64 {
    match bytes.first_chunk() {
        Some(long) => u64::from_le_bytes(*long),
        None => u64::from(u32::from_le_bytes(*bytes.first_chunk().expect("a word has at least 4 bytes"))),
    }
}

#[inline]
fn read_words<L: Lane>(bytes: &[u8]) -> [u64; BLOCK] {
    std::array::from_fn(|i| read_word(&bytes[i * L::BYTES..(i + 1) * L::BYTES]))
}

#[inline]
fn write_words<L: Lane>(words: &[u64; BLOCK], bytes: &mut [u8]) {
    for (word, at) in words.iter().zip(bytes.chunks_exact_mut(L::BYTES)) {
        at.copy_from_slice(&word.to_le_bytes()[..L::BYTES]);
    }
}
