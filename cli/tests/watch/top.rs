// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera top` in a terminal of tmux. The pictures are in out/.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, Output};
use std::thread;
use std::time::Duration;

use assert_cmd::cargo::cargo_bin;
use predicates::prelude::predicate::str::contains;

use crate::common::ztera;
use crate::fake_jvm::busy::busy;
use crate::fake_jvm::{FakeJvm, tells};

/// Looks for a text until it is there. A test that fails takes all of them.
const LOOKS: u32 = 600;

/// A terminal of 80 columns and 24 lines, with a server of its own.
struct Terminal {
    server: String,
}

impl Terminal {
    /// None without tmux.
    fn run(name: &str, arguments: &[&str]) -> Option<Terminal> {
        if Command::new("tmux").arg("-V").output().is_err() {
            let _ = writeln!(
                io::stderr(),
                "SKIPPED, not tested: there is no tmux here; install the package tmux"
            );
            return None;
        }
        let terminal = Terminal { server: format!("ztera-{name}-{}", std::process::id()) };
        let command = [&[cargo_bin("ztera").to_str().expect("UTF-8")], arguments].concat().join(" ");
        terminal.tmux(&["-f", "/dev/null", "new-session", "-d", "-x", "80", "-y", "24", &command]);
        Some(terminal)
    }

    fn tmux(&self, arguments: &[&str]) -> Output {
        Command::new("tmux").args(["-u", "-L", &self.server]).args(arguments).output().expect("tmux")
    }

    fn picture(&self) -> String {
        String::from_utf8(self.tmux(&["capture-pane", "-p"]).stdout).expect("UTF-8")
    }

    /// The picture, once it has all of these.
    fn await_all(&self, texts: &[&str]) -> String {
        for _ in 0..LOOKS {
            let picture = self.picture();
            if texts.iter().all(|text| picture.contains(text)) {
                return picture;
            }
            thread::sleep(Duration::from_millis(50));
        }
        panic!("no {texts:?} in\n{}", self.picture());
    }

    /// The process id of the command.
    fn pid(&self) -> String {
        let said = self.tmux(&["display-message", "-p", "#{pane_pid}"]).stdout;
        String::from_utf8(said).expect("a number").trim().to_owned()
    }

    fn press(&self, key: &str) {
        self.tmux(&["send-keys", key]);
    }

    /// Whether the command ends.
    fn ends(&self) -> bool {
        (0..LOOKS).any(|_| {
            thread::sleep(Duration::from_millis(50));
            !self.tmux(&["has-session"]).status.success()
        })
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.tmux(&["kill-server"]);
    }
}

fn keep(name: &str, picture: &str) {
    let out = Path::new(env!("CARGO_MANIFEST_DIR")).join("../out");
    fs::create_dir_all(&out).unwrap();
    fs::write(out.join(name), picture).unwrap();
}

#[test]
fn one_jvm_is_shown_whole() {
    let jvm = FakeJvm::start("org.example.Shop", busy());
    let Some(terminal) = Terminal::run("one", &["top", "example.Shop", "--interval", "0.2"]) else { return };
    let picture = terminal.await_all(&["moved to H2 in 250.0 ms", "regions died"]);
    for text in [
        &jvm.pid(),
        "org.example.Shop",
        "6.0G of 8.0G",
        "holds 3.0G, 2.40 times smaller",
        "700M of 64G",
        "faults pool",
        "ssd > resident",
        "40.00 us",
        "young 3 in 3.0 s, last 1.0 s",
        "limit 4.0G",
        "H1 1.0G, H2 2.7G",
        "4.0G",
        "q: end",
    ] {
        assert!(picture.contains(text), "{text} in\n{picture}");
    }
    keep("top.txt", &picture);
    terminal.press("q");
    assert!(terminal.ends(), "q ends it");
}

#[test]
fn several_jvms_are_listed() {
    let (busy, _off) =
        (FakeJvm::start("many.Busy", busy()), FakeJvm::start("many.Off", tells(r#"{"enabled":false}"#)));
    let Some(terminal) = Terminal::run("many", &["top", "many.", "--interval", "0.2"]) else { return };
    let picture = terminal.await_all(&["many.Busy", "many.Off (H2 is off)", "faults/s", "6.0G"]);
    keep("top-list.txt", &picture);
    terminal.press("Enter");
    terminal.await_all(&["Esc: all JVMs"]);
    terminal.press("Escape");
    drop(busy);
    let left = terminal.await_all(&["many.Off"]);
    assert!(left.contains("up, down"), "{left}");
    terminal.press("C-c");
    assert!(terminal.ends(), "Ctrl-C ends it");
}

/// Once its terminal was closed, it read from it for ever, with a whole core.
#[test]
fn it_ends_with_its_terminal() {
    let _jvm = FakeJvm::start("org.example.Closed", busy());
    let Some(terminal) = Terminal::run("closed", &["top", "example.Closed"]) else { return };
    terminal.await_all(&["Tiers"]);
    let process = format!("/proc/{}", terminal.pid());
    assert!(Path::new(&process).exists(), "{process}");
    drop(terminal);
    let ended = (0..LOOKS).any(|_| {
        thread::sleep(Duration::from_millis(50));
        !Path::new(&process).exists()
    });
    assert!(ended, "{process} goes on");
}

#[test]
fn without_a_terminal_it_says_what_else_there_is() {
    ztera().arg("top").assert().code(1).stderr(contains("ztera stat --interval 1"));
    ztera().args(["top", "4194305"]).assert().code(1).stderr(contains("there is no process 4194305"));
}
