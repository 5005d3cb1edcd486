//! Objects of units that the program reads page by page: a worker makes them anew, so that the next fault decodes one page.

use ztera_store::{Scratch, Splitting, Store};
use ztera_sync::{Mutex, Rank};

use crate::core::Core;
use crate::core::watch::PoolChange;

/// Units split before a worker looks whether there is something to store.
const STEP: usize = 16;

/// Splits [them](crate::core::to_split::ToSplit), a few at a time, by whichever worker has time.
pub(crate) struct Splitter(Mutex<Scratch>);

impl Splitter {
    /// `None` if no object of the store is worth it.
    pub fn new(store: &Store) -> Option<Self> {
        Some(Self(Mutex::ranked(Rank::Work, store.splitter()?)))
    }

    /// Splits a few units. Returns whether there are more.
    pub fn step(&self, core: &Core) -> bool {
        // One thread at a time is enough for what has time.
        let Some(mut scratch) = self.0.try_lock() else { return false };
        let mut split = 0;
        for unit in (0..STEP).map_while(|_| core.to_split.next()) {
            let splitting = core.store.split(unit, &mut scratch);
            split += u64::from(splitting == Splitting::Done);
            if splitting == Splitting::Busy || !core.pool_has_room() {
                core.to_split.forget();
            }
        }
        if split > 0 {
            core.counters.split.add(split);
            core.pool_changed(PoolChange::Stored);
        }
        // Only then: a worker that was called for a later unit may have found the scratch taken, and gone.
        drop(scratch);
        !core.to_split.is_empty()
    }
}
