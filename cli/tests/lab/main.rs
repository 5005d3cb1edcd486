// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera lab`, at a scale whose numbers mean nothing.

mod experiments;
mod fixture;

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use fixture::{Lab, words};

#[test]
fn the_list_has_questions_sources_and_minutes() {
    let output = Lab::new().run(&["list", "--json"]);
    assert!(output.status.success(), "{}", words(&output));
    let list: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
    let names: BTreeSet<&str> = list.iter().map(|entry| entry["name"].as_str().unwrap()).collect();
    let wanted = ["zram-device", "codec", "engine", "defaults", "pauses", "tiers", "off", "disk", "tune"];
    for name in wanted {
        assert!(names.contains(name), "{name} in {names:?}");
    }
    for entry in &list {
        assert!(entry["claims"].as_u64() > Some(0) && entry["minutes"]["quick"].is_u64(), "{entry}");
    }
}

#[test]
fn an_experiment_leaves_samples_verdicts_and_a_page() {
    let lab = Lab::new();
    let output = lab.run(&["run", "codec", "--tiny"]);
    assert!(output.status.success(), "{}", words(&output));
    assert_eq!(lab.steps("codec").len(), 1);
    let verdicts = lab.verdicts();
    let own: Vec<&Value> = verdicts.iter().filter(|verdict| verdict["experiment"] == "codec").collect();
    assert!(!own.is_empty() && own.iter().all(|verdict| verdict["verdict"] == "confirmed"), "{own:?}");
    for field in ["claim", "source", "expected", "measured", "tolerance", "verdict"] {
        assert!(verdicts.iter().all(|verdict| verdict.get(field).is_some()), "{field}");
    }
    let others = verdicts.iter().filter(|verdict| verdict["experiment"] != "codec");
    for other in others {
        let unknown = ["not-measured", "not-testable-here"].iter().any(|&word| other["verdict"] == word);
        assert!(unknown && other["measured"].is_null() && other["reason"].is_string(), "{other}");
    }
    let page = lab.page();
    assert!(page.contains("<svg") && page.contains("not measured") && page.contains("Losing cases"));
    assert!(page.contains("`ztera lab run off`") || page.contains("is missing: make it"), "{page}");
    // People see no line for what was not run, but its name.
    let said = words(&output);
    assert!(said.contains("Not run yet: ") && !said.contains("not measured"), "{said}");
}

#[test]
fn a_report_is_made_anew_of_samples_alone() {
    let lab = Lab::new();
    lab.run(&["run", "codec", "--tiny"]);
    let page = lab.page();
    for file in ["report.html", "verdicts.json"] {
        fs::remove_file(lab.out().join(file)).unwrap();
    }
    let output = lab.run(&["report"]);
    assert!(output.status.success(), "{}", words(&output));
    assert_eq!(lab.page(), page);
}

#[test]
fn an_unknown_experiment_is_one_clear_line() {
    let output = Lab::new().run(&["run", "no-such"]);
    assert!(!output.status.success());
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(error.lines().count(), 1, "{error}");
    assert!(error.contains("there is no experiment `no-such`") && error.contains("zram-device"), "{error}");
}

#[test]
fn a_missing_program_is_one_clear_line() {
    let lab = Lab::new();
    let output = lab.command(&["run", "zram-device", "--tiny"]).env("PATH", "").output().unwrap();
    assert!(!output.status.success());
    let words = words(&output);
    assert!(words.contains("fio is missing: install it with `apt-get install fio`"), "{words}");
    assert!(lab.steps("zram-device").is_empty());
}
