// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! How much of a pool's memory is lost between objects once many of them came and went.

use anyhow::Result;
use fastrand::Rng;
use memmap2::MmapMut;

use super::results::Metric;
use super::tier::Tier;
use crate::kit::data::pages::resize;
use crate::kit::zram::raw::Raw;

/// How often half of all units go and others come.
const TURNS: usize = 4;

/// The keeper of units.
pub trait Keeper {
    /// Makes `bytes` the contents from `offset` on.
    fn put(&self, offset: usize, bytes: &[u8]) -> Result<()>;
    /// Frees `len` bytes from `offset` on.
    fn free(&self, offset: usize, len: usize) -> Result<()>;
    /// Waits until all is stored, and tells how much of the memory has no objects in it; `None` if there is no memory.
    fn lost(&self) -> Result<Option<f64>>;
    /// Moves objects together, and gives back to the system what it can.
    fn give_back(&self) -> Result<()>;
}

/// The part of `used` that the objects do not fill.
fn lost(used: u64, objects: u64) -> Option<f64> {
    (used > 0).then(|| used.saturating_sub(objects) as f64 / used as f64)
}

impl Keeper for Tier {
    fn put(&self, offset: usize, bytes: &[u8]) -> Result<()> {
        self.submit_copy(offset, bytes)
    }

    fn free(&self, offset: usize, len: usize) -> Result<()> {
        Ok(self.discard(offset as u64, len as u64)?)
    }

    fn lost(&self) -> Result<Option<f64>> {
        self.drain();
        let stats = self.stats();
        Ok(lost(stats.mem_used_total, stats.compr_data_size))
    }

    fn give_back(&self) -> Result<()> {
        self.compact();
        Ok(())
    }
}

impl Keeper for Raw {
    fn put(&self, offset: usize, bytes: &[u8]) -> Result<()> {
        self.write(offset, bytes)
    }

    fn free(&self, offset: usize, len: usize) -> Result<()> {
        self.discard(offset, len)
    }

    fn lost(&self) -> Result<Option<f64>> {
        let usage = self.usage()?;
        Ok(lost(usage.used, usage.compressed))
    }

    fn give_back(&self) -> Result<()> {
        self.compact()
    }
}

/// Lets half of all units go and others, of other sizes, come, again and again. Then half of them go once more.
/// `keeper` has all of `bytes` when it begins. It moves nothing meanwhile unless it is asked to give memory back. The
/// engine's workers ask for that at a garbage collection, or when the pool is full.
pub fn churn(keeper: &dyn Keeper, bytes: &[u8], unit: usize, seed: u64) -> Result<Vec<(Metric, f64)>> {
    let mut rng = Rng::with_seed(seed);
    let mut units: Vec<usize> = (0..bytes.len() / unit).collect();
    // Direct I/O takes whole pages of memory only.
    let mut room = MmapMut::map_anon(unit)?;
    let mut found = Vec::new();
    let mut note = |metric, value: Option<f64>| found.extend(value.map(|value| (metric, value)));
    note(Metric::LostWhenNew, keeper.lost()?);
    for _ in 0..TURNS {
        let half = free_half(keeper, &mut units, unit, &mut rng)?;
        for at in half.iter().map(|index| index * unit) {
            room.copy_from_slice(&bytes[at..at + unit]);
            resize(&mut rng, &mut room);
            keeper.put(at, &room)?;
        }
    }
    note(Metric::LostAfterChurn, keeper.lost()?);
    keeper.give_back()?;
    note(Metric::LostAfterChurnCompacted, keeper.lost()?);
    free_half(keeper, &mut units, unit, &mut rng)?;
    note(Metric::LostAfterDiscard, keeper.lost()?);
    keeper.give_back()?;
    note(Metric::LostAfterDiscardCompacted, keeper.lost()?);
    Ok(found)
}

fn free_half<'u>(
    keeper: &dyn Keeper,
    units: &'u mut [usize],
    unit: usize,
    rng: &mut Rng,
) -> Result<&'u [usize]> {
    rng.shuffle(units);
    let half = &units[..units.len() / 2];
    half.iter().try_for_each(|index| keeper.free(index * unit, unit))?;
    Ok(half)
}

#[cfg(test)]
mod tests {
    use std::cell::{Cell, RefCell};
    use std::collections::BTreeMap;

    use super::*;

    /// Knows which unit has something, and in which order it was asked.
    #[derive(Default)]
    struct Fake {
        units: RefCell<BTreeMap<usize, u8>>,
        given_back: Cell<u32>,
    }

    impl Keeper for Fake {
        fn put(&self, offset: usize, bytes: &[u8]) -> Result<()> {
            let before = self.units.borrow_mut().insert(offset, bytes[0]);
            assert_eq!(before, None, "only what was freed comes anew");
            Ok(())
        }

        fn free(&self, offset: usize, _: usize) -> Result<()> {
            assert!(self.units.borrow_mut().remove(&offset).is_some());
            Ok(())
        }

        fn lost(&self) -> Result<Option<f64>> {
            Ok(Some(self.units.borrow().len() as f64 + f64::from(self.given_back.get()) / 10.0))
        }

        fn give_back(&self) -> Result<()> {
            self.given_back.set(self.given_back.get() + 1);
            Ok(())
        }
    }

    #[test]
    fn half_of_the_units_go_and_come() {
        let fake = Fake::default();
        (0..8).for_each(|unit| fake.put(unit * 4096, &[1]).unwrap());
        let found = churn(&fake, &[7; 8 * 4096], 4096, 1).unwrap();
        let expected = [
            (Metric::LostWhenNew, 8.0),
            (Metric::LostAfterChurn, 8.0),
            (Metric::LostAfterChurnCompacted, 8.1),
            (Metric::LostAfterDiscard, 4.1),
            (Metric::LostAfterDiscardCompacted, 4.2),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn without_memory_nothing_is_lost() {
        assert_eq!((lost(0, 0), lost(100, 75)), (None, Some(0.25)));
    }
}
