// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! When each unit was read or written last: 8 bytes per unit, taken from the system only where the device is used.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use ztera_store::UnitIndex;
use ztera_sync::Word;

/// Units by the time they were last wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Age {
    /// All of them.
    #[default]
    Any,
    /// Those marked idle and not wanted since.
    Idle,
}

/// Times are in milliseconds since the device was made, from 1 on; 0 = never.
pub(crate) struct Touches {
    last: Box<[Word]>,
    started: Instant,
    /// Units not touched since then are idle.
    mark: AtomicU64,
}

/// Beside the time: no codec made the unit smaller since it was written.
const INCOMPRESSIBLE: u64 = 1 << 63;

/// Denser codecs have had the unit since it was written.
const TRIED: u64 = 1 << 62;

const TIME: u64 = TRIED - 1;

impl Touches {
    /// `None` if the system has no room for so many units.
    pub fn new(units: u32) -> Option<Self> {
        let last = Word::zeros(units as usize)?;
        Some(Self { last, started: Instant::now(), mark: AtomicU64::new(0) })
    }

    /// Always later than the last mark, so that a touch after it shows.
    pub fn now(&self) -> u64 {
        (self.started.elapsed().as_millis() as u64 + 1).max(self.mark.load(Ordering::Relaxed) + 1)
    }

    /// The time so long ago; 0 if that was before the beginning.
    pub fn before(&self, ago: Duration) -> u64 {
        self.now().saturating_sub(ago.as_millis() as u64)
    }

    /// The unit is read.
    pub fn touch(&self, unit: UnitIndex, now: u64) {
        let word = self.word(unit);
        let old = word.load(Ordering::Relaxed);
        // Most touches follow one of the same millisecond.
        if old & TIME != now {
            word.swap(now | old & !TIME, Ordering::Relaxed);
        }
    }

    /// The unit is written: nobody has tried yet whether its new contents can be made smaller.
    pub fn renew(&self, unit: UnitIndex, now: u64) {
        let word = self.word(unit);
        if word.load(Ordering::Relaxed) != now {
            word.swap(now, Ordering::Relaxed);
        }
    }

    /// The unit's state now, for [`mark_tried`](Self::mark_tried).
    pub fn seen(&self, unit: UnitIndex) -> u64 {
        self.word(unit).load(Ordering::Relaxed)
    }

    /// Denser codecs have had the unit, and have made it smaller or not. Says nothing if it was touched since it was
    /// `seen`.
    pub fn mark_tried(&self, unit: UnitIndex, seen: u64, is_smaller: bool) {
        let marked = seen | TRIED | if is_smaller { 0 } else { INCOMPRESSIBLE };
        let _ = self.word(unit).compare_exchange(seen, marked, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Whether denser codecs have had the unit since it was written.
    pub fn is_tried(&self, unit: UnitIndex) -> bool {
        self.word(unit).load(Ordering::Relaxed) & TRIED != 0
    }

    /// Whether they have made nothing of it.
    pub fn is_incompressible(&self, unit: UnitIndex) -> bool {
        self.word(unit).load(Ordering::Relaxed) & INCOMPRESSIBLE != 0
    }

    /// Seconds since the unit was touched.
    pub fn age(&self, unit: UnitIndex, now: u64) -> u64 {
        now.saturating_sub(self.last(unit)) / 1000
    }

    /// Has every unit be idle, until it is touched, that was not touched for so long.
    pub fn mark_idle(&self, untouched: Duration) {
        self.mark.store(self.before(untouched), Ordering::Relaxed);
    }

    /// Whether the unit is one of that age.
    pub fn is_of(&self, unit: UnitIndex, age: Age) -> bool {
        age == Age::Any || self.is_idle(unit)
    }

    fn is_idle(&self, unit: UnitIndex) -> bool {
        self.last(unit) <= self.mark.load(Ordering::Relaxed)
    }

    /// Whether the unit was touched last after `start`, and not after `end`.
    pub fn is_between(&self, unit: UnitIndex, start: u64, end: u64) -> bool {
        let last = self.last(unit);
        start < last && last <= end
    }

    fn last(&self, unit: UnitIndex) -> u64 {
        self.word(unit).load(Ordering::Relaxed) & TIME
    }

    fn word(&self, unit: UnitIndex) -> &Word {
        &self.last[unit.0 as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_touched_after_the_mark_is_not_idle() {
        let touches = Touches::new(3).expect("24 bytes");
        touches.touch(UnitIndex(0), touches.now());
        touches.touch(UnitIndex(1), touches.now());
        touches.mark_idle(Duration::ZERO);
        touches.touch(UnitIndex(1), touches.now());
        let idle = [0, 1, 2].map(|unit| touches.is_idle(UnitIndex(unit)));
        assert_eq!(idle, [true, false, true]);
    }

    #[test]
    fn nothing_is_idle_that_was_touched_within_the_age() {
        let touches = Touches::new(1).expect("8 bytes");
        touches.touch(UnitIndex(0), touches.now());
        touches.mark_idle(Duration::from_secs(1000));
        assert!(!touches.is_idle(UnitIndex(0)));
    }

    #[test]
    fn a_read_keeps_the_mark_and_a_write_takes_it_away() {
        let (touches, unit) = (Touches::new(1).expect("8 bytes"), UnitIndex(0));
        touches.renew(unit, 5);
        touches.mark_tried(unit, 4, false);
        assert!(!touches.is_tried(unit), "it was written since");
        touches.mark_tried(unit, 5, false);
        touches.touch(unit, 7);
        assert!(touches.is_incompressible(unit) && touches.is_between(unit, 6, 7));
        touches.renew(unit, 8);
        assert!(!touches.is_tried(unit) && touches.is_between(unit, 7, 8));
        touches.mark_tried(unit, 8, true);
        assert!(touches.is_tried(unit) && !touches.is_incompressible(unit) && touches.is_between(unit, 7, 8));
    }
}
