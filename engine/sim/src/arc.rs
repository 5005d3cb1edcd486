//! ARC (Megiddo, Modha: ARC, a self-tuning, low overhead replacement cache, FAST 2003): units that were touched once, and
//! those that were touched again, in two lists by recency. A unit that has left either is remembered, and its coming back says
//! which of the two should be longer.

use ztera_store::UnitIndex;

use crate::recency::Recency;
use crate::replay::Limits;
use crate::resident::{Resident, most};
use crate::trace::Trace;

#[derive(Debug)]
pub(crate) struct Arc {
    most: u64,
    /// Units that `once` should have.
    share: u64,
    once: Recency,
    again: Recency,
    left_once: Recency,
    left_again: Recency,
}

impl Arc {
    /// Empty.
    pub fn new(trace: &Trace, limits: Limits) -> Self {
        let list = || Recency::new(trace.sizes.len());
        Self {
            most: most(trace, limits),
            share: 0,
            once: list(),
            again: list(),
            left_once: list(),
            left_again: list(),
        }
    }

    /// Makes room for a unit, if there is none.
    fn replace(&mut self, left_again: bool) -> Option<UnitIndex> {
        if self.once.len() + self.again.len() < self.most {
            return None;
        }
        let is_long = self.once.len() > self.share || left_again && self.once.len() == self.share;
        if self.once.len() > 0 && (is_long || self.again.len() == 0) {
            let unit = self.once.pop()?;
            self.left_once.touch(unit);
            Some(unit)
        } else {
            let unit = self.again.pop()?;
            self.left_again.touch(unit);
            Some(unit)
        }
    }

    /// Learns from a unit that comes back. Whether it was remembered, and of which list.
    fn learn(&mut self, unit: UnitIndex) -> Option<bool> {
        let (once, again) = (self.left_once.len(), self.left_again.len());
        if self.left_once.remove(unit) {
            self.share = (self.share + (again / once).max(1)).min(self.most);
            return Some(false);
        }
        self.left_again.remove(unit).then(|| {
            self.share = self.share.saturating_sub((once / again).max(1));
            true
        })
    }

    /// Room in the lists for a unit that nobody remembers.
    fn forget(&mut self) -> Option<UnitIndex> {
        if self.once.len() + self.left_once.len() == self.most {
            if self.left_once.pop().is_none() {
                return self.once.pop();
            }
        } else if self.once.len() + self.again.len() + self.left_once.len() + self.left_again.len()
            >= 2 * self.most
        {
            self.left_again.pop();
        }
        self.replace(false)
    }
}

impl Resident for Arc {
    fn contains(&self, unit: UnitIndex) -> bool {
        self.once.contains(unit) || self.again.contains(unit)
    }

    fn touch(&mut self, unit: UnitIndex) -> Option<UnitIndex> {
        if self.contains(unit) {
            self.once.remove(unit);
            self.again.touch(unit);
            return None;
        }
        if let Some(left_again) = self.learn(unit) {
            let gone = self.replace(left_again);
            self.again.touch(unit);
            return gone;
        }
        let gone = self.forget();
        self.once.touch(unit);
        gone
    }

    fn remove(&mut self, unit: UnitIndex) {
        for list in [&mut self.once, &mut self.again, &mut self.left_once, &mut self.left_again] {
            list.remove(unit);
        }
    }

    fn find(&self, wanted: &dyn Fn(UnitIndex) -> bool) -> Option<UnitIndex> {
        self.once.iter().chain(self.again.iter()).find(|&unit| wanted(unit))
    }
}
