//! Objects of units that the program reads page by page: a worker makes them anew, so that the next fault decodes one page.

use std::collections::VecDeque;

use ztera_store::{Scratch, Splitting, Store, UnitIndex};
use ztera_sync::{Mutex, Rank};

use crate::core::Core;
use crate::core::pool::PoolChange;

/// Units that wait at most. Those beyond are asked for again when they come back.
const MOST_WAITING: usize = 256;

/// Units split before a worker looks whether there is something to store.
const STEP: usize = 16;

/// The units that are to be split.
#[derive(Debug, Default)]
pub(crate) struct ToSplit(Mutex<VecDeque<UnitIndex>>);

impl ToSplit {
    /// Has a worker split `unit` soon. A thread that serves a fault waits for nobody: it may be in vain.
    pub fn add(&self, unit: UnitIndex, store: &Store) {
        let Some(mut units) = self.0.try_lock().filter(|units| units.len() < MOST_WAITING) else { return };
        units.push_back(unit);
        let is_first = units.len() == 1;
        drop(units);
        if is_first {
            store.want_idle_work();
        }
    }

    fn next(&self) -> Option<UnitIndex> {
        self.0.lock().pop_front()
    }

    fn is_empty(&self) -> bool {
        self.0.lock().is_empty()
    }

    /// None of them is split now. Else the next one would not be the first, and call nobody.
    fn forget(&self) {
        self.0.lock().clear();
    }
}

/// Splits them, a few at a time, by whichever worker has time.
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
        !core.to_split.is_empty()
    }
}
