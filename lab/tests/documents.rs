// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Tables in documents that every machine prints alike are those of today's program.

use std::path::Path;
use std::process::Command;

/// The comment above a table, up to the arguments of `ztera`.
const PRINTED_BY: &str = "<!-- printed by: build/ztera sim ";

#[test]
fn tables_of_the_simulator_are_fresh() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate lies in the repository");
    let path = root.join("docs/performance.md");
    let old = std::fs::read_to_string(&path).expect("the document is there");
    let parts: Vec<&str> = old.split(PRINTED_BY).collect();
    assert!(parts.len() > 1, "no table of the simulator is in {}", path.display());
    let mut fresh = parts[0].to_owned();
    for part in &parts[1..] {
        let (trace, rest) = part.split_once(" -->\n").expect("the comment ends in its line");
        let rest = rest.find("\n\n").map_or("", |end| &rest[end..]);
        fresh += &format!("{PRINTED_BY}{trace} -->\n{}{rest}", table(root, trace));
    }
    if std::env::var_os("ZTERA_BLESS").is_some() {
        std::fs::write(&path, &fresh).expect("the document can be written");
    }
    assert!(
        old == fresh,
        "{} is stale: run `ZTERA_BLESS=1 cargo test -p ztera-lab --test documents` and commit it",
        path.display()
    );
}

/// `docs/verdicts.md` has every claim of today's code, with the source and the value that it expects. A laboratory's
/// run gives the rest, which is not compared.
#[test]
fn verdicts_are_of_the_form_that_the_command_prints() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate lies in the repository");
    let kept = std::fs::read_to_string(root.join("docs/verdicts.md")).expect("the document is there");
    let folder = tempfile::tempdir().expect("a folder without samples");
    let output = Command::new(env!("CARGO_BIN_EXE_ztera-lab"))
        .args(["lab", "verdicts", "--out"])
        .arg(folder.path())
        .output()
        .expect("the command runs");
    let printed = String::from_utf8(output.stdout).expect("the document is text");
    let (kept_form, form) = (form(&kept), form(&printed));
    let other = kept_form.iter().zip(&form).find(|(kept, printed)| kept != printed);
    assert_eq!(other, None, "run `make verdicts`");
    assert_eq!(kept_form.len(), form.len(), "run `make verdicts`");
    for row in
        kept.lines().map(cells).filter(|row| row.len() == CLAIM && row[4] != "verdict" && row[4] != "---")
    {
        let has_value = ["confirmed", "refuted", "too noisy to say"].contains(&row[4]);
        let has_none = ["not testable here", "not measured"].contains(&row[4]);
        assert!(if row[3].is_empty() { has_none } else { has_value }, "{row:?}");
    }
}

/// `lab list` counts claims of benchmarks. Each of these benchmarks runs all of its arms in the quick form, so a claim
/// that it leaves open would be one that no run can judge.
#[test]
fn claims_of_benchmarks_are_judged_by_the_quick_form() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate lies in the repository");
    let kept = std::fs::read_to_string(root.join("docs/verdicts.md")).expect("the document is there");
    for name in ["codec", "engine", "disk", "pauses", "off"] {
        let (_, rest) = kept.split_once(&format!("\n## {name}\n")).expect("it has a section");
        let section = rest.split("\n## ").next().unwrap_or_default();
        let rows: Vec<_> = section.lines().map(cells).filter(|row| row.len() == CLAIM).skip(2).collect();
        let open: Vec<_> = rows.iter().filter(|row| row[3].is_empty()).collect();
        assert!(!rows.is_empty() && open.is_empty(), "{name}: {open:?}");
    }
}

/// README has the sum of the table of verdicts.
#[test]
fn readme_has_the_sums_of_the_verdicts() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate lies in the repository");
    let read = |name: &str| std::fs::read_to_string(root.join(name)).expect("the document is there");
    let verdicts = read("docs/verdicts.md");
    let rows = verdicts.lines().filter(|line| line.starts_with("| [")).map(cells);
    let mut sums = [0; 5];
    for row in rows {
        let counts = row[1..].iter().map(|count| count.parse::<u32>().expect("a count"));
        sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
    }
    let [confirmed, refuted, open @ ..] = sums;
    let total = confirmed + refuted + open.iter().sum::<u32>();
    let words = format!("of {total} claims, {confirmed} are confirmed and {refuted} refuted");
    let (path, old) = (root.join("README.md"), read("README.md"));
    let (begin, rest) = old.split_once("[docs/verdicts.md](docs/verdicts.md): ").expect("README names them");
    let (_, end) = rest.split_once(';').expect("more follows in the line");
    let fresh = format!("{begin}[docs/verdicts.md](docs/verdicts.md): {words};{end}");
    if std::env::var_os("ZTERA_BLESS").is_some() {
        return std::fs::write(&path, &fresh).expect("README can be written");
    }
    assert!(
        old == fresh,
        "README is stale: run `ZTERA_BLESS=1 cargo test -p ztera-lab --test documents` and commit it"
    );
}

/// Cells of a claim's row.
const CLAIM: usize = 5;

fn cells(line: &str) -> Vec<&str> {
    let row = line.strip_prefix('|').and_then(|row| row.strip_suffix('|'));
    row.map_or_else(Vec::new, |row| row.split('|').map(str::trim).collect())
}

/// All lines, without what a run gives: measured values, verdicts, their numbers, and machines.
fn form(text: &str) -> Vec<String> {
    let line = |line: &str| match cells(line)[..] {
        [claim, source, expected, ..] if cells(line).len() == CLAIM => [claim, source, expected].join(" | "),
        [experiment, ..] => experiment.to_owned(),
        [] if line.starts_with("Measured ") || line.starts_with("Not measured") => "measured".to_owned(),
        [] => line.to_owned(),
    };
    text.lines().map(line).collect()
}

/// The table that `ztera sim` prints for a trace, without the line above it.
fn table(root: &Path, trace: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_ztera-lab"))
        .args(["sim", trace])
        .current_dir(root)
        .output()
        .expect("the command runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let printed = String::from_utf8(output.stdout).expect("the report is text");
    let lines: Vec<&str> = printed.lines().filter(|line| line.starts_with('|')).collect();
    lines.join("\n")
}
