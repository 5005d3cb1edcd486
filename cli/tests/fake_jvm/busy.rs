// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The second heap of a program that works.

use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{Map, Value, json};
use ztera_metrics::{ALL, Kind};

const MIB: u64 = 1 << 20;

/// Answers each time with all statistics. Counters grow by the same amount from one answer to the next.
pub fn busy() -> impl Fn(&str) -> (i32, String) + Send + 'static {
    let answers = AtomicU64::new(1);
    move |command| match command {
        "GC.h2_info json" => (0, heap(answers.fetch_add(1, Ordering::SeqCst)).to_string()),
        _ => (1, "java.lang.IllegalArgumentException: Unknown diagnostic command\n".to_owned()),
    }
}

fn heap(answer: u64) -> Value {
    let label = |label: i64, mib: u64| {
        json!({"label": label, "regions": mib / 8, "used_bytes": mib * MIB, "dead_bytes": MIB, "rewritten_bytes": MIB,
            "resident_bytes": mib * MIB / 4, "compressed_bytes": mib * MIB / 2, "idle_bytes": 0,
            "ssd_bytes": mib * MIB / 4, "written_bytes": MIB})
    };
    json!({
        "enabled": true, "backing": "tier", "capacity_bytes": 8192 * MIB, "used_bytes": 6144 * MIB,
        "region_bytes": 8 * MIB, "regions_total": 1024, "regions_used": 768, "regions_freed": 10 * answer,
        "tags": 3, "moved_objects": 5000 * answer, "moved_bytes": 64 * MIB * answer, "moves": answer,
        "last_move_seconds": 0.25, "returned_bytes": 0, "due_bytes": 0, "table_bytes": MIB, "shape_bytes": MIB,
        "plain_shape_bytes": 4 * MIB, "dependencies": 5, "loaders": 2, "moved_roots": 9,
        "memory": {"limit_bytes": 4096 * MIB, "h1_bytes": 1024 * MIB, "beside_bytes": 256 * MIB,
            "staging_bytes": 16 * MIB, "h2_bytes": 2800 * MIB},
        "labels": [label(1, 4096), label(7, 1536), label(-1, 512)],
        "engine": engine(answer),
        "faults": [faults("memory", answer, 2 << 10), faults("pool", answer, 16 << 10), faults("ssd", answer, 256 << 10)],
    })
}

/// Faults of which most take about so many ns, and a twentieth 16 times as many.
fn faults(tier: &str, answer: u64, ns: u64) -> Value {
    json!({"tier": tier, "fault_ns": {"sum": answer * 100 * ns, "buckets": [[ns, answer * 95], [16 * ns, answer * 5]]}})
}

fn engine(answer: u64) -> Map<String, Value> {
    let sizes = [
        ("orig_data_size", 5120),
        ("compr_data_size", 1200),
        ("mem_used_total", 1280),
        ("mem_limit", 2048),
        ("resident_bytes", 1024),
        ("resident_limit", 1400),
        ("bd_data_size", 2048),
        ("bd_used", 700),
        ("bd_limit", 65536),
    ];
    let value = |name: &str, kind| match kind {
        Kind::Counter if name.ends_with("_ns") => answer * 4_000_000,
        Kind::Counter if name.ends_with("_bytes") => answer * 8 * MIB,
        // Nothing has failed.
        Kind::Counter if ["bd_errors", "held_writes"].contains(&name) => 0,
        // A part of all units that were loaded.
        Kind::Counter if name == "bd_reads" => answer * 100,
        Kind::Counter => answer * 1000,
        Kind::Gauge | Kind::Histogram => {
            sizes.iter().find(|(of, _)| *of == name).map_or(0, |(_, mib)| mib * MIB)
        }
    };
    ALL.iter().map(|it| (it.name.to_owned(), value(it.name, it.kind).into())).collect()
}
