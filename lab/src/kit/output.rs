// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! How a report reaches its reader.

use std::path::Path;

use anyhow::Result;
use serde::Serialize;

use super::plot::{Folder, Plot};

/// The findings of a benchmark: as JSON, for people, and in pictures, all of the same values.
pub trait Report: Serialize {
    /// For people.
    fn render(&self) -> String;

    /// The pictures.
    fn plots(&self) -> Vec<Plot>;
}

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

    /// Prints the report, then writes the plots.
    pub fn publish(&self, report: &impl Report) -> Result<()> {
        if self.json {
            println!("{}", serde_json::to_string_pretty(report)?);
        } else {
            println!("\n{}", report.render());
        }
        self.plots.as_ref().map_or(Ok(()), |folder| folder.write(&report.plots()))
    }
}
