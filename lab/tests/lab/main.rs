// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera lab`, at a scale whose numbers mean nothing.

mod bad_input;
mod experiments;
mod fixture;
mod interrupt;

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
    lab.look_at("codec");
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
