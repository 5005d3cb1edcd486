//! How far a read goes.

use crate::place::Place;

/// The records that are read behind the one that is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reach {
    /// A few records: nobody knows what is wanted.
    #[default]
    Around,
    /// As many as there are about so many with the first.
    Records(usize),
    /// All up to this one.
    Through(Place),
    /// All up to this one, and a few more.
    With(Place),
}

impl Reach {
    /// For who wants the records at `places` one after the other: as far as they lie together. One record between two of
    /// them is read too, which takes less time than another read.
    pub fn along(places: impl IntoIterator<Item = Place>) -> Self {
        let mut places = places.into_iter();
        let Some(first) = places.next() else { return Self::Records(1) };
        let joins = |last: &mut Place, next: Place| {
            let joins = last.is_followed_by(next);
            *last = next;
            joins.then_some(next)
        };
        Self::Through(places.scan(first, joins).last().unwrap_or(first))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_read_goes_as_far_as_records_lie_together() {
        let at = |kib: u64| Place::new(kib << 10, 8000);
        let along = |places: &[u64]| Reach::along(places.iter().map(|&kib| at(kib)));
        assert_eq!(along(&[]), Reach::Records(1));
        assert_eq!(along(&[8]), Reach::Through(at(8)));
        assert_eq!(along(&[8, 16, 24, 40]), Reach::Through(at(40)));
        assert_eq!(along(&[8, 16, 40, 48]), Reach::Through(at(48)), "two between");
        assert_eq!(along(&[8, 16, 41, 49]), Reach::Through(at(16)), "the gap is too large");
        assert_eq!(along(&[8, 16, 0, 24]), Reach::Through(at(16)), "it goes back");
    }
}
