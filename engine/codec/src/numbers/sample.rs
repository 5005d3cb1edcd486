//! The contents of a unit, judged by some of its words.
//!
//! Most units hold objects of all kinds, and must not pay for the others: each test comes behind a much cheaper one that
//! they fail.

use super::bits::Widths;
use super::block::{fold, read_word};
use super::kind::Numbers;
use super::lane::{Double, Float, Int, Lane, Long, Scale};

/// Places that are looked at, at even distances: enough for a unit of two kinds to show both.
const PLACES: usize = 16;
/// Neighbouring bytes that are read at each: half a line of the cache.
const PLACE: usize = 32;

/// Percent of their length that numbers must seem to become at most. Else a codec may well do better.
const MOST_COST: u32 = 70;
/// Percent of neighbours that may be equal. Where there are more, a codec does better.
const MOST_EQUAL: u32 = 25;
/// Percent of words of 8 bytes that may occur again: the same holds for periods and few values.
const MOST_REPEATED: usize = 50;
/// 2^64 divided by the golden ratio, as a multiplier that spreads words over a table (Fibonacci hashing).
const HASH: u64 = 0x9e37_79b9_7f4a_7c15;
/// Percent of words that must pass the cheap test of their kind.
const LEAST_SMALL: u32 = 50;
const LEAST_LIKELY: u32 = 75;

/// Most digits behind the point that are looked for.
const DIGITS: u8 = 6;
/// Exponents, with their bias, that are likely in decimal fractions: from 2^-20 to where so many digits need 51 bits.
const DOUBLES: std::ops::Range<u64> = 1003..1054;
/// The same to 2^22, as of larger numbers a `float` has no fractions.
const FLOATS: std::ops::Range<u64> = 107..149;

/// Bytes of a word that are all random where mantissas are, be they of floats or of doubles.
const MANTISSA: [usize; 5] = [0, 1, 2, 4, 5];
/// Pairs of equal bytes among these. In 64 random words, 39 are to be expected, with a standard deviation of 6; objects
/// have hundreds.
const MOST_PAIRS: u32 = 80;
/// Bytes of 0 in the whole sample, of which 2 are to be expected if it is random.
const MOST_ZEROS: u32 = 16;

/// The finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// These, and they are shorter when split.
    Numbers(Numbers),
    /// Random bits: nothing makes them much shorter.
    Noise,
    /// Anything else.
    Other,
}

/// Looks at some words of `unit`.
pub fn look(unit: &[u8]) -> Found {
    let Some(sample) = Sample::of(unit) else { return Found::Other };
    let costs = sample.integers().chain(sample.doubles()).chain(sample.floats());
    match costs.min_by_key(|&(_, cost)| cost) {
        Some((numbers, _)) => Found::Numbers(numbers),
        None if sample.is_noise() => Found::Noise,
        None => Found::Other,
    }
}

/// A kind that fits, and the length of the sample by it, in percent.
type Choice = (Numbers, u32);

/// Some words of a unit.
struct Sample([[u8; PLACE]; PLACES]);

impl Sample {
    /// `None` if the unit is too short to choose from.
    fn of(unit: &[u8]) -> Option<Self> {
        let distance = unit.len() / PLACES / PLACE * PLACE;
        // Each place is in another part of its stretch: objects of a round size would else all be seen at the same field.
        let place = |i| i * distance + i * 5 * PLACE % (distance - PLACE);
        let read = |i| *unit[place(i)..].first_chunk().expect("the place is in the unit");
        (distance > PLACE).then(|| Self(std::array::from_fn(read)))
    }

    fn integers(&self) -> impl Iterator<Item = Choice> {
        let ints = self.small_steps::<Int>() >= LEAST_SMALL;
        let longs = self.small_steps::<Long>() >= LEAST_SMALL;
        let ints = ints.then(|| self.choice(Numbers::Ints, Int)).flatten();
        let longs = longs.then(|| self.choice(Numbers::Longs, Long)).flatten();
        ints.into_iter().chain(longs)
    }

    fn doubles(&self) -> impl Iterator<Item = Choice> {
        let lane = |digits| Scale::of_digits(digits).map(Double);
        // Numbers of fewer digits are among those of the most.
        let most = lane(DIGITS);
        let likely = self.share::<Long>(|word| DOUBLES.contains(&(word >> 52 & 0x7ff))) >= LEAST_LIKELY
            && self.share::<Long>(|word| most.is_some_and(|lane| lane.int(word).is_some())) >= LEAST_LIKELY;
        let digits = likely.then_some(0..=DIGITS).into_iter().flatten();
        digits.filter_map(move |digits| self.choice(Numbers::Doubles(digits), lane(digits)?))
    }

    fn floats(&self) -> impl Iterator<Item = Choice> {
        let lane = |digits| Scale::of_digits(digits).map(Float);
        let likely = self.share::<Int>(|word| FLOATS.contains(&(word >> 23 & 0xff))) >= LEAST_LIKELY;
        let digits = likely.then_some(0..=DIGITS).into_iter().flatten();
        digits.filter_map(move |digits| self.choice(Numbers::Floats(digits), lane(digits)?))
    }

    /// Percent of neighbours whose difference takes no more than 5/8 of a word.
    fn small_steps<L: Lane>(&self) -> u32 {
        let (in_place, bits) = (PLACE / L::BYTES, L::BYTES * 5);
        let small = |place: &[u8; PLACE]| {
            let word = |i| read_word(&place[i * L::BYTES..][..L::BYTES]);
            let is_small = |i| word(i).wrapping_sub(word(i - 1)).wrapping_add(1 << (bits - 1)) >> bits == 0;
            (1..in_place).map(|i| u32::from(is_small(i))).sum::<u32>()
        };
        self.0.iter().map(small).sum::<u32>() * 100 / (PLACES * (in_place - 1)) as u32
    }

    /// Percent of words for which `is_one` holds.
    fn share<L: Lane>(&self, is_one: impl Fn(u64) -> bool) -> u32 {
        let words = self.0.as_flattened().chunks_exact(L::BYTES).map(read_word);
        let count: u32 = words.map(|word| u32::from(is_one(word))).sum();
        count * 100 / (PLACES * PLACE / L::BYTES) as u32
    }

    /// Whether most words occur again in the sample.
    fn repeats(&self) -> bool {
        let mut seen = [0; 256];
        let mut again = 0;
        for word in self.0.as_flattened().chunks_exact(8).map(read_word) {
            // Of words with the same hash only the last is known: this is an estimate.
            let place = &mut seen[(word.wrapping_mul(HASH) >> 56) as usize];
            again += usize::from(*place == word);
            *place = word;
        }
        again * 100 > PLACES * PLACE / 8 * MOST_REPEATED
    }

    /// `None` if the words do not become short enough this way.
    fn choice<L: Lane>(&self, numbers: Numbers, lane: L) -> Option<Choice> {
        if self.repeats() {
            return None;
        }
        let mut widths = Widths::none();
        let (mut steps, mut equal, mut exceptions) = (0, 0, 0);
        for place in &self.0 {
            let mut before = None;
            for word in place.chunks_exact(L::BYTES).map(read_word) {
                let Some(int) = lane.int(word) else {
                    widths.add(0);
                    exceptions += 1;
                    continue;
                };
                if let Some(before) = before.replace(int) {
                    widths.add(fold(int.wrapping_sub(before)));
                    steps += 1;
                    equal += u32::from(int == before);
                }
            }
        }
        let wide = L::BYTES as u32 * u8::BITS;
        let bits = widths.best(wide).1 + exceptions * wide;
        let cost = bits * 100 / ((steps + exceptions) * wide);
        (equal * 100 <= (steps + exceptions) * MOST_EQUAL && cost <= MOST_COST).then_some((numbers, cost))
    }

    /// Whether the low bits of all words are random.
    fn is_noise(&self) -> bool {
        // In sums of bytes: of these the compiler makes vectors.
        let zeros = |place: &[u8; PLACE]| place.iter().map(|&byte| u8::from(byte == 0)).sum::<u8>();
        let few_zeros = self.0.iter().map(|place| u32::from(zeros(place))).sum::<u32>() <= MOST_ZEROS;
        few_zeros && MANTISSA.iter().map(|&at| pairs(self.0.as_flattened(), at)).sum::<u32>() <= MOST_PAIRS
    }
}

/// Pairs of words whose byte `at` is the same.
fn pairs(bytes: &[u8], at: usize) -> u32 {
    let mut seen = [0_u8; 256];
    let words = bytes.as_chunks::<8>().0;
    words.iter().fold(0, |pairs, word| {
        let count = &mut seen[usize::from(word[at])];
        *count += 1;
        pairs + u32::from(*count - 1)
    })
}
