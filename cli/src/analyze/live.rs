// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The pages of a running JVM's second heap, once it has written them.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::census::BLOCK;
use super::image::Image;
use super::progress::Progress;

/// Where pages go that nobody wants to keep.
pub fn scratch() -> Result<(tempfile::TempDir, PathBuf)> {
    let folder = tempfile::tempdir().context("no room for the pages: name a file with --out")?;
    let file = folder.path().join("h2.pages");
    Ok((folder, file))
}

/// Reads what was written.
pub fn read<W: io::Write>(file: &Path, image: &mut Image<W>) -> Result<()> {
    let shown = || format!("cannot read {}", file.display());
    let mut from = File::open(file).with_context(shown)?;
    let mut progress = Progress::new(from.metadata()?.len());
    let (mut buffer, mut done) = (vec![0; 64 * BLOCK], 0);
    loop {
        let bytes = from.read(&mut buffer).with_context(shown)?;
        if bytes == 0 {
            return Ok(());
        }
        image.write(&buffer[..bytes])?;
        done += bytes as u64;
        progress.reached(done)?;
    }
}
