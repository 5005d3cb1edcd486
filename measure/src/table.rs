// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The common parts of the tables of all reports.

use comfy_table::{CellAlignment, Table, presets};
use ztera_machine::units::{show_seconds, show_size};

use super::samples::Samples;

/// A table with lines, for terminals.
pub fn boxed<T: Into<String>>(titles: impl IntoIterator<Item = T>) -> Table {
    titled(presets::UTF8_FULL_CONDENSED, titles)
}

/// A table in Markdown.
pub fn markdown<T: Into<String>>(titles: impl IntoIterator<Item = T>) -> Table {
    titled(presets::ASCII_MARKDOWN, titles)
}

fn titled<T: Into<String>>(preset: &str, titles: impl IntoIterator<Item = T>) -> Table {
    let mut table = Table::new();
    table.load_preset(preset).set_header(titles.into_iter().map(Into::into).collect::<Vec<String>>());
    table
}

/// The same with its columns to the right, but for so many of them.
pub fn right_aligned(mut table: Table, but: usize) -> Table {
    table.column_iter_mut().skip(but).for_each(|column| column.set_cell_alignment(CellAlignment::Right));
    table
}

/// The text of a cell, also where there is nothing to show.
pub fn or_dash(text: Option<String>) -> String {
    text.unwrap_or_else(|| "-".to_owned())
}

/// The median of times.
pub fn median_seconds(samples: &Option<Samples>) -> Option<String> {
    samples.as_ref().map(|samples| show_seconds(samples.median))
}

/// The median of bytes.
pub fn median_size(samples: &Option<Samples>) -> Option<String> {
    samples.as_ref().map(|samples| show_size(samples.median as u64))
}

/// A text, and a line for each note below it.
pub fn with_notes<'a>(text: String, notes: impl IntoIterator<Item = &'a String>) -> String {
    notes.into_iter().fold(text, |text, note| text + "\n- " + note)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_lines_of_their_own() {
        assert_eq!(with_notes("text".to_owned(), &["a".to_owned(), "b".to_owned()]), "text\n- a\n- b");
    }
}
