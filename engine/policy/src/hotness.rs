//! Which units are hot, and how long they stay before they have to show it again. Pure decisions over numbers; the
//! range's residency keeps the queues.
//!
//! Memory that is only read tells nobody that it is. The one sign is a fault, and that a unit takes only once it has
//! left. How soon it comes back then tells how often it is touched. So a hot unit is left alone for some rounds, each
//! of as many evictions as memory has room for. Then it is a candidate like any other. If it is hot still, it comes
//! back at once: one fault in all these rounds.

use crate::eviction::EvictionClock;

/// How hot a unit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heat {
    /// It came back within a quarter of a round.
    Hot,
    /// It came back within a sixteenth.
    Hottest,
}

/// How many of them there are.
pub const HEATS: usize = 2;

impl Heat {
    /// That of a unit that was evicted at `stamp` and comes back now, to memory with room for `limit` units. `None`: it
    /// came back later, or nobody knows.
    pub fn of(clock: EvictionClock, stamp: u16, evictions: u64, limit: u64) -> Option<Self> {
        let came_back_within = |units| clock.came_back_within(stamp, evictions, units);
        if came_back_within(limit / 16) {
            Some(Self::Hottest)
        } else {
            came_back_within(limit / 4).then_some(Self::Hot)
        }
    }

    /// Evictions after which it has to show that it is hot still: it may have been touched once, by chance, just then.
    /// The less likely that is, the longer.
    pub fn evictions(self, limit: u64) -> u64 {
        let rounds = match self {
            Self::Hot => 8,
            Self::Hottest => 32,
        };
        limit.saturating_mul(rounds)
    }
}

/// Whether `hot` units leave no room for others, of which there should be a tenth besides those that
/// [pass](crate::eviction::leaves_next): units have to be there for a while to show that they are hot, too. Memory has
/// room for `limit` units.
pub fn are_too_many(hot: u64, passing: u64, limit: u64) -> bool {
    hot > limit.saturating_sub(passing) / 10 * 9
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sooner_it_comes_back_the_longer_it_stays() {
        const LIMIT: u64 = 6400;
        let clock = EvictionClock::new(LIMIT, 100_000);
        let stamp = clock.time(1000);
        let heat = |later: u64| Heat::of(clock, stamp, 1000 + later, LIMIT);
        assert_eq!((heat(0), heat(299)), (Some(Heat::Hottest), Some(Heat::Hottest)));
        assert_eq!((heat(400), heat(1499)), (Some(Heat::Hot), Some(Heat::Hot)));
        assert_eq!((heat(1600), heat(1_000_000)), (None, None));
        assert_eq!(Heat::of(clock, 0, 1000, LIMIT), None, "it never left");
        assert!(Heat::Hottest.evictions(LIMIT) > Heat::Hot.evictions(LIMIT));
    }

    /// A clock that shows less than that would take what comes back by chance for hot.
    #[test]
    fn nothing_is_hot_by_a_clock_that_is_too_coarse() {
        // It ticks once while 1024 units are evicted.
        let clock = EvictionClock::new(1024, 4 << 20);
        let heat = |limit| Heat::of(clock, clock.time(5000), 5000, limit);
        assert_eq!(
            [heat(1024), heat(4096), heat(8192), heat(16384)],
            [None, Some(Heat::Hot), Some(Heat::Hot), Some(Heat::Hottest)]
        );
    }

    #[test]
    fn others_keep_a_tenth() {
        for (passing, most) in [(0, 900), (250, 675), (1000, 0), (2000, 0)] {
            assert!(!are_too_many(most, passing, 1000), "{passing}");
            assert!(are_too_many(most + 1, passing, 1000), "{passing}");
        }
    }
}
