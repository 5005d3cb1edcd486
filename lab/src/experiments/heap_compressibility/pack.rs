// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A sample by the codecs of the engine, in memory.

use anyhow::{Result, ensure};
use ztera_codec::{CodecKind, Packer, Settings};
use ztera_machine::interrupt;

use super::found::{Ours, Speed};
use crate::kit::clock::Spent;
use crate::kit::packed::Object;

/// Bytes of units: the kernel's page, H2's default, and the largest.
pub const UNITS: [usize; 3] = [4 << 10, 16 << 10, 64 << 10];

/// All codecs and sizes of units, with filters and without. The bytes are whole units.
pub fn measure(bytes: &[u8], codecs: &[CodecKind]) -> Result<Vec<Ours>> {
    let mut all = Vec::new();
    for &kind in codecs {
        for filters in [false, true] {
            for unit in UNITS {
                interrupt::check()?;
                all.push(one(bytes, kind, filters, unit)?);
            }
        }
    }
    Ok(all)
}

fn one(bytes: &[u8], kind: CodecKind, filters: bool, unit: usize) -> Result<Ours> {
    let settings = Settings { kind, level: 0 };
    let mut packer =
        if filters { Packer::new(settings, unit) } else { Packer::without_filters(settings, unit) };
    let mut objects: Vec<Object> = Vec::with_capacity(bytes.len() / unit);
    let write = Spent::during(|| {
        objects.extend(bytes.chunks_exact(unit).map(|unit| Object::of(&mut packer, unit)));
    });
    let mut room = vec![0; unit];
    let read = Spent::trying(|| objects.iter().try_for_each(|object| object.decode(&mut packer, &mut room)))?;
    for (object, unit) in objects.iter().zip(bytes.chunks_exact(unit)) {
        object.decode(&mut packer, &mut room)?;
        ensure!(room == unit, "{} gave back other bytes", kind.name());
    }
    let stored: usize = objects.iter().map(Object::stored_bytes).sum();
    let share = |is_one: fn(&Object) -> bool| {
        objects.iter().filter(|object| is_one(object)).count() as f64 * 100.0 / objects.len().max(1) as f64
    };
    Ok(Ours {
        codec: kind.name().to_owned(),
        filters,
        unit_bytes: unit as u64,
        smaller_by: bytes.len() as f64 / stored.max(1) as f64,
        same_filled: share(Object::is_same),
        incompressible: share(Object::is_raw),
        speed: Speed { write: write.mib_per_second(bytes.len()), read: read.mib_per_second(bytes.len()) },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_counted_by_what_becomes_of_them() {
        let mut noise = vec![0; 64 << 10];
        fastrand::Rng::with_seed(1).fill(&mut noise);
        let bytes = [vec![7; 64 << 10], noise].concat();
        let found = measure(&bytes, &[CodecKind::Lz4, CodecKind::Zstd]).unwrap();
        assert_eq!(found.len(), 2 * 2 * UNITS.len());
        for one in &found {
            assert_eq!((one.same_filled, one.incompressible, one.smaller_by), (50.0, 50.0, 2.0), "{one:?}");
            assert!(one.speed.write > 0.0 && one.speed.read > 0.0, "{one:?}");
        }
    }
}
