//! The units that go to SSD, and when. Pure decisions over numbers; the range's demoter carries them out.

use std::collections::VecDeque;

use crate::MAX_STAMP;
use crate::copies::is_worth_keeping;

/// Knowledge of the pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pressure {
    /// Bytes of it that compressed objects take.
    pub pooled: u64,
    /// Most bytes that it may take from the system; 0 = no limit.
    pub limit: u64,
    /// It has refused a unit, and nothing was freed since.
    pub refused: bool,
    /// Bytes of it that are units as they are, where they take the room of resident pages, and the SSD would take them
    /// at once.
    pub useless: u64,
}

/// Bytes of useless objects that are worth a trip to the SSD in any case, and the part of the pool's limit that is: the
/// whole table is looked through for them.
const TRIP: u64 = 1 << 20;
const TRIP_SHARE: u64 = 64;

/// Whether so many bytes of useless objects are worth a trip to the SSD.
pub fn are_worth_a_trip(useless: u64, limit: u64) -> bool {
    useless >= TRIP.max(limit / TRIP_SHARE)
}

/// Bytes of compressed objects that have to leave the pool; 0 = none. From 30/32 of the limit down to 28/32, so
/// that who stores something does not wait, and nothing is refused though some of the room is in chunks of other
/// classes; where that happened all the same, a sixteenth. Units as they are all leave: in the pool they save nothing, and
/// come back by a copy and a new object each time, while a resident page that the SSD has too is dropped for nothing.
pub fn demand(Pressure { pooled, limit, refused, useless }: Pressure) -> u64 {
    let useless = if are_worth_a_trip(useless, limit) { useless } else { 0 };
    useless.max(demand_for_room(pooled, limit, refused))
}

fn demand_for_room(pooled: u64, limit: u64, refused: bool) -> u64 {
    match limit {
        0 => 0,
        _ if pooled > limit / 32 * 30 => pooled - emptied_to(limit),
        _ if refused => (limit / 16).min(pooled),
        _ => 0,
    }
}

/// Bytes of the pool that are left once it was emptied.
fn emptied_to(limit: u64) -> u64 {
    limit / 32 * 28
}

/// About how many units the pool has room for before it has to be emptied: the `units` that it holds, and as many more
/// as are left room for, if each of `unit_len` bytes takes `record` bytes there. None of those that save too little: they
/// would leave it at once.
pub fn units_with_room(
    Pressure { pooled, limit, .. }: Pressure,
    units: u64,
    record: u64,
    unit_len: u64,
) -> u64 {
    let left = emptied_to(limit).saturating_sub(pooled);
    units + if is_worth_keeping(record, unit_len) { left / record.max(1) } else { 0 }
}

/// Whether an object of `len` bytes fits beside those that the pool has, and nothing has to leave for it.
pub fn has_room(Pressure { pooled, limit, refused, .. }: Pressure, len: u64) -> bool {
    !refused && (limit == 0 || pooled + len <= emptied_to(limit))
}

/// Whether new objects should be as small as they can be, though that takes longer, and so does each read. Only where
/// nothing else makes room: an SSD that `ssd_takes` it gets what is cold, and workers that have time make smaller what is
/// idle. Without an SSD, while a program loads, they have none, and later would be too late. So it is when half of the pool
/// would be full if it also had what only resident pages have now, which would take `owed` bytes of it.
pub fn is_tight(Pressure { pooled, limit, .. }: Pressure, owed: u64, ssd_takes: bool) -> bool {
    limit > 0 && !ssd_takes && pooled.saturating_add(owed) > limit / 2
}

/// About how many units have objects of `bytes` together, in a pool of `units` with objects of `pooled` bytes.
pub fn units_of(bytes: u64, pooled: u64, units: u64) -> usize {
    bytes.div_ceil((pooled / units.max(1)).max(1)) as usize
}

/// The oldest `wanted` units, or all, of those that `all` lists with their ages in ticks of the evictor's clock. It is
/// asked twice.
pub fn oldest<C, I: Iterator<Item = (C, u64)>>(all: impl Fn() -> I, wanted: usize) -> VecDeque<C> {
    let mut ages = Ages::new(MAX_STAMP.into());
    all().for_each(|(_, age)| ages.add(age));
    let from = ages.oldest(wanted as u64);
    all().filter(|&(_, age)| age >= from).map(|(unit, _)| unit).take(wanted).collect()
}

/// How many units of the pool are how old.
#[derive(Debug)]
struct Ages {
    counts: Vec<u32>,
}

impl Ages {
    /// Of no units, none of which will be older than `oldest`.
    fn new(oldest: u64) -> Self {
        Self { counts: vec![0; oldest as usize + 1] }
    }

    /// Counts a unit.
    fn add(&mut self, age: u64) {
        let last = self.counts.len() - 1;
        self.counts[(age as usize).min(last)] += 1;
    }

    /// The age from which on there are at least `wanted` units, or all of them.
    fn oldest(&self, wanted: u64) -> u64 {
        let mut found = 0;
        let enough = |count: &u32| {
            found += u64::from(*count);
            found >= wanted
        };
        self.counts.iter().rposition(enough).unwrap_or(0) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pool_that_fills_up_is_emptied_a_little() {
        let base = Pressure { pooled: 0, limit: 1600, refused: false, useless: 0 };
        for (pressure, bytes) in [
            (base, 0),
            (Pressure { pooled: 1500, ..base }, 0),
            (Pressure { pooled: 1501, ..base }, 101),
            (Pressure { pooled: 1600, refused: true, ..base }, 200),
            (Pressure { pooled: 900, refused: true, ..base }, 100),
            (Pressure { pooled: 30, refused: true, ..base }, 30),
            (Pressure { pooled: 1 << 40, limit: 0, refused: true, useless: 0 }, 0),
            (Pressure { pooled: 1501, useless: TRIP - 1, ..base }, 101),
            (Pressure { pooled: 1501, useless: TRIP, ..base }, TRIP),
            (Pressure { limit: 100 * TRIP, useless: TRIP, ..base }, 0),
        ] {
            assert_eq!(demand(pressure), bytes, "{pressure:?}");
        }
    }

    #[test]
    fn an_empty_pool_has_room_for_more_than_it_holds() {
        let room = |pooled, limit, record| {
            units_with_room(Pressure { pooled, limit, refused: false, useless: 0 }, 10, record, 80)
        };
        let rooms = [room(400, 1600, 20), room(1400, 1600, 20), room(1600, 1600, 20), room(400, 0, 20)];
        assert_eq!(rooms, [60, 10, 10, 10]);
        assert_eq!([room(400, 1600, 60), room(400, 1600, 61)], [26, 10], "those that save too little leave");
        assert_eq!(room(1390, 1600, 0), 20, "no record yet");
    }

    #[test]
    fn room_is_what_nothing_has_to_leave_for() {
        let room = |pooled, limit, refused| has_room(Pressure { pooled, limit, refused, useless: 0 }, 20);
        assert!(room(1380, 1600, false) && !room(1381, 1600, false) && !room(0, 1600, true));
        assert!(room(1 << 40, 0, false), "no limit");
    }

    #[test]
    fn half_is_tight_with_what_will_come() {
        let tight = |pooled, owed, limit| {
            is_tight(Pressure { pooled, limit, refused: false, useless: 0 }, owed, false)
        };
        assert!(tight(801, 0, 1600) && !tight(800, 0, 1600) && !tight(1 << 40, 1 << 40, 0));
        assert!(tight(100, 701, 1600) && !tight(100, 700, 1600));
    }

    #[test]
    fn where_an_ssd_takes_what_is_cold_nothing_is_tight() {
        let full = Pressure { pooled: 1600, limit: 1600, refused: true, useless: 0 };
        assert!(!is_tight(full, 1600, true) && is_tight(full, 0, false));
    }

    #[test]
    fn as_many_go_as_are_wanted() {
        let units = [('a', 3), ('b', u64::MAX), ('c', 0), ('d', 70)];
        assert_eq!(oldest(|| units.into_iter(), 2), ['b', 'd']);
        assert_eq!(oldest(|| units.into_iter(), 9), ['a', 'b', 'c', 'd']);
        assert_eq!([units_of(1000, 5000, 50), units_of(1, 5000, 50), units_of(1000, 0, 0)], [10, 1, 1000]);
    }

    #[test]
    fn the_oldest_go_first() {
        let mut ages = Ages::new(100);
        for (age, count) in [(0, 50), (3, 20), (70, 10), (100, 4), (5000, 1)] {
            (0..count).for_each(|_| ages.add(age));
        }
        assert_eq!(
            [1, 5, 6, 15, 16, 36, 1000].map(|wanted| ages.oldest(wanted)),
            [100, 100, 70, 70, 3, 0, 0]
        );
    }
}
