// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Asks a running JVM, by jcmd.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::process::{exists, file_of, missing};
use crate::view::Jdk;

/// The way to one running JVM.
pub struct Jcmd {
    tool: PathBuf,
    pid: u32,
}

impl Jcmd {
    /// To process `pid`, by the jcmd of `jdk`. Without it, the JDK that the process runs on has one, else the built
    /// one. Fails if there is no such process, or no jcmd.
    pub fn of(pid: u32, jdk: Option<&Path>) -> Result<Jcmd> {
        if !exists(pid) {
            return Err(missing(pid));
        }
        let tool = match (jdk, neighbour(pid)) {
            (Some(given), _) => Jdk::at(given)?.tool("jcmd"),
            (None, Some(own)) => own,
            (None, None) => Jdk::view(None)?.tool("jcmd"),
        };
        Ok(Jcmd { tool, pid })
    }

    /// Whether the process still exists.
    pub fn is_alive(&self) -> bool {
        exists(self.pid)
    }

    /// The answer of the JVM to a diagnostic command with its arguments. An error that explains itself if it does not.
    pub fn ask(&self, request: &[&str]) -> Result<String> {
        let output = Command::new(&self.tool)
            .arg(self.pid.to_string())
            .args(request)
            .output()
            .with_context(|| format!("cannot run {}", self.tool.display()))?;
        understand(self.pid, &output)
    }

    /// The answer of `GC.h2_info json` about the second heap.
    pub fn h2_info(&self) -> Result<Value> {
        json(&self.ask(&["GC.h2_info", "json"])?)
    }
}

/// The jcmd beside the program that the process runs.
fn neighbour(pid: u32) -> Option<PathBuf> {
    let jcmd = fs::read_link(file_of(pid, "exe")).ok()?.with_file_name("jcmd");
    jcmd.is_file().then_some(jcmd)
}

/// jcmd's output, or an explanation why there is none.
fn understand(pid: u32, output: &Output) -> Result<String> {
    let stdout = String::from_utf8_lossy(&output.stdout);
    let said = format!("{stdout}{}", String::from_utf8_lossy(&output.stderr));
    if said.contains("Unknown diagnostic command") {
        bail!(
            "process {pid} is a JVM without ZTera: start it with `ztera java`, or with the java of the ZTera JDK"
        );
    }
    if said.contains("AttachNotSupportedException") || said.contains("Unable to open socket file") {
        bail!(
            "process {pid} does not answer: it is no JVM, or its attach mechanism is off, or it is too busy"
        );
    }
    if !output.status.success() {
        if FORBIDDEN.iter().any(|word| said.contains(word)) {
            bail!("not allowed to ask process {pid}: run this as its user");
        }
        if said.contains("Read-only file system") {
            bail!(
                "process {pid} cannot be asked: its /tmp is read-only, and JVMs are asked by a socket there"
            );
        }
        bail!("jcmd failed: {}", without_stack(&said));
    }
    Ok(stdout.into_owned())
}

/// How Java says that something is forbidden.
const FORBIDDEN: [&str; 4] = ["permitted", "ermission denied", "Access denied", "AccessDeniedException"];

/// The same without the calls of jcmd's own code, which help nobody.
fn without_stack(said: &str) -> String {
    let tells = |line: &&str| !line.trim_start().starts_with("at ");
    said.lines().filter(tells).collect::<Vec<_>>().join("\n").trim().to_owned()
}

/// The JSON that follows the process id in an answer.
fn json(answer: &str) -> Result<Value> {
    let start = answer.find('{').with_context(|| format!("jcmd failed: {}", answer.trim()))?;
    serde_json::from_str(answer[start..].trim()).context("jcmd's answer is not the expected JSON")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::ExitStatusExt;
    use std::process::ExitStatus;

    fn refusal(stdout: &str, stderr: &str) -> String {
        let failed = ExitStatus::from_raw(1 << 8);
        let output = Output { status: failed, stdout: stdout.into(), stderr: stderr.into() };
        understand(7, &output).unwrap_err().to_string()
    }

    #[test]
    fn json_follows_the_process_id() {
        let info = json("7:\n{\"enabled\":true,\"used_bytes\":5}\n").unwrap();
        assert_eq!(info["used_bytes"], 5);
        assert!(json("7:\nstrange").unwrap_err().to_string().contains("jcmd failed: 7:\nstrange"));
    }

    #[test]
    fn refusals_are_explained() {
        let unknown = "7:\njava.lang.IllegalArgumentException: Unknown diagnostic command\n";
        assert!(refusal(unknown, "").contains("a JVM without ZTera"));
        let attach = "com.sun.tools.attach.AttachNotSupportedException: Unable to open socket file";
        assert!(refusal("7:\n", attach).contains("does not answer"));
        assert!(refusal("", "java.io.IOException: Operation not permitted").contains("run this as its user"));
        assert!(refusal("", "strange").contains("jcmd failed: strange"));
    }

    /// The user once got a stack trace of Java.
    #[test]
    fn javas_own_calls_are_not_shown() {
        let trace =
            "\n\tat jdk.attach/sun.tools.attach.VirtualMachineImpl.<init>(VirtualMachineImpl.java:91)\n";
        let of = |text: &str| refusal("7:\n", &format!("{text}{trace}"));
        assert!(of("java.nio.file.AccessDeniedException: /proc/7/root/tmp").contains("run this as its user"));
        assert!(of("java.io.IOException: Read-only file system").contains("its /tmp is read-only"));
        assert_eq!(of("java.io.IOException: strange"), "jcmd failed: 7:\njava.io.IOException: strange");
    }

    #[test]
    fn a_process_that_is_not_there_is_named() {
        let error = Jcmd::of(4_194_305, None).err().map(|error| error.to_string());
        assert_eq!(error.as_deref(), Some("there is no process 4194305; `jcmd -l` lists JVMs"));
    }
}
