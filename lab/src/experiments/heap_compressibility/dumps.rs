// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A program in a JVM of its own, and dumps of its heap while it runs.

use std::env;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::Value;
use ztera_machine::child::{Guarded, lines};
use ztera_machine::interrupt;
use ztera_machine::jcmd::Jcmd;
use ztera_machine::view::{Jdk, given_or_built};

use super::moment::{Moment, Program};
use crate::kit::java_run;
use crate::kit::own_command;

/// Phases and percents after which the heap is dumped.
const MOMENTS: [(&str, u32); 3] = [("load", 50), ("load", 95), ("query", 50)];
/// Between two looks at Ctrl-C.
const TICK: Duration = Duration::from_millis(200);
/// How much of a dump is compressed.
const SAMPLE: &str = "64m";

/// Runs the program with so much live data, and ends it after the last moment.
pub fn take(program: &str, live_mib: u32) -> Result<Program> {
    let scratch = tempfile::Builder::new().prefix("ztera-dumps-").tempdir()?;
    let jdk = Jdk::view(None)?;
    let mut process = Guarded::spawn(command(program, live_mib, &jdk, scratch.path())?, None)?;
    let jcmd = Jcmd::of(process.process_id(), Some(jdk.home()))?;
    let said = lines(process.process().stderr.take().context("a child without output")?);
    let mut moments = Vec::new();
    let mut wanted = MOMENTS.iter();
    let mut next = wanted.next();
    loop {
        interrupt::check()?;
        let line = match said.recv_timeout(TICK) {
            Ok(line) => line,
            Err(RecvTimeoutError::Timeout) => continue,
            Err(_) => break,
        };
        let Some(moment) = next.filter(|moment| is_reached(&line, moment)) else { continue };
        let file = scratch.path().join("heap.hprof");
        jcmd.ask(&["GC.heap_dump", &file.to_string_lossy()])?;
        moments.push(analyze(&file, &format!("{} {} %", moment.0, moment.1))?);
        fs::remove_file(&file)?;
        next = wanted.next();
        if next.is_none() {
            break;
        }
    }
    ensure!(!moments.is_empty(), "{program} ended before its heap could be dumped");
    Ok(Program { program: program.to_owned(), moments })
}

fn command(program: &str, live_mib: u32, jdk: &Jdk, scratch: &Path) -> Result<Command> {
    let jar = given_or_built(None, "ztera-defaults.jar", "run `make build/ztera-defaults.jar`")?;
    let flags = ["-XX:+UseParallelGC".to_owned(), format!("-Xmx{}m", 3 * live_mib + 256)];
    let mut command = java_run::command(&jdk.tool("java"), &flags, scratch, &jar);
    command.args(["org.ztera.defaults.Defaults", program, &live_mib.to_string(), "1"]).arg(scratch);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    Ok(command)
}

/// Whether a line such as `load 57% of it` says that the moment has come or is past.
fn is_reached(line: &str, (phase, percent): &(&str, u32)) -> bool {
    let Some((own, reached)) = line.split_once("% ").and_then(|(start, _)| start.split_once(' ')) else {
        return false;
    };
    let Ok(reached) = reached.parse::<u32>() else { return false };
    own == *phase && reached >= *percent || *phase == "load" && own == "query"
}

fn analyze(dump: &Path, at: &str) -> Result<Moment> {
    let mut command = Command::new(env::current_exe()?);
    command.arg("analyze").arg(dump).args(["--json", "--sample", SAMPLE]).stderr(Stdio::null());
    let report: Value = serde_json::from_str(&own_command::output(command)?)?;
    let Some(bytes) = report["bytes"].as_u64() else { bail!("`ztera analyze` did not tell the bytes") };
    let units = serde_json::from_value(report["compression"]["units"].clone())?;
    Ok(Moment { at: at.to_owned(), bytes, units })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_reached_once_a_line_is_at_it_or_beyond() {
        let reached = |line, moment| is_reached(line, &moment);
        assert!(reached("load 50% rows", ("load", 50)) && reached("load 77% rows", ("load", 50)));
        assert!(reached("query 0% rows", ("load", 95)));
        for (line, moment) in
            [("load 49% rows", ("load", 50)), ("load 99% x", ("query", 50)), ("OOM", ("load", 1))]
        {
            assert!(!is_reached(line, &moment), "{line}");
        }
    }
}
