// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A compile that has too little memory, on swap on zram: javac with packages of java.base.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use serde::{Deserialize, Serialize};
use tempfile::TempDir;
use ztera_machine::cgroup::Cgroup;
use ztera_machine::child::supervise;
use ztera_machine::view::built;

use crate::kit::ending::{Ending, Evidence, judge};
use crate::kit::setting::Setting;
use crate::kit::shared_memory::{Limit, while_limited};
use crate::kit::swap::ZramSwap;

/// Of the memory that it takes without a limit, in percent.
const LIMIT: u64 = 60;
/// A run may take so many times what it takes without a limit.
const SLOWEST: f64 = 8.0;
/// Packages that refer to few others outside of themselves.
const PACKAGES: [&str; 4] = ["java/util/stream", "java/util/concurrent", "java/util/regex", "java/util/zip"];

/// A run without a limit.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
pub struct Whole {
    /// The most memory that it took.
    pub compile_bytes: u64,
    /// How long it took.
    pub compile_seconds: f64,
}

/// The settings of zram and of the kernel.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub struct On {
    /// Of zram.
    pub codec: String,
    /// `vm.page-cluster`.
    pub page_cluster: u32,
}

/// A run on swap.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Compiled {
    /// The settings.
    pub compiled_on: On,
    /// For the compiler and its compressed pages.
    pub limit_bytes: u64,
    /// The most that these pages took.
    pub zram_peak_bytes: u64,
    /// How long it took.
    pub seconds: f64,
}

impl On {
    /// For people.
    pub fn name(&self) -> String {
        format!("a compile, swap on zram {}, page-cluster {}", self.codec, self.page_cluster)
    }
}

/// The compiler and its sources, which are removed when this is dropped.
pub struct Compiler {
    javac: PathBuf,
    files: Vec<PathBuf>,
    folder: TempDir,
}

impl Compiler {
    /// Of `build/`.
    pub fn set_up() -> Result<Compiler> {
        let javac = built("jdk/bin/javac").context("jdk/bin/javac is missing: make it with `make jdk`")?;
        let source = built("jdk-source").context("jdk-source is missing: make it with `make source`")?;
        let (folder, mut files) = (tempfile::tempdir()?, Vec::new());
        let classes = source.join("src/java.base/share/classes");
        for package in PACKAGES {
            copy(&classes.join(package), &folder.path().join("source").join(package), &mut files)?;
        }
        if files.is_empty() {
            bail!("there are no sources below {}", classes.display());
        }
        Ok(Compiler { javac, files, folder })
    }

    fn command(&self) -> Command {
        let (source, out) = (self.folder.path().join("source"), self.folder.path().join("classes"));
        let mut command = Command::new(&self.javac);
        command.args(["-J-XX:+UseSerialGC", "-J-Xmx256m", "-J-XX:TieredStopAtLevel=1"]);
        command
            .args(["-proc:none", "-nowarn", "--patch-module"])
            .arg(format!("java.base={}", source.display()));
        command.arg("-d").arg(out).args(&self.files);
        command
    }

    /// A run in a group, which is stopped after so many seconds.
    fn run(&self, cgroup: &Cgroup, seconds: f64) -> Result<f64> {
        let patience = Duration::from_secs_f64(seconds);
        let run = supervise(self.command(), Some(cgroup), Some(patience), &mut |_| ())?;
        let oom_kills = cgroup.oom_kills().unwrap_or(0);
        let evidence = Evidence { end: &run.end, tail: &run.tail, oom_kills, took: run.took, reached: None };
        let (ending, words) = judge(&evidence, 0);
        if ending != Ending::Finished {
            bail!("the compile {words}");
        }
        Ok(run.took.as_secs_f64())
    }

    /// Without a limit.
    pub fn whole(&self) -> Result<Whole> {
        let cgroup = Cgroup::create("compile-whole")?;
        let compile_seconds = self.run(&cgroup, 300.0)?;
        let compile_bytes = cgroup.peak().context("this kernel does not keep a cgroup's peak")?;
        Ok(Whole { compile_bytes, compile_seconds })
    }

    /// With less memory than it takes without a limit. zram's pages count, too.
    pub fn on(&self, on: &On, whole: Whole) -> Result<Compiled> {
        let swap = ZramSwap::create(2 * whole.compile_bytes, &on.codec, None)?;
        let setting = PathBuf::from("/proc/sys/vm/page-cluster");
        let _setting = Setting::change(setting, &on.page_cluster.to_string())?;
        let (cgroup, limit_bytes) = (Cgroup::create("compile")?, whole.compile_bytes / 100 * LIMIT);
        cgroup.set_limit_with_swap(limit_bytes)?;
        let used = || swap.device().usage().map_or(0, |usage| usage.used);
        let run = || self.run(&cgroup, SLOWEST * whole.compile_seconds);
        let (seconds, zram_peak_bytes) = while_limited(&cgroup, Limit::new(limit_bytes), used, run);
        Ok(Compiled { compiled_on: on.clone(), limit_bytes, zram_peak_bytes, seconds: seconds? })
    }
}

/// Copies the sources of a folder and of those below it: javac takes all that lies in a patch of a module.
fn copy(from: &Path, to: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    fs::create_dir_all(to)?;
    let entries = fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))?;
    for entry in entries {
        let (path, to) = (entry?.path(), to.to_owned());
        let to = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() {
            copy(&path, &to, files)?;
        } else if path.extension().is_some_and(|suffix| suffix == "java") {
            fs::copy(&path, &to)?;
            files.push(to);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_alone_are_copied() {
        let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        fs::create_dir(from.path().join("below")).unwrap();
        for file in ["A.java", "below/B.java", "C.template"] {
            fs::write(from.path().join(file), "class X {}").unwrap();
        }
        let mut files = Vec::new();
        copy(from.path(), to.path(), &mut files).unwrap();
        files.sort();
        assert_eq!(files, ["A.java", "below/B.java"].map(|file| to.path().join(file)));
        assert!(files.iter().all(|file| file.exists()));
    }
}
