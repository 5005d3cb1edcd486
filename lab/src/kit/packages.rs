// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A list of packages of a Linux distribution: what the programs that walk a graph read.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Result, bail};

/// The list that was given, else all packages that apt knows, else those that are installed. A file that has to be
/// written goes to `scratch`.
pub fn list(given: Option<&Path>, scratch: &Path) -> Result<PathBuf> {
    if let Some(given) = given {
        return Ok(given.to_owned());
    }
    let file = scratch.join("packages");
    let dumped = Command::new("apt-cache")
        .arg("dumpavail")
        .stdout(File::create(&file)?)
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    let installed = PathBuf::from("/var/lib/dpkg/status");
    match (dumped && fs::metadata(&file)?.len() > 0, installed.exists()) {
        (true, _) => Ok(file),
        (false, true) => Ok(installed),
        (false, false) => bail!("no list of packages was found: give --packages"),
    }
}
