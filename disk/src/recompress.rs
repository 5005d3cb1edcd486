// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Objects made smaller by denser codecs: as an administrator asks, which is zram's `recompress`, and by itself once
//! units are idle, which zram leaves to a program of its user.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use ztera_codec::Settings;
use ztera_store::{Recompressed as Outcome, Recompressor, Store, UnitIndex};

use crate::bell::Behind;
use crate::device::Device;
use crate::maintain::Age;

/// Denser codecs of a device, and when they are used unasked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Denser {
    /// By priority, from 1 on: the first that makes an object smaller wins. At most [`MOST_CODECS`].
    pub codecs: Vec<Settings>,
    /// How long a unit must have been left alone. `None`: they are used only when asked for.
    pub after: Option<Duration>,
}

/// Denser codecs that a device can have, as zram.
pub const MOST_CODECS: usize = 3;

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

/// Result of a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recompressed {
    /// Objects that are smaller now.
    pub units: u64,
    /// Bytes of the pool that objects took which were looked at.
    pub from: u64,
    /// Bytes that they take now.
    pub to: u64,
}

/// Working memory of the codecs, by priority.
pub(crate) struct Encoders(Vec<Recompressor>);

impl Encoders {
    pub fn new(store: &Store, codecs: &[Settings]) -> Self {
        Self(codecs.iter().map(|&codec| store.recompressor(codec).with_raw()).collect())
    }
}

impl Device {
    /// Makes objects anew by denser codecs where that is smaller. Requests go on meanwhile. An error says which codec
    /// there is not.
    pub fn recompress(&self, which: &Recompress) -> Result<Recompressed, String> {
        let mut with = Encoders::new(&self.store, &self.named(&which.codecs)?);
        let mut left = which.most_pages.map_or(u64::MAX, |pages| pages.div_ceil(self.unit().pages()));
        let mut sum = Recompressed::default();
        for unit in self.pooled() {
            if left == 0 {
                break;
            }
            let is_wanted = self.is_of(unit, which.age)
                && (!which.huge || self.store.table().glance(unit).raw)
                && self.is_at_least(unit, which.threshold);
            if is_wanted && self.make_smaller(unit, &mut with, which.threshold, &mut sum) {
                left -= 1;
            }
        }
        self.counters.recompressed_units.add(sum.units);
        Ok(sum)
    }

    fn named(&self, codecs: &Codecs) -> Result<Vec<Settings>, String> {
        match codecs {
            Codecs::All if self.denser.codecs.is_empty() => Err("the device has no denser codecs".to_owned()),
            Codecs::All => Ok(self.denser.codecs.clone()),
            Codecs::Priority(priority) => {
                let codec = priority.checked_sub(1).and_then(|index| self.denser.codecs.get(index));
                codec.map(|&codec| vec![codec]).ok_or_else(|| {
                    format!("no codec has priority {priority}: there are {}", self.denser.codecs.len())
                })
            }
            Codecs::Named(name) => {
                Ok(vec![name.parse().map_err(|error: ztera_codec::NoCodec| error.to_string())?])
            }
        }
    }

    /// Tries the codecs on a unit; false if there was nothing to try.
    pub(crate) fn make_smaller(
        &self,
        unit: UnitIndex,
        with: &mut Encoders,
        small_enough: u64,
        sum: &mut Recompressed,
    ) -> bool {
        let (mut sizes, seen) = (None, self.touches.seen(unit));
        for codec in &mut with.0 {
            let Outcome::Done { from, to } = self.recompress_by(unit, codec) else { continue };
            sizes = Some((sizes.map_or(from, |(first, _)| first), to));
            if to < from && (small_enough == 0 || to < small_enough) {
                break;
            }
        }
        let Some((from, to)) = sizes else { return false };
        *sum =
            Recompressed { units: sum.units + u64::from(to < from), from: sum.from + from, to: sum.to + to };
        self.touches.mark_tried(unit, seen, to < from);
        true
    }

    fn recompress_by(&self, unit: UnitIndex, codec: &mut Recompressor) -> Outcome {
        loop {
            match self.store.recompress(unit, 0, codec) {
                // The demoter is at it, which does not take long.
                Outcome::Busy => std::thread::yield_now(),
                outcome => return outcome,
            }
        }
    }

    fn is_at_least(&self, unit: UnitIndex, len: u64) -> bool {
        let stored = self.store.table().try_lock(unit).and_then(|slot| self.store.stored_len(&slot));
        stored.is_some_and(|stored| stored >= len)
    }
}

/// Units that became idle, each of which is tried once for each time that it does.
pub(crate) struct Rounds {
    with: Encoders,
    /// Those last wanted at this time or before had their turn.
    tried: u64,
}

impl Rounds {
    pub fn of(device: &Device) -> Self {
        Self { with: Encoders::new(&device.store, &device.denser.codecs), tried: 0 }
    }

    /// Makes units smaller that were left alone for `after`, as long as `goes_on`, and gives memory back.
    pub fn round(&mut self, device: &Device, after: Duration, goes_on: impl Fn() -> bool) -> Recompressed {
        let until = device.touches.before(after);
        let is_due = |unit| {
            device.touches.is_between(unit, self.tried, until) && !device.touches.is_incompressible(unit)
        };
        let due = device.pooled().filter(|&unit| is_due(unit));
        let mut sum = Recompressed::default();
        for unit in due {
            if !goes_on() {
                return sum;
            }
            device.make_smaller(unit, &mut self.with, 0, &mut sum);
        }
        self.tried = self.tried.max(until);
        device.counters.recompressed_units.add(sum.units);
        if sum.from > 0 {
            device.compact_if_it_pays();
        }
        sum
    }
}

/// Starts the thread that makes units smaller, if the device wants one: idle ones, and others where it is nearly full.
pub(crate) fn start(device: Arc<Device>) -> io::Result<Option<Behind>> {
    let (Some(after), Some(densening)) = (device.denser.after, &device.densening) else { return Ok(None) };
    let bell = densening.bell.clone();
    let own = bell.clone();
    let behind = Behind::start("zt-denser", bell, move || {
        let mut rounds = Rounds::of(&device);
        while own.wait_for((after / ROUNDS).max(SHORTEST)) {
            rounds.round(&device, after, || !own.is_stopping());
            while !own.is_stopping() && device.wants_denser() && device.densen_batch() > 0 {}
        }
    })?;
    Ok(Some(behind))
}

/// Looks while a unit becomes idle, and the shortest time between them: each goes through the table.
const ROUNDS: u32 = 4;
const SHORTEST: Duration = Duration::from_millis(100);
