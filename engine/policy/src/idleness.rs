//! The idle part of the pool, and its use. Pure decisions over numbers; `reclaim` of the range carries
//! them out.
//!
//! A unit is idle when it was not touched for some epochs. No clock but the evictor's is in its slot, so what is
//! kept here is what that clock showed when epochs ended. Time is counted in quarters: of the epochs after which
//! a unit is idle.

use std::collections::VecDeque;
use std::time::Duration;

use crate::demotion::Pressure;

/// Quarters after which a unit is idle.
pub const IDLE: u32 = 4;

/// Quarters that are looked back on at most.
const MOST_QUARTERS: u32 = IDLE * 8;

/// When epochs ended, by the evictor's clock.
#[derive(Debug)]
pub struct Epochs {
    per_quarter: u32,
    passed: u32,
    ends: VecDeque<u64>,
}

impl Epochs {
    /// Units are idle after `idle_after` epochs; 0 = never.
    pub fn new(idle_after: u32) -> Self {
        Self { per_quarter: idle_after.div_ceil(IDLE), passed: 0, ends: VecDeque::new() }
    }

    /// An epoch ends. Whether a quarter does too: then [`mark`](Self::mark) has to be called.
    pub fn pass(&mut self) -> bool {
        if self.per_quarter == 0 {
            return false;
        }
        self.passed = (self.passed + 1) % self.per_quarter;
        self.passed == 0
    }

    /// Notes the evictor's clock at the end of a quarter.
    pub fn mark(&mut self, now: u64) {
        self.ends.push_front(now);
        self.ends.truncate(MOST_QUARTERS as usize + 1);
    }

    /// The time that the clock showed `quarters` before the end of the last one. `None`: that was before the beginning.
    pub fn before(&self, quarters: u32) -> Option<u64> {
        self.ends.get(quarters as usize).copied()
    }
}

/// Sixteenths of the pool that are in use; `None` if it has no limit.
fn fill(pressure: Pressure) -> Option<u64> {
    (pressure.limit > 0).then(|| pressure.pooled.saturating_mul(16) / pressure.limit)
}

/// The fill from which on objects are made smaller.
const HALF: u64 = 8;

/// The fill from which on idle units go to SSD. Well above a half: a unit that is not touched for long costs nothing
/// as long as nobody wants its room, and much once it is wanted itself.
const NEARLY_FULL: u64 = 13;

/// The fill from which on what an epoch has not touched is made smaller: soon nothing else makes room.
const FULL: u64 = 15;

/// Quarters after which objects are made smaller: all that make a unit idle, one where the pool is nearly full, and none
/// where it is full. `None`: there is room enough, and decoding would be slower.
pub fn recompress_after(pressure: Pressure) -> Option<u32> {
    let fill = fill(pressure).filter(|&fill| fill >= HALF)?;
    Some(match fill {
        FULL.. => 0,
        NEARLY_FULL.. => 1,
        _ => IDLE,
    })
}

/// Quarters after which units go to SSD: from eight times as long as an idle unit takes, for a pool that is nearly
/// full, down to twice as long where demotion begins. `None`: there is room enough, and writing wears the SSD.
pub fn write_back_after(pressure: Pressure) -> Option<u32> {
    let fill = fill(pressure).filter(|&fill| fill >= NEARLY_FULL)?;
    Some(MOST_QUARTERS >> (fill.min(15) - NEARLY_FULL))
}

/// Time between two looks for units that have become idle, where they do so after a time: each look goes through the table.
pub fn look_every(after: Duration) -> Duration {
    const LOOKS: u32 = 4;
    const SHORTEST: Duration = Duration::from_millis(100);
    (after / LOOKS).max(SHORTEST)
}

/// Bytes of objects that go to SSD in one round, so that it is not busy with them for long.
pub fn round(pressure: Pressure) -> u64 {
    pressure.limit / 64
}

/// Whether making objects smaller goes on to pay: `from` bytes of them take `to` now.
pub fn pays(from: u64, to: u64) -> bool {
    /// Bytes after which one may judge.
    const ENOUGH: u64 = 256 << 10;
    from < ENOUGH || to < from / 16 * 15
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_come_four_times_as_often_as_units_become_idle() {
        let looks = [0, 200, 4000].map(|after| look_every(Duration::from_millis(after)).as_millis());
        assert_eq!(looks, [100, 100, 1000]);
    }

    #[test]
    fn time_is_known_by_quarters() {
        let mut epochs = Epochs::new(16);
        assert_eq!(epochs.before(0), None);
        let mut clock = 0;
        for epoch in 1..=400 {
            clock += 10;
            let ends = epochs.pass();
            assert_eq!(ends, epoch % 4 == 0);
            if ends {
                epochs.mark(clock);
            }
        }
        assert_eq!([0, 1, 4, 32].map(|quarters| epochs.before(quarters)), [4000, 3960, 3840, 2720].map(Some));
        assert_eq!(epochs.before(33), None, "longer than anybody asks");
        let mut never = Epochs::new(0);
        assert!((0..100).all(|_| !never.pass()));
        let mut always = Epochs::new(1);
        assert!((0..100).all(|_| always.pass()));
    }

    #[test]
    fn the_fuller_the_pool_the_sooner_units_leave_it() {
        let after = |pooled| {
            let pressure = Pressure { pooled, limit: 1600, refused: false, useless: 0 };
            (recompress_after(pressure), write_back_after(pressure))
        };
        assert_eq!(after(799), (None, None));
        assert_eq!(after(800), (Some(4), None));
        assert_eq!(after(1299), (Some(4), None));
        assert_eq!(after(1300), (Some(1), Some(32)));
        assert_eq!(after(1400), (Some(1), Some(16)));
        assert_eq!(after(1500), (Some(0), Some(8)));
        assert_eq!(after(1600), (Some(0), Some(8)));
        let unlimited = Pressure { pooled: 1 << 40, limit: 0, refused: false, useless: 0 };
        assert_eq!((recompress_after(unlimited), write_back_after(unlimited)), (None, None));
        assert!((0..2000).all(|pooled| after(pooled).1.is_none_or(|quarters| quarters <= MOST_QUARTERS)));
    }

    #[test]
    fn what_hardly_gains_is_given_up() {
        assert!(pays(1000, 1000), "too early to tell");
        assert!(pays(1 << 20, 900 << 10));
        assert!(!pays(1 << 20, 1000 << 10));
    }
}
