// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Several JVMs, a row each.

use ratatui::Frame;
use ratatui::layout::{Constraint, Rect};
use ratatui::style::{Style, Stylize};
use ratatui::widgets::{Row, Table, TableState};
use ztera_machine::units::{show_count, show_short};

use super::watched::Watched;
use crate::h2::sample::Sample;
use crate::h2::span::packed;

const TITLES: [&str; 9] = ["pid", "h2", "resident", "packed", "pool", "ssd", "faults/s", "gc%", "main class"];
const WIDTHS: [u16; 8] = [7, 6, 8, 6, 6, 6, 8, 4];

/// Draws them, and marks the chosen one.
pub fn draw(jvms: &[Watched], chosen: usize, frame: &mut Frame, area: Rect) {
    let widths = WIDTHS.map(Constraint::Length).into_iter().chain([Constraint::Min(10)]);
    let titles = TITLES.iter().zip(WIDTHS.into_iter().chain([0])).map(|(title, width)| right(title, width));
    let table = Table::new(jvms.iter().map(row), widths)
        .header(Row::new(titles).bold())
        .row_highlight_style(Style::new().reversed());
    let mut state = TableState::new().with_selected(chosen);
    frame.render_stateful_widget(table, area, &mut state);
}

fn row(jvm: &Watched) -> Row<'static> {
    let pid = jvm.listed.pid.to_string();
    let main = jvm.listed.main.clone();
    let numbers = match (&jvm.now, &jvm.trouble) {
        (_, Some(_)) => return said(pid, main, "does not answer"),
        (None, _) => return said(pid, main, "asking"),
        (Some(now), _) if !now.info.enabled => return said(pid, main, "H2 is off"),
        (Some(now), _) => numbers(jvm, now),
    };
    let cells = [pid].into_iter().chain(numbers).zip(WIDTHS).map(|(cell, width)| right(&cell, width));
    Row::new(cells.chain([main]).collect::<Vec<_>>())
}

fn numbers(jvm: &Watched, now: &Sample) -> [String; 7] {
    let (stats, span) = (now.stats(), jvm.span());
    let faults = span.map(|span| show_count(span.rate(|it| it.fault_count)));
    let paused = span.and_then(|span| span.paused()).map(|share| format!("{:.0}", 100.0 * share));
    [
        show_short(now.info.used_bytes),
        show_short(stats.resident_bytes),
        show_short(packed(&stats)),
        show_short(stats.mem_used_total),
        show_short(stats.bd_data_size),
        faults.unwrap_or("-".to_owned()),
        paused.unwrap_or("-".to_owned()),
    ]
}

/// A JVM without numbers.
fn said(pid: String, main: String, why: &str) -> Row<'static> {
    let nothing = WIDTHS[2..].iter().map(|_| String::new());
    let cells = [right(&pid, WIDTHS[0]), "-".to_owned()].into_iter().chain(nothing);
    Row::new(cells.chain([format!("{main} ({why})")]).collect::<Vec<_>>()).dim()
}

fn right(text: &str, width: u16) -> String {
    format!("{text:>width$}", width = usize::from(width))
}
