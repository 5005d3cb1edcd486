// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A JDK that is none.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Makes a directory look like a JDK, whose `java` is the given shell script.
pub fn fake_jdk(home: &Path, script: &str) {
    fs::create_dir_all(home.join("bin")).unwrap();
    fs::create_dir_all(home.join("lib")).unwrap();
    fs::write(home.join("lib/libztera.so"), "").unwrap();
    fs::write(home.join("release"), "JAVA_VERSION=\"25\"\nZTERA_BASE_JDK=\"/nowhere/jdk\"\n").unwrap();
    let java = home.join("bin/java");
    fs::write(&java, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&java, fs::Permissions::from_mode(0o755)).unwrap();
}
