// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The command, and a JDK that is none.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use assert_cmd::Command;

/// The command, in an environment that names no build.
pub fn ztera() -> Command {
    let mut command = Command::cargo_bin("ztera").expect("the binary");
    command.env_remove("ZTERA_HOME");
    command
}

/// A directory that looks like a JDK, whose `java` and `jcmd` are the given shell script.
pub fn fake_jdk(home: &Path, script: &str) {
    fs::create_dir_all(home.join("bin")).unwrap();
    fs::write(home.join("release"), "JAVA_VERSION=\"25\"\nZTERA_BASE_JDK=\"/nowhere/jdk\"\n").unwrap();
    for tool in ["java", "jcmd"] {
        let file = home.join("bin").join(tool);
        fs::write(&file, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    }
}
