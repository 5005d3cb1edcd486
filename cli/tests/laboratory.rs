// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The commands of another program, which here is a script, or missing.

mod common;

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use common::ztera;
use predicates::prelude::predicate::str::contains;

#[test]
fn commands_of_the_laboratory_become_that_program() {
    let home = tempfile::tempdir().unwrap();
    let program = home.path().join("ztera-lab");
    fs::write(&program, "#!/bin/sh\necho \"$@\"\nexit 7\n").unwrap();
    fs::set_permissions(&program, Permissions::from_mode(0o755)).unwrap();
    for words in ["bench off --rounds 2", "lab list --json", "sim zipf", "help bench all", "bench --help"] {
        let called = ztera().env("ZTERA_HOME", home.path()).args(words.split(' ')).assert();
        called.code(7).stdout(format!("{words}\n"));
    }
    ztera().env("ZTERA_HOME", home.path()).args(["doctor", "bench"]).assert().code(2);
}

/// As in a package: the command is alone.
#[test]
fn a_missing_laboratory_is_explained() {
    let package = tempfile::tempdir().unwrap();
    let alone = package.path().join("ztera");
    // A copy of our own may be busy: a process that another test has just started still has it open for writing.
    let copy = Command::new("cp").arg(assert_cmd::cargo::cargo_bin("ztera")).arg(&alone).status().unwrap();
    assert!(copy.success(), "cp copies the program");
    let output = Command::new(&alone).env_remove("ZTERA_HOME").args(["lab", "list"]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), said.lines().count()), (Some(1), 1), "{said}");
    assert!(
        said.starts_with("ztera: ztera-lab was not found: packages do not have it; run `make rust`"),
        "{said}"
    );
}

#[test]
fn help_has_two_groups() {
    let help = ztera().arg("--help").assert().success();
    let help = help.stdout(contains("\nCommands:\n  doctor ")).stdout(contains("\n  tune "));
    help.stdout(contains("\nCommands of the laboratory, which is the program ztera-lab:\n  bench "));
}
