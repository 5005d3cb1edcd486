// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Numbers of all points.

use super::found::{Found, per_request};
use super::in_guest::{Events, InGuest};
use super::point::{Outcome, Served};
use crate::frame::number::number;
use crate::frame::presentation::Table;
use crate::reclaim::{Hot, Lists};

/// Loads, and what devices did meanwhile.
pub fn all(found: &Found) -> Vec<Table> {
    vec![loads(found.all()), devices(found.all())]
}

fn loads(outcomes: &[Outcome]) -> Table {
    let head = [
        "step",
        "requests/s",
        "mean ms",
        "p99 ms",
        "failed",
        "I/O wait",
        "footprint MiB",
        "pinned MiB",
        "H2 MiB",
        "zram MiB",
        "",
    ];
    let row = |outcome: &Outcome| {
        let zram = mib(outcome.zram_peak_bytes);
        let ended = outcome.ended.clone().unwrap_or_default();
        let cells = match &outcome.served {
            Some(served) => load(served, zram),
            None => vec!["-".to_owned(); 9],
        };
        [vec![outcome.point.key()], cells, vec![ended]].concat()
    };
    let title = "All steps; the last column says why JVMs do not fit";
    Table { rows: outcomes.iter().map(row).collect(), ..Table::new(title, head) }
}

fn load(served: &Served, zram: String) -> Vec<String> {
    let load = &served.load;
    vec![
        number(load.per_second()),
        number(load.mean_ms()),
        number(load.p99_ms),
        load.failed.to_string(),
        format!("{:.0} %", 100.0 * served.traffic.io_wait),
        mib(served.footprint_bytes),
        mib(served.pinned_bytes),
        mib(served.h2_used_bytes),
        zram,
    ]
}

fn devices(outcomes: &[Outcome]) -> Table {
    let head = [
        "step",
        "files, KiB read",
        "files, KiB written",
        "swap, KiB read",
        "swap, KiB written",
        "H2, KiB read",
        "H2, KiB written",
        "refaults of files",
        "refaults of others",
        "major faults",
    ];
    let row =
        |outcome: &Outcome| Some([vec![outcome.point.key()], device(outcome.served.as_ref()?)].concat());
    let rows = outcomes.iter().filter_map(row).collect();
    Table { rows, ..Table::new("Traffic and faults per request", head) }
}

fn device(served: &Served) -> Vec<String> {
    let traffic = &served.traffic;
    let bytes = [
        traffic.file_read_bytes,
        traffic.file_written_bytes,
        traffic.swap_read_bytes,
        traffic.swap_written_bytes,
        traffic.h2_read_bytes,
        traffic.h2_written_bytes,
    ];
    let events = [traffic.file_refaults, traffic.anonymous_refaults, traffic.major_faults];
    let kib = bytes.map(|bytes| number(per_request(served, bytes) / 1024.0));
    let faults = events.map(|events| number(per_request(served, events)));
    kib.into_iter().chain(faults).collect()
}

/// Pages per pass in a guest.
pub fn in_guest(guest: &InGuest) -> Table {
    const EVENTS: [(&str, Events); 7] = [
        ("files, evicted", |counts| counts.files_evicted),
        ("files, back", |counts| counts.files_back),
        ("others, evicted", |counts| counts.others_evicted),
        ("others, back", |counts| counts.others_back),
        ("from swap", |counts| counts.swapped_in),
        ("to swap", |counts| counts.swapped_out),
        ("major faults", |counts| counts.major_faults),
    ];
    let row = |(hot, swappiness): (Hot, u32), lists: Lists| -> Vec<String> {
        let cells = EVENTS.map(|(_, events)| guest.per_pass(hot, lists, swappiness, events));
        let cells = cells.into_iter().map(|cell| cell.map_or_else(|_| "-".to_owned(), number));
        [format!("{}, swappiness {swappiness}, {}", hot.name(), lists.name())]
            .into_iter()
            .chain(cells)
            .collect()
    };
    let rows = guest.settings().into_iter().flat_map(|setting| Lists::BOTH.map(|lists| row(setting, lists)));
    let limit = guest.samples.first().map_or(0, |phase| phase.limit_bytes);
    let title = format!("In a guest: pages per pass of a synthetic program that has {} MiB", mib(limit));
    let head = ["setting"].into_iter().chain(EVENTS.map(|(name, _)| name));
    Table { rows: rows.collect(), ..Table::new(&title, head) }
}

fn mib(bytes: u64) -> String {
    number(bytes as f64 / f64::from(1 << 20))
}
