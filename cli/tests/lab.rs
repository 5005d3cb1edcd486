// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera lab`, at a scale whose numbers mean nothing.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use ztera_machine::cgroup::place;

/// A run in a folder of its own, where temporary files lie too.
struct Lab {
    folder: tempfile::TempDir,
}

impl Lab {
    fn new() -> Lab {
        Lab { folder: tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap() }
    }

    fn out(&self) -> PathBuf {
        self.folder.path().join("lab")
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ztera"));
        command.env_remove("ZTERA_HOME").env("TMPDIR", self.folder.path());
        command.arg("lab").args(arguments).arg("--out").arg(self.out()).arg("--ssd").arg(self.folder.path());
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Each step of an experiment that is kept.
    fn steps(&self, experiment: &str) -> Vec<String> {
        let text = fs::read_to_string(self.out().join(experiment).join("samples.jsonl")).unwrap_or_default();
        let samples = text.lines().skip(1).map(|line| serde_json::from_str::<Value>(line).unwrap());
        samples.map(|sample| sample["step"].as_str().unwrap().to_owned()).collect()
    }

    fn verdicts(&self) -> Vec<Value> {
        serde_json::from_slice(&fs::read(self.out().join("verdicts.json")).unwrap()).unwrap()
    }

    fn page(&self) -> String {
        fs::read_to_string(self.out().join("report.html")).unwrap()
    }

    /// Fails if a mount is left.
    fn assert_clean(&self) {
        let mounts = fs::read_to_string("/proc/mounts").unwrap();
        let own = self.folder.path().to_str().unwrap();
        assert!(!mounts.contains(own), "a mount stays:\n{mounts}");
    }
}

fn words(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// Says what is missing, if an experiment cannot be run here.
fn can_measure(lab: &Lab, experiment: &str) -> bool {
    let output = lab.command(&["list", "--json"]).output().unwrap();
    let list: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
    let entry = list.iter().find(|entry| entry["name"] == experiment).unwrap();
    let missing = entry["missing"].as_array().unwrap();
    if !missing.is_empty() {
        println!("SKIPPED: {experiment}: {missing:?}");
    }
    missing.is_empty()
}

#[test]
fn the_list_has_questions_sources_and_minutes() {
    let output = Lab::new().run(&["list", "--json"]);
    assert!(output.status.success(), "{}", words(&output));
    let list: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
    let names: BTreeSet<&str> = list.iter().map(|entry| entry["name"].as_str().unwrap()).collect();
    for name in ["zram-device", "codec", "engine", "defaults", "pauses", "tiers", "off", "disk"] {
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
    let page = lab.page();
    assert!(page.contains("<svg") && page.contains("not testable here") && page.contains("Losing cases"));
    assert!(page.contains("`ztera lab run off`") || page.contains("is missing: make it"), "{page}");
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

#[test]
fn zram_goes_on_after_an_interrupt_and_leaves_nothing_behind() {
    let lab = Lab::new();
    if !can_measure(&lab, "zram-device") {
        return;
    }
    let error = interrupt_at_step(&lab, 4);
    assert!(error.contains("interrupted"), "{error}");
    lab.assert_clean();
    let before = lab.steps("zram-device");
    assert!(before.len() >= 2, "{before:?}");
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
fn web_applications_are_served_in_every_arm() {
    let lab = Lab::new();
    if !can_measure(&lab, "oversubscription") {
        return;
    }
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
