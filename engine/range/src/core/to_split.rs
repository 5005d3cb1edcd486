//! Units whose objects are to be split.

use std::collections::VecDeque;

use ztera_store::{Store, UnitIndex};
use ztera_sync::Mutex;

/// Units that wait at most. Those beyond are asked for again when they come back.
const MOST_WAITING: usize = 256;

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

    /// The one that has waited longest.
    pub fn next(&self) -> Option<UnitIndex> {
        self.0.lock().pop_front()
    }

    /// Whether none waits.
    pub fn is_empty(&self) -> bool {
        self.0.lock().is_empty()
    }

    /// None of them is split now. Else the next one would not be the first, and call nobody.
    pub fn forget(&self) {
        self.0.lock().clear();
    }
}
