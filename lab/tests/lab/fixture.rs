// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A laboratory for one test.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use ztera_machine::cgroup::{group, place};
use ztera_measure::lease::{self, Lent};

/// The exit status of a run without data of some steps.
pub const STEPS_LEFT_OUT: i32 = 3;

/// Held by a test that swaps: only one can.
static SWAP: Mutex<()> = Mutex::new(());

/// For a test that swaps. It waits, as one in another process may swap for a moment, too. `None` where the system goes
/// on swapping to what is not ours: the test cannot run.
pub fn swapping() -> Option<MutexGuard<'static, ()>> {
    let only = SWAP.lock().unwrap_or_else(PoisonError::into_inner);
    let swaps = || fs::read_to_string("/proc/swaps").unwrap().lines().count() > 1;
    let start = Instant::now();
    while swaps() && start.elapsed() < Duration::from_secs(60) {
        thread::sleep(Duration::from_millis(100));
    }
    match swap_of_another() {
        None => Some(only),
        Some(path) => {
            println!(
                "SKIPPED, not tested: this system swaps to {path}: switch it off (swapoff) to test ours"
            );
            None
        }
    }
}

/// Swap that is on, and that no run of ours has a note of. A run switches off what a killed one has left.
fn swap_of_another() -> Option<String> {
    let ours = lease::noted();
    let swaps = fs::read_to_string("/proc/swaps").unwrap();
    let mut paths = swaps.lines().skip(1).filter_map(|line| line.split_whitespace().next());
    paths.find(|path| !ours.contains(&Lent::Swap(path.into()))).map(str::to_owned)
}

/// A laboratory in a folder of its own, where temporary files lie too.
pub struct Lab {
    pub folder: tempfile::TempDir,
    /// In that folder.
    pub ssd: PathBuf,
}

impl Lab {
    /// An empty one.
    pub fn new() -> Lab {
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let ssd = folder.path().to_owned();
        Lab { folder, ssd }
    }

    /// The folder of samples and report.
    pub fn out(&self) -> PathBuf {
        self.folder.path().join("lab")
    }

    /// `ztera lab` with these arguments.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ztera-lab"));
        command.env_remove("ZTERA_HOME").env("TMPDIR", self.folder.path());
        command.arg("lab").args(arguments).arg("--out").arg(self.out()).arg("--ssd").arg(&self.ssd);
        command
    }

    /// Runs `ztera lab` after a script of the shell, in a namespace of mounts. `$LAB` is the folder of this laboratory.
    pub fn run_after(&self, script: &str, arguments: &[&str]) -> Output {
        let own = self.command(arguments);
        let mut command = Command::new("unshare");
        command.args(["--mount", "sh", "-e", "-c", &format!("{script}\nexec \"$@\""), "sh"]);
        command.arg(own.get_program()).args(own.get_args());
        command.env_remove("ZTERA_HOME").env("TMPDIR", self.folder.path()).env("LAB", self.folder.path());
        command.output().unwrap()
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

    /// A browser without a screen reads the report, if there is one.
    pub fn look_at(&self, experiment: &str) {
        let options =
            ["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=5000", "--dump-dom"];
        let browser = Command::new("chromium")
            .args(options)
            .arg(format!("--user-data-dir={}", self.folder.path().join("browser").display()))
            .arg(format!("file://{}", self.out().join("report.html").display()))
            .output();
        let Ok(browser) = browser else {
            println!("SKIPPED: no browser looks at the report: install it with `apt-get install chromium`");
            return;
        };
        let seen = String::from_utf8_lossy(&browser.stdout);
        assert!(browser.status.success(), "{}", String::from_utf8_lossy(&browser.stderr));
        let section = format!("id=\"{experiment}\"");
        for part in ["id=\"summary\"", "id=\"losing\"", &section, "<svg", "class=\"verdicts\""] {
            assert!(seen.contains(part), "the browser does not see {part}");
        }
    }

    /// Says what is missing, if an experiment cannot run here at the scale of tests, which needs no data of others.
    pub fn can_run(&self, experiment: &str) -> bool {
        let output = self.run(&["list", "--json"]);
        let list: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
        let entry = list.iter().find(|entry| entry["name"] == experiment).unwrap();
        let lines = entry["missing"].as_array().unwrap().iter().filter_map(Value::as_str);
        let missing: Vec<&str> = lines.filter(|line| !line.contains("the Calgary corpus")).collect();
        if !missing.is_empty() {
            println!("SKIPPED: {experiment}: {missing:?}");
        }
        missing.is_empty()
    }

    /// Fails if swap, a mount or a file is left.
    pub fn assert_nothing_is_left(&self) {
        let own = self.folder.path().to_str().unwrap();
        for file in ["/proc/swaps", "/proc/mounts"] {
            let text = fs::read_to_string(file).unwrap();
            assert!(!text.contains(own), "{file}:\n{text}");
        }
        let names = fs::read_dir(&self.folder).unwrap().flatten().map(|entry| entry.file_name());
        let left: Vec<_> = names.filter(|name| name.to_string_lossy().starts_with("ztera-")).collect();
        assert!(left.is_empty(), "{left:?}");
    }
}

/// Folders of the cgroups of an experiment, whichever process made them.
pub fn cgroups(experiment: &str) -> Vec<PathBuf> {
    groups_that(|name| name.ends_with(&format!("-{experiment}")))
}

/// The folder of the cgroup of an experiment that this process runs, if it is there.
pub fn cgroup_of(process: u32, experiment: &str) -> Option<PathBuf> {
    groups_that(|name| name == format!("{}{process}-{experiment}", place::PREFIX)).pop()
}

fn groups_that(fits: impl Fn(&str) -> bool) -> Vec<PathBuf> {
    let folders = group::own().into_iter().filter_map(|group| fs::read_dir(group.dir).ok());
    let entries = folders.flat_map(|folder| folder.flatten());
    entries.filter(|entry| fits(&entry.file_name().to_string_lossy())).map(|entry| entry.path()).collect()
}

/// Fails unless a run came to its end. It may have left out steps that this machine cannot take.
pub fn assert_came_to_its_end(output: &Output) {
    assert!(matches!(output.status.code(), Some(0 | STEPS_LEFT_OUT)), "{}", words(output));
}

/// All that a command said.
pub fn words(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}
