// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! All about one JVM, on 22 lines of 80 columns or more.
//!
//! ```text
//!  tiers                         4 lines
//!  faults, flows | pauses, limit 9 lines
//!  labels        | events        the rest
//! ```

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Stylize;
use ratatui::text::Line;
use ratatui::widgets::{Block, Borders, Paragraph};
use ztera_machine::units::{show_count, show_duration, show_seconds, show_short};
use ztera_metrics::{Stats, Tier};

use super::bars::bar;
use super::watched::Watched;
use crate::h2::info::{Info, Label, Memory};
use crate::h2::sample::Sample;
use crate::h2::span::{Span, from_pool, packed};

/// Columns of a bar.
const BAR: usize = 20;

/// Draws it.
pub fn draw(jvm: &Watched, frame: &mut Frame, area: Rect) {
    let rows = [Constraint::Length(1), Constraint::Length(5), Constraint::Length(10), Constraint::Min(0)];
    let [name, tiers, middle, below] = Layout::vertical(rows).areas(area);
    let trouble = jvm.trouble.as_ref().map(|why| format!("  ({why})")).unwrap_or_default();
    frame.render_widget(Line::raw(format!("{} {}{trouble}", jvm.listed.pid, jvm.listed.main)), name);
    let Some(now) = &jvm.now else { return };
    if !now.info.enabled {
        frame.render_widget(Line::raw("Its second heap is off: give it -XX:H2Size."), tiers);
        return;
    }
    let halves = Layout::horizontal([Constraint::Length(39), Constraint::Min(0)]);
    let ([flows, pauses], [labels, events]) = (halves.areas(middle), halves.areas(below));
    show(frame, tiers, "Tiers", tier_lines(now));
    let told = jvm.span().map(|it| [fault_lines(&it), flow_lines(&it)].concat()).unwrap_or_default();
    show(frame, flows, "Per second, and p50, p99 or mean", told);
    show(frame, pauses, "Pauses, and the memory limit", pause_lines(now, jvm.span()));
    show(frame, labels, "Labels", label_lines(&now.info));
    let told = jvm.events.iter().map(|(time, event)| format!("{time} {event}")).collect();
    show(frame, events, "Events", told);
}

fn show(frame: &mut Frame, area: Rect, title: &'static str, lines: Vec<String>) {
    let lines: Vec<Line> = lines.into_iter().map(Line::raw).collect();
    let block = Block::new().borders(Borders::TOP).title(title.bold());
    frame.render_widget(Paragraph::new(lines).block(block), area);
}

fn tier_lines(now: &Sample) -> Vec<String> {
    let (info, stats) = (&now.info, now.stats());
    let limit = |bytes: u64| if bytes == 0 { String::new() } else { format!(" of {}", show_short(bytes)) };
    let line = |name: &str, value: u64, most: u64, more: String| {
        format!("{name:<9} {} {:>5}{:<9} {more}", bar(value, most, BAR), show_short(value), limit(most))
    };
    let ratio = packed(&stats) as f64 / stats.mem_used_total.max(1) as f64;
    let regions = format!("{} of {} regions", info.regions_used, info.regions_total);
    let full = stats.over_limit_bytes;
    let over = if full > 0 { format!(", {} OVER THE LIMIT", show_short(full)) } else { String::new() };
    let mut lines = vec![
        line("heap", info.used_bytes, info.capacity_bytes, regions),
        line(
            "resident",
            stats.resident_bytes,
            stats.resident_limit,
            format!("{} staged{over}", show_short(stats.staged_bytes)),
        ),
        line(
            "pool",
            stats.mem_used_total,
            stats.mem_limit,
            format!("holds {}, {ratio:.2} times smaller", show_short(packed(&stats))),
        ),
    ];
    if stats.bd_limit > 0 {
        let errors =
            if stats.bd_errors > 0 { format!(", {} ERRORS", stats.bd_errors) } else { String::new() };
        let more = format!("holds {}{errors}", show_short(stats.bd_data_size));
        lines.push(line("ssd", stats.bd_used, stats.bd_limit, more));
    } else {
        lines.push("ssd       none (-XX:H2Path gives one)".to_owned());
    }
    if info.engine.is_none() {
        lines.truncate(1);
        lines.push("a file below it: -XX:H2Backing=tier has more to show".to_owned());
    }
    lines
}

/// Faults by the tier that had the contents: how many, and how long a half and 99 of 100 took at most.
fn fault_lines(span: &Span) -> Vec<String> {
    let line = |tier: Tier| {
        let times = span.fault_times(tier).unwrap_or_default();
        let rate = show_count(times.count() as f64 / span.seconds().max(f64::MIN_POSITIVE));
        let [half, most] = [500, 990].map(|it| times.below(it).map(show_seconds).unwrap_or_default());
        format!("{:<13} {rate:>4} {half:>9} {most:>9}", format!("faults {}", tier.name()))
    };
    Tier::ALL.map(line).to_vec()
}

/// Flows between tiers: what, how much, and how long it took on average.
fn flow_lines(span: &Span) -> Vec<String> {
    let units = |of: fn(&Stats) -> u64| format!("{} u", show_count(span.rate(of)));
    let bytes = |of: fn(&Stats) -> u64| show_short(span.rate(of) as u64);
    let mean = |ns: fn(&Stats) -> u64, times: fn(&Stats) -> u64| span.mean(ns, times).map(show_seconds);
    let line = |what: &str, rate: String, mean: Option<String>| {
        format!("{what:<18} {rate:>8} {:>9}", mean.unwrap_or_default())
    };
    vec![
        line("pool > resident", units(from_pool), mean(|it| it.decompress_ns, |it| it.units_loaded)),
        line("ssd > resident", units(|it| it.bd_reads), mean(|it| it.bd_read_ns, |it| it.bd_reads)),
        line("resident > dropped", units(|it| it.evicted_clean), None),
        line("stored in pool", units(|it| it.units_stored), mean(|it| it.compress_ns, |it| it.units_stored)),
        line("pool > ssd", units(|it| it.demoted_units), None),
        line("ssd read, written", bytes(|it| it.bd_read_bytes), Some(bytes(|it| it.bd_write_bytes))),
    ]
}

fn pause_lines(now: &Sample, span: Option<Span>) -> Vec<String> {
    let mut lines: Vec<String> = now
        .pauses
        .iter()
        .map(|it| {
            let last = it.last.map(|last| format!(", last {}", show_duration(last))).unwrap_or_default();
            format!("{:<5} {} in {}{last}", it.name, it.collections, show_duration(it.time))
        })
        .collect();
    if let Some(share) = span.and_then(|span| span.paused()) {
        lines.push(format!("{:.0} % of the time in pauses", 100.0 * share));
    }
    lines.extend(memory_lines(now.info.memory.as_ref()));
    lines
}

fn memory_lines(memory: Option<&Memory>) -> Vec<String> {
    let Some(memory) = memory else {
        return vec!["limit not divided before the first collection".to_owned()];
    };
    let part = |name: &str, bytes: u64| format!("{name} {}", show_short(bytes));
    vec![
        format!("limit {}", show_short(memory.limit_bytes)),
        [part("H1", memory.h1_bytes), part("H2", memory.h2_bytes)].join(", "),
        [part("staging", memory.staging_bytes), part("beside", memory.beside_bytes)].join(", "),
    ]
}

fn label_lines(info: &Info) -> Vec<String> {
    let mut labels: Vec<&Label> = info.labels.iter().collect();
    labels.sort_by_key(|label| std::cmp::Reverse(label.used_bytes));
    let title = format!("{:>8} {:>6} {:>6} {:>6} {:>6}", "label", "used", "resid", "ssd", "dead");
    let line = |it: &&Label| {
        let [used, resident, ssd, dead] =
            [it.used_bytes, it.resident_bytes, it.ssd_bytes, it.dead_bytes].map(show_short);
        format!("{:>8} {used:>6} {resident:>6} {ssd:>6} {dead:>6}", it.label)
    };
    [title].into_iter().chain(labels.iter().map(line)).collect()
}
