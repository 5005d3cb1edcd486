//! When live records of the SSD are written elsewhere, so that their segment can be used again, and of which segment. Pure
//! decisions over numbers; the SSD tier carries them out.

/// The state of the tier's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct File {
    /// Segments that it may have.
    pub most: u32,
    /// Of these, segments that may still be taken.
    pub left: u32,
    /// Records that somebody may want.
    pub live: u64,
    /// All records that were written, in segments that are in use.
    pub written: u64,
}

/// The state of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Live records.
    pub records: u32,
    /// As many as there were when it was last tried; `u32::MAX` = it was not.
    pub tried_at: u32,
    /// The live part of it, in 1024ths.
    pub share: u64,
}

/// Whether some segment is to be cleaned: the file is nearly full, or at least half of all that was written to it is freed.
pub fn is_due(File { most, left, live, written }: File) -> bool {
    left <= most / 16 || live * 2 <= written
}

/// Whether the segment has become another one since it was last tried: a quarter of its records has gone.
pub fn has_changed(segment: Segment) -> bool {
    u64::from(segment.records) * 4 <= u64::from(segment.tried_at) * 3
}

/// Whether writing the rest of the segment elsewhere is worth it: at least a quarter of it is freed, or was never used.
pub fn pays(segment: Segment) -> bool {
    segment.share <= 768
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_cleaned_when_it_is_nearly_full_or_half_of_it_is_freed() {
        let file = File { most: 160, left: 100, live: 51, written: 100 };
        let cases = [
            (file, false),
            (File { live: 50, ..file }, true),
            (File { left: 11, ..file }, false),
            (File { left: 10, ..file }, true),
        ];
        for (file, expected) in cases {
            assert_eq!(is_due(file), expected, "{file:?}");
        }
    }

    #[test]
    fn a_segment_is_worth_it_once_a_quarter_is_freed() {
        let segment = Segment { records: 100, tried_at: u32::MAX, share: 768 };
        assert!(pays(segment) && !pays(Segment { share: 769, ..segment }));
    }

    #[test]
    fn a_segment_that_was_tried_is_left_alone_for_a_while() {
        let segment = |records, tried_at| Segment { records, tried_at, share: 0 };
        assert!(has_changed(segment(100, u32::MAX)));
        assert!(has_changed(segment(75, 100)) && !has_changed(segment(76, 100)));
    }
}
