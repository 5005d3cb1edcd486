// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Where plots are written.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::{Plot, draw};

/// A folder that takes files.
#[derive(Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// Makes it if it is not there, and tries whether a file can be written to it: before all is measured, not after.
    pub fn open(path: &Path) -> Result<Folder> {
        let unwritable = || format!("plots cannot be written to {}", path.display());
        fs::create_dir_all(path).and_then(|()| tempfile::tempfile_in(path)).with_context(unwritable)?;
        Ok(Folder(path.to_owned()))
    }

    /// Writes those that show anything, and says which.
    pub fn write(&self, plots: &[Plot]) -> Result<()> {
        for plot in plots.iter().filter(|plot| !plot.is_empty()) {
            write(plot, &self.0.join(format!("{}.svg", plot.name)))?;
        }
        Ok(())
    }
}

/// Writes a plot to a file, as SVG, and says so.
pub fn write(plot: &Plot, file: &Path) -> Result<()> {
    fs::write(file, draw::svg(plot)?).with_context(|| format!("cannot write {}", file.display()))?;
    eprintln!("wrote {}", file.display());
    Ok(())
}
