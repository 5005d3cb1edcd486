// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A laboratory for one test.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

/// A laboratory in a folder of its own, where temporary files lie too.
pub struct Lab {
    pub folder: tempfile::TempDir,
}

impl Lab {
    /// An empty one.
    pub fn new() -> Lab {
        Lab { folder: tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap() }
    }

    /// The folder of samples and report.
    pub fn out(&self) -> PathBuf {
        self.folder.path().join("lab")
    }

    /// `ztera lab` with these arguments.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ztera"));
        command.env_remove("ZTERA_HOME").env("TMPDIR", self.folder.path());
        command.arg("lab").args(arguments).arg("--out").arg(self.out()).arg("--ssd").arg(self.folder.path());
        command
    }

    /// Runs `ztera lab` to its end.
    pub fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// All samples of an experiment that are kept.
    pub fn samples(&self, experiment: &str) -> Vec<Value> {
        let text = fs::read_to_string(self.out().join(experiment).join("samples.jsonl")).unwrap_or_default();
        text.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// Each step of them.
    pub fn steps(&self, experiment: &str) -> Vec<String> {
        let samples = self.samples(experiment);
        samples.iter().map(|sample| sample["step"].as_str().unwrap().to_owned()).collect()
    }

    /// All of `verdicts.json`.
    pub fn verdicts(&self) -> Vec<Value> {
        serde_json::from_slice(&fs::read(self.out().join("verdicts.json")).unwrap()).unwrap()
    }

    /// The report.
    pub fn page(&self) -> String {
        fs::read_to_string(self.out().join("report.html")).unwrap()
    }

    /// Says what is missing, if an experiment cannot run here at the scale of tests, which needs no data of others.
    pub fn can_run(&self, experiment: &str) -> bool {
        let output = self.run(&["list", "--json"]);
        let list: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
        let entry = list.iter().find(|entry| entry["name"] == experiment).unwrap();
        let lines = entry["missing"].as_array().unwrap().iter().filter_map(Value::as_str);
        let missing: Vec<&str> = lines.filter(|line| !line.contains("corpus there")).collect();
        if !missing.is_empty() {
            println!("SKIPPED: {experiment}: {missing:?}");
        }
        missing.is_empty()
    }

    /// Fails if a mount is left.
    pub fn assert_clean(&self) {
        let mounts = fs::read_to_string("/proc/mounts").unwrap();
        let own = self.folder.path().to_str().unwrap();
        assert!(!mounts.contains(own), "a mount stays:\n{mounts}");
    }
}

/// All that a command said.
pub fn words(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}
