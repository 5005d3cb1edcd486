// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The report as one HTML page that needs no other file.

use anyhow::Result;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use ztera_machine::units::show_seconds;

use super::claim::{Judgement, Verdict};
use super::context::Scale;
use super::findings::Findings;
use super::machine::Machine;
use super::number::{self, counted, expected};
use super::presentation::Table;
use crate::kit::plot::{Plot, draw};

/// The whole document.
pub fn render(all: &[Findings]) -> Result<String> {
    let sections = all.iter().map(section).collect::<Result<Vec<_>>>()?;
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "ZTera: the laboratory's report" }
                style { (PreEscaped(include_str!("page.css"))) }
            }
            body {
                h1 { "The laboratory's report" }
                p { "Each number is measured on the machine named below it. " code { "ztera lab" } " made this page." }
                (summary(all))
                (losing(all))
                @for section in sections { (section) }
            }
        }
    };
    Ok(page.into_string())
}

fn summary(all: &[Findings]) -> Markup {
    html! {
        h2 { "Verdicts" }
        table #summary {
            thead { tr {
                th { "experiment" } th { "question" }
                @for judgement in Judgement::ALL { th.number { (judgement.words()) } }
            } }
            tbody { @for findings in all { tr {
                td { a href={ "#" (findings.question.name) } { (findings.question.name) } }
                td { (findings.question.about) }
                @for judgement in Judgement::ALL { td.number { (findings.count(judgement)) } }
            } } }
        }
    }
}

fn losing(all: &[Findings]) -> Markup {
    html! {
        h2 { "Losing cases" }
        ul #losing {
            @for findings in all { @for case in &findings.presentation.losing {
                li { a href={ "#" (findings.question.name) } { (findings.question.name) } ": " (case) }
            } }
            @if all.iter().all(|findings| findings.presentation.losing.is_empty()) {
                li { "None among what was run." }
            }
        }
    }
}

fn section(findings: &Findings) -> Result<Markup> {
    let shown = &findings.presentation;
    let plots = shown.plots.iter().filter(|plot| !plot.is_empty()).map(figure).collect::<Result<Vec<_>>>()?;
    Ok(html! {
        section id=(findings.question.name) {
            h2 { (findings.question.name) }
            p { (findings.question.about) " Source: " (findings.question.source) "." }
            (verdicts(&findings.verdicts))
            @for plot in plots { (plot) }
            @for table in &shown.tables { (table_of(table)) }
            @if !shown.notes.is_empty() { ul.notes { @for note in &shown.notes { li { (note) } } } }
            (measured(findings))
        }
    })
}

fn verdicts(verdicts: &[Verdict]) -> Markup {
    html! {
        table.verdicts {
            thead { tr {
                th { "claim" } th { "source" } th { "expected" } th.number { "measured" } th { "verdict" }
            } }
            tbody { @for verdict in verdicts { tr {
                td { (verdict.claim) }
                td { (verdict.source) }
                td { (expected(verdict)) }
                td.number { @if verdict.measured.is_some() { (number::measured(verdict)) } @else { "-" } }
                td class=(class(verdict.verdict)) {
                    (verdict.verdict.words())
                    @if let Some(reason) = &verdict.reason { ": " (reason) }
                }
            } } }
        }
    }
}

fn class(judgement: Judgement) -> &'static str {
    match judgement {
        Judgement::Confirmed => "confirmed",
        Judgement::Refuted => "refuted",
        Judgement::TooNoisy | Judgement::NotTestableHere | Judgement::NotMeasured => "untested",
    }
}

fn figure(plot: &Plot) -> Result<Markup> {
    Ok(html! { figure id={ "plot-" (plot.name) } { (PreEscaped(draw::svg(plot)?)) } })
}

fn table_of(table: &Table) -> Markup {
    let numbers: Vec<bool> = (0..table.head.len()).map(|column| is_of_numbers(table, column)).collect();
    html! {
        details open[table.rows.len() <= LONG] {
            summary { (table.title) @if table.rows.len() > LONG { " (" (table.rows.len()) " rows)" } }
            table {
                thead { tr { @for (title, number) in table.head.iter().zip(&numbers) {
                    th.number[*number] { (title) }
                } } }
                tbody { @for row in &table.rows { tr { @for (cell, number) in row.iter().zip(&numbers) {
                    td.number[*number].long[!*number && cell.len() > 30] { (cell) }
                } } } }
            }
        }
    }
}

/// Rows of a table that is shown at once.
const LONG: usize = 20;

/// Whether a column stands at the right: all of its cells begin with a digit, but for those without a value.
fn is_of_numbers(table: &Table, column: usize) -> bool {
    let cells = || table.rows.iter().filter_map(|row| row.get(column)).filter(|cell| !is_nothing(cell));
    let number =
        |cell: &String| cell.trim_start_matches('-').starts_with(|first: char| first.is_ascii_digit());
    cells().next().is_some() && cells().all(number)
}

fn is_nothing(cell: &str) -> bool {
    ["", "-"].contains(&cell)
}

fn measured(findings: &Findings) -> Markup {
    let Some(record) = &findings.record else {
        let (quick, full) = (findings.question.minutes.quick, findings.question.minutes.full);
        return html! { p.machine { "It has no samples. A quick run takes " (counted(quick, "minute")) ", a full one " (full) "." } };
    };
    let seconds: f64 = record.samples.iter().map(|sample| sample.seconds).sum();
    html! {
        p.machine {
            (counted(record.samples.len() as u64, "step")) " at the scale " (record.header.scale.name()) " took " (show_seconds(seconds)) ", on: "
            (facts(&record.header.machine)) "."
            @if record.header.scale == Scale::Tiny { " That scale is for tests: its numbers mean nothing." }
        }
    }
}

fn facts(machine: &Machine) -> String {
    let facts: Vec<String> = machine.0.iter().map(|(name, value)| format!("{name} {value}")).collect();
    facts.join(", ")
}

#[cfg(test)]
#[path = "page_test.rs"]
mod tests;
