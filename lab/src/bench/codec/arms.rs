// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Codecs, with and without filters, and what is measured of each.

use std::hint::black_box;

use anyhow::{Result, ensure};
use ztera_codec::{CodecKind, Packer, Settings};

use super::report::{ArmResult, BASE};
use crate::kit::clock::Spent;
use crate::kit::packed::Object;
use crate::kit::samples::Samples;

/// One way to compress, and what it has shown so far.
pub struct Arm {
    name: &'static str,
    packer: Packer,
    encode: Vec<f64>,
    decode: Vec<f64>,
    /// Of the first round; all are alike.
    objects: Vec<Object>,
}

/// All of them.
pub fn all(unit: usize) -> Vec<Arm> {
    let settings = |kind| Settings { kind, level: 0 };
    [
        (BASE, Packer::without_filters(settings(CodecKind::Lz4), unit)),
        ("lz4, filters", Packer::new(settings(CodecKind::Lz4), unit)),
        ("zstd", Packer::without_filters(settings(CodecKind::Zstd), unit)),
        ("zstd, filters", Packer::new(settings(CodecKind::Zstd), unit)),
    ]
    .map(|(name, packer)| Arm { name, packer, encode: Vec::new(), decode: Vec::new(), objects: Vec::new() })
    .into()
}

impl Arm {
    /// Compresses all units, and decompresses them.
    pub fn round(&mut self, bytes: &[u8], unit: usize) -> Result<()> {
        let Self { packer, objects, .. } = self;
        // Without the memory for the objects, which has to be had and to be written to.
        let encode = Spent::during(|| {
            bytes.chunks_exact(unit).for_each(|unit| {
                black_box(packer.pack(unit));
            })
        });
        if objects.is_empty() {
            objects.extend(bytes.chunks_exact(unit).map(|unit| Object::of(packer, unit)));
        }
        let mut room = vec![0; unit];
        let decode =
            Spent::trying(|| objects.iter().try_for_each(|object| object.decode(packer, &mut room)))?;
        self.encode.push(encode.mib_per_second(bytes.len()));
        self.decode.push(decode.mib_per_second(bytes.len()));
        self.verify(bytes, &mut room)
    }

    fn verify(&mut self, bytes: &[u8], room: &mut [u8]) -> Result<()> {
        for (object, unit) in self.objects.iter().zip(bytes.chunks_exact(room.len())) {
            object.decode(&mut self.packer, room)?;
            ensure!(room == unit, "{} gave back other bytes", self.name);
        }
        Ok(())
    }

    /// Of all rounds, of which there was one at least.
    pub fn finish(self, bytes: usize, unit: usize) -> ArmResult {
        let share = |is_one: fn(&Object) -> bool| {
            self.objects.iter().filter(|object| is_one(object)).count() as f64 * unit as f64 / bytes as f64
        };
        let stored: usize = self.objects.iter().map(Object::stored_bytes).sum();
        let median = |samples| Samples::of(samples).expect("there was a round");
        ArmResult {
            arm: self.name.to_owned(),
            smaller_by: bytes as f64 / stored.max(1) as f64,
            filtered_share: share(Object::is_filtered),
            raw_share: share(Object::is_raw),
            encode_mib_per_second: median(self.encode),
            decode_mib_per_second: median(self.decode),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::data::Data;
    use crate::kit::data::vectors::Numbers;

    fn results(data: &Data) -> Vec<ArmResult> {
        let mut arms = all(16384);
        arms.iter_mut().for_each(|arm| arm.round(data.bytes(), 16384).unwrap());
        arms.into_iter().map(|arm| arm.finish(data.bytes().len(), 16384)).collect()
    }

    #[test]
    fn filters_make_numbers_smaller_and_are_counted() {
        let results = results(&Data::vectors(Numbers::ThreeDecimals, 1 << 20, 1).unwrap());
        for pair in results.chunks(2) {
            assert!(pair[1].smaller_by > 2.5 && pair[1].smaller_by > pair[0].smaller_by, "{results:?}");
            assert_eq!((pair[0].filtered_share, pair[1].filtered_share), (0.0, 1.0));
        }
    }

    #[test]
    fn what_does_not_compress_is_raw() {
        for arm in results(&Data::vectors(Numbers::Random, 1 << 20, 1).unwrap()) {
            assert_eq!((arm.smaller_by, arm.filtered_share, arm.raw_share), (1.0, 0.0, 1.0), "{}", arm.arm);
        }
    }
}
