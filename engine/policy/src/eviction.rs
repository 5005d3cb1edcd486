//! The choice of what stays in memory. Pure decisions over numbers; the range's evictor carries them out.

use crate::MAX_STAMP;

/// Marks, in units of memory, between which the number of resident units is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Watermarks {
    /// Above this, whoever makes a unit resident evicts another one.
    pub limit: u64,
    /// Above this, the evictor thread starts.
    pub high: u64,
    /// At this it stops.
    pub low: u64,
    /// Above this, a unit that comes will soon have another one leave.
    pub nearly_high: u64,
}

/// Most bytes between two marks: enough for the evictor to get ahead of the faults, no more, as
/// memory below the limit that is not used is wasted.
const MAX_STEP: u64 = 1 << 20;

/// A step is at least such a part of the usual one.
const LEAST_PART: u64 = 4;

/// Bytes of two such steps.
pub(crate) const LEAST_STEPS: u64 = 2 * MAX_STEP / LEAST_PART;

/// Bytes between two marks below a limit of so many.
pub(crate) fn step(limit: u64) -> u64 {
    (limit / 32).min(MAX_STEP)
}

impl Watermarks {
    /// For a limit of `bytes`; `None` = no limit.
    pub fn new(bytes: u64, unit_len: u64) -> Option<Self> {
        if bytes == 0 {
            return None;
        }
        let limit = (bytes / unit_len).max(1);
        let step = step(bytes) / unit_len;
        Some(Self { limit, high: limit - step, low: limit - 2 * step, nearly_high: limit - 3 * step })
    }

    /// The same for a range that may have `most` units now, and soon `credit` more. The steps are parts of that credit, so
    /// that the evictor asks for more before it evicts. Where hardly any credit is left they have a minimum, or threads that
    /// fault would evict for themselves.
    pub fn below(self, most: u64, credit: u64) -> Self {
        let whole = self.low - self.nearly_high;
        let step = (most / 32).min((credit / 8).max(whole / LEAST_PART));
        let low = self.low.min(most - 2 * step);
        Self {
            limit: self.limit.min(most),
            high: self.high.min(most - step),
            low,
            nearly_high: low.saturating_sub(whole),
        }
    }
}

/// Bytes that readers in order have of memory before what they have passed leaves: so much that what is read ahead is still
/// there when its reader comes to it, also with several readers.
const PASSING_LEAST: u64 = 16 << 20;

/// Whether the next unit to leave is the oldest of those `passing`, in place of the oldest of all others. Memory has room
/// for `limit` units.
///
/// A reader in order brings in units that *pass*: it wants none of them again before it has read all others. A unit that
/// came back sooner does not pass. So a pass over more data than memory holds uses a small part of memory, and hot units
/// keep their places. Where passes follow each other, most units that are resident stay so from one to the next.
pub fn leaves_next(passing: u64, limit: u64, unit_len: u64) -> bool {
    passing > most_passing(limit, unit_len)
}

/// Whether it is so though they do not have all that, as the others are warm or hot. A quarter of it is left for what is
/// read ahead.
pub fn leaves_before_warm(passing: u64, limit: u64, unit_len: u64) -> bool {
    passing > most_passing(limit, unit_len) / 4
}

fn most_passing(limit: u64, unit_len: u64) -> u64 {
    (limit / 4).max((PASSING_LEAST / unit_len).min(limit / 2))
}

/// Bytes of memory that units have at least that [cycle](leaves_next_of_cycle).
const CYCLING_LEAST: u64 = 4 << 20;

/// Whether the next unit to leave is the oldest of those `passing` where these *cycle*. All data but a few fit, so that most
/// units have no copy, and it would cost a store to take one of them out. The few go round in a small part of memory. They
/// keep their copies, so that they leave for nothing.
pub fn leaves_next_of_cycle(passing: u64, limit: u64, unit_len: u64) -> bool {
    passing > most_cycling(limit, unit_len)
}

fn most_cycling(limit: u64, unit_len: u64) -> u64 {
    (limit / TICKS_PER_ROUND).max((CYCLING_LEAST / unit_len).min(limit / 8))
}

/// Whether a unit that comes back may [cycle](leaves_next_of_cycle), as only `beside` units have a copy beside their pages. If
/// more have, as after a load, it takes a place and gives its copy up: one of the others leaves for nothing.
pub fn may_go_on(beside: u64, limit: u64, unit_len: u64) -> bool {
    beside <= 3 * most_cycling(limit, unit_len)
}

/// Evictions after which one of `units` that [cycle](leaves_next_of_cycle) comes back soon: it is wanted much more often than
/// the others.
pub fn soon_in_cycle(units: u64) -> u64 {
    units / 16
}

/// A unit that a reader in order brings back is hot if fewer units than this were evicted meanwhile: as many as may pass.
/// With room for a few more passing units it would still be resident. A unit of data that are read over and over comes
/// back later than that, though often before memory was exchanged once.
pub fn soon_in_order(limit: u64, unit_len: u64) -> u64 {
    // Where there is room for a few units only, threads would take them from each other for ever.
    const FEW: u64 = 256;
    most_passing(limit, unit_len).max(limit.min(FEW))
}

/// Clock of evictions, coarse enough that the bits of a stamp last: it ticks 64 times while as many units are
/// evicted as are resident.
#[derive(Clone, Copy, Debug)]
pub struct EvictionClock {
    units_per_tick: u64,
}

const TICKS_PER_ROUND: u64 = 64;

/// All units of the range can be evicted so often before ages begin again at 0.
const ROUNDS_OF_ALL: u64 = 4;

/// Ticks until a stamp comes again.
const WRAP: u64 = MAX_STAMP as u64;

impl EvictionClock {
    /// For `limit` resident units of a range of `units`.
    pub fn new(limit: u64, units: u64) -> Self {
        let units_per_tick = (limit / TICKS_PER_ROUND).max(units * ROUNDS_OF_ALL / WRAP).max(1);
        Self { units_per_tick }
    }

    /// The time after `evictions` of them; never 0, which means "never".
    pub fn time(self, evictions: u64) -> u16 {
        (evictions / self.units_per_tick % WRAP) as u16 + 1
    }

    /// The time that it shows at the end of a quarter (see [`idleness`](crate::idleness)), the last of which ended at `last`: it
    /// ticks though nothing was evicted, so that units age all the same.
    pub fn end_of_quarter(self, last: u64, evictions: u64) -> u64 {
        let stands_still = evictions < last + self.units_per_tick;
        if stands_still { evictions + self.units_per_tick } else { evictions }
    }

    /// Ticks since there had been `then` evictions.
    pub fn ticks_since(self, then: u64, evictions: u64) -> u64 {
        evictions / self.units_per_tick - then / self.units_per_tick
    }

    /// Ticks since `stamp`; `None` if that is "never". After [`WRAP`] ticks they begin at 0 again.
    pub fn age(self, stamp: u16, evictions: u64) -> Option<u64> {
        let now = u64::from(self.time(evictions));
        (stamp != 0).then(|| (now + WRAP - u64::from(stamp)) % WRAP)
    }

    /// Whether a unit evicted at `stamp` came back before as many others were evicted as the pool has room for,
    /// `pooled`: if what was warm had stayed there, so would it. (Linux compares a refault distance with what
    /// it could have kept besides, too: mm/workingset.c.)
    pub fn is_warm(self, stamp: u16, evictions: u64, pooled: u64) -> bool {
        let horizon = (pooled / self.units_per_tick).min(WRAP / 2);
        self.age(stamp, evictions).is_some_and(|ticks| ticks < horizon)
    }

    /// Whether a unit evicted at `stamp` came back before about `units` others were evicted, by as many ticks as these take,
    /// and the one that runs.
    pub fn is_within(self, stamp: u16, evictions: u64, units: u64) -> bool {
        let ticks = self.ticks_of(units);
        self.age(stamp, evictions).is_some_and(|age| age <= ticks)
    }

    fn ticks_of(self, units: u64) -> u64 {
        (units / self.units_per_tick).clamp(1, WRAP / 2)
    }

    /// Whether a unit evicted at `stamp` came back so soon that it should have stayed: before as many
    /// others were evicted as fit into memory, `limit`.
    pub fn came_back_soon(self, stamp: u16, evictions: u64, limit: u64) -> bool {
        let round = limit.div_ceil(self.units_per_tick).min(WRAP / 2);
        self.age(stamp, evictions).is_some_and(|ticks| ticks <= round)
    }
}

/// Knowledge of a unit at the head of the eviction queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// It is mapped.
    pub resident: bool,
    /// Somebody has its address, and may give it to the kernel.
    pub pinned: bool,
    /// It has a second chance.
    pub referenced: bool,
    /// Only mapped memory has its contents.
    pub dirty: bool,
    /// The pool has refused a unit and nothing was freed since.
    pub pool_full: bool,
}

/// The verdict about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is not resident any more, or pinned: take it out of the queue. When it is pinned no more, it joins again.
    Forget,
    /// Back to the tail of the queue, without its reference.
    SecondChance,
    /// A dirty unit that cannot be stored now: back to the tail.
    Keep,
    /// Drop its pages; the store has its contents.
    Drop,
    /// Store its contents, then drop its pages.
    Store,
}

/// The verdict on `candidate`.
pub fn judge(candidate: Candidate) -> Verdict {
    match candidate {
        Candidate { resident: false, .. } | Candidate { pinned: true, .. } => Verdict::Forget,
        Candidate { referenced: true, .. } => Verdict::SecondChance,
        Candidate { dirty: false, .. } => Verdict::Drop,
        Candidate { pool_full: true, .. } => Verdict::Keep,
        _ => Verdict::Store,
    }
}

/// How long the evictor tries: two rounds (one takes the second chances away) through the queue as it was when its turn
/// began. Units that come meanwhile are for the next turn: among units that cannot leave, a few that come and can would keep it
/// going round and round.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    left: usize,
}

impl Patience {
    /// For a queue of so many entries.
    pub fn of(queued: usize) -> Self {
        Self { left: 2 * queued }
    }

    /// Whether it ends, after `looked` more entries were looked at.
    pub fn ends(&mut self, looked: usize) -> bool {
        let over = looked > self.left;
        self.left = self.left.saturating_sub(looked);
        over
    }
}

/// Units to be added at least before the evictor tries again in vain.
const FRUITLESS_STEP: u64 = 64;

/// Whether the evictor tries again though the pool is full: `added` units came since it gave up, and there are `units`.
/// One of its rounds costs time for each of them.
pub fn tries_again(added: u64, units: u64) -> bool {
    added >= FRUITLESS_STEP.max(units / 8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_ordered_and_close_to_the_limit() {
        for units in [1, 2, 31, 32, 33, 1000, 1 << 20] {
            let marks = Watermarks::new(units * 16384, 16384).unwrap();
            assert_eq!(marks.limit, units);
            assert!(marks.low <= marks.high && marks.high <= marks.limit);
            assert!(marks.limit - marks.low <= units / 16);
        }
        assert_eq!(Watermarks::new(0, 4096), None);
        assert_eq!(Watermarks::new(100, 4096).unwrap().limit, 1);
    }

    #[test]
    fn marks_below_another_limit_are_parts_of_the_credit() {
        let marks = Watermarks { limit: 9000, high: 8900, low: 8800, nearly_high: 8700 };
        let below = |most, credit| {
            let Watermarks { limit, high, low, nearly_high } = marks.below(most, credit);
            [limit, high, low, nearly_high]
        };
        assert_eq!(below(4096, 320), [4096, 4056, 4016, 3916]);
        assert_eq!(below(4096, 1 << 20), [4096, 3968, 3840, 3740], "a 32nd of memory at most");
        assert_eq!(below(4096, 0), [4096, 4071, 4046, 3946], "the evictor begins before threads have to");
        assert_eq!(below(64, 0), [64, 62, 60, 0]);
        assert_eq!(below(1 << 20, 0), [9000, 8900, 8800, 8700]);
    }

    #[test]
    fn what_passes_has_a_part_of_memory() {
        assert_eq!(soon_in_order(8192, 16 << 10), 2048);
        assert_eq!(soon_in_order(2, 16 << 10), 2);
        for (limit, share) in [(1, 0), (64, 32), (4096, 1024), (8192, 2048), (80_000, 20_000)] {
            assert!(leaves_next(share + 1, limit, 16 << 10), "{limit}");
            assert!(!leaves_next(share, limit, 16 << 10), "{limit}");
            assert!(leaves_before_warm(share / 4 + 1, limit, 16 << 10), "{limit}");
            assert!(!leaves_before_warm(share / 4, limit, 16 << 10), "{limit}");
        }
    }

    #[test]
    fn what_cycles_has_a_small_part_of_memory() {
        for (limit, share) in [(64, 8), (4096, 256), (32_768, 512)] {
            assert!(leaves_next_of_cycle(share + 1, limit, 16 << 10), "{limit}");
            assert!(!leaves_next_of_cycle(share, limit, 16 << 10), "{limit}");
            assert!(may_go_on(3 * share, limit, 16 << 10), "{limit}");
            assert!(!may_go_on(3 * share + 1, limit, 16 << 10), "{limit}");
        }
        assert_eq!([soon_in_cycle(0), soon_in_cycle(4000)], [0, 250]);
    }

    #[test]
    fn soon_is_one_round_of_evictions() {
        let clock = EvictionClock::new(6400, 100_000);
        for start in [0, 1_000_000, 1_638_300, 1_638_400] {
            let stamp = clock.time(start);
            assert!(clock.came_back_soon(stamp, start, 6400));
            assert!(clock.came_back_soon(stamp, start + 6400, 6400));
            assert!(clock.came_back_soon(stamp, start + 6600, 9000), "there is more memory now");
            assert!(!clock.came_back_soon(stamp, start + 6600, 6400), "from {start}");
        }
        assert!(!clock.came_back_soon(0, 0, 6400));
    }

    /// The more units there are, the coarser the clock.
    #[test]
    fn ages_last_while_all_units_are_evicted() {
        for (limit, units) in [(1, 1), (64, 1 << 20), (4096, 4 << 20), (1 << 20, 1 << 22)] {
            let clock = EvictionClock::new(limit, units);
            let stamp = clock.time(12_345);
            let age = |evictions| clock.age(stamp, 12_345 + evictions).expect("it was evicted");
            let whole = 3 * units / clock.units_per_tick;
            assert!((whole.saturating_sub(1)..=whole + 1).contains(&age(3 * units)), "{limit} of {units}");
            assert!(clock.came_back_soon(stamp, 12_345 + limit, limit));
            assert!(!clock.came_back_soon(stamp, 12_345 + 2 * limit + 3 * clock.units_per_tick, limit));
        }
    }

    #[test]
    fn a_quarter_is_a_tick_at_least() {
        let clock = EvictionClock::new(6400, 1);
        for (last, evictions, end) in
            [(0, 0, 100), (100, 100, 200), (100, 199, 299), (100, 200, 200), (100, 5000, 5000)]
        {
            assert_eq!(clock.end_of_quarter(last, evictions), end, "{last}, {evictions}");
        }
    }

    #[test]
    fn warm_is_what_the_pool_could_have_kept() {
        let clock = EvictionClock::new(6400, 100_000);
        let stamp = clock.time(1000);
        assert!(clock.is_warm(stamp, 1000 + 19_000, 20_000));
        assert!(!clock.is_warm(stamp, 1000 + 20_000, 20_000));
        assert!(!clock.is_warm(0, 1000, 20_000), "never evicted");
        assert!(!clock.is_warm(stamp, 1000, 50), "a pool of next to nothing");
    }

    #[test]
    fn patience_lasts_for_two_rounds() {
        let mut patience = Patience::of(128);
        assert!((0..4).all(|_| !patience.ends(64)));
        assert!(patience.ends(64));
        // Also if units come all the time that could leave: of 1000 others each is looked at twice.
        let mut patience = Patience::of(1000);
        assert!((0..7).all(|_| !patience.ends(256)));
        assert!(patience.ends(256));
        assert!(!Patience::of(0).ends(0), "who has looked at nothing did not give up");
    }

    #[test]
    fn verdicts() {
        let base =
            Candidate { resident: true, pinned: false, referenced: false, dirty: false, pool_full: false };
        let cases = [
            (Candidate { resident: false, referenced: true, dirty: true, ..base }, Verdict::Forget),
            (Candidate { pinned: true, referenced: true, dirty: true, ..base }, Verdict::Forget),
            (Candidate { referenced: true, ..base }, Verdict::SecondChance),
            (base, Verdict::Drop),
            (Candidate { pool_full: true, ..base }, Verdict::Drop),
            (Candidate { dirty: true, ..base }, Verdict::Store),
            (Candidate { dirty: true, pool_full: true, ..base }, Verdict::Keep),
        ];
        for (candidate, verdict) in cases {
            assert_eq!(judge(candidate), verdict, "{candidate:?}");
        }
    }

    #[test]
    fn the_evictor_tries_again_after_an_eighth_of_all() {
        let tried = [(63, 0), (64, 0), (99, 800), (100, 800)].map(|(added, units)| tries_again(added, units));
        assert_eq!(tried, [false, true, false, true]);
    }
}
