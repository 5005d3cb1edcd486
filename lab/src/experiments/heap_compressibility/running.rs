// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A program while it runs, and the moments at which it is looked at.

use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use rustix::process::{Pid, Signal, kill_process};
use ztera_machine::child::{Guarded, lines};
use ztera_machine::interrupt;

/// Between two looks at Ctrl-C.
const TICK: Duration = Duration::from_millis(50);

/// When a program is looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Moment {
    /// When it says that it has done so many percent of a phase.
    Progress(&'static str, u32),
    /// When it has run for so long.
    After(Duration),
}

impl Moment {
    /// For people.
    pub fn words(self) -> String {
        match self {
            Moment::Progress(phase, percent) => format!("{phase} {percent} %"),
            Moment::After(time) => format!("{} s", time.as_secs_f64()),
        }
    }
}

/// A process that ends with this.
pub struct Running {
    process: Guarded,
    said: Receiver<String>,
    start: Instant,
    /// How long it was stopped.
    stopped: Duration,
    last_words: String,
}

impl Running {
    /// Starts it.
    pub fn start(mut command: Command) -> Result<Running> {
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let name = command.get_program().to_string_lossy().into_owned();
        let mut process = Guarded::spawn(command, None).with_context(|| format!("cannot start {name}"))?;
        let said = lines(process.process().stderr.take().context("a child without output")?);
        let (start, stopped) = (Instant::now(), Duration::ZERO);
        Ok(Running { process, said, start, stopped, last_words: String::new() })
    }

    /// Its id.
    pub fn pid(&self) -> u32 {
        self.process.process_id()
    }

    /// Whether it has ended.
    pub fn has_ended(&mut self) -> Result<bool> {
        Ok(self.process.process().try_wait()?.is_some())
    }

    /// The same, or it is about to: its memory is gone before the kernel says that it has ended.
    pub fn is_ending(&mut self) -> Result<bool> {
        for _ in 0..10 {
            if self.has_ended()? {
                return Ok(true);
            }
            std::thread::sleep(TICK);
        }
        Ok(false)
    }

    /// The last line that it said; nothing if it said none.
    pub fn last_words(&self) -> &str {
        &self.last_words
    }

    /// Waits for a moment. False if the program ended before it.
    pub fn reaches(&mut self, moment: Moment) -> Result<bool> {
        loop {
            interrupt::check()?;
            match self.said.recv_timeout(TICK) {
                Ok(line) => {
                    if matches!(moment, Moment::Progress(phase, percent) if is_reached(&line, phase, percent))
                    {
                        return Ok(true);
                    }
                    self.last_words = line;
                }
                Err(RecvTimeoutError::Disconnected) if self.has_ended()? => return Ok(false),
                // A program may close its output and go on.
                Err(RecvTimeoutError::Disconnected) => std::thread::sleep(TICK),
                Err(RecvTimeoutError::Timeout) => {}
            }
            let ran = self.start.elapsed().saturating_sub(self.stopped);
            if matches!(moment, Moment::After(time) if ran >= time) {
                return Ok(!self.has_ended()?);
            }
        }
    }

    /// Does something while the program stands still.
    pub fn while_stopped<T>(&mut self, work: impl FnOnce(u32) -> Result<T>) -> Result<T> {
        let pid = self.pid();
        let start = Instant::now();
        let stopped = Stopped::stop(pid)?;
        let done = work(pid);
        drop(stopped);
        self.stopped += start.elapsed();
        done
    }
}

/// A process that goes on when this is dropped.
struct Stopped(Pid);

impl Stopped {
    fn stop(pid: u32) -> Result<Stopped> {
        let pid = Pid::from_raw(pid.cast_signed()).context("no process has this id")?;
        kill_process(pid, Signal::STOP).context("the program cannot be stopped")?;
        Ok(Stopped(pid))
    }
}

impl Drop for Stopped {
    fn drop(&mut self) {
        // It may have been killed meanwhile.
        let _ = kill_process(self.0, Signal::CONT);
    }
}

/// Whether a line such as `load 57% of it` says that the moment has come or is past.
fn is_reached(line: &str, phase: &str, percent: u32) -> bool {
    let Some((own, reached)) = line.split_once("% ").and_then(|(start, _)| start.split_once(' ')) else {
        return false;
    };
    let Ok(reached) = reached.parse::<u32>() else { return false };
    own == phase && reached >= percent || phase == "load" && own == "query"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Running {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        Running::start(command).unwrap()
    }

    #[test]
    fn a_moment_is_reached_once_a_line_is_at_it_or_beyond() {
        assert!(is_reached("load 50% rows", "load", 50) && is_reached("load 77% rows", "load", 50));
        assert!(is_reached("query 0% rows", "load", 95));
        for (line, phase, percent) in
            [("load 49% rows", "load", 50), ("load 99% x", "query", 50), ("OOM", "load", 1)]
        {
            assert!(!is_reached(line, phase, percent), "{line}");
        }
    }

    #[test]
    fn a_program_is_waited_for_until_it_ends() {
        let mut running = shell("echo 'load 50% x' >&2; echo words >&2; exit 1");
        assert!(running.reaches(Moment::Progress("load", 50)).unwrap());
        assert!(!running.reaches(Moment::Progress("load", 90)).unwrap());
        assert_eq!(running.last_words(), "words");
        assert!(shell("exec sleep 1000").reaches(Moment::After(Duration::ZERO)).unwrap());
        assert!(!shell("exit 0").reaches(Moment::After(Duration::from_secs(1000))).unwrap());
    }

    #[test]
    fn a_program_stands_still_for_as_long_as_it_is_to() {
        let mut running = shell("exec sleep 1000");
        let state = |pid: u32| {
            let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
            stat.rsplit(") ").next().unwrap().chars().next().unwrap()
        };
        // The kernel may take a moment to stop it.
        let seen = running.while_stopped(|pid| {
            Ok((0..1000).any(|_| {
                std::thread::sleep(Duration::from_millis(1));
                state(pid) == 'T'
            }))
        });
        assert!(seen.unwrap());
        assert!((0..1000).any(|_| {
            std::thread::sleep(Duration::from_millis(1));
            state(running.pid()) != 'T'
        }));
    }
}
