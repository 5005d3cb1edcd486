//! Made-up traces: what a program does that has loaded its data, and then asks for it. The same for the same seed, on any
//! machine: nothing but integers and divisions.

use ztera_store::UnitIndex;

use crate::trace::{Step, Trace, hash};

/// Bytes of a unit.
pub const UNIT_LEN: u64 = 16 << 10;

/// Touches between two epochs.
const EPOCH: u64 = 10_000;

/// One touch of so many is a write.
const ONE_WRITE_IN: u64 = 20;

/// Numbers that look random.
#[derive(Clone, Debug)]
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        hash(self.0)
    }

    fn below(&mut self, end: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(end)) >> 64) as u64
    }
}

/// A trace that grows.
struct Made {
    random: Random,
    touches: u64,
    trace: Trace,
}

impl Made {
    /// All `units` were submitted, in order.
    fn loaded(units: u32, seed: u64) -> Self {
        let mut random = Random(seed);
        let sizes = (0..units).map(|_| size(&mut random)).collect();
        let steps = (0..units).map(|unit| Step::Submit(UnitIndex(unit))).collect();
        Self { random, touches: 0, trace: Trace { unit_len: UNIT_LEN, sizes, steps } }
    }

    fn touch(&mut self, unit: u32, write: bool) {
        self.trace.steps.push(Step::Touch { unit: UnitIndex(unit), write });
        self.touches += 1;
        if self.touches.is_multiple_of(EPOCH) {
            self.trace.steps.push(Step::Epoch);
        }
    }

    fn writes(&mut self) -> bool {
        self.random.below(ONE_WRITE_IN) == 0
    }
}

/// Of a hundred units one does not compress, two repeat a word, and the others take a tenth to six tenths.
fn size(random: &mut Random) -> u64 {
    match random.below(100) {
        0 => UNIT_LEN,
        1 | 2 => 0,
        _ => UNIT_LEN / 10 + random.below(UNIT_LEN / 2),
    }
}

/// `touches` of units whose popularity is skewed: the next one of n is as often touched as 1/n of the first (Zipf's law
/// with exponent 1). Where in the range they lie has nothing to do with that.
pub fn zipf(units: u32, touches: u64, seed: u64) -> Trace {
    let mut made = Made::loaded(units, seed);
    let mut places: Vec<u32> = (0..units).collect();
    for last in (1..places.len()).rev() {
        places.swap(last, made.random.below(last as u64 + 1) as usize);
    }
    let weights = (1..=u64::from(units)).map(|rank| (1 << 32) / rank);
    let ends: Vec<u64> = weights
        .scan(0, |sum, weight| {
            *sum += weight;
            Some(*sum)
        })
        .collect();
    let all = ends.last().copied().unwrap_or(0);
    for _ in 0..touches {
        let ticket = made.random.below(all);
        let rank = ends.partition_point(|&end| end <= ticket);
        let write = made.writes();
        made.touch(places[rank], write);
    }
    made.trace
}

/// Every fourth of `4 * hot` units is hot: in each of 8000 steps all of these are read, and one of all units.
pub fn hot_pages(hot: u32, seed: u64) -> Trace {
    let mut made = Made::loaded(4 * hot, seed);
    for _ in 0..8000 {
        let cold = made.random.below(4 * u64::from(hot)) as u32;
        made.touch(cold, false);
        (0..hot).for_each(|i| made.touch(4 * i, false));
    }
    made.trace
}

/// The events of a program of [`scans`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scans {
    /// Units of the range.
    pub units: u32,
    /// The first of them, which are touched again and again, in no order.
    pub hot: u32,
    /// Rounds: of touches of hot units only, then of a scan.
    pub rounds: u32,
    /// Touches of hot units before each scan.
    pub quiet: u64,
    /// A scan reads all units in order, with one touch of a hot unit after so many; without scans this is 0.
    pub between: u32,
}

/// A few hot units, and scans over all of them.
pub fn scans(shape: Scans, seed: u64) -> Trace {
    let mut made = Made::loaded(shape.units, seed);
    for _ in 0..shape.rounds {
        (0..shape.quiet).for_each(|_| made.touch_hot(shape.hot));
        if shape.between == 0 {
            continue;
        }
        for unit in 0..shape.units {
            made.touch(unit, false);
            if (unit + 1).is_multiple_of(shape.between) {
                made.touch_hot(shape.hot);
            }
        }
    }
    made.trace
}

impl Made {
    fn touch_hot(&mut self, hot: u32) {
        let unit = self.random.below(hot.into()) as u32;
        let write = self.writes();
        self.touch(unit, write);
    }
}

/// The skewed trace that figures are given of: 32 768 units, 400 000 touches.
pub fn usual_zipf(seed: u64) -> Trace {
    zipf(32_768, 400_000, seed)
}

/// The one with hot pages: 1024 units, of which 256 are hot.
pub fn usual_hot(seed: u64) -> Trace {
    hot_pages(256, seed)
}

/// The scan-heavy one: of 32 768 units 1024 are hot; six scans, with a fifth of the touches hot, and 20 000 hot ones
/// before each.
pub fn usual_scans(seed: u64) -> Trace {
    scans(Scans { units: 32_768, hot: 1024, rounds: 6, quiet: 20_000, between: 4 }, seed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_a_thousand_is_touched_most() {
        let trace = zipf(1000, 100_000, 1);
        let mut counts = vec![0_u64; 1000];
        for step in &trace.steps {
            if let Step::Touch { unit, .. } = step {
                counts[unit.0 as usize] += 1;
            }
        }
        counts.sort_unstable_by(|a, b| b.cmp(a));
        // Its share is one in H(1000) = 7.485.
        assert!((13_000..13_800).contains(&counts[0]), "{counts:?}");
        assert!((6_300..7_100).contains(&counts[1]));
        assert_eq!(trace, zipf(1000, 100_000, 1));
        assert_ne!(trace, zipf(1000, 100_000, 2));
    }

    #[test]
    fn a_scan_touches_all() {
        let shape = Scans { units: 100, hot: 10, rounds: 2, quiet: 50, between: 4 };
        assert_eq!(scans(shape, 1).touches(), 2 * (50 + 100 + 25));
        let quiet = scans(Scans { between: 0, ..shape }, 1);
        assert_eq!(quiet.touches(), 100);
        assert!(quiet.steps.iter().all(|step| !matches!(step, Step::Touch { unit, .. } if unit.0 >= 10)));
    }
}
