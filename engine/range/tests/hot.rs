//! Units that a program reads all the time, beside others that it reads now and then.

mod common;

use common::{Random, UNIT, WORDS, Words, open, options, serve, submit, tame};
use ztera_range::{FaultMode, Options};

/// 64 MiB, of which 24 MiB may be resident.
const UNITS: usize = 4096;
const RESIDENT: usize = 1536;
const HOT: usize = 1024;
const STEPS: usize = 20_000;

/// Units that an LRU has beside the hot ones, which never leave it, and what it fetched.
#[derive(Default)]
struct Lru {
    units: Vec<usize>,
    faults: u64,
}

impl Lru {
    fn touch(&mut self, unit: usize) {
        match self.units.iter().position(|&other| other == unit) {
            Some(place) => _ = self.units.remove(place),
            None => self.faults += 1,
        }
        self.units.push(unit);
        if self.units.len() > RESIDENT - HOT {
            self.units.remove(0);
        }
    }
}

/// In each step a random unit is read, and each hot one, of which `is_hot` tells. Returns the faults, and those of an LRU.
fn faults(is_hot: fn(usize) -> bool) -> Option<(u64, u64)> {
    let options = Options { fault_mode: FaultMode::Sigbus, ..options(RESIDENT) };
    let range = open(UNITS * UNIT, &options)?;
    submit(&range, UNIT, 0, UNITS, tame);
    range.drain();
    let range = serve(range);
    let (words, mut random) = (Words::of(&range), Random(7));
    let mut lru = Lru { faults: HOT as u64, ..Lru::default() };
    let read = |unit: usize| assert_eq!(words.get(unit * WORDS), tame(unit, 0), "{unit}");
    for _ in 0..STEPS {
        let unit = random.below(UNITS);
        read(unit);
        if !is_hot(unit) {
            lru.touch(unit);
        }
        (0..UNITS).filter(|&unit| is_hot(unit)).for_each(read);
    }
    Some((range.stats().fault_count, lru.faults))
}

/// Bug: nothing told the evictor that units are read, so hot ones left in turn. They took as many faults as all others.
#[test]
fn what_is_read_all_the_time_seldom_leaves() {
    let scattered = |unit| unit % 4 == 3;
    let in_order = |unit| unit >= UNITS - HOT;
    for is_hot in [in_order, scattered] {
        let Some((faults, by_lru)) = faults(is_hot) else { return };
        // Each hot unit leaves a few times before it is known, and one of 32 units that leave is hot.
        assert!(faults < by_lru + by_lru / 8 + 3 * HOT as u64, "{faults} faults; {by_lru} of an LRU");
    }
}
