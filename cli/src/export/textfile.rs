// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A file that node_exporter's textfile collector reads.

use std::fs::Permissions;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use ztera_machine::interrupt;

use super::encode::{Format, encode};
use super::gather::Targets;

/// Between looks whether a signal came.
const LOOK: Duration = Duration::from_millis(100);

/// A name that node_exporter does not overlook.
pub fn parse(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    if path.extension().is_some_and(|extension| extension == "prom") {
        Ok(path)
    } else {
        Err("node_exporter reads files whose names end with .prom".to_owned())
    }
}

/// Writes it once, or until a signal comes. The last one stays.
pub fn write(file: &Path, interval: Option<Duration>, targets: &Targets) -> Result<()> {
    loop {
        let text = encode(targets.gather(), Format::Prometheus)?;
        replace(file, &text).with_context(|| format!("cannot write {}", file.display()))?;
        let Some(interval) = interval else { return Ok(()) };
        let next = Instant::now() + interval;
        while Instant::now() < next {
            if interrupt::came() {
                return Ok(());
            }
            thread::sleep(LOOK.min(next.saturating_duration_since(Instant::now())));
        }
    }
}

/// Puts a whole file in the place of the old one. Others may read it.
fn replace(file: &Path, text: &str) -> Result<()> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let readable = Permissions::from_mode(0o644);
    let mut new = tempfile::Builder::new().prefix(".ztera-").permissions(readable).tempfile_in(folder)?;
    new.write_all(text.as_bytes())?;
    new.persist(file)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_that_are_read_are_taken() {
        assert_eq!(parse("/a/ztera.prom"), Ok(PathBuf::from("/a/ztera.prom")));
        assert!(parse("/a/ztera.txt").unwrap_err().contains(".prom"));
    }

    #[test]
    fn a_file_is_replaced_as_a_whole() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("ztera.prom");
        replace(&file, "old\n").unwrap();
        replace(&file, "new\n").unwrap();
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "new\n");
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o644);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
