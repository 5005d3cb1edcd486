// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! One unit, made smaller by the first of a device's denser codecs that can.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use ztera_codec::Settings;
use ztera_store::{Recompressed as Outcome, Recompressor, Store, UnitIndex};

use crate::core::Core;

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

/// The outcome of a request, or of a round.
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

    /// Tries the codecs on a unit; false if there was nothing to try. The next one is tried where the result still has
    /// `small_enough` bytes, if that is not 0.
    pub fn make_smaller(
        &mut self,
        core: &Core,
        unit: UnitIndex,
        small_enough: u64,
        sum: &mut Recompressed,
    ) -> bool {
        let (mut sizes, seen) = (None, core.touches.seen(unit));
        for codec in &mut self.0 {
            let Outcome::Done { from, to } = recompress_by(&core.store, unit, codec) else { continue };
            sizes = Some((sizes.map_or(from, |(first, _)| first), to));
            if to < from && (small_enough == 0 || to < small_enough) {
                break;
            }
        }
        let Some((from, to)) = sizes else { return false };
        *sum =
            Recompressed { units: sum.units + u64::from(to < from), from: sum.from + from, to: sum.to + to };
        core.touches.mark_tried(unit, seen, to < from);
        true
    }
}

fn recompress_by(store: &Store, unit: UnitIndex, codec: &mut Recompressor) -> Outcome {
    loop {
        match store.recompress(unit, 0, codec) {
            // The demoter is at it, which does not take long.
            Outcome::Busy => std::thread::yield_now(),
            outcome => return outcome,
        }
    }
}
