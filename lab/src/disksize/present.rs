// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Heat maps, tables and losing cases; pure.

use ztera_machine::units::show_size;

use super::arm::OF_STUDY;
use super::data::{CellRun, Data};
use super::grid::{Grid, OUT_OF_MEMORY, Outcome, distinct};
use crate::frame::presentation::{Presentation, Table};
use crate::frame::sample::{Sample, left_out};
use crate::kit::plot::{Axis, Form, Group, Plot, Row, Spread};
use crate::kit::samples::Samples;

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

/// Of a program without limit.
fn unlimited(data: &Data, program: &str) -> Option<f64> {
    let of_program = data.references.iter().filter(|reference| reference.program == program);
    Samples::of(of_program.map(|reference| reference.unlimited_seconds).collect())
        .map(|samples| samples.median)
}

fn arms(data: &Data) -> Vec<&str> {
    distinct(data.cells.iter().map(|cell| cell.arm.as_str()))
}

/// A heat map for each program and arm: seconds, as multiples of those without limit.
fn times(data: &Data) -> Option<Plot> {
    let group = |program: &str, arm: &str| {
        let base = unlimited(data, program);
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
        programs.iter().flat_map(|program| arms(data).into_iter().map(|arm| group(program, arm))).collect();
    plot(
        "disksize",
        "Time under a limit of DRAM, by size of compressed swap",
        "columns: size of swap; rows: limit of DRAM, in percent of the footprint or of the study's machine",
        "times as long as without limit; X: out of memory",
        groups,
    )
}

/// For each machine of the study the speedups of both, one below the other.
fn speedups(data: &Data) -> Option<Plot> {
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
type Shown = Option<Result<f64, String>>;

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

fn speedup_or_word(grid: &Grid, machine: &str, kernel: &str, size: u32) -> Shown {
    match grid.outcome(machine, kernel, size)? {
        Outcome::Seconds(_) => grid.speedup(machine, kernel, size).map(Ok),
        Outcome::Word(word) => Some(Err(word)),
    }
}

fn footprints(data: &Data) -> Option<Table> {
    let mut table = Table::new("Programs without limit", ["program", "footprint", "seconds"]);
    for program in distinct(data.references.iter().map(|reference| reference.program.as_str())) {
        let of_program = data.references.iter().filter(|reference| reference.program == program);
        let footprint = of_program.map(|reference| reference.footprint_bytes).next().unwrap_or(0);
        let seconds = unlimited(data, program).map_or_else(String::new, |seconds| format!("{seconds:.2}"));
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
    let others = arms(data).into_iter().filter(|arm| *arm != OF_STUDY);
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
mod tests {
    use ztera_machine::units::MIB;

    use super::super::data::{Reference, TheirRun, Theirs};
    use super::*;
    use crate::frame::sample::tests::sample;
    use crate::kit::ending::Ending;
    use crate::kit::plot::tests::words;

    fn cell(arm: &str, machine: &str, size_percent: u32, run_seconds: f64, ending: Ending) -> CellRun {
        CellRun {
            program: "is A".to_owned(),
            kernel: Some("is".to_owned()),
            arm: arm.to_owned(),
            machine: machine.to_owned(),
            size_percent,
            limit_bytes: 60 * MIB,
            swap_bytes: 30 * MIB,
            ending,
            words: "it was so".to_owned(),
            run_seconds,
            cgroup_peak_bytes: Some(50 * MIB),
            swap_peak_bytes: 10 * MIB,
        }
    }

    fn samples() -> Vec<Sample> {
        let reference =
            Reference { program: "is A".to_owned(), footprint_bytes: 67 * MIB, unlimited_seconds: 0.5 };
        let their = |size_percent, seconds| TheirRun {
            machine: "4 GB".to_owned(),
            kernel: "is".to_owned(),
            size_percent,
            seconds,
        };
        let their_runs = vec![their(0, Some(6.0)), their(50, Some(6.0)), their(100, None)];
        let cells = [
            cell(OF_STUDY, "4 GB", 0, 1.0, Ending::Finished),
            cell(OF_STUDY, "4 GB", 50, 2.0, Ending::Finished),
            cell(OF_STUDY, "4 GB", 100, 2.0, Ending::Killed),
            cell(OF_STUDY, "60 %", 50, 2.0, Ending::Stopped),
            cell("our disk", "4 GB", 50, 3.0, Ending::Finished),
        ];
        let mut samples = vec![sample("reference", reference), sample("authors", Theirs { their_runs })];
        samples.extend(cells.iter().map(|cell| sample("cell", cell)));
        samples
    }

    #[test]
    fn maps_have_multiples_and_x() {
        let shown = present(&samples());
        let [times, study] = &shown.plots[..] else { panic!("{:?}", shown.plots) };
        let times = words(times);
        let wanted = [
            "is A, zram lzo-rle\nis A\n0 %\n50 %\n100 %\n4 GB\n2.00\n4.00\nX\n60 %\nstopped\n",
            "is A, our disk\nis A\n50 %\n4 GB\n6.00\n",
        ];
        assert!(wanted.iter().all(|part| times.replace("\n\n", "\n").contains(part)), "{times}");
        let study = words(study);
        let wanted = "is, theirs\n1.00\n1.00\nX\nis, ours\n1.00\n0.50\nX\n";
        assert!(study.contains("4 GB of DRAM") && study.contains(wanted), "{study}");
    }

    #[test]
    fn equal_cells_stand_beside_each_other() {
        let shown = present(&samples());
        let overlay = shown.tables.iter().find(|table| table.title.contains("theirs and ours")).unwrap();
        let rows: Vec<String> = overlay.rows.iter().map(|row| row.join("|")).collect();
        let expected =
            ["4 GB|is|0 %|1.00|1.00|1.00", "4 GB|is|50 %|1.00|0.50|0.50", "4 GB|is|100 %|X|X|both X"];
        assert_eq!(rows, expected);
        assert!(shown.notes.iter().any(|note| note.contains("killed runs")));
    }

    #[test]
    fn losing_cases_are_told() {
        let losing = present(&samples()).losing;
        let expected = [
            "is A with 4 GB of DRAM: zram lzo-rle makes it up to 2.00 times slower",
            "our disk is slower than zram lzo-rle in 1 of 1 cells, up to 1.50 times",
        ];
        assert_eq!(losing, expected);
        assert!(present(&[]).losing.is_empty() && present(&[]).plots.is_empty());
    }
}
