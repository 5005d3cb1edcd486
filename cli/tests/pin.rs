// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera pin` of a process that has a jar open, and does nothing.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

use predicates::prelude::{PredicateBooleanExt, predicate::str::contains};
use serde_json::Value;

const PAGES: usize = 64;

fn ztera() -> assert_cmd::Command {
    assert_cmd::Command::cargo_bin("ztera").expect("the binary")
}

/// A file that a process has open, which waits until this is dropped.
struct Target {
    process: Child,
    jar: PathBuf,
    _folder: tempfile::TempDir,
}

impl Target {
    fn start() -> Target {
        // Beside the sources is a disk, while the usual place may be in memory.
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let jar = folder.path().join("a.jar");
        fs::write(&jar, vec![7; PAGES * page()]).unwrap();
        let open = File::open(&jar).unwrap();
        open.sync_all().unwrap();
        let process = Command::new("sleep").arg("1000").stdin(open).spawn().unwrap();
        Target { process, jar, _folder: folder }
    }

    fn pid(&self) -> String {
        self.process.id().to_string()
    }

    fn end(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        self.end();
    }
}

/// The command as it pins. Dropping it ends it.
struct Pin {
    process: Child,
    out: BufReader<ChildStdout>,
}

impl Pin {
    fn start(arguments: &[&str]) -> Pin {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin("ztera"));
        let mut process = command.arg("pin").args(arguments).stdout(Stdio::piped()).spawn().unwrap();
        let out = BufReader::new(process.stdout.take().unwrap());
        Pin { process, out }
    }

    /// Its report, once everything is pinned.
    fn json(&mut self) -> Value {
        let mut line = String::new();
        self.out.read_line(&mut line).unwrap();
        serde_json::from_str(&line).expect("JSON")
    }

    fn locked_bytes(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.process.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmLck:")).unwrap();
        line.trim().strip_suffix(" kB").unwrap().parse::<u64>().unwrap() << 10
    }

    fn interrupt(&self) {
        let process = rustix::process::Pid::from_child(&self.process);
        rustix::process::kill_process(process, rustix::process::Signal::INT).unwrap();
    }

    /// The rest of what it says, once it ends well.
    fn end(&mut self) -> String {
        let mut said = String::new();
        self.out.read_to_string(&mut said).unwrap();
        assert!(self.process.wait().unwrap().success());
        said
    }
}

impl Drop for Pin {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn page() -> usize {
    rustix::param::page_size()
}

/// Asks the kernel to drop the pages of a file.
fn drop_pages(path: &Path) {
    let file = File::open(path).unwrap();
    rustix::fs::fadvise(&file, 0, None, rustix::fs::Advice::DontNeed).unwrap();
}

/// How many pages of a file are in memory.
fn resident(path: &Path) -> usize {
    let (file, len) = (File::open(path).unwrap(), PAGES * page());
    let mut states = vec![0u8; PAGES];
    // SAFETY: the mapping is new and is not read; `states` has a byte for each of its pages.
    unsafe {
        let at =
            libc::mmap(std::ptr::null_mut(), len, libc::PROT_READ, libc::MAP_SHARED, file.as_raw_fd(), 0);
        assert_ne!(at, libc::MAP_FAILED);
        assert_eq!(libc::mincore(at, len, states.as_mut_ptr()), 0);
        libc::munmap(at, len);
    }
    states.iter().filter(|state| **state & 1 == 1).count()
}

/// Whether the kernel drops pages of this file when it is asked to. It keeps those of file systems in memory.
fn can_be_dropped(path: &Path) -> bool {
    drop_pages(path);
    let gone = resident(path) == 0;
    if !gone {
        let _ = writeln!(std::io::stderr(), "SKIPPED, not tested: {} is on no disk", path.display());
    }
    gone
}

#[test]
fn pinned_pages_cannot_be_dropped() {
    let mut target = Target::start();
    if !can_be_dropped(&target.jar) {
        return;
    }
    let mut pin = Pin::start(&[&target.pid(), "--what", "jars", "--whole", "--json"]);
    let report = pin.json();
    assert_eq!(report["files"][0]["path"], target.jar.display().to_string());
    assert_eq!(report["pinned_bytes"], (PAGES * page()) as u64);
    assert_eq!(pin.locked_bytes(), (PAGES * page()) as u64);
    assert_eq!(resident(&target.jar), PAGES, "they were read");
    drop_pages(&target.jar);
    assert_eq!(resident(&target.jar), PAGES, "they cannot be dropped");
    target.end();
    assert_eq!(pin.end(), "", "it ends with the process");
    drop_pages(&target.jar);
    assert_eq!(resident(&target.jar), 0, "they can be dropped again");
}

/// Of 140 MiB of modules a small JVM uses less than two. All of them counted, so a container of 512 MiB was too small.
#[test]
fn what_is_not_in_memory_is_not_pinned() {
    let target = Target::start();
    if !can_be_dropped(&target.jar) {
        return;
    }
    let none = ["pin", &target.pid(), "--what", "jars"];
    ztera().args(none).assert().code(1).stderr(contains("no pages of them in memory: jars"));
    // The kernel reads ahead what a file is read for at random no more than asked.
    let file = File::open(&target.jar).unwrap();
    rustix::fs::fadvise(&file, 0, None, rustix::fs::Advice::Random).unwrap();
    file.read_exact_at(&mut [0], 7 * page() as u64).unwrap();
    let pages = resident(&target.jar);
    let mut pin = Pin::start(&[&target.pid(), "--what", "jars", "--json"]);
    assert_eq!(pin.json()["pinned_bytes"], (pages * page()) as u64);
    assert!(0 < pages && pages < PAGES && resident(&target.jar) == pages, "{pages} pages");
}

#[test]
fn a_signal_or_time_ends_it() {
    let target = Target::start();
    let mut pin = Pin::start(&[&target.pid(), "--what", "jars,libraries", "--json"]);
    let report = pin.json();
    let kinds: Vec<_> = report["files"].as_array().unwrap().iter().map(|file| &file["what"]).collect();
    assert!(kinds.contains(&&"jars".into()) && kinds.contains(&&"libraries".into()), "{report}");
    pin.interrupt();
    pin.end();
    let timed = ["pin", &target.pid(), "--what", "jars", "--for", "0.01"];
    ztera().args(timed).assert().success().stdout(contains("a.jar")).stdout(contains("the time is over"));
}

#[test]
fn too_much_is_refused_with_numbers() {
    let target = Target::start();
    let tiny = ["pin", &target.pid(), "--what", "jars", "--share", "0.000000001"];
    ztera().args(tiny).assert().code(1).stderr(contains("256 KiB").and(contains("of the memory limit")));
    let none = ["pin", &target.pid(), "--what", "cds"];
    ztera().args(none).assert().code(1).stderr(contains("has no files of these kinds, or no pages"));
    ztera().args(["pin", "4194305"]).assert().code(1).stderr(contains("there is no process 4194305"));
    ztera()
        .args(["pin", "1", "--what", "heap"])
        .assert()
        .code(2)
        .stderr(contains("libjvm, cds, jars, libraries"));
}
