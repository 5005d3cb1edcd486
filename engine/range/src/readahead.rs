//! Which units a reader will want next. Pure decisions; [`handler`](crate::handler) carries them out.
//!
//! A fault right behind the last one of the same reader earns a window of units ahead, which doubles with
//! each fault that follows at its end: the rule of the kernel's `mm/readahead.c`, with faults in the place
//! of marked pages.

use ztera_store::{UnitIndex, Units};

/// Readers followed at once. With more of them, the one that has been away longest is forgotten.
const READERS: usize = 8;

/// Most bytes in a window: what one handler decompresses in a few hundred microseconds.
const MAX_BYTES: u64 = 256 << 10;

/// Part of the residency limit that a window may take, so that all readers together keep well below it.
const SHARE: u64 = 64;

/// Units in a reader's first window.
const FIRST: u32 = 2;

/// What is known of the readers of a range.
#[derive(Debug)]
pub(crate) struct ReadAhead {
    /// Each reader's last window, the latest reader first. Its next fault is expected in it, or right
    /// behind it.
    windows: [Option<Units>; READERS],
    /// Units in a window at most.
    most: u32,
    /// Units in the range.
    units: u32,
}

/// Units in a window at most, for a residency limit of `limit_bytes` (0 = none).
pub(crate) fn largest_window(limit_bytes: u64, unit_len: u64) -> u32 {
    let bytes = if limit_bytes == 0 { MAX_BYTES } else { MAX_BYTES.min(limit_bytes / SHARE) };
    (bytes / unit_len) as u32
}

impl ReadAhead {
    /// For a range of so many units. With no window larger than 0 units nothing is read ahead.
    pub fn new(most: u32, units: u32) -> Self {
        Self { windows: [None; READERS], most, units }
    }

    /// Notes a fault. Returns the units to bring in before they are asked for.
    pub fn after(&mut self, fault: UnitIndex) -> Units {
        let expected = |window: &Units| window.first <= fault && fault <= window.end;
        let found = self.windows.iter().position(|window| window.as_ref().is_some_and(expected));
        let count =
            found.and_then(|reader| self.windows[reader]).map_or(0, |last| self.size_after(last, fault));
        let first = fault.0.saturating_add(1).min(self.units);
        let end = first.saturating_add(count).min(self.units);
        let window = Units { first: UnitIndex(first), end: UnitIndex(end) };
        let reader = found.unwrap_or(READERS - 1);
        self.windows[reader] = Some(window);
        self.windows[..=reader].rotate_right(1);
        window
    }

    /// The size of the window after `last`, now that its reader faulted.
    fn size_after(&self, last: Units, fault: UnitIndex) -> u32 {
        // A fault inside the window means that the reader has caught up: more would not help it.
        let size = if fault == last.end { last.count() * 2 } else { last.count() };
        size.max(FIRST).min(self.most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(ahead: &mut ReadAhead, faults: &[u32]) -> Vec<u32> {
        faults.iter().map(|&fault| ahead.after(UnitIndex(fault)).count()).collect()
    }

    #[test]
    fn windows_double_for_who_reads_on() {
        let mut ahead = ReadAhead::new(16, 1000);
        assert_eq!(ahead.after(UnitIndex(100)).count(), 0);
        assert_eq!(ahead.after(UnitIndex(101)), Units { first: UnitIndex(102), end: UnitIndex(104) });
        assert_eq!(counts(&mut ahead, &[104, 109, 118, 135, 152]), [4, 8, 16, 16, 16]);
    }

    #[test]
    fn who_jumps_gets_nothing() {
        let mut ahead = ReadAhead::new(16, 1000);
        assert_eq!(counts(&mut ahead, &[5, 3, 900, 500, 7, 502, 4]), [0, 0, 0, 0, 0, 0, 2]);
    }

    #[test]
    fn a_fault_in_the_window_keeps_its_size() {
        let mut ahead = ReadAhead::new(16, 1000);
        assert_eq!(counts(&mut ahead, &[0, 1, 4, 6, 7]), [0, 2, 4, 4, 4]);
    }

    #[test]
    fn several_readers_do_not_disturb_each_other() {
        let mut ahead = ReadAhead::new(16, 100_000);
        let mut faults = [0, 100, 200, 300, 400, 500, 600];
        for (round, size) in [0, 2, 4, 8, 16].into_iter().enumerate() {
            for fault in &mut faults {
                let window = ahead.after(UnitIndex(*fault));
                assert_eq!(window.count(), size);
                *fault = window.end.0;
            }
            // And somebody who jumps.
            assert_eq!(ahead.after(UnitIndex(1000 * (round as u32 + 1))).count(), 0);
        }
    }

    #[test]
    fn windows_end_with_the_range() {
        let mut ahead = ReadAhead::new(16, 10);
        assert_eq!(counts(&mut ahead, &[5, 6, 9, 9]), [0, 2, 0, 0]);
        assert_eq!(ahead.after(UnitIndex(8)).end, UnitIndex(9));
    }

    #[test]
    fn little_memory_makes_small_windows() {
        assert_eq!(largest_window(0, 16384), 16);
        assert_eq!(largest_window(64 << 20, 16384), 16);
        assert_eq!(largest_window(4 << 20, 16384), 4);
        assert_eq!(largest_window(32 * 4096, 4096), 0);
        let mut ahead = ReadAhead::new(0, 1000);
        assert_eq!(counts(&mut ahead, &[1, 2, 3, 4]), [0, 0, 0, 0]);
    }
}
