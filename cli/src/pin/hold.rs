// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Pages that are kept in memory: mapped by this process too, and locked.

use anyhow::{Context, Result};
use memmap2::{Mmap, MmapOptions};

use super::find::Wanted;
use super::what::What;

/// A file whose pages are resident as long as this lives.
#[derive(Debug)]
pub struct Pinned {
    /// As the process names it.
    pub path: String,
    /// Its kind.
    pub what: What,
    /// Bytes of it that are locked.
    pub bytes: u64,
    _locked: Vec<Mmap>,
}

/// Reads the wanted pages and locks them. An error lets all of them go.
pub fn pin(wanted: &Wanted) -> Result<Pinned> {
    let lock = |range: &std::ops::Range<u64>| -> std::io::Result<Mmap> {
        let len = usize::try_from(range.end - range.start).map_err(std::io::Error::other)?;
        // SAFETY: nobody reads the mapping, so it does not matter who changes or cuts the file.
        let mapped = unsafe { MmapOptions::new().offset(range.start).len(len).map(&wanted.file)? };
        mapped.lock()?;
        Ok(mapped)
    };
    let locked: std::io::Result<Vec<Mmap>> = wanted.ranges.iter().map(lock).collect();
    let locked = locked.with_context(|| format!("cannot lock pages of {}", wanted.path.display()))?;
    let path = wanted.path.display().to_string();
    Ok(Pinned { path, what: wanted.what, bytes: wanted.bytes(), _locked: locked })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;

    fn locked_bytes() -> u64 {
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmLck:")).unwrap();
        line.trim().strip_suffix(" kB").unwrap().parse::<u64>().unwrap() << 10
    }

    #[test]
    fn pages_are_locked_and_let_go() {
        let page = rustix::param::page_size() as u64;
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), vec![1; 4 * page as usize]).unwrap();
        let wanted = Wanted {
            path: file.path().to_owned(),
            what: What::Jars,
            file: File::open(file.path()).unwrap(),
            ranges: vec![0..page, 2 * page..4 * page],
        };
        let before = locked_bytes();
        let pinned = pin(&wanted).unwrap();
        assert_eq!((pinned.bytes, locked_bytes() - before), (3 * page, 3 * page));
        drop(pinned);
        assert_eq!(locked_bytes(), before);
    }
}
