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

/// Whether this process may set `PR_SET_IO_FLUSHER`, and the kernel has FUSE: `ztera disk serve --swap` takes both.
/// Root in a container may lack the capability.
#[allow(dead_code, reason = "tests of swap alone use it")]
pub fn may_serve_swap() -> bool {
    const CAP_SYS_RESOURCE: u32 = 24;
    let status = fs::read_to_string("/proc/self/status").expect("procfs");
    let effective = status.lines().find_map(|line| line.strip_prefix("CapEff:")).expect("the field is there");
    let effective = u64::from_str_radix(effective.trim(), 16).expect("a mask");
    effective >> CAP_SYS_RESOURCE & 1 == 1 && Path::new("/dev/fuse").exists()
}
