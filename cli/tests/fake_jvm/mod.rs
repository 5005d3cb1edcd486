// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A JVM that is none: a process with a `libjvm.so` that sleeps. A thread of the test answers in its name.

pub mod busy;
mod counters;
mod listening;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::thread;

pub use listening::Listening;
use tempfile::TempDir;

/// Such a process, found by its main class as any JVM.
pub struct FakeJvm {
    child: Child,
    _listening: Listening,
    _counters: TempDir,
    _home: TempDir,
}

impl FakeJvm {
    /// `answer` as of [`Listening::at`].
    pub fn start(main: &str, answer: impl Fn(&str) -> (i32, String) + Send + 'static) -> FakeJvm {
        let home = tempfile::tempdir().unwrap();
        let libjvm = home.path().join("lib/server/libjvm.so");
        fs::create_dir_all(libjvm.parent().unwrap()).unwrap();
        fs::copy(any_library(), &libjvm).unwrap();
        fs::write(home.path().join("lib/libztera.so"), "").unwrap();
        let child = Command::new("sleep").arg("1000").env("LD_PRELOAD", &libjvm).spawn().expect("sleep");
        let pid = child.id();
        while !fs::read_to_string(format!("/proc/{pid}/maps")).unwrap().contains("libjvm.so") {
            thread::yield_now();
        }
        let counters = tempfile::Builder::new().prefix("hsperfdata_").tempdir_in("/tmp").unwrap();
        fs::write(counters.path().join(pid.to_string()), counters::file(main)).unwrap();
        let listening = Listening::at(format!("/tmp/.java_pid{pid}").into(), answer);
        FakeJvm { child, _listening: listening, _counters: counters, _home: home }
    }

    /// Its process id.
    pub fn pid(&self) -> String {
        self.child.id().to_string()
    }
}

impl Drop for FakeJvm {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A library that this process has loaded, and that needs no more than others do.
fn any_library() -> PathBuf {
    let maps = fs::read_to_string("/proc/self/maps").unwrap();
    let mut files = maps.lines().filter_map(|line| line.split_whitespace().nth(5));
    let library = files.find(|file| file.contains("libgcc_s")).expect("every Rust program has it");
    Path::new(library).to_owned()
}

/// Answers every request for the second heap with this JSON.
pub fn tells(json: &str) -> impl Fn(&str) -> (i32, String) + Send + 'static {
    let json = json.to_owned();
    move |command| match command {
        "GC.h2_info json" => (0, format!("{json}\n")),
        _ => (1, "java.lang.IllegalArgumentException: Unknown diagnostic command\n".to_owned()),
    }
}
