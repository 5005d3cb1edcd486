// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A setting of the kernel's, in a file of its own.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};

/// A setting that is changed for a while. Dropping it sets it back.
pub struct Setting {
    file: PathBuf,
    before: String,
}

impl Setting {
    /// Changes it. Takes root.
    pub fn change(file: PathBuf, value: &str) -> Result<Setting> {
        let before = fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        fs::write(&file, value).with_context(|| format!("cannot write `{value}` to {}", file.display()))?;
        Ok(Setting { file, before: chosen(&before).to_owned() })
    }
}

/// A file that lists all choices has the chosen one in brackets: `always [madvise] never`.
fn chosen(text: &str) -> &str {
    let in_brackets = text.split_once('[').and_then(|(_, rest)| rest.split_once(']'));
    in_brackets.map_or(text, |(chosen, _)| chosen).trim()
}

impl Drop for Setting {
    fn drop(&mut self) {
        if let Err(error) = fs::write(&self.file, &self.before) {
            eprintln!("ztera: {} stays changed: {error}", self.file.display());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_changed_is_set_back() {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), "128\n").unwrap();
        let setting = Setting::change(file.path().to_owned(), "0").unwrap();
        assert_eq!(fs::read_to_string(file.path()).unwrap(), "0");
        drop(setting);
        assert_eq!(fs::read_to_string(file.path()).unwrap(), "128");
    }

    #[test]
    fn the_choice_alone_is_set_back() {
        assert_eq!(chosen("always inherit [madvise] never\n"), "madvise");
        assert_eq!(chosen("60\n"), "60");
    }
}
