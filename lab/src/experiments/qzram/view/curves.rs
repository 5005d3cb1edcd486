// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Curves of Redis.

use ztera_machine::units::MIB;

use crate::frame::number::number;
use crate::frame::presentation::Table;
use crate::kit::plot::{Axis, Form, Group, Plot, Row, Spread};
use crate::redis::{Curve, Load};

/// Throughput by size of data.
pub fn plot(curves: &[Curve]) -> Plot {
    let mut sizes: Vec<u64> =
        curves.iter().flat_map(|curve| &curve.loads).map(|load| load.data_bytes).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let row = |curve: &Curve, size: u64| {
        let load = curve.loads.iter().find(|load| load.data_bytes == size);
        let rates = load.map(|load| [load.sets_per_second, load.gets_per_second].map(Spread::exactly));
        let values = rates.map_or(vec![None; 2], |rates| rates.map(Some).to_vec());
        Row { missing: curve.ending.words().to_owned(), ..Row::new(&curve.redis, values) }
    };
    let group = |size: u64| Group {
        title: format!("{} MiB of values", size / MIB),
        rows: curves.iter().map(|curve| row(curve, size)).collect(),
    };
    Plot {
        name: "qzram-redis",
        title: "Redis on swap while data grow (figure 11)",
        about: limits(curves),
        axis: Axis {
            label: "thousand requests per second (logarithmic; more is better)",
            show: |value| format!("{:.0}", value / 1e3),
            line: None,
        },
        form: Form::Dots,
        series: vec!["SET", "GET"],
        groups: sizes.into_iter().map(group).collect(),
        notes: Vec::new(),
    }
}

fn limits(curves: &[Curve]) -> String {
    let first = curves.first().map_or((0, 0), |curve| (curve.servers, curve.limit_bytes / MIB));
    format!("servers: {}; they share {} MiB with compressed pages; values of 1 KiB", first.0, first.1)
}

/// Where each ends.
pub fn table(title: &str, curves: &[Curve]) -> Table {
    let head = ["arm", "held MiB", "end", "swap's DRAM, MiB", "first SET/s", "last", "first GET/s", "last"];
    let row = |curve: &Curve| {
        let ends = [curve.loads.first(), curve.loads.last()];
        let rate = |of: fn(&Load) -> f64| {
            ends.map(|load| load.map_or_else(|| "-".to_owned(), |load| number(of(load))))
        };
        let (sets, gets) = (rate(|load| load.sets_per_second), rate(|load| load.gets_per_second));
        let held = (curve.held_bytes / MIB).to_string();
        let swap = (curve.swap_peak_bytes / MIB).to_string();
        [&[curve.redis.clone(), held, curve.words.clone(), swap][..], &sets, &gets].concat()
    };
    Table { rows: curves.iter().map(row).collect(), ..Table::new(title, head) }
}

/// Where each ends in a guest.
pub fn held(curves: &[Curve]) -> Table {
    let head = ["arm", "held MiB", "end", "swap's DRAM, MiB", "of the server beside it, MiB"];
    let row = |curve: &Curve| {
        let sizes = [curve.held_bytes, curve.swap_peak_bytes, curve.swap_fixed_bytes];
        let [held, swap, fixed] = sizes.map(|bytes| (bytes / MIB).to_string());
        vec![curve.redis.clone(), held, curve.words.clone(), swap, fixed]
    };
    let about = limits(curves);
    let title = format!("Redis in a guest: where each ends ({about})");
    Table { rows: curves.iter().map(row).collect(), ..Table::new(&title, head) }
}

/// Swap on ours that holds less than swap on zram does with its densest codec.
pub fn losing(who: &str, curves: &[Curve]) -> Vec<String> {
    let on_zram = curves.iter().filter(|curve| curve.redis.contains("zram"));
    let Some(zram) = on_zram.max_by_key(|curve| curve.held_bytes) else {
        return Vec::new();
    };
    let ours = curves.iter().filter(|curve| curve.redis.contains("ours"));
    let less = ours.filter(|curve| curve.held_bytes < zram.held_bytes);
    let words = |curve: &Curve| {
        let [own, other] = [curve, zram].map(|curve| curve.held_bytes / MIB);
        format!("{who} with {} holds {own} MiB, with {} {other}.", curve.redis, zram.redis)
    };
    less.map(words).collect()
}
