//! S3-FIFO (Yang and others: FIFO queues are all you need for cache eviction, SOSP 2023): a small queue for what comes, a
//! main one for what was touched there or came back soon, and a third one that remembers what has left the small one.

use ztera_store::UnitIndex;

use crate::recency::Recency;
use crate::replay::Limits;
use crate::resident::{Resident, most};
use crate::trace::Trace;

/// Nothing is touched again while it is in one of the lists, so they are queues.
#[derive(Debug)]
pub(crate) struct S3Fifo {
    most: u64,
    small: Recency,
    main: Recency,
    left: Recency,
    /// Touches of each unit since it came, or since it was spared, up to [`MOST_TOUCHES`].
    touches: Vec<u8>,
}

const MOST_TOUCHES: u8 = 3;

impl S3Fifo {
    /// Empty.
    pub fn new(trace: &Trace, limits: Limits) -> Self {
        let units = trace.sizes.len();
        let list = || Recency::new(units);
        Self { most: most(trace, limits), small: list(), main: list(), left: list(), touches: vec![0; units] }
    }

    fn most_small(&self) -> u64 {
        (self.most / 10).max(1)
    }

    fn touches(&mut self, unit: UnitIndex) -> &mut u8 {
        &mut self.touches[unit.0 as usize]
    }

    /// Makes room for a unit, if there is none.
    fn evict(&mut self) -> Option<UnitIndex> {
        while self.small.len() + self.main.len() >= self.most {
            if self.small.len() >= self.most_small() || self.main.len() == 0 {
                let unit = self.small.pop()?;
                if *self.touches(unit) <= 1 {
                    self.remember(unit);
                    return Some(unit);
                }
                *self.touches(unit) = 0;
                self.main.touch(unit);
            } else {
                let unit = self.main.pop()?;
                if *self.touches(unit) == 0 {
                    return Some(unit);
                }
                *self.touches(unit) -= 1;
                self.main.touch(unit);
            }
        }
        None
    }

    fn remember(&mut self, unit: UnitIndex) {
        self.left.touch(unit);
        if self.left.len() > self.most - self.most_small() {
            self.left.pop();
        }
    }
}

impl Resident for S3Fifo {
    fn contains(&self, unit: UnitIndex) -> bool {
        self.small.contains(unit) || self.main.contains(unit)
    }

    fn touch(&mut self, unit: UnitIndex) -> Option<UnitIndex> {
        if self.contains(unit) {
            let touches = self.touches(unit);
            *touches = (*touches + 1).min(MOST_TOUCHES);
            return None;
        }
        let gone = self.evict();
        *self.touches(unit) = 0;
        if self.left.remove(unit) {
            self.main.touch(unit)
        } else {
            self.small.touch(unit)
        }
        gone
    }

    fn remove(&mut self, unit: UnitIndex) {
        [&mut self.small, &mut self.main, &mut self.left].into_iter().for_each(|list| {
            list.remove(unit);
        });
    }

    fn find(&self, wanted: &dyn Fn(UnitIndex) -> bool) -> Option<UnitIndex> {
        self.small.iter().chain(self.main.iter()).find(|&unit| wanted(unit))
    }
}
