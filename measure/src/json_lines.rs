// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A file with one JSON value per line, each written as soon as it is known, so that a benchmark that was interrupted
//! goes on.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Such a file, open for more.
pub struct JsonLines {
    path: PathBuf,
    file: File,
}

impl JsonLines {
    /// Goes on with a file, or begins it. Returns it, and the text that is in it
    pub fn open(path: &Path) -> Result<(JsonLines, String)> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let mut text = fs::read_to_string(path).unwrap_or_default();
        let file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(path)
            .with_context(|| format!("cannot write {}", path.display()))?;
        // The writer of a last line that is not whole was killed meanwhile.
        text.truncate(text.rfind('\n').map_or(0, |last| last + 1));
        file.set_len(text.len() as u64)?;
        Ok((JsonLines { path: path.to_owned(), file }, text))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// One more line, by one write.
    pub fn add(&mut self, line: &impl Serialize) -> Result<()> {
        let line = serde_json::to_string(line)? + "\n";
        self.file.write_all(line.as_bytes()).with_context(|| format!("cannot write {}", self.path.display()))
    }
}

/// A path in that folder with the next free number.
pub fn next_free(folder: &str) -> Result<PathBuf> {
    let free =
        (1..).map(|number| Path::new(folder).join(format!("{number:03}.jsonl"))).find(|path| !path.exists());
    free.context("no number is free")
}

/// The values of that form. Lines of another form are skipped.
pub fn values<T: DeserializeOwned>(text: &str) -> impl Iterator<Item = T> {
    text.lines().filter_map(|line| serde_json::from_str(line).ok())
}

/// The last line that is JSON: the report of a program.
pub fn last<T: DeserializeOwned>(text: &str) -> Result<T> {
    let line = text.lines().rfind(|line| line.starts_with('{')).context("the program printed no report")?;
    serde_json::from_str(line).with_context(|| format!("the program's report is not as expected: {line}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_was_cut_off_is_passed_over() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("new/lines.jsonl");
        JsonLines::open(&path).unwrap().0.add(&[1, 2]).unwrap();
        fs::write(&path, fs::read_to_string(&path).unwrap() + "[3,").unwrap();
        let (mut lines, text) = JsonLines::open(&path).unwrap();
        assert_eq!(values::<Vec<u32>>(&text).collect::<Vec<_>>(), [[1, 2]]);
        lines.add(&[4]).unwrap();
        let (lines, text) = JsonLines::open(&path).unwrap();
        assert_eq!(values::<Vec<u32>>(&text).collect::<Vec<_>>(), [vec![1, 2], vec![4]]);
        assert_eq!(lines.path(), path);
    }

    #[test]
    fn numbers_that_are_taken_are_passed_over() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("001.jsonl"), "").unwrap();
        assert_eq!(next_free(dir.path().to_str().unwrap()).unwrap(), dir.path().join("002.jsonl"));
    }
}
