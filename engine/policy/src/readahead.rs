//! The units that a reader will want next. Pure decisions; `readers` of the range keeps what they are made of, and
//! `serve` carries them out.
//!
//! A fault right behind the last one of the same reader earns a window of units ahead. The first unit of a window is not
//! read ahead: the fault on it tells that the reader has come there, and earns the next window, twice as large, while the
//! rest of this one is there already. It is the rule of the kernel's `mm/readahead.c`, with faults in the place of marked
//! pages. A reader that is faster than who reads ahead for it takes part in that. The largest windows are for who has
//! read on for long: of others' much would not be used. Without an SSD only such readers have any.

use crate::clustering::ClusterLen;
use crate::units::{UnitIndex, Units};

/// Readers followed at once. With more of them, the one that has been away longest is forgotten.
pub const READERS: usize = 8;

/// Most bytes in a window: what an SSD reads in about a millisecond, and who reads it goes through in less.
const MAX_BYTES: u64 = 1 << 20;

/// Part of the residency limit that a window may take, so that the windows of a few readers are well below it.
const SHARE: u64 = 16;

/// Bytes that a reader has read on in order before it gets a window, where no SSD lies below. A unit that nobody comes to costs
/// more there than a fault saves, as it has to be decoded. Most readers of `make demo` go on for a few units ([decision
/// 21](../../../docs/decisions/0021-read-ahead.md)).
const PROOF_BYTES: u64 = 256 << 10;

/// Part of the largest window that everybody may have; and part of what a reader has read that a larger one may be.
const EARNED: u32 = 4;

/// Units in a reader's first window; twice as many where clusters have four.
const FIRST: u32 = 4;

/// Units that a reader brings in behind its own when it has to wait for them anyway; twice as many where clusters have four.
const OWN: u32 = 3;

/// Bytes that one thread brings in at a time, while others bring in what follows. Units on SSD come by one read, which
/// takes about twice as long for the most of them as for the least, and costs CPU time.
const LEAST_PIECE: u64 = 64 << 10;
const MOST_PIECE: u64 = 256 << 10;

/// Pieces of a window: as many threads bring it in.
const PIECES: u32 = 4;

/// Units in a piece of a window of `window` of them.
pub fn piece_len(window: u32, unit_len: u64, has_ssd: bool) -> u32 {
    let units = |bytes: u64| (bytes / unit_len).max(1) as u32;
    let most = if has_ssd { MOST_PIECE } else { LEAST_PIECE };
    (window / PIECES).clamp(units(LEAST_PIECE), units(most))
}

/// Units to bring in before they are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// The unit that was asked for, and others of its cluster that come with it.
    pub with: Units,
    /// If it is written to: those that become writable with it.
    pub writable: Units,
    /// At once, by whoever serves the fault: nobody has come to them in time.
    pub now: Units,
    /// Then, by others if there are any.
    pub ahead: Units,
}

impl Wanted {
    /// Whether the fault was expected: its reader goes on from one unit to the next.
    pub fn is_in_order(&self) -> bool {
        self.now.count() + self.ahead.count() > 0
    }

    /// Nothing but the unit that was asked for, in a range of so many.
    pub fn nothing(fault: UnitIndex, units: u32) -> Self {
        let none = behind(fault, 0, units);
        Self { with: alone(fault), writable: alone(fault), now: none, ahead: none }
    }
}

/// The unit, and no other.
fn alone(unit: UnitIndex) -> Units {
    Units { first: unit, end: UnitIndex(unit.0.saturating_add(1)) }
}

/// So many units behind `unit`, as far as a range of `units` has them.
fn behind(unit: UnitIndex, count: u32, units: u32) -> Units {
    let first = unit.0.saturating_add(1).min(units);
    Units { first: UnitIndex(first), end: UnitIndex(first.saturating_add(count).min(units)) }
}

/// Knowledge of some readers.
#[derive(Debug)]
pub struct ReadAhead {
    /// The latest reader first.
    readers: [Option<Reader>; READERS],
    windows: Windows,
    /// Units in the range.
    units: u32,
    /// Units are so small that a reader brings in so many times as many at first.
    times: u32,
}

/// A reader that goes on from one unit to the next.
#[derive(Clone, Copy, Debug)]
pub struct Reader {
    /// Where it began.
    start: UnitIndex,
    /// Where its last window but one begins.
    since: UnitIndex,
    /// Its last window, which it has not come to yet.
    window: Units,
}

/// How many units are read ahead, and for whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Windows {
    /// Units read ahead at once at most.
    pub most: u32,
    /// Units that a reader has read on in order before any are.
    pub proof: u32,
}

impl Windows {
    /// For a residency limit of `limit_bytes` (0 = none).
    pub fn of(limit_bytes: u64, unit_len: u64, has_ssd: bool) -> Self {
        let bytes = if limit_bytes == 0 { MAX_BYTES } else { MAX_BYTES.min(limit_bytes / SHARE) };
        let proof = if has_ssd { 0 } else { PROOF_BYTES };
        Self { most: (bytes / unit_len) as u32, proof: (proof / unit_len) as u32 }
    }
}

impl Reader {
    /// One that has all units up to `next`.
    fn new(fault: UnitIndex, next: UnitIndex) -> Self {
        Self { start: fault, since: fault, window: Units { first: next, end: next } }
    }

    /// A reader in order may leave out as much as a window, such as the unused end of a region.
    fn expects(&self, fault: UnitIndex) -> bool {
        self.since <= fault && fault.0 <= self.window.end.0.saturating_add(self.window.count())
    }

    /// The reader after a fault that was expected; `None` if it has not come to its window yet, and is only faster than
    /// who reads ahead for it.
    fn after(&self, fault: UnitIndex, least: u32, most: u32) -> Option<Self> {
        let Units { first, end } = self.window;
        if fault < first {
            return None;
        }
        let count = if fault == first { self.window.count() * 2 } else { self.window.count() };
        let next = UnitIndex(end.0.max(fault.0.saturating_add(1)));
        let earned = least.max(most.div_ceil(EARNED)).max((fault.0 - self.start.0) / EARNED);
        let end = UnitIndex(next.0.saturating_add(count.clamp(least, earned).min(most)));
        Some(Self { start: self.start, since: first, window: Units { first: next, end } })
    }
}

impl ReadAhead {
    /// For a range of so many units, with clusters of `len`.
    pub fn new(windows: Windows, units: u32, len: ClusterLen) -> Self {
        // A window's first unit is not read ahead.
        let most = if windows.most == 0 { 0 } else { windows.most + 1 };
        let windows = Windows { most, ..windows };
        Self { readers: [None; READERS], windows, units, times: len.units().div_ceil(2) }
    }

    /// Notes a fault of a unit that comes alone.
    pub fn after(&mut self, fault: UnitIndex) -> Wanted {
        self.after_with(fault, alone(fault))
    }

    /// Notes a fault of a unit that comes `with` others. A reader goes on behind them.
    pub fn after_with(&mut self, fault: UnitIndex, with: Units) -> Wanted {
        let found = self.find(fault);
        let place = found.unwrap_or(READERS - 1);
        let known = self.readers[place].filter(|_| found.is_some());
        let next = match known {
            None => Some(Reader::new(fault, with.end)),
            Some(Reader { start, .. }) if fault.0 - start.0 < self.windows.proof => {
                Some(Reader { start, ..Reader::new(fault, with.end) })
            }
            Some(reader) => reader.after(fault, FIRST * self.times, self.windows.most),
        };
        self.readers[place] = next.or(known);
        self.readers[..=place].rotate_right(1);
        let behind = |unit: UnitIndex, count: u32| behind(unit, count, self.units);
        let wanted = Wanted { with, ..Wanted::nothing(fault, self.units) };
        match next.map(|reader| reader.window) {
            Some(window) => {
                Wanted { ahead: behind(window.first, window.count().saturating_sub(1)), ..wanted }
            }
            None => Wanted { now: behind(fault, (OWN * self.times).min(self.windows.most)), ..wanted },
        }
    }

    /// Whether a reader is expected at `fault`.
    pub fn knows(&self, fault: UnitIndex) -> bool {
        self.find(fault).is_some()
    }

    /// Forgets the reader that is expected at `fault`, for another one to [adopt](Self::adopt).
    pub fn give_away(&mut self, fault: UnitIndex) -> Option<Reader> {
        self.readers[self.find(fault)?].take()
    }

    /// Takes up a reader in the place of the one that has been away longest.
    pub fn adopt(&mut self, reader: Reader) {
        self.readers[READERS - 1] = Some(reader);
    }

    fn find(&self, fault: UnitIndex) -> Option<usize> {
        self.readers.iter().position(|reader| reader.is_some_and(|reader| reader.expects(fault)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WINDOWS: Windows = Windows { most: 64, proof: 0 };

    fn counts(ahead: &mut ReadAhead, faults: &[u32]) -> Vec<u32> {
        faults.iter().map(|&fault| ahead.after(UnitIndex(fault)).ahead.count()).collect()
    }

    fn units(first: u32, end: u32) -> Units {
        Units { first: UnitIndex(first), end: UnitIndex(end) }
    }

    #[test]
    fn windows_double_for_who_reads_on() {
        let mut ahead = ReadAhead::new(WINDOWS, 1000, ClusterLen::ONE);
        assert_eq!(ahead.after(UnitIndex(100)).ahead.count(), 0);
        assert_eq!(ahead.after(UnitIndex(101)).ahead, units(103, 106));
        assert_eq!(ahead.after(UnitIndex(102)).ahead, units(107, 114), "while 103 to 105 are there");
        assert_eq!(ahead.after(UnitIndex(106)).ahead, units(115, 130));
        assert_eq!(ahead.after(UnitIndex(114)).ahead, units(131, 147));
    }

    #[test]
    fn several_threads_bring_in_a_window() {
        let lens = |has_ssd| [3, 16, 32, 64, 100].map(|window| piece_len(window, 16 << 10, has_ssd));
        assert_eq!(lens(true), [4, 4, 8, 16, 16]);
        assert_eq!(lens(false), [4; 5], "to unpack takes time, too");
    }

    #[test]
    fn a_reader_that_jumps_gets_nothing() {
        let mut ahead = ReadAhead::new(WINDOWS, 1000, ClusterLen::ONE);
        assert_eq!(counts(&mut ahead, &[5, 3, 900, 500, 7, 502, 4]), [0, 0, 0, 0, 0, 0, 3]);
    }

    #[test]
    fn a_reader_faster_than_those_ahead_takes_part() {
        let mut ahead = ReadAhead::new(WINDOWS, 10, ClusterLen::ONE);
        assert_eq!(counts(&mut ahead, &[0, 1, 2, 3]), [0, 3, 3, 0]);
        let wanted = |fault, now, ahead| Wanted { now, ahead, ..Wanted::nothing(UnitIndex(fault), 10) };
        assert_eq!(ahead.after(UnitIndex(5)), wanted(5, units(6, 9), units(6, 6)));
        assert_eq!(ahead.after(UnitIndex(4)), wanted(4, units(5, 8), units(5, 5)));
        assert_eq!(ahead.after(UnitIndex(6)).now.count(), 0, "it has come to its window");
        let mut ahead = ReadAhead::new(Windows { most: 1, ..WINDOWS }, 1000, ClusterLen::ONE);
        assert!((0..20).all(|fault| ahead.after(UnitIndex(fault)).now.count() <= 2));
        assert_eq!(counts(&mut ahead, &[100, 101, 102, 104]), [0, 1, 1, 1]);
    }

    #[test]
    fn a_window_that_was_skipped_keeps_its_size() {
        let mut ahead = ReadAhead::new(WINDOWS, 1000, ClusterLen::ONE);
        assert_eq!(counts(&mut ahead, &[0, 1, 2]), [0, 3, 7]);
        assert_eq!(ahead.after(UnitIndex(8)).ahead, units(15, 22), "6 was there by chance");
        assert_eq!(ahead.after(UnitIndex(22)).ahead, units(24, 31), "so was 14");
    }

    #[test]
    fn a_reader_that_leaves_out_a_little_reads_on() {
        let mut ahead = ReadAhead::new(WINDOWS, 1000, ClusterLen::ONE);
        assert_eq!(counts(&mut ahead, &[0, 1, 2]), [0, 3, 7]);
        assert_eq!(ahead.after(UnitIndex(18)).ahead, units(20, 27), "its window was 6 to 13");
        assert_eq!(counts(&mut ahead, &[44]), [0], "that is a jump");
    }

    #[test]
    fn a_reader_goes_on_behind_its_cluster() {
        let mut ahead = ReadAhead::new(WINDOWS, 1000, ClusterLen::of(4096, 0));
        assert_eq!(ahead.after_with(UnitIndex(101), units(100, 104)).ahead.count(), 0);
        assert_eq!(
            ahead.after(UnitIndex(104)).ahead,
            units(106, 113),
            "twice as many units, as they are small"
        );
        let wanted = ahead.after(UnitIndex(104));
        assert_eq!((wanted.now, wanted.ahead.count()), (units(105, 111), 0), "it is faster than those ahead");
    }

    /// Queries of `make demo` took longer: each of many short lists had units read ahead behind its end.
    #[test]
    fn readers_go_on_for_a_while_first_where_no_ssd_is_waited_for() {
        let windows = Windows::of(0, 16384, false);
        assert_eq!((windows.proof, Windows::of(0, 16384, true).proof), (16, 0));
        let mut ahead = ReadAhead::new(windows, 1000, ClusterLen::ONE);
        assert!((100..116).all(|fault| !ahead.after(UnitIndex(fault)).is_in_order()));
        assert_eq!(counts(&mut ahead, &[116, 117, 121]), [3, 7, 15]);
    }

    #[test]
    fn large_windows_are_earned() {
        let mut ahead = ReadAhead::new(WINDOWS, 100_000, ClusterLen::ONE);
        let mut fault = UnitIndex(1000);
        let largest = |ahead: &mut ReadAhead, fault: &mut UnitIndex, times: u32| {
            (0..times).for_each(|_| {
                ahead.after(*fault);
                *fault = ahead.readers[0].expect("it was just noted").window.first;
            });
            ahead.readers[0].expect("it was just noted").window.count()
        };
        assert_eq!(largest(&mut ahead, &mut fault, 6), 17, "a quarter of all");
        assert_eq!(largest(&mut ahead, &mut fault, 4), 24);
        assert_eq!(largest(&mut ahead, &mut fault, 40), 65);
    }

    #[test]
    fn several_readers_do_not_disturb_each_other() {
        let mut ahead = ReadAhead::new(WINDOWS, 100_000, ClusterLen::ONE);
        let mut faults = [0, 100, 200, 300, 400, 500, 600];
        for (round, size) in [0, 3, 7, 15, 16].into_iter().enumerate() {
            for fault in &mut faults {
                let window = ahead.after(UnitIndex(*fault)).ahead;
                assert_eq!(window.count(), size);
                *fault = ahead.readers[0].expect("it was just noted").window.first.0;
            }
            // And somebody who jumps.
            assert_eq!(ahead.after(UnitIndex(1000 * (round as u32 + 1))).ahead.count(), 0);
        }
    }

    #[test]
    fn windows_end_with_the_range() {
        let mut ahead = ReadAhead::new(WINDOWS, 10, ClusterLen::ONE);
        assert_eq!(ahead.after(UnitIndex(4)).ahead.count(), 0);
        assert_eq!(ahead.after(UnitIndex(5)).ahead, units(7, 10));
        assert_eq!(counts(&mut ahead, &[6, 9]), [0, 0]);
        let mut ahead = ReadAhead::new(WINDOWS, u32::MAX, ClusterLen::ONE);
        assert_eq!(counts(&mut ahead, &[u32::MAX - 2, u32::MAX - 1]), [0, 0]);
    }

    #[test]
    fn little_memory_makes_small_windows() {
        let most = |limit, unit_len| Windows::of(limit, unit_len, true).most;
        assert_eq!([0, 64 << 20, 4 << 20].map(|limit| most(limit, 16384)), [64, 64, 16]);
        assert_eq!(most(8 * 4096, 4096), 0);
        let mut ahead = ReadAhead::new(Windows { most: 0, ..WINDOWS }, 1000, ClusterLen::ONE);
        assert_eq!(counts(&mut ahead, &[1, 2, 3, 4]), [0, 0, 0, 0]);
    }
}
