// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A table of candidates: the notes', or one that `ztera tune` measured.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::kit::own_command;
use ztera_measure::tuning::{File, Measured, Target, ZRAM_NOTES};

/// Whose measurements a table has.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Whose {
    /// Those of the Zram notes. Older samples have another name.
    #[serde(alias = "seed")]
    Notes,
    /// Ours, of this machine.
    Here,
}

/// Candidates, and the advice that follows from them.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Table {
    /// The machine.
    pub whose: Whose,
    /// The place where pages are compressed.
    pub target: Target,
    /// The data, in words.
    pub data: String,
    /// The candidates.
    pub measured: Vec<Measured>,
    /// The reasons that the command gives for its choice.
    pub reasons: Vec<String>,
    /// The files that it advises, with their text.
    pub files: Vec<(PathBuf, String)>,
    /// How many of them it wrote as it had shown them.
    pub written: usize,
}

impl Table {
    /// That of the notes.
    pub fn of_notes() -> Result<Table> {
        Ok(Table::new(Whose::Notes, serde_json::from_str(ZRAM_NOTES)?))
    }

    fn new(whose: Whose, file: File) -> Table {
        let File { target, data, measured } = file;
        Table { whose, target, data, measured, reasons: Vec::new(), files: Vec::new(), written: 0 }
    }

    /// For people.
    pub fn title(&self) -> String {
        let target = if self.target == Target::Zram { "zram" } else { "H2" };
        match self.whose {
            Whose::Notes => "the notes' table".to_owned(),
            Whose::Here => format!("{target} here, {}", self.data),
        }
    }
}

/// A call of `ztera tune`.
#[derive(Clone, Debug, PartialEq)]
pub struct Order {
    /// The place where pages are compressed.
    pub target: Target,
    /// Files that are compressed; without them, invented objects.
    pub directory: Option<PathBuf>,
    /// Of the data, as the command takes it.
    pub size: &'static str,
    /// How long each candidate is read.
    pub seconds: &'static str,
}

impl Order {
    /// The step's key.
    pub fn step(&self) -> String {
        let data = if self.directory.is_some() { "source text" } else { "invented objects" };
        format!("{}, {data}, {}", self.target_name(), self.size)
    }

    fn target_name(&self) -> &'static str {
        if self.target == Target::Zram { "zram" } else { "h2" }
    }

    /// Runs it, and has it write its files to a folder that goes at once.
    pub fn measure(&self) -> Result<Table> {
        let root = tempfile::tempdir()?;
        let mut command = own_command::ztera()?;
        command.args(["tune", "--json", "--apply", "--target", self.target_name()]);
        command.args(["--size", self.size, "--seconds", self.seconds]).arg("--root").arg(root.path());
        match &self.directory {
            Some(directory) => command.arg("--directory").arg(directory),
            None => command.arg("--synthetic"),
        };
        understand(&own_command::output(command)?, root.path())
    }
}

fn understand(report: &str, root: &Path) -> Result<Table> {
    let report: Value = serde_json::from_str(report).context("`ztera tune` did not print JSON")?;
    let mut table = Table::new(Whose::Here, serde_json::from_value(report.clone())?);
    table.reasons = serde_json::from_value(report["reasons"].clone())?;
    for file in report["files"].as_array().context("`ztera tune` advises no files")? {
        let path: PathBuf = serde_json::from_value(file["path"].clone())?;
        let text: String = serde_json::from_value(file["text"].clone())?;
        table.written += usize::from(fs::read_to_string(root.join(&path)).is_ok_and(|found| found == text));
        table.files.push((path, text));
    }
    // A folder of this machine says nothing to others.
    if table.data.starts_with("files in ") {
        table.data = "source text".to_owned();
    }
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn files_count_if_they_hold_what_was_shown() {
        let root = tempfile::tempdir().unwrap();
        fs::write(root.path().join("a"), "one").unwrap();
        fs::write(root.path().join("b"), "another").unwrap();
        let file = |path: &str| json!({"path": path, "text": "one", "effect": "reboot"});
        let report = json!({
            "target": "h2",
            "data": "files in /somewhere",
            "measured": [],
            "reasons": ["so"],
            "files": [file("a"), file("b"), file("c")],
        });
        let table = understand(&report.to_string(), root.path()).unwrap();
        assert_eq!((table.files.len(), table.written), (3, 1));
        assert_eq!(table.title(), "H2 here, source text");
        assert!(understand("no JSON", root.path()).is_err());
    }

    #[test]
    fn the_notes_have_sixteen_candidates() {
        let table = Table::of_notes().unwrap();
        assert_eq!((table.measured.len(), table.title().as_str()), (16, "the notes' table"));
    }
}
