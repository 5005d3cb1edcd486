// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A JVM that serves a web application.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use libc::SIGKILL;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use ztera_machine::cgroup::Cgroup;
use ztera_machine::child::{Guarded, lines};
use ztera_machine::interrupt;

/// The most that one takes for a page of ours.
const PATIENCE: Duration = Duration::from_secs(300);
const LOOK: Duration = Duration::from_millis(100);

/// The JVMs do not fit. It is a result, not an error.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct DoesNotFit(pub String);

/// The line of a server that answers.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub struct Ready {
    /// Where it listens.
    pub port: u16,
    /// Its users, from 0 on.
    pub users: u64,
    /// Symbols or flights, from 0 on.
    pub things: u64,
}

/// Its page `/heap`.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq)]
pub struct SecondHeap {
    /// Bytes of objects.
    pub used: u64,
    /// Bytes read from the SSD so far.
    pub ssd_read: u64,
    /// Bytes written to it so far.
    pub ssd_written: u64,
}

/// Its page `/verify`.
#[derive(Deserialize)]
struct Verified {
    expected: i64,
    found: i64,
}

/// A JVM. Dropping it kills it.
pub struct Server {
    process: Guarded,
    complaints: PathBuf,
    output: Receiver<String>,
    ready: Option<Ready>,
}

impl Server {
    /// Starts it in a group. Its standard error goes to a file called `name` in `folder`.
    pub fn start(mut command: Command, name: &str, folder: &Path, cgroup: &Cgroup) -> Result<Server> {
        let complaints = folder.join(name);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(File::create(&complaints)?);
        let mut process = Guarded::spawn(command, Some(cgroup)).context("cannot start java")?;
        let output = lines(process.process().stdout.take().context("a child without output")?);
        Ok(Server { process, complaints, output, ready: None })
    }

    /// Waits until it answers, and no longer than until then.
    pub fn wait(&mut self, until: Instant, cgroup: &Cgroup) -> Result<()> {
        loop {
            interrupt::check()?;
            match self.output.recv_timeout(LOOK) {
                // The JVM may warn of something before.
                Ok(line) if line.starts_with('{') => {
                    self.ready =
                        Some(serde_json::from_str(&line).context("the application says something else")?);
                    return Ok(());
                }
                Ok(_) => (),
                Err(RecvTimeoutError::Timeout) if Instant::now() < until => (),
                Err(RecvTimeoutError::Timeout) => {
                    return Err(DoesNotFit("it does not start in time".to_owned()).into());
                }
                Err(RecvTimeoutError::Disconnected) => {
                    let status = self.process.process().wait()?;
                    return Err(self.why_it_ended(status, cgroup));
                }
            }
        }
    }

    /// Fails if it has ended.
    pub fn check(&mut self, cgroup: &Cgroup) -> Result<()> {
        match self.process.process().try_wait()? {
            None => Ok(()),
            Some(status) => Err(self.why_it_ended(status, cgroup)),
        }
    }

    fn why_it_ended(&self, status: ExitStatus, cgroup: &Cgroup) -> anyhow::Error {
        let complaints = fs::read_to_string(&self.complaints).unwrap_or_default();
        why(status, &complaints, cgroup.oom_kills().unwrap_or(0))
    }

    /// Its process.
    pub fn pid(&self) -> u32 {
        self.process.process_id()
    }

    /// Its line, once it answers.
    pub fn ready(&self) -> Result<&Ready> {
        self.ready.as_ref().context("a server that is not ready")
    }

    /// Its second heap; all zero if it has none.
    pub fn second_heap(&self) -> Result<SecondHeap> {
        self.get("/heap")
    }

    /// Fails if its data do not sum up as they did at the start.
    pub fn verify(&self) -> Result<()> {
        let Verified { expected, found } = self.get("/verify")?;
        if expected != found {
            bail!("WRONG ANSWERS: the books sum up to {found}, not to {expected}");
        }
        Ok(())
    }

    fn get<T: DeserializeOwned>(&self, page: &str) -> Result<T> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.ready()?.port))?;
        stream.set_read_timeout(Some(PATIENCE))?;
        write!(stream, "GET {page} HTTP/1.0\r\n\r\n")?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).with_context(|| format!("no answer to {page}"))?;
        body(&answer).with_context(|| format!("{page} has another answer: {answer}"))
    }
}

/// Why a JVM ended: for want of memory, which its group counts or it says itself, or by a mistake of ours.
fn why(status: ExitStatus, complaints: &str, oom_kills: u64) -> anyhow::Error {
    if oom_kills > 0 {
        return DoesNotFit("killed by the kernel, out of memory".to_owned()).into();
    }
    if let Some(line) = complaints.lines().find(|line| line.contains("OutOfMemoryError")) {
        return DoesNotFit(line.trim().to_owned()).into();
    }
    if status.signal() == Some(SIGKILL) {
        // Nobody but the watch over DRAM does that.
        return DoesNotFit("killed, as zram and the JVMs need more than the limit".to_owned()).into();
    }
    anyhow::anyhow!("a JVM ended with {status}: {}", complaints.lines().last().unwrap_or_default())
}

fn body<T: DeserializeOwned>(answer: &str) -> Option<T> {
    let (head, body) = answer.split_once("\r\n\r\n")?;
    head.split(' ').nth(1).filter(|status| *status == "200")?;
    serde_json::from_str(body).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn want_of_memory_is_told_from_mistakes() {
        let (exited, killed) = (ExitStatus::from_raw(1 << 8), ExitStatus::from_raw(SIGKILL));
        let fits_not = |status, complaints, kills| why(status, complaints, kills).is::<DoesNotFit>();
        assert!(fits_not(killed, "", 1) && fits_not(killed, "", 0));
        assert!(fits_not(
            exited,
            "Exception in thread main java.lang.OutOfMemoryError: Java heap space\n",
            0
        ));
        assert!(!fits_not(exited, "Unrecognized VM option 'H2Size=1g'\n", 0));
    }

    #[test]
    fn only_an_answer_that_succeeded_counts() {
        let answer = "HTTP/1.1 200 \r\nContent-Type: application/json\r\n\r\n{\"used\":1,\"ssd_read\":2,\"ssd_written\":3}";
        let heap: Option<SecondHeap> = body(answer);
        assert_eq!(heap, Some(SecondHeap { used: 1, ssd_read: 2, ssd_written: 3 }));
        assert_eq!(body::<SecondHeap>(&answer.replace("200", "500")), None);
    }

    #[test]
    fn the_line_of_a_ready_server_is_understood() {
        let line = r#"{"app":"trading","port":4711,"users":7,"things":500,"total":99}"#;
        let ready: Ready = serde_json::from_str(line).unwrap();
        assert_eq!(ready, Ready { port: 4711, users: 7, things: 500 });
    }
}
