// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Objects made smaller by denser codecs: as an administrator asks, which is zram's `recompress`, and by itself once
//! units are idle, which zram leaves to a program of its user.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use ztera_codec::{NoCodec, Settings};
use ztera_store::UnitIndex;

use crate::core::Core;
use crate::touches::Age;
use crate::upkeep::smaller::{Denser, Encoders, Recompressed};

/// The codecs that are to be tried.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Codecs {
    /// All denser ones of the device, by priority.
    #[default]
    All,
    /// The one of this priority, from 1 on.
    Priority(usize),
    /// This one, such as `zstd:9`.
    Named(String),
}

/// Objects to be compressed anew, and by what.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recompress {
    /// Units of this age.
    pub age: Age,
    /// The codecs.
    pub codecs: Codecs,
    /// Only units that the device's codec did not make smaller.
    pub huge: bool,
    /// Only objects of at least so many bytes. The next codec is tried where the result still has as many.
    pub threshold: u64,
    /// No more than so many pages; `None` = all.
    pub most_pages: Option<u64>,
}

/// Makes objects anew by denser codecs where that is smaller. Requests go on meanwhile. An error says which codec there
/// is not.
pub(crate) fn recompress(core: &Core, denser: &Denser, which: &Recompress) -> Result<Recompressed, String> {
    let mut with = Encoders::new(&core.store, &named(denser, &which.codecs)?);
    let mut left = which.most_pages.map_or(u64::MAX, |pages| pages.div_ceil(core.unit().pages()));
    let mut sum = Recompressed::default();
    for unit in core.pooled() {
        if left == 0 {
            break;
        }
        let is_wanted = core.touches.is_of(unit, which.age)
            && (!which.huge || core.store.table().glance(unit).raw)
            && is_at_least(core, unit, which.threshold);
        if is_wanted && with.make_smaller(core, unit, which.threshold, &mut sum) {
            left -= 1;
        }
    }
    core.counters.recompressed_units.add(sum.units);
    Ok(sum)
}

fn named(denser: &Denser, codecs: &Codecs) -> Result<Vec<Settings>, String> {
    let all = &denser.codecs;
    match codecs {
        Codecs::All if all.is_empty() => Err("the device has no denser codecs".to_owned()),
        Codecs::All => Ok(all.clone()),
        Codecs::Priority(priority) => {
            let codec = priority.checked_sub(1).and_then(|index| all.get(index));
            codec
                .map(|&codec| vec![codec])
                .ok_or_else(|| format!("no codec has priority {priority}: there are {}", all.len()))
        }
        Codecs::Named(name) => Ok(vec![name.parse().map_err(|error: NoCodec| error.to_string())?]),
    }
}

fn is_at_least(core: &Core, unit: UnitIndex, len: u64) -> bool {
    let stored = core.store.table().try_lock(unit).and_then(|slot| core.store.stored_len(&slot));
    stored.is_some_and(|stored| stored >= len)
}

/// Units that became idle, each of which is tried once for each time that it does.
pub(crate) struct Rounds {
    with: Encoders,
    /// Those last wanted at this time or before had their turn.
    tried: u64,
}

impl Rounds {
    pub fn of(core: &Core, denser: &Denser) -> Self {
        Self { with: Encoders::new(&core.store, &denser.codecs), tried: 0 }
    }

    /// Makes units smaller that were left alone for `after`, as long as `goes_on`.
    pub fn round(&mut self, core: &Core, after: Duration, goes_on: impl Fn() -> bool) -> Recompressed {
        let until = core.touches.before(after);
        let is_due =
            |unit| core.touches.is_between(unit, self.tried, until) && !core.touches.is_incompressible(unit);
        let mut sum = Recompressed::default();
        for unit in core.pooled().filter(|&unit| is_due(unit)) {
            if !goes_on() {
                return sum;
            }
            self.with.make_smaller(core, unit, 0, &mut sum);
        }
        self.tried = self.tried.max(until);
        core.counters.recompressed_units.add(sum.units);
        sum
    }
}
