// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The pictures of a report.
//!
//! ```text
//!  report -> Plot: what is shown -> draw: SVG -> folder: files
//!                                     |  axis   from where to where it goes
//!                                     |  marks  dots, bars and whiskers
//!                                     |  heat   fields of a heat map
//!                                     |  look   sizes, colours, fonts
//! ```
//!
//! Each benchmark makes its plots of the same report that is printed as JSON. An arm without a value is named, with
//! the word that says why.

mod axis;
pub mod draw;
#[cfg(any(test, feature = "drawn"))]
pub mod drawn;
pub mod folder;
mod heat;
mod look;
mod marks;

use crate::samples::Samples;

/// One file: arms, in one or several groups on the same axis.
#[derive(Clone, Debug)]
pub struct Plot {
    /// The file is called so.
    pub name: &'static str,
    /// Above all.
    pub title: &'static str,
    /// Below that: how it was measured.
    pub about: String,
    /// Of the values.
    pub axis: Axis,
    /// How they are drawn.
    pub form: Form,
    /// The names of the values of a row; without names if there is but one.
    pub series: Vec<&'static str>,
    /// The arms. Those without rows are not drawn.
    pub groups: Vec<Group>,
    /// Below all: what is not there.
    pub notes: Vec<String>,
}

impl Plot {
    /// Whether there is nothing to draw.
    pub fn is_empty(&self) -> bool {
        self.groups.iter().all(|group| group.rows.is_empty())
    }
}

/// The unit of values.
#[derive(Clone, Copy, Debug)]
pub struct Axis {
    /// With the unit, and whether more or less is better.
    pub label: &'static str,
    /// A value for people.
    pub show: fn(f64) -> String,
    /// A value that all others are to be compared with.
    pub line: Option<f64>,
}

/// How values are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// On a logarithmic axis, where distances are quotients.
    Dots,
    /// One below the other, from 0 on.
    Bars,
    /// One after the other, from 0 on.
    Stack,
    /// Fields side by side: the darker, the larger the value. A row without values is a row of titles.
    Heat,
}

/// Arms that belong together.
#[derive(Clone, Debug)]
pub struct Group {
    /// Above them.
    pub title: String,
    /// One per arm.
    pub rows: Vec<Row>,
}

impl Group {
    /// A group for each title, in the order in which the titles come.
    pub fn by<T>(
        items: impl IntoIterator<Item = T>,
        title: impl Fn(&T) -> String,
        row: impl Fn(&T) -> Row,
    ) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        for item in items {
            let (title, row) = (title(&item), row(&item));
            match groups.iter_mut().find(|group| group.title == title) {
                Some(group) => group.rows.push(row),
                None => groups.push(Group { title, rows: vec![row] }),
            }
        }
        groups
    }
}

/// One arm.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its name.
    pub name: String,
    /// One per series.
    pub values: Vec<Option<Spread>>,
    /// All of a stack: its spread is that of the sum, not of the parts.
    pub sum: Option<Spread>,
    /// The text where there are no values.
    pub missing: String,
    /// Of a heat map, the text in each field that has no value.
    pub words: Vec<String>,
}

impl Row {
    /// Of what was measured once or several times.
    pub fn new(name: &str, values: Vec<Option<Spread>>) -> Row {
        Row { name: name.to_owned(), values, sum: None, missing: "missing".to_owned(), words: Vec::new() }
    }

    /// Whether anything was measured.
    fn is_missing(&self) -> bool {
        self.values.iter().all(Option::is_none)
    }
}

/// A median with its spread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// Shown at once.
    pub median: f64,
    /// The beginning of the whisker.
    pub least: f64,
    /// Its end.
    pub most: f64,
}

impl Spread {
    /// Of a value that has none.
    pub fn exactly(value: f64) -> Spread {
        Spread { median: value, least: value, most: value }
    }

    /// The same in another unit, which may turn it round.
    pub fn map(self, convert: impl Fn(f64) -> f64) -> Spread {
        let [median, one, other] = [self.median, self.least, self.most].map(convert);
        Spread { median, least: one.min(other), most: one.max(other) }
    }
}

impl From<&Samples> for Spread {
    fn from(samples: &Samples) -> Spread {
        Spread { median: samples.median, least: samples.min, most: samples.max }
    }
}

#[cfg(test)]
pub(crate) mod tests;
