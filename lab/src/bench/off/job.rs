// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! One run: a workload in a fresh JVM on an arm.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use ztera_machine::child::{self, End};
use ztera_machine::jvm_flags::{HeapFlags, value_name};
use ztera_machine::view::Jdk;

use super::arm::Arm;
use super::workload::Workload;
use crate::kit::json_lines;

/// The settings that all runs share.
pub struct Job {
    /// The stock JDK.
    pub stock: Jdk,
    /// The JDK view.
    pub view: Jdk,
    /// Jar with the workloads.
    pub jar: PathBuf,
    /// Source tree that some of them read.
    pub source: PathBuf,
    /// For the JVMs of all arms.
    pub options: Vec<String>,
}

/// The output of a run. See `org.ztera.demo.off.BenchOff`.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct Measured {
    /// The measured iterations, by the clock.
    pub seconds: f64,
    /// CPU time of the process meanwhile, the collector and the compiler included.
    pub cpu_seconds: f64,
    /// How often the collector ran meanwhile.
    pub collections: u64,
    /// For how long.
    pub collecting_seconds: f64,
    /// Of all that was computed.
    pub checksum: String,
}

/// A heap of fixed sizes: where the collector chooses them by what it measures, each run has others.
pub fn options(heap: u64, young: u64, more: &[String]) -> Vec<String> {
    let flags = HeapFlags { is_fixed: true, ..HeapFlags::of_size(heap, young) };
    [&flags.arguments(), more].concat()
}

impl Job {
    /// Runs to its end.
    pub fn run(&self, workload: Workload, arm: Arm) -> Result<Measured> {
        let run = child::supervise(self.command(workload, arm), None, None, &mut |_| {})?;
        let title = format!("{} on {}", value_name(&workload), arm.name());
        match run.end {
            End::Exited(status) if status.success() => {}
            _ => bail!("{title} failed:\n  {}{}", run.stdout, run.tail.join("\n  ")),
        }
        json_lines::last(&run.stdout).with_context(|| format!("{title} failed"))
    }

    fn command(&self, workload: Workload, arm: Arm) -> Command {
        let jdk = if arm.is_stock() { &self.stock } else { &self.view };
        let mut command = Command::new(jdk.tool("java"));
        command
            .args(&self.options)
            .args(arm.options())
            .arg("--enable-native-access=ALL-UNNAMED")
            .arg("-cp")
            .arg(&self.jar)
            .args(["org.ztera.demo.off.BenchOff", &value_name(&workload)])
            .arg(&self.source);
        command
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ztera_machine::units::MIB;

    #[test]
    fn own_options_come_last() {
        let options = options(768 * MIB, 64 * MIB, &["-Xmn32m".to_owned()]);
        assert_eq!(options[2..], ["-Xms768m", "-Xmx768m", "-Xmn64m", "-Xmn32m"]);
    }
}
