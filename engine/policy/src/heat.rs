//! How hot a unit is, and whose turn it is to leave. Pure decisions over numbers; the range's residency keeps the queues.
//!
//! Memory that is only read tells nobody that it is. The one sign is a fault, and that a unit takes only once it has left.
//! How soon it comes back then tells how often it is touched. So there is a queue for each heat. The coldest gives what
//! leaves, but for a part of memory that it keeps: units have to be there for a while to show that they are hot, too.
//!
//! Hot units may have cooled down. So one of them leaves now and then, though it is not its turn. If it is hot still, it
//! comes back at once, and that is one fault more. Such faults are bounded by those that others take anyway: how many units
//! are hot does not matter, nor when they came.

use crate::eviction::EvictionClock;

/// How hot a unit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Heat {
    /// It came back late, or nobody knows.
    Cold,
    /// It came back before as many others had left as memory has room for.
    Warm,
    /// It came back before a quarter of those. That may be chance, as one touch is enough.
    Hot,
    /// It was hot, and came back before an eighth of those.
    Hottest,
}

/// How many of them there are.
pub const HEATS: usize = 4;

impl Heat {
    /// All, the coldest first.
    pub const ALL: [Self; HEATS] = [Self::Cold, Self::Warm, Self::Hot, Self::Hottest];

    /// That of a unit that was evicted at `stamp`, being hot or not, and comes back now, to memory with room for `limit`
    /// units.
    pub fn of(clock: EvictionClock, stamp: u16, was_hot: bool, evictions: u64, limit: u64) -> Self {
        let is_within = |units| clock.is_within(stamp, evictions, units);
        if !clock.came_back_soon(stamp, evictions, limit) {
            Self::Cold
        } else if !is_within(limit / 4) {
            Self::Warm
        } else if was_hot && is_within(limit / 8) {
            Self::Hottest
        } else {
            Self::Hot
        }
    }
}

/// A return from SSD counts for no more mean returns than these: the most that `records` of `ztera bench plain` was tried with.
const MOST_DEARNESS: u64 = 8;

/// The cost of a return from SSD, in mean returns: that many times as long a unit may have been away, and is as hot. (As
/// GreedyDual weighs what it keeps by the cost to get it: Young, The k-server dual and loose competitiveness for paging,
/// 1994.) Of `faults`, `from_ssd` took the time of a `read` besides that of a `fault`.
pub fn dearness(faults: u64, from_ssd: u64, fault: u64, read: u64) -> u64 {
    let all = faults.max(from_ssd);
    let spent = all * fault + from_ssd * read;
    ((fault + read) * all).checked_div(spent).unwrap_or(1).clamp(1, MOST_DEARNESS)
}

/// Of units that pass, and come back before as many others left as memory has room for, so many pass again for each that
/// stays.
///
/// A reader in order may go round and round in data that have room in memory, while colder units have that. And it may do so
/// in data that have not. Nothing tells one from the other. So a few stay. In the first case, soon all of the data do. In
/// the second, each of them takes the place of another one. (Qureshi and others do so in caches: Adaptive insertion
/// policies, ISCA 2007.)
const PASS_AGAIN: u64 = 3;

/// Whether the next of such units stays, if `came` units came before.
pub fn stays(came: u64) -> bool {
    came.is_multiple_of(PASS_AGAIN + 1)
}

/// One of so many units that leave is not of the heat whose turn it is, but a hotter one.
const PROBE: u64 = 32;

/// The cold ones have so small a part of all at least, to be there until their faults are over.
const COLD_PART: u64 = 20;

/// Whether cold units leave rather than others.
pub fn are_many_cold(queued: [u64; HEATS]) -> bool {
    queued[Heat::Cold as usize] > queued.iter().sum::<u64>() / COLD_PART
}

/// The heat of the unit that leaves next, if `queued` units are of each heat and `turn` units have left.
pub fn leaves_next(queued: [u64; HEATS], turn: u64) -> Heat {
    let has_turn = |&heat: &Heat| match heat {
        Heat::Cold => are_many_cold(queued),
        _ => queued[heat as usize] > 0,
    };
    let next = Heat::ALL.into_iter().find(has_turn).unwrap_or(Heat::Cold);
    if turn % PROBE < PROBE - 1 {
        return next;
    }
    // Each of the hotter ones in turn. Few of them take little memory, and need not show it before a round is over.
    let least = queued.iter().sum::<u64>() / PROBE;
    let hotter = || Heat::ALL.into_iter().filter(|&heat| heat > next && queued[heat as usize] > least);
    let turns = hotter().count().max(1) as u64;
    hotter().nth((turn / PROBE % turns) as usize).unwrap_or(next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sooner_it_comes_back_the_hotter_it_is() {
        const LIMIT: u64 = 6400;
        let clock = EvictionClock::new(LIMIT, 100_000);
        let stamp = clock.time(1000);
        let heat = |later: u64, was_hot| Heat::of(clock, stamp, was_hot, 1000 + later, LIMIT);
        for (later, first, again) in [
            (0, Heat::Hot, Heat::Hottest),
            (800, Heat::Hot, Heat::Hottest),
            (1000, Heat::Hot, Heat::Hot),
            (1600, Heat::Hot, Heat::Hot),
            (1800, Heat::Warm, Heat::Warm),
            (6400, Heat::Warm, Heat::Warm),
            (6700, Heat::Cold, Heat::Cold),
            (1_000_000, Heat::Cold, Heat::Cold),
        ] {
            assert_eq!((heat(later, false), heat(later, true)), (first, again), "{later}");
        }
        assert_eq!(Heat::of(clock, 0, false, 1000, LIMIT), Heat::Cold, "it never left");
    }

    #[test]
    fn what_is_dear_to_get_may_be_away_for_longer() {
        assert_eq!(dearness(40_000, 4_000, 8_000, 75_000), 5, "most come from the pool");
        assert_eq!(dearness(40_000, 400, 8_000, 75_000), 8, "as measured at most");
        assert_eq!(dearness(14_000, 13_000, 8_000, 75_000), 1, "nearly all come from SSD");
        assert_eq!(dearness(100, 400, 8_000, 75_000), 1, "reads of units that do not fault");
        assert_eq!(dearness(0, 0, 8_000, 75_000), 1);
        assert_eq!(dearness(40_000, 0, 8_000, 0), 1);
    }

    #[test]
    fn one_of_four_stays() {
        assert_eq!((0..400).filter(|&came| stays(came)).count(), 100);
    }

    /// How many of each heat leave of so many in all.
    fn leave(mut queued: [u64; HEATS], units: u64) -> [u64; HEATS] {
        let before = queued;
        (0..units).for_each(|turn| queued[leaves_next(queued, turn) as usize] -= 1);
        std::array::from_fn(|heat| before[heat] - queued[heat])
    }

    #[test]
    fn the_coldest_leave_and_a_few_others() {
        assert_eq!(leave([2000, 0, 0, 0], 960), [960, 0, 0, 0], "all are as cold");
        assert_eq!(leave([2000, 500, 500, 500], 960), [930, 10, 10, 10]);
        assert_eq!(leave([2000, 0, 0, 1000], 960), [930, 0, 0, 30]);
        assert_eq!(leave([0, 1000, 0, 0], 960), [0, 960, 0, 0]);
        assert_eq!(leave([2000, 10, 10, 10], 960), [960, 0, 0, 0], "few take little memory");
        assert_eq!(leave([0, 1000, 100, 1000], 640), [0, 620, 10, 10]);
    }

    #[test]
    fn others_leave_once_few_are_cold() {
        for (queued, next) in [
            ([51, 449, 100, 400], Heat::Cold),
            ([50, 1, 549, 400], Heat::Warm),
            ([50, 0, 1, 949], Heat::Hot),
            ([50, 0, 0, 950], Heat::Hottest),
            ([0, 0, 0, 7], Heat::Hottest),
            ([1, 1, 0, 0], Heat::Cold),
            ([0, 0, 0, 0], Heat::Cold),
        ] {
            assert_eq!(leaves_next(queued, 0), next, "{queued:?}");
        }
    }
}
