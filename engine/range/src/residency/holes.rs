//! Pages of resident units that are not mapped: of a large unit, the program may have got the page that it asked for.

use ztera_policy::clustering::ClusterLen;
use ztera_policy::units::PAGE_LEN;
use ztera_store::{Pages, Slot, UnitIndex};
use ztera_sync::Word;
use ztera_sync::atomic::{AtomicU64, Ordering};

/// Bytes of a page.
pub(crate) const PAGE: usize = PAGE_LEN as usize;

/// The holes of all units of a range. A unit with holes is resident, and its contents are in the pool, or on SSD if they were
/// written back from there by hand.
#[derive(Debug)]
pub(crate) struct Holes {
    pages: ClusterLen,
    /// For each unit the pages that are not mapped. The thread that holds a slot changes the word of its unit.
    words: Box<[Word]>,
    len: AtomicU64,
}

impl Holes {
    /// For `units` of so many pages each. Where there is no room for the words, there are no holes.
    pub fn new(pages: ClusterLen, units: u64) -> Self {
        let words = if pages == ClusterLen::ONE { None } else { Word::zeros(units as usize) };
        let pages = if words.is_some() { pages } else { ClusterLen::ONE };
        Self { pages, words: words.unwrap_or_default(), len: AtomicU64::new(0) }
    }

    /// Units that may have holes: all of the range, or none.
    pub fn capacity(&self) -> u64 {
        self.words.len() as u64
    }

    /// Bytes of all words.
    pub fn bytes(&self) -> u64 {
        size_of_val::<[Word]>(&self.words) as u64
    }

    /// All pages of a unit.
    pub fn all(&self) -> Pages {
        Pages::first(self.pages.units())
    }

    /// The pages of `unit` that are not mapped, if it is resident. Without its slot: a moment ago.
    pub fn of(&self, unit: UnitIndex) -> Pages {
        Pages(self.words.get(unit.0 as usize).map_or(0, |word| word.load(Ordering::Relaxed)))
    }

    /// Bytes of the holes of `unit`.
    pub fn bytes_of(&self, unit: UnitIndex) -> u64 {
        u64::from(self.of(unit).count()) * PAGE_LEN
    }

    /// From now on these pages of the unit are not mapped.
    pub fn set(&self, slot: &Slot<'_>, holes: Pages) {
        debug_assert!(holes == Pages::default() || slot.is_resident());
        debug_assert!(holes == Pages::default() || holes.count() < self.all().count(), "it has a page");
        let Some(word) = self.words.get(slot.unit().0 as usize) else { return };
        let before = Pages(word.load(Ordering::Relaxed));
        if before != holes {
            word.swap(holes.0, Ordering::Relaxed);
            // Above all bits it wraps, and the sum is right all the same.
            let more = u64::from(holes.count()).wrapping_sub(u64::from(before.count()));
            self.len.fetch_add(more, Ordering::Relaxed);
        }
    }

    /// Whether a unit with these holes has one page.
    pub fn leave_one(&self, holes: Pages) -> bool {
        holes.count() + 1 == self.all().count()
    }

    /// A lower bound of the units that have holes: as if each had but one page.
    pub fn least_units_with(&self) -> u64 {
        self.len.load(Ordering::Relaxed).div_ceil(u64::from(self.pages.units() - 1).max(1))
    }

    /// Whole units that all holes would make.
    pub fn units(&self) -> u64 {
        self.len.load(Ordering::Relaxed) / u64::from(self.pages.units())
    }
}
