// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Codecs of the engine, with its filters: what a fault decompresses, without the fault.

use std::hint::black_box;
use ztera_measure::tuning::Measured;

use anyhow::{Context, Result, ensure};
use fastrand::Rng;
use ztera_codec::{CodecKind, Packer, Settings};
use ztera_machine::interrupt;

use super::Plan;
use ztera_measure::data::Data;
use ztera_measure::data::pages::PAGE;
use ztera_measure::latency;
use ztera_measure::packed::Object;

/// The names of all codecs.
pub fn codecs() -> Vec<String> {
    CodecKind::ALL.map(|kind| kind.name().to_owned()).into()
}

/// All units of one codec.
pub fn measure(codec: &str, data: &Data, plan: &Plan) -> Result<Vec<Measured>> {
    let settings: Settings = codec.parse().context("H2 has no such codec")?;
    let mut measured = Vec::new();
    for &page_cluster in &plan.page_clusters {
        let unit = PAGE << page_cluster;
        let objects = pack(settings, data, unit)?;
        let stored: usize = objects.iter().map(Object::stored_bytes).sum();
        ensure!(stored > 0, "all pages hold one repeated word: there is nothing to compress");
        let units = objects.len() * unit;
        let readers = (0..plan.threads).map(|seed| reader(settings, &objects, unit, seed as u64)).collect();
        let reads = latency::during(readers, unit, plan.time)?;
        measured.push(plan.measured(codec, page_cluster, &reads, units as f64 / stored as f64));
    }
    Ok(measured)
}

fn pack(settings: Settings, data: &Data, unit: usize) -> Result<Vec<Object>> {
    let mut packer = Packer::new(settings, unit);
    let pack = |unit: &[u8]| {
        interrupt::check()?;
        Ok(Object::of(&mut packer, unit))
    };
    data.bytes().chunks_exact(unit).map(pack).collect()
}

fn reader(
    settings: Settings,
    objects: &[Object],
    unit: usize,
    seed: u64,
) -> impl FnMut() -> Result<()> + Send {
    let (mut rng, mut packer, mut room) = (Rng::with_seed(seed), Packer::new(settings, unit), vec![0; unit]);
    move || {
        objects[rng.usize(..objects.len())].decode(&mut packer, &mut room)?;
        black_box(&room);
        Ok(())
    }
}
