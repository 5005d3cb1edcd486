//! Readers and where they read on, told apart by place, so that threads that fault at the same time do not wait for each other.

use ztera_store::UnitIndex;
use ztera_sync::Mutex;

use ztera_policy::readahead::{ReadAhead, Wanted};

/// Units of a region: what is known of its readers is under one lock.
const REGION: u32 = 1024;

/// Locks at most; regions share them.
const MOST_LOCKS: u32 = 16;

/// The readers of a range.
#[derive(Debug)]
pub(crate) struct Readers {
    parts: Box<[Part]>,
    units: u32,
}

/// On cache lines of its own.
#[derive(Debug)]
#[repr(align(64))]
struct Part(Mutex<ReadAhead>);

impl Readers {
    /// For a range of so many units, at most `most` of which are read ahead at once.
    pub fn new(most: u32, units: u32) -> Self {
        let parts = units.div_ceil(REGION).clamp(1, MOST_LOCKS);
        let part = |_| Part(Mutex::new(ReadAhead::new(most, units)));
        Self { parts: (0..parts).map(part).collect(), units }
    }

    /// Notes a fault. Where another thread is at it, this one goes on as if it were nobody's: it may lose a window, which a
    /// reader makes good with its next fault.
    pub fn after(&self, fault: UnitIndex) -> Wanted {
        let region = fault.0 / REGION;
        let Some(mut here) = self.part(region).0.try_lock() else {
            return Wanted::nothing(fault, self.units);
        };
        // Whoever comes over from the region before is known there.
        let is_near = fault.0 % REGION < REGION / 4;
        if let Some(before) = region.checked_sub(1).filter(|_| is_near && !here.knows(fault))
            && let Some(reader) = self.part(before).0.try_lock().and_then(|mut there| there.give_away(fault))
        {
            here.adopt(reader);
        }
        here.after(fault)
    }

    fn part(&self, region: u32) -> &Part {
        &self.parts[region as usize % self.parts.len()]
    }
}

#[cfg(test)]
mod tests {
    use ztera_store::Units;

    use super::*;

    #[test]
    fn readers_go_on_from_one_region_to_the_next() {
        let (one, many) = (&mut ReadAhead::new(64, 1 << 20), Readers::new(64, 1 << 20));
        let mut fault = UnitIndex(REGION - 40);
        while fault.0 < 40 * REGION {
            let wanted = many.after(fault);
            assert_eq!(wanted, one.after(fault), "at {}", fault.0);
            // The first unit of a window is not read ahead.
            let first = wanted.ahead.first.0;
            fault = UnitIndex(if wanted.ahead.count() == 0 { fault.0 + 1 } else { first - 1 });
        }
    }

    #[test]
    fn readers_that_meet_read_nothing_ahead() {
        let readers = Readers::new(64, 1000);
        readers.after(UnitIndex(998));
        let other = readers.part(0).0.lock();
        let nothing = Units { first: UnitIndex(1000), end: UnitIndex(1000) };
        assert_eq!(readers.after(UnitIndex(999)), Wanted { now: nothing, ahead: nothing });
        drop(other);
        assert_eq!(readers.after(UnitIndex(500)).ahead.count(), 0);
        assert_eq!(readers.after(UnitIndex(501)).ahead.count(), 3);
    }
}
