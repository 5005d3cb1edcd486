// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The command.

use assert_cmd::Command;

/// The command, in an environment that names no build.
pub fn ztera() -> Command {
    let mut command = Command::cargo_bin("ztera").expect("the binary");
    command.env_remove("ZTERA_HOME");
    command
}
