// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Requests of an administrator: zram's `compact`, `idle`, `recompress` and `writeback`.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use ztera_codec::{CodecKind, Settings};
use ztera_store::{Mover, Recompressed as Outcome, UnitIndex};

use crate::device::Device;

/// Units by the time they were last wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Age {
    /// All of them.
    Any,
    /// Those marked idle and not wanted since.
    Idle,
}

/// The part of the pool that goes to the SSD.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WriteBack {
    /// Units of this age.
    pub age: Age,
    /// Only those that do not compress.
    pub huge: bool,
}

/// Objects to be compressed anew, and the codec.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recompress {
    /// Units of this age.
    pub age: Age,
    /// zstd, or lz4.
    pub zstd: bool,
    /// The codec's level; 0 = its default.
    pub level: i32,
    /// Only objects of at least so many bytes.
    pub threshold: u64,
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

impl Device {
    /// Moves objects together; returns how many bytes of memory that gave back.
    pub fn compact(&self) -> u64 {
        self.store.compact()
    }

    /// Has every unit be idle, until it is read or written, that was not for so long.
    pub fn mark_idle(&self, untouched: Duration) {
        self.touches.mark_idle(untouched);
    }

    fn is_of(&self, unit: UnitIndex, age: Age) -> bool {
        age == Age::Any || self.touches.is_idle(unit)
    }

    /// Makes objects anew by another codec where that is smaller. Requests go on meanwhile.
    pub fn recompress(&self, which: Recompress) -> Recompressed {
        let kind = if which.zstd { CodecKind::Zstd } else { CodecKind::Lz4 };
        let mut with = self.store.recompressor(Settings { kind, level: which.level });
        let mut sum = Recompressed::default();
        for unit in self.pooled().filter(|&unit| self.is_of(unit, which.age)) {
            if !self.is_at_least(unit, which.threshold) {
                continue;
            }
            let outcome = loop {
                match self.store.recompress(unit, 0, &mut with) {
                    // The demoter is at it, which does not take long.
                    Outcome::Busy => std::thread::yield_now(),
                    outcome => break outcome,
                }
            };
            if let Outcome::Done { from, to } = outcome {
                sum = Recompressed {
                    units: sum.units + u64::from(to < from),
                    from: sum.from + from,
                    to: sum.to + to,
                };
            }
        }
        self.counters.recompressed_units.add(sum.units);
        sum
    }

    fn is_at_least(&self, unit: UnitIndex, len: u64) -> bool {
        let stored = self.store.table().try_lock(unit).and_then(|slot| self.store.stored_len(&slot));
        stored.is_some_and(|stored| stored >= len)
    }

    /// Moves units of the pool to the SSD; returns how many went. `None`: the device has none, or it takes no more.
    pub fn write_back(&self, which: WriteBack) -> Option<u64> {
        self.store.tier()?;
        let is_wanted = |unit: &UnitIndex| {
            self.is_of(*unit, which.age) && (!which.huge || self.store.table().glance(*unit).raw)
        };
        let wanted: Vec<UnitIndex> = self.pooled().filter(is_wanted).collect();
        let mut moved = 0;
        // In turns, so that a write that needs room finds the SSD free.
        for batch in wanted.chunks(WRITTEN_AT_ONCE) {
            let mut mover = Mover::new(&self.store)?;
            for &unit in batch {
                moved += self.add_to(&mut mover, unit).ok()?;
            }
            moved += mover.flush().ok()?;
        }
        self.counters.demoted_units.add(moved.into());
        Some(moved.into())
    }
}

/// Units written by hand without letting others have the SSD.
const WRITTEN_AT_ONCE: usize = 64;
