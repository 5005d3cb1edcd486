// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! An older document's words on experiments.

use std::collections::BTreeMap;

use crate::frame::claim::Judgement;

/// The begin of a section's line on samples that were taken.
pub const MEASURED: &str = "Measured at ";

/// Sections of a document that were measured, by the names of their experiments.
#[derive(Default)]
pub struct Kept<'t>(BTreeMap<&'t str, Known<'t>>);

struct Known<'t> {
    /// The line that begins with `Measured`.
    line: &'t str,
    /// Claim, source, expected and measured value, verdict.
    rows: Vec<[&'t str; 5]>,
}

impl<'t> Kept<'t> {
    /// Of a document, which may be empty.
    pub fn of(text: &'t str) -> Kept<'t> {
        Kept(
            text.split("\n## ")
                .map(|part| part.strip_prefix("## ").unwrap_or(part))
                .filter_map(section)
                .collect(),
        )
    }

    /// The line on where an experiment was measured.
    pub fn measured(&self, name: &str) -> Option<&'t str> {
        self.0.get(name).map(|known| known.line)
    }

    /// Gives a claim the value and the verdict that it has in the document. A claim that has changed has none.
    pub fn fill(&self, name: &str, row: &mut [String; 5]) {
        let rows = self.0.get(name).map_or(&[][..], |known| &known.rows);
        let same = rows.iter().find(|other| row.iter().take(3).eq(other[..3].iter()));
        let [.., value, verdict] = same.copied().unwrap_or(["", "", "", "", Judgement::NotMeasured.words()]);
        (row[3], row[4]) = (value.to_owned(), verdict.to_owned());
    }
}

fn section(text: &str) -> Option<(&str, Known<'_>)> {
    let line = text.lines().find(|line| line.starts_with(MEASURED))?;
    let rows = text.lines().filter_map(|line| split(line).try_into().ok()).collect();
    Some((text.lines().next()?, Known { line, rows }))
}

/// The cells of a table's line; nothing of others.
fn split(line: &str) -> Vec<&str> {
    let row = line.strip_prefix('|').and_then(|row| row.strip_suffix('|'));
    row.map_or_else(Vec::new, |row| row.split('|').map(str::trim).collect())
}
