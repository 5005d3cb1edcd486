// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A second heap in lines, each with its title.

use ztera_machine::units::{show_seconds, show_size};
use ztera_metrics::{ALL, FAULTS, Histogram, Stats};

use crate::h2::info::{Decision, Engine, Faults, Info, Label, Memory, Times};
use crate::h2::span::packed;

/// Every statistic: its value, and what that means.
pub fn all_lines(stats: &Stats) -> impl Iterator<Item = String> {
    ALL.iter().zip(stats.values()).map(|(statistic, value)| {
        format!("{:<22} {value:>16} {:<6} {}", statistic.name, statistic.unit.name(), statistic.meaning)
    })
}

/// The times of faults by tier, with their definition.
pub fn fault_lines(faults: &[Faults]) -> impl Iterator<Item = String> {
    let meaning = FAULTS.iter().map(|it| it.meaning).collect::<Vec<_>>().join(" ");
    let told = faults.iter().filter_map(fault_line).map(|(name, text)| format!("{name:<22} {text}"));
    told.chain([meaning])
}

/// How many labels are listed.
const LABELS_SHOWN: usize = 10;
/// How many of the last decisions are.
const DECISIONS_SHOWN: usize = 5;

/// The second heap for people: a title and a text per line.
pub fn lines(info: &Info) -> Vec<(&'static str, String)> {
    let mut lines = vec![
        ("second heap", format!("{} of {} used", show_size(info.used_bytes), show_size(info.capacity_bytes))),
        ("backing", info.backing.clone()),
        (
            "regions",
            format!(
                "{} of {} used, each {}; {} died so far",
                info.regions_used,
                info.regions_total,
                show_size(info.region_bytes),
                info.regions_freed
            ),
        ),
        (
            "moved",
            format!(
                "{} objects, {}, by {} collections; the last one took {}; {} returned",
                info.moved_objects,
                show_size(info.moved_bytes),
                info.moves,
                show_seconds(info.last_move_seconds),
                show_size(info.returned_bytes)
            ),
        ),
        ("tagged roots", info.tags.to_string()),
    ];
    if info.due_bytes > 0 {
        lines.push((
            "TO BE DROPPED",
            format!(
                "{} do not compress, and H1 may want their memory: drop some, give a smaller -Xmx, or an SSD",
                show_size(info.due_bytes)
            ),
        ));
    }
    if info.engine.is_some() {
        lines.extend(memory_lines(info.memory.as_ref()));
    }
    lines.extend(info.engine.iter().flat_map(|Engine(stats)| engine_lines(stats)));
    lines.extend(info.faults.iter().filter_map(fault_line));
    lines.extend(label_lines(&info.labels));
    lines.extend(decision_lines(&info.decisions));
    lines
}

fn decision_lines(decisions: &[Decision]) -> impl Iterator<Item = (&'static str, String)> {
    let last = &decisions[decisions.len().saturating_sub(DECISIONS_SHOWN)..];
    last.iter().map(|it| ("decision", format!("after {:.1} s: {}", it.uptime_seconds, it.reason)))
}

/// How long the faults of a tier took since the start, if there were any.
fn fault_line(faults: &Faults) -> Option<(&'static str, String)> {
    let Times(times) = &faults.fault_ns;
    let text = format!("{} of {}: {}", times.count(), faults.tier, percentiles(times)?);
    Some(("faults", text))
}

/// The percentiles that tell most; none if nothing took any time.
fn percentiles(times: &Histogram) -> Option<String> {
    let [half, most, nearly_all] = [500, 990, 999].map(|per_mille| times.below(per_mille).map(show_seconds));
    Some(format!("p50 {}, p99 {}, p99.9 {}", half?, most?, nearly_all?))
}

fn memory_lines(memory: Option<&Memory>) -> Vec<(&'static str, String)> {
    let Some(memory) = memory else {
        return vec![("memory", "not divided before the first collection".to_owned())];
    };
    let parts = [
        ("H1", memory.h1_bytes),
        ("H2", memory.h2_bytes),
        ("staging", memory.staging_bytes),
        ("beside them", memory.beside_bytes),
    ];
    let shown = parts.map(|(part, bytes)| format!("{part} {}", show_size(bytes))).join(", ");
    let mut lines = vec![("memory", format!("{} limit: {shown}", show_size(memory.limit_bytes)))];
    let sum: u64 = parts.iter().map(|(_, bytes)| bytes).sum();
    if sum > memory.limit_bytes {
        let over = show_size(sum - memory.limit_bytes);
        lines.push((
            "OVER THE LIMIT",
            format!("by {over}, as H2 always has its least; give a smaller -Xmx, or a higher limit"),
        ));
    }
    lines
}

fn engine_lines(engine: &Stats) -> Vec<(&'static str, String)> {
    let limit =
        |bytes| if bytes == 0 { "no limit".to_owned() } else { format!("limit {}", show_size(bytes)) };
    let ratio = packed(engine) as f64 / engine.mem_used_total.max(1) as f64;
    let mut lines = vec![
        ("resident", format!("{} ({})", show_size(engine.resident_bytes), limit(engine.resident_limit))),
        ("staged", format!("{} wait for compression", show_size(engine.staged_bytes))),
        (
            "compressed",
            format!(
                "{} in {} ({}): {ratio:.2} times smaller; the codec alone {:.2}",
                show_size(packed(engine)),
                show_size(engine.mem_used_total),
                limit(engine.mem_limit),
                packed(engine) as f64 / engine.compr_data_size.max(1) as f64
            ),
        ),
        (
            "special pages",
            format!("{} hold one repeated word, {} did not compress", engine.same_pages, engine.huge_pages),
        ),
        (
            "traffic",
            format!(
                "{} faults; {} units dropped clean, {} compressed again, {} made smaller when idle",
                engine.fault_count, engine.evicted_clean, engine.evicted_dirty, engine.recompressed_units
            ),
        ),
    ];
    if engine.bd_limit > 0 {
        lines.extend(ssd_lines(engine));
    }
    if engine.over_limit_bytes > 0 {
        lines.push((
            "POOL FULL",
            format!("{} more resident than allowed", show_size(engine.over_limit_bytes)),
        ));
    }
    lines
}

fn ssd_lines(engine: &Stats) -> Vec<(&'static str, String)> {
    let mut lines = vec![
        (
            "on SSD",
            format!(
                "{} in {} (limit {})",
                show_size(engine.bd_data_size),
                show_size(engine.bd_used),
                show_size(engine.bd_limit)
            ),
        ),
        (
            "SSD traffic",
            format!(
                "{} written, {} read; {} units demoted, {} promoted",
                show_size(engine.bd_write_bytes),
                show_size(engine.bd_read_bytes),
                engine.demoted_units,
                engine.promoted_units
            ),
        ),
    ];
    if engine.writes_per_day > 0 {
        let (left, most) = (show_size(engine.writeback_limit), show_size(engine.writes_per_day));
        lines.push(("SSD today", format!("{left} of {most} may still be written")));
    }
    if engine.bd_errors > 0 {
        lines.push((
            "SSD ERRORS",
            format!("{} reads or writes failed; see the kernel's log", engine.bd_errors),
        ));
    }
    lines
}

fn label_lines(labels: &[Label]) -> Vec<(&'static str, String)> {
    let mut labels: Vec<&Label> = labels.iter().collect();
    labels.sort_by_key(|label| std::cmp::Reverse(label.used_bytes));
    let line = |l: &&Label| {
        let parts = [
            ("dead", l.dead_bytes),
            ("resident", l.resident_bytes),
            ("written", l.written_bytes),
            ("compressed again", l.rewritten_bytes),
            ("on SSD", l.ssd_bytes),
        ];
        let some = parts.iter().filter(|(_, bytes)| *bytes > 0);
        let parts: String = some.map(|(part, bytes)| format!(", {} {part}", show_size(*bytes))).collect();
        format!("{}: {} in {} regions{parts}", l.label, show_size(l.used_bytes), l.regions)
    };
    let mut lines: Vec<_> = labels.iter().take(LABELS_SHOWN).map(|l| ("label", line(l))).collect();
    if labels.len() > LABELS_SHOWN {
        lines.push(("", format!("and {} smaller labels", labels.len() - LABELS_SHOWN)));
    }
    lines
}

#[cfg(test)]
#[path = "lines_test.rs"]
mod tests;
