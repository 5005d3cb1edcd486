// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Numbers for Prometheus, judged by its own tool where there is one.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The text format of Prometheus: the sum of all samples by name. Panics at lines that it does not have.
pub fn parse(text: &str) -> BTreeMap<String, f64> {
    let (mut values, mut kinds) = (BTreeMap::new(), BTreeMap::new());
    for line in text.lines() {
        if let Some(kind) = line.strip_prefix("# TYPE ") {
            let (name, kind) = kind.split_once(' ').expect("a kind");
            assert!(kinds.insert(name.to_owned(), kind.to_owned()).is_none(), "{name} has two kinds");
        } else if !line.starts_with("# HELP ") && !line.starts_with("# UNIT ") && line != "# EOF" {
            let (series, value) = line.rsplit_once(' ').expect("a value");
            let name = series.split('{').next().expect("a name");
            let parts = ["_total", "_bucket", "_sum", "_count"];
            let mut families = parts.iter().filter_map(|part| name.strip_suffix(part));
            let family = families.find(|it| kinds.contains_key(*it)).unwrap_or(name);
            assert!(kinds.contains_key(family), "{name} has no kind");
            *values.entry(name.to_owned()).or_insert(0.0) += value.parse::<f64>().expect("a number");
        }
    }
    values
}

/// A program of Prometheus: the one that scripts/prometheus.sh fetched, or an installed one. None where there is
/// neither, which is said.
pub fn program(name: &str) -> Option<PathBuf> {
    let fetched = Path::new(env!("CARGO_MANIFEST_DIR")).join("../build/prometheus").join(name);
    let path = if fetched.exists() { fetched } else { name.into() };
    if Command::new(&path).arg("--version").output().is_ok() {
        return Some(path);
    }
    let _ =
        writeln!(io::stderr(), "SKIPPED, not judged by {name}: scripts/prometheus.sh fetches it on Debian");
    None
}

/// Lets `promtool check` judge `text`, which is of this kind: `metrics` or `rules`. It finds breaches of Prometheus's
/// conventions too.
pub fn check(kind: &str, text: &str) {
    let Some(promtool) = program("promtool") else { return };
    let mut promtool = Command::new(promtool)
        .args(["check", kind])
        .args((kind == "rules").then_some("/dev/stdin"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it was there");
    promtool.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("it reads");
    let output = promtool.wait_with_output().expect("it is a child");
    let said = [output.stdout, output.stderr].map(|it| String::from_utf8_lossy(&it).into_owned()).concat();
    let fine = if kind == "rules" { said.contains("SUCCESS") } else { said.is_empty() };
    assert!(output.status.success() && fine, "{said}");
}
