// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Pieces of the files in a directory.

use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use fastrand::Rng;
use ztera_machine::interrupt;

use ztera_measure::data::pages::PAGE;

/// Bytes of a piece.
const PIECE: u64 = 64 << 10;
/// Most files that are looked at.
const FILES: usize = 100_000;

/// At most `len` bytes: a random choice of all pieces, without what a file has beyond whole pages.
pub fn pages(directory: &Path, len: usize, rng: &mut Rng) -> Result<Vec<u8>> {
    let (files, mut pieces) = (files(directory)?, Vec::new());
    for (path, size) in &files {
        pieces.extend((0..size / PAGE as u64 * PAGE as u64).step_by(PIECE as usize).map(|at| (path, at)));
    }
    rng.shuffle(&mut pieces);
    let mut bytes = Vec::with_capacity(len);
    for (path, at) in pieces {
        interrupt::check()?;
        let room = (len - bytes.len()).min(PIECE as usize);
        // A file that changed meanwhile, or that this user may not read, is left out.
        if let Ok(piece) = read(path, at, room) {
            bytes.extend_from_slice(&piece);
        }
        if bytes.len() >= len {
            break;
        }
    }
    if bytes.is_empty() {
        bail!("{} has no files of a page or more that can be read", directory.display());
    }
    Ok(bytes)
}

fn read(path: &Path, at: u64, most: usize) -> std::io::Result<Vec<u8>> {
    let (file, mut piece, mut filled) = (File::open(path)?, vec![0; most], 0);
    while filled < most {
        match file.read_at(&mut piece[filled..], at + filled as u64)? {
            0 => break,
            bytes => filled += bytes,
        }
    }
    piece.truncate(filled / PAGE * PAGE);
    Ok(piece)
}

/// Regular files and their sizes; links are not followed.
fn files(directory: &Path) -> Result<Vec<(PathBuf, u64)>> {
    let shown = || format!("cannot read {}", directory.display());
    let (mut found, mut folders) = (Vec::new(), vec![fs::read_dir(directory).with_context(shown)?]);
    while let Some(folder) = folders.pop() {
        for entry in folder.flatten() {
            let Ok(metadata) = entry.metadata() else { continue };
            if metadata.is_dir() {
                folders.extend(fs::read_dir(entry.path()));
            } else if metadata.is_file() && found.len() < FILES {
                found.push((entry.path(), metadata.len()));
            }
        }
    }
    // So that the choice does not depend on the order in which the file system has them.
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_pages_of_all_files_are_taken() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("below")).unwrap();
        fs::write(folder.path().join("a"), vec![1; PAGE + 10]).unwrap();
        fs::write(folder.path().join("below/b"), vec![2; 2 * PAGE]).unwrap();
        fs::write(folder.path().join("short"), [3; 10]).unwrap();
        let sample = |len| pages(folder.path(), len, &mut Rng::with_seed(1)).unwrap();
        let all = sample(10 * PAGE);
        let count = |byte| all.iter().filter(|it| **it == byte).count();
        assert_eq!((all.len(), count(1), count(2)), (3 * PAGE, PAGE, 2 * PAGE));
        assert_eq!(sample(PAGE).len(), PAGE);
    }

    #[test]
    fn nothing_to_take_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let error = pages(folder.path(), PAGE, &mut Rng::with_seed(1)).unwrap_err().to_string();
        assert!(error.contains("has no files"), "{error}");
        assert!(pages(Path::new("/nowhere"), PAGE, &mut Rng::with_seed(1)).is_err());
    }
}
