// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Changes between two samples, in words.

use ztera_machine::units::{show_seconds, show_size};
use ztera_metrics::Stats;

use crate::h2::info::{Info, Memory};
use crate::h2::span::Span;

/// A part of the limit that changes by less than this share of it is no event.
const SHARE: u64 = 32;

/// A number of the division of the limit.
type Part = fn(&Memory) -> u64;

/// All events, each short enough for half a terminal.
pub fn events(span: &Span) -> Vec<String> {
    let (before, after) = (&span.before.info, &span.after.info);
    let mut events = Vec::new();
    events.extend(collections(before, after));
    if let (Some(old), Some(new)) = (&before.memory, &after.memory) {
        events.extend(division(old, new));
    }
    events.extend(trouble(&span.before.stats(), &span.after.stats()));
    events.extend(decisions(before, after));
    events
}

/// Those that the JVM has made since.
fn decisions(before: &Info, after: &Info) -> Vec<String> {
    let new = after.decisions.iter().filter(|decision| !before.decisions.contains(decision));
    new.map(|decision| decision.reason.clone()).collect()
}

fn collections(before: &Info, after: &Info) -> Vec<String> {
    let grown = |of: fn(&Info) -> u64| of(after).checked_sub(of(before)).filter(|it| *it > 0);
    let moved = grown(|it| it.moved_bytes).map(|bytes| {
        format!("{} moved to H2 in {}", show_size(bytes), show_seconds(after.last_move_seconds))
    });
    let returned = grown(|it| it.returned_bytes).map(|bytes| format!("{} returned to H1", show_size(bytes)));
    let died = grown(|it| it.regions_freed).map(|regions| format!("{regions} regions died"));
    [moved, returned, died].into_iter().flatten().collect()
}

fn division(old: &Memory, new: &Memory) -> Vec<String> {
    let parts: [(&str, Part); 4] = [
        ("the limit", |it| it.limit_bytes),
        ("H1", |it| it.h1_bytes),
        ("H2", |it| it.h2_bytes),
        ("beside them", |it| it.beside_bytes),
    ];
    let changed = parts.into_iter().filter(|(_, of)| of(old).abs_diff(of(new)) > new.limit_bytes / SHARE);
    let said = |(name, of): (&str, Part)| {
        let way = if of(new) > of(old) { "grew" } else { "shrank" };
        format!("{name} {way}: {} to {}", show_size(of(old)), show_size(of(new)))
    };
    changed.map(said).collect()
}

fn trouble(before: &Stats, after: &Stats) -> Vec<String> {
    let errors = after.bd_errors.saturating_sub(before.bd_errors);
    let held = after.held_writes.saturating_sub(before.held_writes);
    let full = before.over_limit_bytes == 0 && after.over_limit_bytes > 0;
    [
        (errors > 0).then(|| format!("{errors} SSD reads or writes failed")),
        (held > 0).then(|| format!("{held} writers held back: memory is short")),
        full.then(|| format!("pool full: {} over the limit", show_size(after.over_limit_bytes))),
    ]
    .into_iter()
    .flatten()
    .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::h2::sample::Sample;

    fn between(before: Value, after: Value) -> Vec<String> {
        let sample = |told| Sample::of(told, Vec::new()).unwrap();
        events(&Span { before: &sample(before), after: &sample(after) })
    }

    fn memory(h1_mib: u64, h2_mib: u64) -> Value {
        json!({"limit_bytes": 1 << 30, "h1_bytes": h1_mib << 20, "beside_bytes": 9, "staging_bytes": 9, "h2_bytes": h2_mib << 20})
    }

    #[test]
    fn changes_are_told() {
        let before = json!({"moved_bytes": 1 << 20, "memory": memory(300, 600), "engine": {"bd_errors": 1}});
        let after = json!({"moved_bytes": 3 << 20, "last_move_seconds": 0.5, "regions_freed": 4,
            "decisions": [{"uptime_seconds": 1.5, "reason": "Memory: more for the pool"}],
            "memory": memory(400, 590), "engine": {"bd_errors": 3, "over_limit_bytes": 4096}});
        assert_eq!(
            between(before, after.clone()),
            [
                "2.00 MiB moved to H2 in 500.0 ms",
                "4 regions died",
                "H1 grew: 300 MiB to 400 MiB",
                "2 SSD reads or writes failed",
                "pool full: 4.00 KiB over the limit",
                "Memory: more for the pool",
            ]
        );
        assert!(between(after.clone(), after).is_empty());
    }
}
