// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Heat maps: a row per limit of DRAM, a column per size of swap; pure.

use super::data::Data;
use super::grid::{Grid, Outcome};
use crate::frame::matrix::distinct;
use crate::kit::plot::{Axis, Form, Group, Plot, Row, Spread};

/// A heat map for each program and arm: seconds, as multiples of those without limit.
pub fn times(data: &Data) -> Option<Plot> {
    let group = |program: &str, arm: &str| {
        let base = data.unlimited_seconds(program);
        let shown = |outcome| match outcome {
            Outcome::Seconds(seconds) => base.map(|base| seconds / base).ok_or_else(|| "?".to_owned()),
            Outcome::Word(word) => Err(word),
        };
        let grid = of_program(data.of_arm(arm), program);
        heat_map(format!("{program}, {arm}"), &grid, program, |machine, size| {
            grid.outcome(machine, program, size).map(shown)
        })
    };
    let programs = distinct(data.cells.iter().map(|cell| cell.program.as_str()));
    let groups: Vec<Group> =
        programs.iter().flat_map(|program| data.arms().into_iter().map(|arm| group(program, arm))).collect();
    plot(
        "disksize",
        "Time under a limit of DRAM, by size of compressed swap",
        "columns: size of swap; rows: limit of DRAM, in percent of the footprint or of the study's machine",
        "times as long as without limit; X: out of memory",
        groups,
    )
}

/// For each machine of the study the speedups of both, one below the other.
pub fn speedups(data: &Data) -> Option<Plot> {
    let (ours, theirs) = (data.ours(), data.theirs());
    let shared = |machine: &&str| theirs.machines().contains(machine);
    let group = |machine: &str| {
        let mut rows = vec![titles("speedup", &theirs.sizes())];
        for kernel in theirs.programs() {
            for (whose, grid) in [("theirs", &theirs), ("ours", &ours)] {
                let cells =
                    theirs.sizes().into_iter().map(|size| speedup_or_word(grid, machine, kernel, size));
                rows.extend(row(&format!("{kernel}, {whose}"), cells.collect()));
            }
        }
        Group { title: format!("{machine} of DRAM"), rows }
    };
    let groups = ours.machines().into_iter().filter(shared).map(group).collect();
    plot(
        "disksize-study",
        "Speedup by size of zram: the study's runs, and ours on scaled machines",
        "columns: size of zram; the cell without zram is 1, or that of 25 % where nothing runs without",
        "speedup; X: out of memory",
        groups,
    )
}

fn plot(
    name: &'static str,
    title: &'static str,
    about: &str,
    label: &'static str,
    groups: Vec<Group>,
) -> Option<Plot> {
    let axis = Axis { label, show: |value| format!("{value:.2}"), line: None };
    let plot = Plot {
        name,
        title,
        about: about.to_owned(),
        axis,
        form: Form::Heat,
        series: Vec::new(),
        groups,
        notes: Vec::new(),
    };
    (!plot.groups.is_empty()).then_some(plot)
}

fn of_program(mut grid: Grid, program: &str) -> Grid {
    grid.0.retain(|run| run.program == program);
    grid
}

/// The value of a cell, or its word; none if nothing ran.
pub type Shown = Option<Result<f64, String>>;

fn heat_map(title: String, grid: &Grid, program: &str, shown: impl Fn(&str, u32) -> Shown) -> Group {
    let sizes = grid.sizes();
    let rows = grid
        .machines()
        .into_iter()
        .filter_map(|machine| row(machine, sizes.iter().map(|size| shown(machine, *size)).collect()));
    let rows: Vec<Row> = rows.collect();
    let titles = (!rows.is_empty()).then(|| titles(program, &sizes));
    Group { title, rows: titles.into_iter().chain(rows).collect() }
}

fn titles(name: &str, sizes: &[u32]) -> Row {
    Row { words: sizes.iter().map(|size| format!("{size} %")).collect(), ..Row::new(name, Vec::new()) }
}

/// None if nothing ran.
fn row(name: &str, cells: Vec<Shown>) -> Option<Row> {
    cells.iter().any(Option::is_some).then(|| {
        let value = |cell: &Shown| cell.as_ref()?.as_ref().ok().map(|value| Spread::exactly(*value));
        let word = |cell: &Shown| match cell {
            Some(Err(word)) => word.clone(),
            _ => String::new(),
        };
        Row { words: cells.iter().map(word).collect(), ..Row::new(name, cells.iter().map(value).collect()) }
    })
}

/// The speedup of a cell, or the word of one that did not finish.
pub fn speedup_or_word(grid: &Grid, machine: &str, kernel: &str, size: u32) -> Shown {
    match grid.outcome(machine, kernel, size)? {
        Outcome::Seconds(_) => grid.speedup(machine, kernel, size).map(Ok),
        Outcome::Word(word) => Some(Err(word)),
    }
}
