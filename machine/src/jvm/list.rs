// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! All JVMs that this user may see, in containers too.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;

use super::perf_data::PerfData;
use super::place::Place;
use crate::process::mapping::{self, Mapping, path_from_outside};

/// A JVM that runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its process id here.
    pub pid: u32,
    /// Its main class, module or jar, as it was started; empty while that is not known.
    pub main: String,
}

/// All JVMs, by process id. One with -XX:-UsePerfData is not among them, as with jcmd.
pub fn all() -> Vec<Listed> {
    let Ok(processes) = fs::read_dir("/proc") else { return Vec::new() };
    let ids = processes.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let mut found: Vec<Listed> = ids.filter_map(listed).collect();
    found.sort_unstable_by_key(|jvm| jvm.pid);
    found
}

/// One of them. An earlier process with this id may have left its file, so that is not enough.
pub fn listed(pid: u32) -> Option<Listed> {
    let counters = PerfData::of(&Place::of(pid).ok()?)?;
    let command = counters.text("sun.rt.javaCommand").unwrap_or_default();
    let main = command.split(' ').next().unwrap_or_default().to_owned();
    is_jvm(pid).ok()?.then_some(Listed { pid, main })
}

/// Whether a process has loaded a JVM.
pub fn is_jvm(pid: u32) -> Result<bool> {
    Ok(libjvm(pid)?.is_some())
}

/// Whether that JVM is ZTera's, by the library beside it. Its second heap may be off.
pub fn is_ztera(pid: u32) -> bool {
    let Ok(Some(libjvm)) = libjvm(pid) else { return false };
    let Some(lib) = libjvm.ancestors().nth(2) else { return false };
    path_from_outside(pid, &lib.join("libztera.so")).exists()
}

/// The file of the JVM, as the process itself names it.
fn libjvm(pid: u32) -> Result<Option<PathBuf>> {
    let mappings = mapping::of(pid)?;
    let mut files = mappings.iter().filter_map(Mapping::path);
    Ok(files.find(|path| path.file_name().is_some_and(|name| name == "libjvm.so")).map(Path::to_owned))
}
