// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The report for people.

use comfy_table::Table;

use super::report::{ArmResult, Comparison, OffReport, WorkloadResult};
use crate::kit::samples::Samples;
use crate::kit::table::{markdown, right_aligned};

/// Two tables, by the clock and by CPU time, and how to read them.
pub fn render(report: &OffReport) -> String {
    let time = table(report, |arm| &arm.seconds, |workload| &workload.time, &report.mean_time);
    let cpu = table(report, |arm| &arm.cpu_seconds, |workload| &workload.cpu, &report.mean_cpu);
    format!(
        "Seconds by the clock\n\n{time}\n\nSeconds of CPU time, all threads\n\n{cpu}\n\n\
         Medians of {} rounds on {} CPUs; arms took turns. Quotients are of runs of the same round: median (least .. most). \
         {}",
        report.rounds,
        report.cpus,
        report.options.join(" ")
    )
}

fn table(
    report: &OffReport,
    seconds: fn(&ArmResult) -> &Samples,
    compared: fn(&WorkloadResult) -> &[Comparison],
    mean: &[Comparison],
) -> Table {
    let arms: Vec<&str> =
        report.workloads.iter().take(1).flat_map(|first| &first.arms).map(|arm| arm.arm.as_str()).collect();
    let mut table = markdown(header(&arms, mean));
    for workload in &report.workloads {
        let seconds = workload.arms.iter().map(|arm| format!("{:.3}", seconds(arm).median));
        table.add_row(row(&workload.workload, seconds, compared(workload)));
    }
    table.add_row(row("geometric mean", arms.iter().map(|_| String::new()), mean));
    right_aligned(table, 1)
}

fn header(arms: &[&str], compared: &[Comparison]) -> Vec<String> {
    let mut titles = vec!["workload".to_owned()];
    titles.extend(arms.iter().map(|arm| (*arm).to_owned()));
    for arm in compared {
        titles.push(format!("{} / stock", arm.arm));
        if arm.verdict.is_some() {
            titles.extend(["chance", "verdict"].map(str::to_owned));
        }
    }
    titles
}

fn row(name: &str, seconds: impl Iterator<Item = String>, compared: &[Comparison]) -> Vec<String> {
    let mut cells = vec![name.to_owned()];
    cells.extend(seconds);
    for arm in compared {
        let Samples { median, min, max, .. } = arm.quotient;
        cells.push(format!("{median:.3} ({min:.3} .. {max:.3})"));
        if let Some((chance, verdict)) = arm.chance.zip(arm.verdict) {
            cells.extend([format!("{chance:.3}"), verdict.words().to_owned()]);
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::off::report::tests::runs;

    #[test]
    fn the_tables_show_each_workload_beside_its_noise() {
        let slower = runs("maps", &[2.0; 4], &[2.2; 4], &[2.02, 2.0, 1.98, 2.0]);
        let same = runs("text", &[1.0; 4], &[1.0; 4], &[1.0; 4]);
        let report = OffReport::of(4, &["-Xmx768m".to_owned()], &[slower, same]);
        let text = render(&report);
        let cells = |number: usize, name: &str| -> Vec<String> {
            let line = text.lines().filter(|line| line.starts_with(&format!("| {name} "))).nth(number);
            line.unwrap_or_else(|| panic!("{name} in\n{text}"))
                .split('|')
                .map(|cell| cell.trim().to_owned())
                .collect()
        };
        let expected = [
            "maps",
            "2.000",
            "2.200",
            "2.000",
            "1.100 (1.100 .. 1.100)",
            "0.025",
            "slower",
            "1.000 (0.990 .. 1.010)",
        ];
        assert_eq!(cells(0, "maps")[1..9], expected);
        assert_eq!(cells(1, "maps")[2..4], ["1.000", "1.100"], "CPU time");
        assert_eq!(cells(0, "text")[6..8], ["1.000", "within noise"]);
        assert_eq!(
            cells(0, "geometric mean")[1..6],
            ["geometric mean", "", "", "", "1.049 (1.049 .. 1.049)"]
        );
        assert_eq!(cells(0, "workload")[2..6], ["stock", "view", "stock-again", "view / stock"]);
        assert!(text.contains("Medians of 4 rounds") && text.ends_with("-Xmx768m"), "{text}");
    }
}
