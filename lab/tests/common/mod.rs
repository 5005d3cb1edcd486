// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The program that `ztera bench`, `lab` and `sim` become.

use assert_cmd::Command;

/// It, in an environment that names no build.
pub fn laboratory() -> Command {
    let mut command = Command::cargo_bin("ztera-lab").expect("the binary");
    command.env_remove("ZTERA_HOME");
    command
}
