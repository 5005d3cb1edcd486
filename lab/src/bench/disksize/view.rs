// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Plots, tables and losing cases; pure.

use ztera_machine::units::show_size;

use super::arm::OF_STUDY;
use super::data::{CellRun, Data};
use super::grid::{Grid, OUT_OF_MEMORY};
use super::heat::{speedup_or_word, speedups, times};
use crate::frame::matrix::distinct;
use crate::frame::presentation::{Presentation, Table};
use crate::frame::sample::{Sample, left_out};

/// A swap that makes a program slower than this against the study's arm loses.
const LOSES: f64 = 1.05;

/// All that there is to see.
pub fn present(samples: &[Sample]) -> Presentation {
    let data = Data::of(samples);
    let mut notes = vec![
        "A limit holds for program and compressed pages together, as in one machine. X is a cell that ran out of memory."
            .to_owned(),
        "A machine of the study is scaled: its limit is to the program's footprint here as its DRAM, less 0.4 GB for the \
         system, was to the footprint there."
            .to_owned(),
    ];
    if !data.theirs.is_empty() {
        notes.push("Authors' runs of less than half of the kernel's median count as X: their scripts took killed runs for finished.".to_owned());
    }
    notes.extend(left_out(samples));
    Presentation {
        losing: losing(&data),
        notes,
        plots: [times(&data), speedups(&data)].into_iter().flatten().collect(),
        tables: [footprints(&data), overlay(&data), memory(&data)].into_iter().flatten().collect(),
    }
}

fn footprints(data: &Data) -> Option<Table> {
    let mut table = Table::new("Programs without limit", ["program", "footprint", "seconds"]);
    for program in distinct(data.references.iter().map(|reference| reference.program.as_str())) {
        let of_program = data.references.iter().filter(|reference| reference.program == program);
        let footprint = of_program.map(|reference| reference.footprint_bytes).next().unwrap_or(0);
        let seconds =
            data.unlimited_seconds(program).map_or_else(String::new, |seconds| format!("{seconds:.2}"));
        table.rows.push(vec![program.to_owned(), show_size(footprint), seconds]);
    }
    (!table.rows.is_empty()).then_some(table)
}

/// Cells that both have: speedups beside each other.
fn overlay(data: &Data) -> Option<Table> {
    let (ours, theirs) = (data.ours(), data.theirs());
    let head = ["machine", "kernel", "zram", "their speedup", "our speedup", "ours to theirs"];
    let mut table = Table::new("The study's cells, theirs and ours", head);
    for machine in ours.machines() {
        for kernel in ours.programs() {
            for size in theirs.sizes() {
                let cell = |grid: &Grid| speedup_or_word(grid, machine, kernel, size);
                let (Some(their), Some(our)) = (cell(&theirs), cell(&ours)) else { continue };
                let quotient = match (&our, &their) {
                    (Ok(our), Ok(their)) => format!("{:.2}", our / their),
                    (Err(our), Err(their)) if our == their => format!("both {our}"),
                    _ => "differ".to_owned(),
                };
                let shown =
                    |cell: Result<f64, String>| cell.map_or_else(|word| word, |value| format!("{value:.2}"));
                let names = [machine.to_owned(), kernel.to_owned(), format!("{size} %")];
                table.rows.push(names.into_iter().chain([shown(their), shown(our), quotient]).collect());
            }
        }
    }
    (!table.rows.is_empty()).then_some(table)
}

/// All cells with the memory that they took.
fn memory(data: &Data) -> Option<Table> {
    let head = [
        "program",
        "DRAM",
        "swap",
        "size",
        "limit",
        "cgroup at most",
        "swap's DRAM at most",
        "seconds",
        "ended",
    ];
    let mut table = Table::new("All runs", head);
    let cells = |cell: &CellRun| {
        vec![
            cell.program.clone(),
            cell.machine.clone(),
            cell.arm.clone(),
            format!("{} %", cell.size_percent),
            show_size(cell.limit_bytes),
            cell.cgroup_peak_bytes.map_or_else(|| "-".to_owned(), show_size),
            show_size(cell.swap_peak_bytes),
            format!("{:.2}", cell.run_seconds),
            cell.words.clone(),
        ]
    };
    table.rows.extend(data.cells.iter().map(cells));
    (!table.rows.is_empty()).then_some(table)
}

/// Arms that are slower than the study's or out of memory where it is not, and zram that slows programs down.
fn losing(data: &Data) -> Vec<String> {
    let study = data.of_arm(OF_STUDY);
    let others = data.arms().into_iter().filter(|arm| *arm != OF_STUDY);
    let lines = others.flat_map(|arm| against(arm, &data.of_arm(arm), &study));
    slowed(&study).into_iter().chain(lines).collect()
}

fn slowed(study: &Grid) -> Vec<String> {
    let mut lines = Vec::new();
    for machine in study.machines() {
        for program in study.programs() {
            let slow = study.speedups(machine, program).into_iter().filter(|speedup| *speedup < 1.0 / LOSES);
            if let Some(least) = slow.reduce(f64::min) {
                lines.push(format!(
                    "{program} with {machine} of DRAM: {OF_STUDY} makes it up to {:.2} times slower",
                    1.0 / least
                ));
            }
        }
    }
    lines
}

fn against(arm: &str, grid: &Grid, study: &Grid) -> Vec<String> {
    let (mut slower, mut most, mut out, mut compared) = (0, 1.0_f64, 0, 0);
    for run in distinct(grid.0.iter().map(|run| (&run.machine, &run.program, run.size))) {
        let (machine, program, size) = run;
        let Some(base) = study.median(machine, program, size) else { continue };
        compared += 1;
        match grid.median(machine, program, size) {
            Some(seconds) if seconds > LOSES * base => {
                (slower, most) = (slower + 1, most.max(seconds / base))
            }
            Some(_) => {}
            None => out += 1,
        }
    }
    let slower = (slower > 0).then(|| {
        format!("{arm} is slower than {OF_STUDY} in {slower} of {compared} cells, up to {most:.2} times")
    });
    let out = (out > 0).then(|| format!("{arm} does not finish in {out} of {compared} cells in which {OF_STUDY} does ({OUT_OF_MEMORY} or stopped)"));
    slower.into_iter().chain(out).collect()
}

#[cfg(test)]
#[path = "view_test.rs"]
mod tests;
