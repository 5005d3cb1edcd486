// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The authors' own runs, from the CSV files of their scripts.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::data::TheirRun;
use crate::kit::samples::Samples;

/// The only class that the study shows.
const CLASS: &str = "C";

/// The footprint of class C in GB, by the study's table 1.
pub fn footprint(kernel: &str) -> Option<f64> {
    const TABLE: [(&str, f64); 9] = [
        ("bt", 0.675),
        ("cg", 0.869),
        ("ep", 0.007),
        ("ft", 5.014),
        ("is", 1.032),
        ("lu", 0.547),
        ("mg", 3.331),
        ("sp", 0.707),
        ("ua", 0.471),
    ];
    TABLE.iter().find(|(name, _)| *name == kernel).map(|(_, gigabytes)| *gigabytes)
}

/// All runs of class C in a folder's CSV files.
pub fn read(folder: &Path) -> Result<Vec<TheirRun>> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut files: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.sort();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "csv"));
    let mut runs = Vec::new();
    for file in files {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        runs.extend(parse(&name, &text).with_context(|| format!("{} is not as expected", file.display()))?);
    }
    if runs.is_empty() {
        bail!("{} has no CSV file with runs of class {CLASS}", folder.display());
    }
    drop_too_short(&mut runs);
    Ok(runs)
}

/// The runs of each repetition: the first of every cell, the second, and so on.
pub fn by_round(runs: Vec<TheirRun>) -> Vec<Vec<TheirRun>> {
    let mut rounds: Vec<Vec<TheirRun>> = Vec::new();
    for run in runs {
        let is_alike = |other: &TheirRun| {
            (&other.machine, &other.kernel, other.size_percent)
                == (&run.machine, &run.kernel, run.size_percent)
        };
        match rounds.iter_mut().find(|round| !round.iter().any(is_alike)) {
            Some(round) => round.push(run),
            None => rounds.push(vec![run]),
        }
    }
    rounds
}

/// `1G_06032025_144357.csv` is of the machine with 1 GB, `4G-DDR3_...` of the old one.
fn machine(file: &str) -> Option<String> {
    let (gigabytes, rest) = file.split_once('G')?;
    let old = if rest.starts_with("-DDR3") { ", DDR3" } else { "" };
    gigabytes.parse::<u32>().ok().map(|gigabytes| format!("{gigabytes} GB{old}"))
}

/// The runs of one file, which has titles in its first line and no comma within a field.
fn parse(file: &str, text: &str) -> Result<Vec<TheirRun>> {
    let machine = machine(file).context("its name does not begin with gigabytes, such as `4G`")?;
    let mut lines = text.lines().map(|line| line.split(',').map(|field| field.trim_matches(['"', ' '])));
    let titles: Vec<&str> = lines.next().context("it is empty")?.collect();
    let column = |title: &str| {
        titles.iter().position(|known| *known == title).with_context(|| format!("no column `{title}`"))
    };
    let columns = [
        column("Benchmark")?,
        column("Class")?,
        column("Zram % (gb)")?,
        column("End date")?,
        column("Duration")?,
    ];
    let mut runs = Vec::new();
    for fields in lines.map(Iterator::collect::<Vec<&str>>) {
        let [kernel, class, size, end, duration] =
            columns.map(|column| fields.get(column).copied().unwrap_or_default());
        if class == CLASS {
            let (percent, _) = size.split_once('%').context("a size that is no percentage")?;
            let seconds = if end.starts_with("ERRO") { None } else { seconds(duration) };
            let (machine, kernel) = (machine.clone(), kernel.to_owned());
            runs.push(TheirRun { machine, kernel, size_percent: percent.trim().parse()?, seconds });
        }
    }
    Ok(runs)
}

/// `16:31.01` or `1:16:31`.
fn seconds(duration: &str) -> Option<f64> {
    duration.split(':').try_fold(0.0, |sum, part| Some(60.0 * sum + part.parse::<f64>().ok()?))
}

/// A run that took less than half of the kernel's median was killed: the scripts take some of these for finished.
fn drop_too_short(runs: &mut [TheirRun]) {
    let known: Vec<(String, f64)> =
        runs.iter().filter_map(|run| Some((run.kernel.clone(), run.seconds?))).collect();
    for run in runs {
        let same = known.iter().filter(|(kernel, _)| *kernel == run.kernel).map(|(_, seconds)| *seconds);
        let median = Samples::of(same.collect()).map_or(0.0, |samples| samples.median);
        run.seconds = run.seconds.filter(|seconds| *seconds >= median / 2.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TITLES: &str =
        "Repetition,\"Start date\",\"End date\",Duration,Benchmark,\"Class\",\"Zram % (gb)\",\"Swaps\"";

    fn csv(lines: &[(&str, &str, &str, &str, &str)]) -> String {
        let line = |(end, took, kernel, class, size): &(&str, &str, &str, &str, &str)| {
            format!("1,\"a day\",\"{end}\",\"{took}\",\"{kernel}\",\"{class}\",\" {size} ( 0 gb)\",\"0\"\n")
        };
        lines.iter().fold(format!("{TITLES}\n"), |text, fields| text + &line(fields))
    }

    #[test]
    fn runs_are_read_with_their_machine() {
        let folder = tempfile::tempdir().unwrap();
        let text = csv(&[
            ("a day", "1:00.50", "mg", "C", "0%"),
            ("ERRO NA EXECUCAO", "0", "mg", "C", "25%"),
            ("a day", "0:00.00", "mg", "C", "50%"),
            ("a day", "9:00.00", "mg", "D", "50%"),
        ]);
        std::fs::write(folder.path().join("4G-DDR3_1.csv"), text).unwrap();
        std::fs::write(folder.path().join("8G_1.csv"), csv(&[("a day", "1:02", "mg", "C", "100%")])).unwrap();
        std::fs::write(folder.path().join("notes.md"), "nothing").unwrap();
        let runs = read(folder.path()).unwrap();
        let shown: Vec<_> =
            runs.iter().map(|run| (run.machine.as_str(), run.size_percent, run.seconds)).collect();
        let expected = [
            ("4 GB, DDR3", 0, Some(60.5)),
            ("4 GB, DDR3", 25, None),
            ("4 GB, DDR3", 50, None),
            ("8 GB", 100, Some(62.0)),
        ];
        assert_eq!(shown, expected);
    }

    #[test]
    fn repetitions_of_a_cell_are_rounds() {
        let run = |kernel: &str, seconds| TheirRun {
            machine: "4 GB".to_owned(),
            kernel: kernel.to_owned(),
            size_percent: 25,
            seconds: Some(seconds),
        };
        let rounds = by_round(vec![run("is", 1.0), run("is", 2.0), run("mg", 3.0)]);
        assert_eq!(rounds, [vec![run("is", 1.0), run("mg", 3.0)], vec![run("is", 2.0)]]);
    }

    #[test]
    fn files_of_another_form_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        assert!(read(folder.path()).unwrap_err().to_string().contains("no CSV file"));
        std::fs::write(folder.path().join("4G.csv"), "one,two\n1,2\n").unwrap();
        assert!(format!("{:#}", read(folder.path()).unwrap_err()).contains("no column `Benchmark`"));
    }
}
