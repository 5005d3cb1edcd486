// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Experiments that take a machine: swap, zram, other people's programs.

use std::fs;

use serde_json::Value;

use super::fixture::{Lab, assert_came_to_its_end, cgroups, swapping, words};

/// The notes' text recommends zstd, their score lz4: on their own table the one is confirmed, the other refuted.
#[test]
fn tune_repeats_the_notes_and_shows_their_contradiction() {
    let lab = Lab::new();
    let Some(_only) = swapping() else { return };
    let output = lab.run(&["run", "tune", "--tiny"]);
    assert_came_to_its_end(&output);
    lab.assert_nothing_is_left();
    let verdicts = lab.verdicts();
    let verdict = |beginning: &str| {
        let claim = verdicts.iter().find(|it| it["claim"].as_str().unwrap().starts_with(beginning));
        claim.map(|it| (it["verdict"].as_str().unwrap(), it["measured"].as_f64())).unwrap()
    };
    assert_eq!(verdict("The score of the notes' table"), ("confirmed", Some(1.0)));
    assert_eq!(verdict("The text recommends zstd"), ("refuted", Some(8.0)));
    assert_eq!(verdict("`ztera tune --apply`"), ("confirmed", Some(1.0)));
    let page = lab.page();
    for part in
        ["The notes advise zstd with page-cluster 0", "etc/ztera/h2.flags", "H2 here, synthetic objects"]
    {
        assert!(page.contains(part), "{part} is missing in the page");
    }
}

/// One program of another's, at one moment, in all kinds of dumps.
#[test]
fn heaps_of_a_program_are_dumped_and_judged() {
    let lab = Lab::new();
    if !lab.can_run("heap-compressibility") {
        return;
    }
    let output = lab.run(&["run", "heap-compressibility", "--tiny"]);
    assert_came_to_its_end(&output);
    assert_eq!(lab.steps("heap-compressibility"), ["the SSD", "text-index", "text-index, H2"]);
    let page = lab.page();
    for part in ["figure 4.12", "figure 4.13", "figure 4.17", "table 4.8", "long-lived, direct", "load 95 %"]
    {
        assert!(page.contains(part), "{part} is missing in the page");
    }
    let verdicts = lab.verdicts();
    let open = verdicts.iter().find(|it| it["claim"].as_str().unwrap().starts_with("So do data that"));
    assert!(open.unwrap()["measured"].as_f64().is_some_and(|quotient| quotient > 0.1), "{open:?}");
}

#[test]
fn qzram_measures_devices_and_lets_redis_grow_until_memory_ends_it() {
    let lab = Lab::new();
    if !lab.can_run("qzram") {
        return;
    }
    let Some(_only) = swapping() else { return };
    let output = lab.run(&["run", "qzram", "--tiny"]);
    assert_came_to_its_end(&output);
    lab.assert_nothing_is_left();
    let samples = lab.samples("qzram");
    let of = |step: &str| {
        let found = samples.iter().rfind(|sample| sample["step"] == step);
        found.unwrap_or_else(|| panic!("{step} was not taken: {}", words(&output)))
    };
    for arm in ["zram-lzo by calls", "zram-lzo by fio", "ours-model by calls", "ours-model by fio and NBD"] {
        let outcome = &of(&format!("{arm}, 64 KiB, sequential, jobs 1"))["data"];
        assert!(outcome["density"]["objects"].as_f64() > Some(1.0), "{arm}: {outcome}");
    }
    let plain = &of("redis, no swap")["data"];
    // Instead of a kill the kernel may go round in the servers' own code, which it drops and reads again.
    assert!(["killed", "stopped"].contains(&plain["ending"].as_str().unwrap()), "{plain}");
    let held = plain["held_bytes"].as_u64();
    assert!(held > Some(8 << 20) && held < Some(32 << 20), "{plain}");
    let rounds = samples.iter().filter(|sample| {
        sample["step"].as_str().is_some_and(|step| step.starts_with("redis, GET after all SETs, no swap"))
    });
    let endings: Vec<_> = rounds.map(|sample| &sample["data"]["ending"]).collect();
    assert_eq!(endings, ["finished"; 3]);
    assert!(lab.page().contains("figure 11"));
    let swapped = of("redis, swap on zram-lzo");
    if let Some(reason) = swapped["missing"].as_str() {
        assert!(reason.contains("swaps to"), "{reason}");
        println!("SKIPPED: swap on zram: {reason}");
        return;
    }
    assert!(swapped["data"]["held_bytes"].as_u64() > held, "{swapped}");
    let verdicts = lab.verdicts();
    let swap =
        verdicts.iter().find(|verdict| verdict["claim"].as_str().unwrap().starts_with("On zram, Redis"));
    assert_eq!(swap.unwrap()["verdict"], "confirmed", "{swap:?}");
}

#[test]
fn web_applications_are_served_in_every_arm() {
    let lab = Lab::new();
    if !lab.can_run("oversubscription") {
        return;
    }
    let Some(_only) = swapping() else { return };
    let output = lab.run(&["run", "oversubscription", "--tiny"]);
    assert!(output.status.success(), "{}", words(&output));
    let text = fs::read_to_string(lab.out().join("oversubscription/samples.jsonl")).unwrap();
    let samples: Vec<Value> = text.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(samples.len(), 5, "{}", words(&output));
    for sample in &samples {
        let served = &sample["data"]["served"];
        assert!(served["load"]["requests"].as_u64() > Some(0), "{sample:#}");
        assert_eq!((&served["load"]["failed"], &served["looked_at"]), (&0.into(), &1.into()), "{sample:#}");
        assert_eq!(served["pinned_bytes"] != 0, sample["data"]["point"]["pinned"] == true, "{sample:#}");
        let second_heap = sample["step"].as_str().unwrap().contains("H2");
        assert_eq!(served["h2_used_bytes"] != 0, second_heap, "{sample:#}");
    }
    lab.assert_nothing_is_left();
    assert!(cgroups("oversubscription").is_empty());
    assert!(lab.page().contains("Bytes per request"), "the page shows the experiment");
}

/// A sweep over a machine of the study, and over a limit below the kernel's footprint.
#[test]
fn a_kernel_is_swept_and_judged() {
    let lab = Lab::new();
    if !lab.can_run("disksize") {
        return;
    }
    let Some(_only) = swapping() else { return };
    let output = lab.run(&["run", "disksize", "--tiny"]);
    assert!(output.status.success(), "{}", words(&output));
    let samples = lab.samples("disksize");
    let cells: Vec<&Value> =
        samples.iter().filter(|sample| sample["data"]["size_percent"].is_u64()).collect();
    assert_eq!(cells.len(), 4, "{}", words(&output));
    let starved =
        cells.iter().find(|cell| cell["step"] == "is W, 60 % of DRAM, zram lzo-rle of 0 %, round 1");
    assert_eq!(starved.map(|cell| &cell["data"]["ending"]), Some(&"killed".into()), "{cells:#?}");
    assert!(lab.page().contains("plot-disksize"), "the page has a heat map");
    lab.assert_nothing_is_left();
    assert!(cgroups("disksize").is_empty());
}

/// The output of `ztera bench` becomes samples, verdicts and plots.
#[test]
fn benchmarks_are_experiments() {
    let lab = Lab::new();
    for name in ["disk", "engine", "off", "pauses", "tiers", "defaults"] {
        if !lab.can_run(name) {
            continue;
        }
        let output = lab.run(&["run", name, "--tiny"]);
        assert!(output.status.success(), "{}", words(&output));
        let samples = lab.samples(name);
        assert!(!samples.is_empty() && samples.iter().all(|it| it["data"].is_object()), "{samples:#?}");
        let verdicts = lab.verdicts();
        let measured = verdicts.iter().filter(|it| it["experiment"] == name && it["measured"].is_f64());
        assert!(measured.count() > 0, "{name}: {}", words(&output));
        assert!(lab.page().contains(&format!("id=\"plot-{name}\"")), "{name} has no plot");
    }
}
