//! The parts of the file that are in use: pure bookkeeping, under the lock of who owns it.
//!
//! ```text
//!  free -> open: room is given out, bytes are being written -> closed --last record freed--> emptied
//!    ^                                                                                         |
//!    +------------------------------------ hole made ------------------------------------------+
//! ```
//!
//! Room that a failed write was given is waste until its segment is cleaned: no place is written twice in one life. A disk that
//! fails again and again wastes no more than the rest of the segments that are open: what is taken after that is empty
//! again when the first write to it fails.

use std::collections::BTreeSet;

use ztera_policy::cleaning::{self, File, has_changed, pays};

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

/// The purpose of room in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// New records.
    Write,
    /// Records of a segment that is being cleaned.
    Clean,
}

#[derive(Clone, Copy, Debug)]
struct State {
    /// How often it has been taken into use.
    life: u32,
    /// Records that nobody has freed.
    records: u32,
    /// Records written in this life.
    written: u32,
    /// Their extents, in bytes. The rest of a closed segment is waste.
    bytes: u32,
    /// Extents of it that are being written.
    writers: u32,
    /// More room of it may be given out.
    open: bool,
    /// Records when cleaning was last tried. As long as most of them are there, it would end as it did then.
    tried_at: u32,
}

impl State {
    fn unused(life: u32) -> Self {
        Self { life, records: 0, written: 0, bytes: 0, writers: 0, open: false, tried_at: u32::MAX }
    }

    fn is_empty(&self) -> bool {
        self.records == 0 && self.writers == 0
    }

    /// The part of it, in 1/1024, that records take which nobody has freed. Some records were written.
    fn share(&self) -> u64 {
        u64::from(self.records) * u64::from(self.bytes) * 1024 / (u64::from(self.written) * SEGMENT as u64)
    }

    fn for_cleaning(&self) -> cleaning::Segment {
        let Self { records, tried_at, .. } = *self;
        cleaning::Segment { records, tried_at, share: self.share() }
    }
}

/// A part of a segment that belongs to one writer until it is [settled](Segments::settle).
#[derive(Debug)]
pub(crate) struct Extent {
    pub segment: SegmentIndex,
    pub life: u32,
    /// In the file.
    pub offset: u64,
    pub len: usize,
    /// Bytes behind it that nobody else gets, to be written with it: the rest of a segment that is full. Else the file system
    /// would keep that rest as a piece of its own, and free the whole file piece by piece: seconds for each GiB.
    pub rest: usize,
    /// The segment has just been taken into use.
    pub is_first: bool,
}

#[derive(Clone, Copy, Debug)]
struct Open {
    segment: SegmentIndex,
    used: usize,
    purpose: Purpose,
}

/// All segments of a file.
#[derive(Debug)]
pub(crate) struct Segments {
    most: u32,
    states: Vec<State>,
    /// Free ones below the end of the file; the lowest is taken first, so that the file stays short.
    free: BTreeSet<SegmentIndex>,
    open: Vec<Open>,
    emptied: Vec<SegmentIndex>,
    in_use: u32,
    live: u64,
    written: u64,
}

/// A segment with less room than this is not worth keeping open.
pub(crate) const WORTH_FILLING: usize = SEGMENT / 16;

/// Most segments that are open for one purpose.
const MOST_OPEN: usize = 4;

/// Segments that are left for cleaning, which needs one to write to before it frees another.
const RESERVE: u32 = 2;

impl Segments {
    /// For a file of at most `most` segments.
    pub fn new(most: u32) -> Self {
        Self {
            most,
            states: Vec::new(),
            free: BTreeSet::new(),
            open: Vec::new(),
            emptied: Vec::new(),
            in_use: 0,
            live: 0,
            written: 0,
        }
    }

    /// Room for `len` bytes, at most a segment. `None`: the file is full.
    pub fn reserve(&mut self, len: usize, purpose: Purpose) -> Option<Extent> {
        debug_assert!(0 < len && len <= SEGMENT);
        // Room that is too little to be worth keeping open was written with the last extent.
        let has_room = |open: &Open| SEGMENT - open.used >= WORTH_FILLING && open.used + len <= SEGMENT;
        let fits = |open: &&mut Open| open.purpose == purpose && has_room(open);
        if let Some(open) = self.open.iter_mut().find(fits) {
            let (segment, at) = (open.segment, open.used);
            open.used += len;
            return Some(self.extent(segment, at, len));
        }
        let segment = self.take(purpose)?;
        self.open.push(Open { segment, used: len, purpose });
        self.close_fullest(purpose);
        Some(self.extent(segment, 0, len))
    }

    fn extent(&mut self, segment: SegmentIndex, at: usize, len: usize) -> Extent {
        let state = &mut self.states[segment.0 as usize];
        state.writers += 1;
        let rest = SEGMENT - at - len;
        let rest = if rest < WORTH_FILLING { rest } else { 0 };
        Extent {
            segment,
            life: state.life,
            offset: segment.offset() + at as u64,
            len,
            rest,
            is_first: at == 0,
        }
    }

    fn take(&mut self, purpose: Purpose) -> Option<SegmentIndex> {
        if purpose == Purpose::Write && self.left() == 0 {
            return None;
        }
        let segment = match self.free.pop_first() {
            Some(segment) => segment,
            None if (self.states.len() as u32) < self.most => {
                self.states.push(State::unused(0));
                SegmentIndex(self.states.len() as u32 - 1)
            }
            None => return None,
        };
        let state = &mut self.states[segment.0 as usize];
        *state = State { open: true, ..State::unused(state.life.wrapping_add(1)) };
        self.in_use += 1;
        Some(segment)
    }

    /// The bytes of `extent` were written, with `records` in them; 0 if that failed.
    pub fn settle(&mut self, extent: &Extent, records: u32) {
        let state = &mut self.states[extent.segment.0 as usize];
        debug_assert!(
            state.life == extent.life && state.writers > 0,
            "a segment that is written to goes on living"
        );
        state.writers -= 1;
        state.records += records;
        state.written += records;
        state.bytes += if records > 0 { extent.len as u32 } else { 0 };
        self.live += u64::from(records);
        self.written += u64::from(records);
        let done = |open: &Open| SEGMENT - open.used < WORTH_FILLING;
        match self.open.iter().position(|open| open.segment == extent.segment && done(open)) {
            Some(index) => self.close(index),
            None => self.look_whether_empty(extent.segment),
        }
    }

    fn close_fullest(&mut self, purpose: Purpose) {
        let of_purpose = || self.open.iter().enumerate().filter(|(_, open)| open.purpose == purpose);
        if of_purpose().count() > MOST_OPEN {
            let fullest = of_purpose().min_by_key(|(_, open)| SEGMENT - open.used).map(|(index, _)| index);
            fullest.into_iter().for_each(|index| self.close(index));
        }
    }

    fn close(&mut self, index: usize) {
        let segment = self.open.remove(index).segment;
        self.states[segment.0 as usize].open = false;
        self.look_whether_empty(segment);
    }

    /// A record of `segment` is not needed any more.
    pub fn free_record(&mut self, segment: SegmentIndex) {
        debug_assert!(self.states[segment.0 as usize].records > 0, "a record was freed twice");
        self.states[segment.0 as usize].records -= 1;
        self.live -= 1;
        self.look_whether_empty(segment);
    }

    fn look_whether_empty(&mut self, segment: SegmentIndex) {
        let state = &mut self.states[segment.0 as usize];
        if !state.is_empty() {
            return;
        }
        if state.open {
            state.open = false;
            self.open.retain(|open| open.segment != segment);
        }
        self.written -= u64::from(self.states[segment.0 as usize].written);
        debug_assert!(!self.emptied.contains(&segment), "a segment was emptied twice");
        self.emptied.push(segment);
    }

    /// A segment with no record left: a hole is to be made, and then [`hole`](Self::hole) called.
    pub fn pop_emptied(&mut self) -> Option<SegmentIndex> {
        self.emptied.pop()
    }

    /// Whether there is one.
    pub fn has_emptied(&self) -> bool {
        !self.emptied.is_empty()
    }

    /// The hole has been made: the segment may be used again.
    pub fn hole(&mut self, segment: SegmentIndex) {
        debug_assert!(self.in_use > 0 && self.states[segment.0 as usize].is_empty());
        self.in_use -= 1;
        let new = self.free.insert(segment);
        debug_assert!(new, "a segment was freed twice");
    }

    /// The life of `segment` that its records are of.
    pub fn life(&self, segment: SegmentIndex) -> u32 {
        self.states[segment.0 as usize].life
    }

    /// Bytes from the start of the file up to the end of the last segment that was ever in use.
    pub fn ever_used(&self) -> u64 {
        self.states.len() as u64 * SEGMENT as u64
    }

    /// Segments that hold records, are being filled, or wait for their hole.
    pub fn in_use(&self) -> u32 {
        self.in_use
    }

    /// Segments that may still be taken to write new records.
    pub fn left(&self) -> u32 {
        (self.most - self.in_use).saturating_sub(RESERVE.min(self.most / 4))
    }

    /// The segment of which most is freed or waste, and its life, if [`cleaning`] says that writing the rest elsewhere is
    /// worth it. The next time it is another one, unless much more has been freed.
    pub fn sparsest(&mut self) -> Option<(SegmentIndex, u32)> {
        let (most, left, live, written) = (self.most, self.left(), self.live, self.written);
        if !cleaning::is_due(File { most, left, live, written }) {
            return None;
        }
        let worth = |state: &State| {
            !state.open && state.writers == 0 && state.records > 0 && has_changed(state.for_cleaning())
        };
        let candidates = self.states.iter_mut().enumerate().filter(|(_, state)| worth(state));
        let (index, state) = candidates.min_by_key(|(_, state)| state.share())?;
        if !pays(state.for_cleaning()) {
            return None;
        }
        state.tried_at = state.records;
        Some((SegmentIndex(index as u32), state.life))
    }

    /// Cleaning of `segment` in its life `life` was tried, but something failed: it may be tried again.
    pub fn was_not_cleaned(&mut self, segment: SegmentIndex, life: u32) {
        let state = &mut self.states[segment.0 as usize];
        if state.life == life {
            state.tried_at = u32::MAX;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With `most` segments for new records.
    fn segments(most: u32) -> Segments {
        (most..).map(Segments::new).find(|segments| segments.left() == most).expect("some are in reserve")
    }

    fn write(segments: &mut Segments, len: usize, records: u32) -> Option<SegmentIndex> {
        let extent = segments.reserve(len, Purpose::Write)?;
        segments.settle(&extent, records);
        Some(extent.segment)
    }

    fn fill(segments: &mut Segments, records: u32) -> SegmentIndex {
        write(segments, SEGMENT, records).expect("there is room")
    }

    #[test]
    fn a_segment_is_used_again_only_after_its_hole() {
        let mut segments = segments(2);
        let first = fill(&mut segments, 2);
        let second = fill(&mut segments, 1);
        assert!(segments.reserve(4096, Purpose::Write).is_none());
        segments.free_record(first);
        assert_eq!(segments.pop_emptied(), None);
        segments.free_record(first);
        assert_eq!(segments.pop_emptied(), Some(first));
        assert!(segments.reserve(4096, Purpose::Write).is_none(), "the hole is not there yet");
        segments.hole(first);
        let again = segments.reserve(4096, Purpose::Write).expect("there is room again");
        assert_eq!((again.segment, again.life, again.is_first, segments.in_use()), (first, 2, true, 2));
        assert_eq!(segments.life(second), 1);
    }

    #[test]
    fn writers_share_a_segment_that_has_room() {
        let mut segments = segments(9);
        let extents: Vec<_> =
            (0..4).map(|_| segments.reserve(SEGMENT / 4, Purpose::Write).expect("there is room")).collect();
        let offsets: Vec<_> = extents.iter().map(|extent| extent.offset as usize * 4 / SEGMENT).collect();
        assert_eq!((offsets, segments.in_use()), (vec![0, 1, 2, 3], 1));
        for extent in &extents[1..] {
            segments.settle(extent, 1);
            segments.free_record(extent.segment);
        }
        assert!(!segments.has_emptied(), "one of them still writes");
        segments.settle(&extents[0], 0);
        assert_eq!(segments.pop_emptied(), Some(SegmentIndex(0)));
    }

    #[test]
    fn the_last_extent_of_a_segment_has_the_rest() {
        let mut segments = segments(9);
        let mut rests = [SEGMENT / 2, SEGMENT / 4, SEGMENT / 4 - 4096, SEGMENT].map(|len| {
            let extent = segments.reserve(len, Purpose::Write).expect("there is room");
            extent.rest
        });
        assert_eq!(rests, [0, 0, 4096, 0]);
        rests = [SEGMENT - WORTH_FILLING, WORTH_FILLING, SEGMENT - WORTH_FILLING + 4096, 4096].map(|len| {
            let extent = segments.reserve(len, Purpose::Write).expect("there is room");
            extent.rest
        });
        assert_eq!(rests[..3], [0, 0, WORTH_FILLING - 4096]);
    }

    #[test]
    fn a_large_extent_leaves_the_room_to_smaller_ones() {
        let mut segments = segments(9);
        let first = write(&mut segments, SEGMENT / 2, 1);
        assert_ne!(write(&mut segments, SEGMENT / 4 * 3, 1), first);
        assert_eq!(write(&mut segments, SEGMENT / 4, 1), first);
        assert_eq!(segments.in_use(), 2);
    }

    #[test]
    fn few_segments_are_open() {
        let mut segments = segments(99);
        (0..50).for_each(|_| _ = write(&mut segments, SEGMENT / 4 * 3, 1));
        assert_eq!((segments.open.len(), segments.in_use()), (MOST_OPEN, 50));
    }

    #[test]
    fn a_write_that_failed_leaves_nothing() {
        let mut segments = segments(1);
        write(&mut segments, 4096, 0);
        assert_eq!(segments.pop_emptied(), Some(SegmentIndex(0)));
        segments.hole(SegmentIndex(0));
        assert_eq!((segments.in_use(), segments.left()), (0, 1));
    }

    #[test]
    fn writes_that_fail_again_and_again_waste_one_segment() {
        let mut segments = segments(2);
        let first = write(&mut segments, SEGMENT / 4, 10).expect("there is room");
        (0..3).for_each(|_| assert_eq!(write(&mut segments, SEGMENT / 4, 0), Some(first)));
        for _ in 0..100 {
            assert!(write(&mut segments, SEGMENT / 4, 0).is_some());
            let emptied = segments.pop_emptied().expect("nothing is in it");
            segments.hole(emptied);
        }
        assert_ne!(write(&mut segments, SEGMENT / 4, 10), Some(first), "it is full");
        assert_eq!(segments.sparsest(), Some((first, 1)), "three quarters of it are waste");
        assert_eq!(segments.sparsest(), None, "it was tried");
        segments.was_not_cleaned(first, 1);
        assert_eq!(segments.sparsest(), Some((first, 1)));
    }

    #[test]
    fn what_is_left_for_cleaning_is_not_written_to() {
        let mut segments = Segments::new(8);
        (0..6).for_each(|_| _ = fill(&mut segments, 1));
        assert!(segments.reserve(4096, Purpose::Write).is_none());
        assert!(segments.reserve(4096, Purpose::Clean).is_some());
        assert!(segments.reserve(4096, Purpose::Write).is_none(), "not even if cleaning has not filled it");
        assert!(segments.reserve(SEGMENT, Purpose::Clean).is_some());
        assert!(segments.reserve(SEGMENT, Purpose::Clean).is_none());
    }

    fn free(segments: &mut Segments, segment: SegmentIndex, count: usize) {
        (0..count).for_each(|_| segments.free_record(segment));
    }

    #[test]
    fn the_sparsest_is_cleaned_when_that_is_worth_it() {
        let mut segments = Segments::new(64);
        let all: Vec<_> = (0..10).map(|_| fill(&mut segments, 100)).collect();
        free(&mut segments, all[3], 90);
        assert_eq!(segments.sparsest(), None, "there is much room, and most is in use");
        (4..10).for_each(|which| free(&mut segments, all[which], 80));
        assert_eq!(segments.sparsest(), Some((all[3], 1)), "half of everything is freed");
        assert_eq!(segments.sparsest(), Some((all[4], 1)), "the first one was tried");
        free(&mut segments, all[3], 3);
        assert_eq!(segments.sparsest(), Some((all[3], 1)), "less is left of it than when it was tried");
    }

    #[test]
    fn a_file_that_is_nearly_full_is_cleaned_sooner() {
        let mut segments = Segments::new(16);
        let all: Vec<_> = (0..13).map(|_| fill(&mut segments, 100)).collect();
        free(&mut segments, all[2], 24);
        assert_eq!(segments.sparsest(), None, "a quarter of none is freed");
        free(&mut segments, all[2], 1);
        assert_eq!(segments.sparsest(), Some((all[2], 1)));
    }
}
