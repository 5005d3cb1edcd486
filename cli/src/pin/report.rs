// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The pinned files, as JSON and as a table.

use std::collections::BTreeMap;

use comfy_table::{CellAlignment, Table, presets};
use serde::Serialize;
use ztera_machine::units::show_size;

use super::hold::Pinned;
use super::room::{Room, percent};
use super::what::What;

/// One file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// Its name.
    pub path: String,
    /// Its kind.
    pub what: What,
    /// Bytes that are kept in memory.
    pub bytes: u64,
}

/// All that is pinned.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// The process whose files they are.
    pub pid: u32,
    /// The sum over all files.
    pub pinned_bytes: u64,
    /// Most that might be pinned.
    pub most_bytes: u64,
    /// The memory limit that this is a share of.
    pub memory_limit_bytes: u64,
    /// The share, from 0 to 1.
    pub share: f64,
    /// Its files.
    pub files: Vec<Row>,
    /// Files that cannot be opened, and so are not pinned.
    pub not_opened: Vec<String>,
}

impl Report {
    /// Of what is held.
    pub fn of(pid: u32, held: &[Pinned], room: &Room, not_opened: Vec<String>) -> Report {
        let mut files: BTreeMap<(What, &str), u64> = BTreeMap::new();
        held.iter().for_each(|it| *files.entry((it.what, &it.path)).or_default() += it.bytes);
        let row = |((what, path), bytes): ((What, &str), u64)| Row { path: path.to_owned(), what, bytes };
        Report {
            pid,
            pinned_bytes: held.iter().map(|it| it.bytes).sum(),
            most_bytes: room.most(),
            memory_limit_bytes: room.memory,
            share: room.share,
            files: files.into_iter().map(row).collect(),
            not_opened,
        }
    }
}

/// A table, and the limit.
pub fn render(report: &Report) -> String {
    let mut table = Table::new();
    table.load_preset(presets::UTF8_FULL_CONDENSED).set_header(["", "file", "pinned"]);
    table.column_iter_mut().skip(2).for_each(|column| column.set_cell_alignment(CellAlignment::Right));
    let row = |it: &Row| [it.what.name().to_owned(), it.path.clone(), show_size(it.bytes)];
    table.add_rows(report.files.iter().map(row));
    let mut text = format!(
        "{table}\n{} of {} files of process {} are pinned; {} might be, {} of the memory limit of {}.",
        show_size(report.pinned_bytes),
        report.files.len(),
        report.pid,
        show_size(report.most_bytes),
        percent(report.share),
        show_size(report.memory_limit_bytes)
    );
    for name in &report.not_opened {
        text += &format!("\nNot pinned, as it cannot be opened: {name}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_limits_are_shown() {
        let files = vec![Row { path: "/a.jar".to_owned(), what: What::Jars, bytes: 3 << 20 }];
        let report = Report {
            pid: 7,
            pinned_bytes: 3 << 20,
            most_bytes: 64 << 20,
            memory_limit_bytes: 256 << 20,
            share: 0.25,
            files,
            not_opened: vec!["/b.jar (deleted)".to_owned()],
        };
        let text = render(&report);
        for words in
            ["jars", "/a.jar", "3.00 MiB of 1 files of process 7", "64.0 MiB", "25 %", "/b.jar (deleted)"]
        {
            assert!(text.contains(words), "{words} in\n{text}");
        }
        assert_eq!(serde_json::to_value(&report).unwrap()["files"][0]["what"], "jars");
    }
}
