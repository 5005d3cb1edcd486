// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The program as its users see it, on a machine where nothing was built.

mod common;

use std::fs::File;
use std::io::pipe;
use std::process::{Command, Output, Stdio};

use common::laboratory;
use predicates::prelude::predicate::str::contains;

#[test]
fn every_command_has_a_help_text() {
    for command in [
        &["bench"][..],
        &["bench", "all"],
        &["bench", "codec"],
        &["bench", "disk"],
        &["bench", "disksize"],
        &["bench", "engine"],
        &["bench", "h2"],
        &["bench", "off"],
        &["bench", "pauses"],
        &["bench", "tiers"],
        &["lab"],
        &["sim"],
    ] {
        laboratory().args(command).arg("--help").assert().success().stdout(contains("Usage: ztera"));
    }
}

#[test]
fn sim_compares_policies() {
    let json = ["sim", "zipf", "--sample", "64", "--policy", "ours,opt", "--json"];
    laboratory().args(json).assert().success().stdout(contains(r#""policy": "opt""#));
    laboratory().args(["sim", "zipf", "--sample", "64"]).assert().success().stdout(contains("zram's rules"));
    let file = tempfile::NamedTempFile::new().unwrap();
    laboratory().arg("sim").arg(file.path()).assert().failure().stderr(contains("not a trace"));
}

/// Output of a command that goes elsewhere.
fn output_to(words: &str, stdout: impl Into<Stdio>) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ztera-lab"));
    command.env_remove("ZTERA_HOME").args(words.split(' ')).stdout(stdout);
    command.stderr(Stdio::piped()).output().unwrap()
}

/// Commands panicked and aborted where nobody read them to their end, and where their output did not fit.
#[test]
fn output_that_is_lost_ends_a_command_without_a_panic() {
    for words in ["sim zipf --sample 64", "lab list"] {
        let (_, nobody) = pipe().unwrap();
        let unread = output_to(words, nobody);
        assert_eq!((unread.status.code(), unread.stderr), (Some(141), Vec::new()), "{words}");
        let full = output_to(words, File::create("/dev/full").unwrap());
        let why = b"ztera: cannot write to standard output: No space left on device (os error 28)\n";
        assert_eq!((full.status.code(), &full.stderr[..]), (Some(1), &why[..]), "{words}");
    }
}
