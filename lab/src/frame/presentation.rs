// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The plots and tables of an experiment, as plain data.

use serde::Serialize;

use crate::kit::plot::Plot;

/// Everything, in the order in which it is shown.
#[derive(Clone, Debug, Default)]
pub struct Presentation {
    /// Where ours, or what the source speaks for, loses: a sentence each, with numbers.
    pub losing: Vec<String>,
    /// How to read the rest, and what is left out.
    pub notes: Vec<String>,
    /// Pictures.
    pub plots: Vec<Plot>,
    /// Numbers.
    pub tables: Vec<Table>,
}

/// Cells under titles.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Table {
    /// Above it.
    pub title: String,
    /// Of the columns.
    pub head: Vec<String>,
    /// As many cells each as there are columns.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// An empty one.
    pub fn new<T: Into<String>>(title: &str, head: impl IntoIterator<Item = T>) -> Table {
        Table { title: title.to_owned(), head: head.into_iter().map(Into::into).collect(), rows: Vec::new() }
    }
}
