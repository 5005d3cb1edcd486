// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! How a report reaches its reader.

use std::path::Path;

use anyhow::Result;
use serde::Serialize;
pub use ztera_measure::output::print;

use super::plot::Plot;
use super::plot::folder::Folder;

/// The options asked for.
pub struct Output {
    json: bool,
    plots: Option<Folder>,
}

impl Output {
    /// Fails if plots cannot be written: to be made before anything is measured.
    pub fn new(json: bool, plots: Option<&Path>) -> Result<Output> {
        Ok(Output { json, plots: plots.map(Folder::open).transpose()? })
    }

    /// Prints the report as [`print`] does, then writes its plots.
    pub fn publish<R: Serialize>(
        &self,
        report: &R,
        render: fn(&R) -> String,
        plots: fn(&R) -> Vec<Plot>,
    ) -> Result<()> {
        print(report, self.json, render)?;
        self.plots.as_ref().map_or(Ok(()), |folder| folder.write(&plots(report)))
    }
}
