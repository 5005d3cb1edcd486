//! Which parts of the file are in use: pure bookkeeping, under the lock of who owns it.
//!
//! ```text
//!  free -> being filled -> closed --last record freed--> emptied -> (hole made) -> free
//! ```

use std::collections::BTreeSet;

/// Bytes in a segment.
pub(crate) const SEGMENT: usize = 1 << 20;

/// A part of the file, counted from its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SegmentIndex(pub u32);

impl SegmentIndex {
    /// The segment that holds the byte of the file at `offset`.
    pub fn at(offset: u64) -> Self {
        Self((offset / SEGMENT as u64) as u32)
    }

    /// Where it starts.
    pub fn offset(self) -> u64 {
        u64::from(self.0) * SEGMENT as u64
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct State {
    /// How often it has been taken into use.
    life: u32,
    /// Records that nobody has freed.
    records: u32,
    /// Records written in this life.
    written: u32,
    /// Records may still be added.
    filling: bool,
    /// Cleaning was tried, and has left something.
    stubborn: bool,
}

/// A segment in the hands of a writer, and the bytes of it that are written.
#[derive(Debug)]
pub(crate) struct Filling {
    pub segment: SegmentIndex,
    pub life: u32,
    pub used: usize,
}

/// A segment with no record left: a hole is to be made, and then [`Segments::hole`] called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "the segment cannot be used again before its hole is reported"]
pub(crate) struct Emptied(pub SegmentIndex);

/// All segments of a file.
#[derive(Debug)]
pub(crate) struct Segments {
    most: u32,
    states: Vec<State>,
    /// Free ones below the end of the file; the lowest is taken first, so that the file stays short.
    free: BTreeSet<SegmentIndex>,
    /// Given back by its writer with room left.
    open: Option<Filling>,
    in_use: u32,
}

/// A segment with less room than this is not worth going on with. More than the longest record, or somebody
/// would be given a segment that has no room for what they have.
const WORTH_FILLING: usize = SEGMENT / 8;

/// Segments that are left for cleaning, which needs one to write to before it frees another.
const RESERVE: u32 = 2;

/// What a segment is taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// New records.
    Write,
    /// Records of a segment that is being cleaned.
    Clean,
}

impl Segments {
    /// For a file of at most `most` segments.
    pub fn new(most: u32) -> Self {
        Self { most, states: Vec::new(), free: BTreeSet::new(), open: None, in_use: 0 }
    }

    /// A segment to be filled, the caller's alone until it is given to [`close`](Self::close). `None`: the
    /// file is full.
    pub fn take(&mut self, purpose: Purpose) -> Option<Filling> {
        if let Some(open) = self.open.take() {
            return Some(open);
        }
        if purpose == Purpose::Write && self.left() == 0 {
            return None;
        }
        let segment = match self.free.pop_first() {
            Some(segment) => segment,
            None if (self.states.len() as u32) < self.most => {
                self.states.push(State::default());
                SegmentIndex(self.states.len() as u32 - 1)
            }
            None => return None,
        };
        let state = &mut self.states[segment.0 as usize];
        *state = State { life: state.life.wrapping_add(1), filling: true, ..State::default() };
        self.in_use += 1;
        Some(Filling { segment, life: state.life, used: 0 })
    }

    /// Takes a segment back, to which `records` were added.
    pub fn close(&mut self, filling: Filling, records: u32) -> Option<Emptied> {
        let state = &mut self.states[filling.segment.0 as usize];
        state.records += records;
        state.written += records;
        if state.records > 0 && SEGMENT - filling.used >= WORTH_FILLING && self.open.is_none() {
            self.open = Some(filling);
            return None;
        }
        state.filling = false;
        self.emptied(filling.segment)
    }

    /// A record of `segment` is not needed any more.
    pub fn free_record(&mut self, segment: SegmentIndex) -> Option<Emptied> {
        let state = &mut self.states[segment.0 as usize];
        state.records -= 1;
        if state.records == 0 && self.open.as_ref().is_some_and(|open| open.segment == segment) {
            self.open = None;
            state.filling = false;
        }
        self.emptied(segment)
    }

    fn emptied(&self, segment: SegmentIndex) -> Option<Emptied> {
        let state = &self.states[segment.0 as usize];
        (state.records == 0 && !state.filling).then_some(Emptied(segment))
    }

    /// The hole has been made: the segment may be used again.
    pub fn hole(&mut self, Emptied(segment): Emptied) {
        self.in_use -= 1;
        let new = self.free.insert(segment);
        debug_assert!(new, "a segment was freed twice");
    }

    /// Which life of `segment` its records are of.
    pub fn life(&self, segment: SegmentIndex) -> u32 {
        self.states[segment.0 as usize].life
    }

    /// Segments that hold records or are being filled.
    pub fn in_use(&self) -> u32 {
        self.in_use
    }

    /// Segments that may still be taken to write new records.
    pub fn left(&self) -> u32 {
        (self.most - self.in_use).saturating_sub(self.reserve())
    }

    fn reserve(&self) -> u32 {
        RESERVE.min(self.most / 4)
    }

    /// The segment of whose records most are freed, if writing the others elsewhere is worth it: at least a
    /// quarter are, and the file is nearly full or at least half of everything in it is freed.
    pub fn sparsest(&self) -> Option<SegmentIndex> {
        let closed = |state: &&State| state.records > 0 && !state.filling && !state.stubborn;
        let (mut live, mut written) = (0_u64, 0_u64);
        for state in self.states.iter().filter(closed) {
            live += u64::from(state.records);
            written += u64::from(state.written);
        }
        let nearly_full = self.left() <= self.most / 16;
        if !nearly_full && live * 2 > written {
            return None;
        }
        let candidates = self.states.iter().enumerate().filter(|(_, state)| closed(state));
        let share = |state: &State| u64::from(state.records) * 1024 / u64::from(state.written);
        let (index, state) = candidates.min_by_key(|(_, state)| share(state))?;
        (share(state) <= 768).then_some(SegmentIndex(index as u32))
    }

    /// Cleaning `segment` has left records in it, for a reason that may last.
    pub fn is_stubborn(&mut self, segment: SegmentIndex) {
        self.states[segment.0 as usize].stubborn = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With `most` segments for new records.
    fn segments(most: u32) -> Segments {
        (most..).map(Segments::new).find(|segments| segments.left() == most).expect("some are in reserve")
    }

    fn fill(segments: &mut Segments, used: usize, records: u32) -> SegmentIndex {
        let mut filling = segments.take(Purpose::Write).expect("there is room");
        filling.used += used;
        let segment = filling.segment;
        assert_eq!(segments.close(filling, records), None);
        segment
    }

    #[test]
    fn a_segment_is_used_again_only_after_its_hole() {
        let mut segments = segments(2);
        let first = fill(&mut segments, SEGMENT, 2);
        let second = fill(&mut segments, SEGMENT, 1);
        assert!(segments.take(Purpose::Write).is_none());
        assert_eq!(segments.free_record(first), None);
        let emptied = segments.free_record(first).expect("its last record");
        assert!(segments.take(Purpose::Write).is_none(), "the hole is not there yet");
        segments.hole(emptied);
        let again = segments.take(Purpose::Write).expect("there is room again");
        assert_eq!((again.segment, again.life, segments.in_use()), (first, 2, 2));
        assert_eq!(segments.life(second), 1);
    }

    #[test]
    fn a_segment_with_room_is_filled_up() {
        let mut segments = segments(9);
        let first = fill(&mut segments, SEGMENT / 2, 1);
        let again = segments.take(Purpose::Write).expect("there is room");
        assert_eq!((again.segment, again.life, again.used), (first, 1, SEGMENT / 2));
        assert_eq!(segments.close(Filling { used: SEGMENT - 4096, ..again }, 1), None);
        assert_ne!(segments.take(Purpose::Write).expect("there is room").segment, first);
    }

    #[test]
    fn what_is_written_for_nobody_is_free_at_once() {
        let mut segments = segments(1);
        let filling = segments.take(Purpose::Write).expect("there is room");
        let emptied = segments.close(filling, 0).expect("nothing is in it");
        segments.hole(emptied);
        assert_eq!((segments.in_use(), segments.left()), (0, 1));
    }

    #[test]
    fn a_segment_that_waits_to_be_filled_up_can_be_emptied() {
        let mut segments = segments(1);
        let first = fill(&mut segments, 4096, 1);
        let emptied = segments.free_record(first).expect("its last record");
        segments.hole(emptied);
        assert_eq!(segments.take(Purpose::Write).expect("there is room").life, 2);
    }

    #[test]
    fn what_is_left_for_cleaning_is_not_written_to() {
        let mut segments = Segments::new(8);
        (0..6).for_each(|_| _ = fill(&mut segments, SEGMENT, 1));
        assert!(segments.take(Purpose::Write).is_none());
        assert!(segments.take(Purpose::Clean).is_some() && segments.take(Purpose::Clean).is_some());
        assert!(segments.take(Purpose::Clean).is_none());
    }

    #[test]
    fn the_sparsest_is_cleaned_when_that_is_worth_it() {
        let mut segments = Segments::new(64);
        let all: Vec<_> = (0..10).map(|_| fill(&mut segments, SEGMENT, 100)).collect();
        let free = |segments: &mut Segments, which: usize, count: usize| {
            (0..count).for_each(|_| assert_eq!(segments.free_record(all[which]), None));
        };
        free(&mut segments, 3, 90);
        assert_eq!(segments.sparsest(), None, "there is much room, and most is in use");
        (4..10).for_each(|which| free(&mut segments, which, 80));
        assert_eq!(segments.sparsest(), Some(all[3]), "half of everything is freed");
        segments.is_stubborn(all[3]);
        assert_eq!(segments.sparsest(), Some(all[4]));
        let mut segments = Segments::new(16);
        let all: Vec<_> = (0..13).map(|_| fill(&mut segments, SEGMENT, 100)).collect();
        (0..24).for_each(|_| assert_eq!(segments.free_record(all[2]), None));
        assert_eq!(segments.sparsest(), None, "a quarter of none is freed");
        assert_eq!(segments.free_record(all[2]), None);
        assert_eq!(segments.sparsest(), Some(all[2]), "the file is nearly full");
    }
}
