// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The load: wrk, in a closed loop over all JVMs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use serde::Deserialize;

use super::point::{App, Load};
use super::server::Ready;
use crate::kit::{json_lines, own_command};

const SCRIPT: &str = include_str!("load.lua");
/// Requests that are under way at once, at all JVMs together; each has one at least.
const CONNECTIONS: u32 = 12;
/// An answer that takes longer counts as failed. wrk has a table with an entry per microsecond of it.
const TIMEOUT: &str = "10s";

/// The load of an application.
pub struct Generator {
    script: PathBuf,
    app: App,
    ports: Vec<u16>,
    users: u64,
    things: u64,
}

impl Generator {
    /// For JVMs that are ready. `folder` gets the script.
    pub fn new(folder: &Path, app: App, ready: &[&Ready]) -> Result<Generator> {
        let script = folder.join("load.lua");
        fs::write(&script, SCRIPT)?;
        let first = ready.first().context("a load without JVMs")?;
        let ports = ready.iter().map(|it| it.port).collect();
        Ok(Generator { script, app, ports, users: first.users, things: first.things })
    }

    /// Runs for so many seconds.
    pub fn run(&self, seconds: u32) -> Result<Load> {
        let text = own_command::output(self.command(seconds))?;
        let report: Report =
            json_lines::last(&text).with_context(|| format!("wrk did not report: {text}"))?;
        Ok(Load {
            requests: report.requests,
            failed: report.failed,
            seconds: report.micros as f64 / 1e6,
            connections: self.connections(),
            p99_ms: report.p99_us as f64 / 1e3,
        })
    }

    /// As many at each JVM.
    fn connections(&self) -> u32 {
        let jvms = self.ports.len() as u32;
        (CONNECTIONS / jvms).max(1) * jvms
    }

    fn command(&self, seconds: u32) -> Command {
        let ports: Vec<String> = self.ports.iter().map(u16::to_string).collect();
        let mut command = Command::new("wrk");
        command
            .args(["--threads", &ports.len().to_string(), "--connections", &self.connections().to_string()])
            .args(["--duration", &format!("{seconds}s"), "--timeout", TIMEOUT, "--script"])
            .arg(&self.script)
            .arg(format!("http://127.0.0.1:{}/", ports[0]))
            .env("ZTERA_PORTS", ports.join(" "))
            .env("ZTERA_APP", self.app.name())
            .env("ZTERA_USERS", self.users.to_string())
            .env("ZTERA_THINGS", self.things.to_string());
        command
    }
}

/// The line of the script's `done`.
#[derive(Debug, Deserialize, PartialEq)]
struct Report {
    requests: u64,
    failed: u64,
    micros: u64,
    p99_us: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn generator(jvms: u16) -> Generator {
        let ports = (1..=jvms).collect();
        Generator { script: "load.lua".into(), app: App::Booking, ports, users: 7, things: 5 }
    }

    #[test]
    fn the_report_is_found_among_the_words_of_wrk() {
        let line = r#"{"requests":9,"failed":1,"micros":1000000,"p99_us":4200}"#;
        let text = format!("Running 1s test\n  Requests/sec:  9.0\n\n{line}\n");
        let expected = Report { requests: 9, failed: 1, micros: 1_000_000, p99_us: 4200 };
        assert_eq!(json_lines::last::<Report>(&text).unwrap(), expected);
        assert!(json_lines::last::<Report>("unable to connect\n").is_err());
    }

    #[test]
    fn all_jvms_have_as_many_connections() {
        assert_eq!([1, 2, 5, 14].map(|jvms| generator(jvms).connections()), [12, 12, 10, 14]);
    }

    #[test]
    fn wrk_is_told_all_ports() {
        let command = generator(2).command(3);
        let ports = command.get_envs().find(|(name, _)| *name == "ZTERA_PORTS").and_then(|(_, value)| value);
        assert_eq!(ports, Some("1 2".as_ref()));
        let has = |argument: &str| command.get_args().any(|own| own == argument);
        assert!(has("3s") && has("http://127.0.0.1:1/"), "{command:?}");
    }
}
