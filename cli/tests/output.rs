// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Output that nobody reads to its end, and output that does not fit.
//!
//! `ztera doctor | head -1` once panicked and aborted, and so did any command with its output on a full disk.

use std::fs::{self, File};
use std::io::pipe;
use std::path::Path;
use std::process::{Command, Output, Stdio};

mod fake_jdk;
#[allow(dead_code, reason = "other tests need the rest")]
mod fake_jvm;

use fake_jdk::fake_jdk;
use fake_jvm::{FakeJvm, tells};

/// The status that shells show of a program that SIGPIPE ended.
const NOBODY_READS: i32 = 141;
const MEASURED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../measure/src/tuning/zram_notes.json");

fn ztera(words: &str) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("ztera"));
    command.env_remove("ZTERA_HOME").args(words.split(' '));
    command
}

/// Commands that print, one for each subcommand that is done in a moment. Pin and tune watch for Ctrl-C.
fn commands(jdk: &Path, jvm: &FakeJvm) -> Vec<String> {
    fake_jdk(jdk, "true");
    let (own, jdk) = (std::process::id(), jdk.display());
    vec![
        "--help".to_owned(),
        "--version".to_owned(),
        "help doctor".to_owned(),
        "doctor".to_owned(),
        "doctor --json".to_owned(),
        format!("java --print --h2-size 64m --jdk {jdk} -- -version"),
        format!("stat {}", jvm.pid()),
        format!("stat {} --interval 100", jvm.pid()),
        format!("map {own}"),
        format!("pin {own} --what libraries --share 1"),
        format!("tune --measured {MEASURED}"),
    ]
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_command_that_nobody_reads_ends_quietly() {
    let home = tempfile::tempdir().unwrap();
    let jvm = FakeJvm::start("App", tells(r#"{"enabled":false}"#));
    for words in commands(home.path(), &jvm) {
        let (_, nobody) = pipe().unwrap();
        let output = ztera(&words).stdout(nobody).stderr(Stdio::piped()).output().unwrap();
        assert_eq!((output.status.code(), said(&output)), (Some(NOBODY_READS), String::new()), "{words}");
    }
}

#[test]
fn a_command_whose_output_does_not_fit_says_so() {
    let home = tempfile::tempdir().unwrap();
    let jvm = FakeJvm::start("App", tells(r#"{"enabled":false}"#));
    for words in commands(home.path(), &jvm) {
        let full = File::create("/dev/full").unwrap();
        let output = ztera(&words).stdout(full).stderr(Stdio::piped()).output().unwrap();
        let why = "ztera: cannot write to standard output: No space left on device (os error 28)\n";
        assert_eq!((output.status.code(), said(&output)), (Some(1), why.to_owned()), "{words}");
    }
}

/// `ztera ... 2>&1 | head` loses both streams at once; a log on a full disk only what is told beside the results.
#[test]
fn errors_that_cannot_be_told_do_not_abort() {
    let (_, nobody) = pipe().unwrap();
    let status = ztera("map 4194305").stderr(nobody).status().unwrap();
    assert_eq!(status.code(), Some(NOBODY_READS));
    for words in ["stat 4194305", "map 4194305", "stat"] {
        let full = File::create("/dev/full").unwrap();
        let status = ztera(words).stderr(full).status().unwrap();
        assert_eq!(status.code(), Some(if words == "stat" { 2 } else { 1 }), "{words}");
    }
}

/// A server has data of others: it goes on.
#[test]
fn a_server_outlives_who_started_it() {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("disk.sock");
    let serve = format!("disk serve --size 64m --socket {}", socket.display());
    let ((_, nobody), (_, no_one)) = (pipe().unwrap(), pipe().unwrap());
    let mut server = ztera(&serve).stdout(nobody).stderr(no_one).spawn().unwrap();
    while !fs::exists(&socket).unwrap() {
        assert!(server.try_wait().unwrap().is_none(), "it ended");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let asked = ztera(&format!("disk stat {}", socket.display())).stdout(Stdio::null()).status().unwrap();
    let process = rustix::process::Pid::from_child(&server);
    rustix::process::kill_process(process, rustix::process::Signal::TERM).unwrap();
    assert!(asked.success() && server.wait().unwrap().success());
}
