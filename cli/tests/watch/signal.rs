// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Commands that run until a signal comes.

use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};

use assert_cmd::cargo::cargo_bin;

/// A command that runs, and is killed if the test fails.
pub struct Running {
    child: Child,
    output: BufReader<ChildStdout>,
}

impl Running {
    /// `ztera` with these arguments.
    pub fn start(arguments: &[&str]) -> Running {
        let mut command = Command::new(cargo_bin("ztera"));
        let mut child = command.args(arguments).stdout(Stdio::piped()).spawn().expect("the binary");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        Running { child, output }
    }

    /// Its next line.
    pub fn line(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("text");
        line
    }

    /// How it ends by Ctrl-C.
    pub fn interrupt(mut self) -> ExitStatus {
        let pid = i32::try_from(self.child.id()).expect("a process id");
        // SAFETY: it is a call without memory; the child is not waited for yet, so the id is its own.
        assert_eq!(unsafe { libc::kill(pid, libc::SIGINT) }, 0);
        self.child.wait().expect("it is a child")
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
