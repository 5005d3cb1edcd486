// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! When each unit was read or written last: 8 bytes per unit, taken from the system only where the device is used.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use ztera_store::UnitIndex;
use ztera_sync::Word;

/// Times are in milliseconds since the device was made, from 1 on; 0 = never.
pub(crate) struct Touches {
    last: Box<[Word]>,
    started: Instant,
    /// Units not touched since then are idle.
    mark: AtomicU64,
}

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

    pub fn touch(&self, unit: UnitIndex, now: u64) {
        let word = &self.last[unit.0 as usize];
        // Most touches follow one of the same millisecond.
        if word.load(Ordering::Relaxed) != now {
            word.swap(now, Ordering::Relaxed);
        }
    }

    /// Seconds since the unit was touched.
    pub fn age(&self, unit: UnitIndex, now: u64) -> u64 {
        now.saturating_sub(self.last(unit)) / 1000
    }

    /// Has every unit be idle, until it is touched, that was not touched for so long.
    pub fn mark_idle(&self, untouched: Duration) {
        let mark = self.now().saturating_sub(untouched.as_millis() as u64);
        self.mark.store(mark, Ordering::Relaxed);
    }

    pub fn is_idle(&self, unit: UnitIndex) -> bool {
        self.last(unit) <= self.mark.load(Ordering::Relaxed)
    }

    fn last(&self, unit: UnitIndex) -> u64 {
        self.last[unit.0 as usize].load(Ordering::Relaxed)
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
}
