// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Experiments that take a machine: swap, zram, other people's programs.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use ztera_machine::cgroup::place;

use super::fixture::{Lab, words};

/// Held by a test that swaps: only one can.
static SWAP: Mutex<()> = Mutex::new(());

/// The seed's text recommends zstd, its score lz4: on its own table the one is confirmed, the other refuted.
#[test]
fn tune_repeats_the_seed_and_shows_its_contradiction() {
    let lab = Lab::new();
    let output = lab.run(&["run", "tune", "--tiny"]);
    assert!(output.status.success(), "{}", words(&output));
    let verdicts = lab.verdicts();
    let verdict = |beginning: &str| {
        let claim = verdicts.iter().find(|it| it["claim"].as_str().unwrap().starts_with(beginning));
        claim.map(|it| (it["verdict"].as_str().unwrap(), it["measured"].as_f64())).unwrap()
    };
    assert_eq!(verdict("The score of the seed's table"), ("confirmed", Some(1.0)));
    assert_eq!(verdict("The text recommends zstd"), ("refuted", Some(8.0)));
    assert_eq!(verdict("`ztera tune --apply`"), ("confirmed", Some(1.0)));
    let page = lab.page();
    for part in
        ["The seed advises zstd with page-cluster 0", "etc/ztera/h2.flags", "H2 here, synthetic objects"]
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
    assert!(output.status.success(), "{}", words(&output));
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
fn zram_goes_on_after_an_interrupt_and_leaves_nothing_behind() {
    let lab = Lab::new();
    if !lab.can_run("zram-device") {
        return;
    }
    let error = interrupt_at_step(&lab, 4);
    assert!(error.contains("interrupted"), "{error}");
    lab.assert_clean();
    let before = lab.steps("zram-device");
    assert!(before.len() >= 2, "{before:?}");
    let said = words(&lab.run(&["report"]));
    assert!(said.contains("as a run ended early"), "{said}");
    let verdicts = lab.verdicts();
    let own = verdicts.iter().filter(|verdict| verdict["experiment"] == "zram-device");
    assert!(own.clone().all(|verdict| verdict["verdict"] != "not-testable-here"), "{verdicts:?}");
    assert!(own.into_iter().any(|verdict| verdict["verdict"] == "not-measured"), "{verdicts:?}");
    let output = lab.run(&["run", "zram-device", "--tiny"]);
    assert!(output.status.success(), "{}", words(&output));
    lab.assert_clean();
    let after = lab.steps("zram-device");
    assert_eq!(after[..before.len()], before);
    assert_eq!(after.iter().collect::<BTreeSet<_>>().len(), after.len(), "a step was taken twice: {after:?}");
    assert!(words(&output).contains(&format!("{} were done before", before.len())), "{}", words(&output));
    let page = lab.page();
    for part in ["figure 4.1", "tables 4.5 to 4.7", "Hypothesis 2", "scale tiny", "kernel"] {
        assert!(page.contains(part), "{part} is missing in the page");
    }
    look(&lab.out().join("report.html"));
}

#[test]
fn qzram_measures_devices_and_lets_redis_grow_until_the_kernel_ends_it() {
    let lab = Lab::new();
    if !lab.can_run("qzram") {
        return;
    }
    let _only = SWAP.lock();
    let output = lab.run(&["run", "qzram", "--tiny"]);
    assert!(output.status.success(), "{}", words(&output));
    lab.assert_clean();
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
    assert_eq!(plain["ending"], "killed", "{plain}");
    let held = plain["held_bytes"].as_u64();
    assert!(held > Some(8 << 20) && held < Some(32 << 20), "{plain}");
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
    let _only = SWAP.lock();
    wait_for_swap();
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
    nothing_is_left(&lab);
    assert!(lab.page().contains("Bytes per request"), "the page shows the experiment");
}

/// Another test of this machine may swap for a moment.
fn wait_for_swap() {
    let swaps = || fs::read_to_string("/proc/swaps").unwrap().lines().count() > 1;
    let start = Instant::now();
    while swaps() && start.elapsed() < Duration::from_secs(60) {
        thread::sleep(Duration::from_millis(100));
    }
}

/// Neither swap, nor a cgroup, nor a file.
fn nothing_is_left(lab: &Lab) {
    let own = lab.folder.path().to_str().unwrap();
    assert!(!fs::read_to_string("/proc/swaps").unwrap().contains(own), "swap stays");
    for place in place::places() {
        let names = fs::read_dir(&place.dir).unwrap().flatten().map(|entry| entry.file_name());
        let left: Vec<_> =
            names.filter(|name| name.to_string_lossy().ends_with("-oversubscription")).collect();
        assert!(left.is_empty(), "{left:?} in {}", place.dir.display());
    }
    let names = fs::read_dir(lab.folder.path()).unwrap().flatten().map(|entry| entry.file_name());
    assert!(names.into_iter().all(|name| !name.to_string_lossy().starts_with("ztera-")), "files stay");
}

/// Sends SIGINT when the step of that number begins; returns what the command said.
fn interrupt_at_step(lab: &Lab, step: usize) -> String {
    let mut command = lab.command(&["run", "zram-device", "--tiny"]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let start = format!("zram-device: step {step} ");
    let mut said = String::new();
    for line in BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok) {
        if line.starts_with(&start) {
            let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
            assert!(sent.success());
        }
        said += &line;
        said.push('\n');
    }
    assert!(!child.wait().unwrap().success(), "{said}");
    said
}

/// A browser without a screen reads the page, if there is one.
fn look(page: &Path) {
    let options = ["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=5000", "--dump-dom"];
    let browser = Command::new("chromium")
        .args(options)
        .arg(format!("--user-data-dir={}", page.with_file_name("browser").display()))
        .arg(format!("file://{}", page.display()))
        .output();
    let Ok(browser) = browser else {
        println!("SKIPPED: no browser looks at the report: install it with `apt-get install chromium`");
        return;
    };
    let seen = String::from_utf8_lossy(&browser.stdout);
    assert!(browser.status.success(), "{}", String::from_utf8_lossy(&browser.stderr));
    for part in ["id=\"summary\"", "id=\"losing\"", "id=\"zram-device\"", "<svg", "class=\"verdicts\""] {
        assert!(seen.contains(part), "the browser does not see {part}");
    }
}
