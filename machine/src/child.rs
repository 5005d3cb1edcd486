// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Child processes that never outlive this one, optionally inside a memory cgroup.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, set_parent_process_death_signal};

use crate::cgroup::Cgroup;
use crate::interrupt;
use crate::process::disk_io::DiskIo;

/// How often a running child is looked at.
const TICK: Duration = Duration::from_millis(100);
/// How many of its last lines are kept for error messages.
const TAIL_LINES: usize = 40;

/// A child that is killed when this is dropped, and by the kernel should this process die first.
#[derive(Debug)]
pub struct Guarded {
    child: Child,
}

impl Guarded {
    /// Starts the command; it is inside the cgroup from its first instruction on.
    pub fn spawn(mut command: Command, cgroup: Option<&Cgroup>) -> io::Result<Guarded> {
        let entrances = cgroup.map(Cgroup::entrances).transpose()?.unwrap_or_default();
        // SAFETY: the closure runs between fork and exec, where only async-signal-safe calls are allowed. It makes
        // plain system calls (prctl, write), and none allocates or takes a lock.
        unsafe { command.pre_exec(move || prepare(&entrances)) };
        Ok(Guarded { child: command.spawn()? })
    }

    /// The process.
    pub fn process(&mut self) -> &mut Child {
        &mut self.child
    }

    /// Its id.
    pub fn process_id(&self) -> u32 {
        self.child.id()
    }

    /// Whether it has ended by itself.
    pub fn has_ended(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }

    /// Asks it to end, and gives it so long to undo what it set up. Returns whether it has ended
    pub fn end(&mut self, patience: Duration) -> bool {
        let start = Instant::now();
        if let Some(pid) = Pid::from_raw(self.child.id().cast_signed()).filter(|_| !self.has_ended()) {
            // It may end before the signal comes.
            let _ = kill_process(pid, Signal::TERM);
        }
        while !self.has_ended() {
            if start.elapsed() > patience {
                return false;
            }
            thread::sleep(TICK / 5);
        }
        true
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        // Both fail when it has ended already, which is as good.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn prepare(entrances: &[File]) -> io::Result<()> {
    set_parent_process_death_signal(Some(Signal::KILL))?;
    for entrance in entrances {
        rustix::io::write(entrance, b"0")?;
    }
    Ok(())
}

/// How a supervised run ended.
#[derive(Debug)]
pub enum End {
    /// By itself, or by a signal that we did not send.
    Exited(ExitStatus),
    /// We stopped it because it took longer than it was given.
    TimedOut,
}

/// A supervised run after its end.
#[derive(Debug)]
pub struct Run {
    /// How it ended.
    pub end: End,
    /// All of its standard output.
    pub stdout: String,
    /// The last lines of its standard error.
    pub tail: Vec<String>,
    /// How long it ran.
    pub took: Duration,
    /// The highest sample of the memory its cgroup used without file cache.
    pub peak_anonymous: Option<u64>,
    /// Its transfers to and from disks until shortly before its end: the last sample.
    pub disk_io: Option<DiskIo>,
}

/// Runs a command to its end and passes on each line of its standard error. Fails with
/// [`interrupt::Interrupted`] if this process is asked to end meanwhile.
pub fn supervise(
    mut command: Command,
    cgroup: Option<&Cgroup>,
    timeout: Option<Duration>,
    on_line: &mut dyn FnMut(&str),
) -> anyhow::Result<Run> {
    let start = Instant::now();
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut guarded = Guarded::spawn(command, cgroup)?;
    let stdout = guarded.process().stdout.take().map(collect);
    let lines = guarded.process().stderr.take().map(lines);
    let mut tail = Tail::default();
    let (mut peak_anonymous, mut disk_io) = (None, None);
    let end = loop {
        if let Some(lines) = &lines {
            drain(lines, &mut tail, on_line);
        }
        peak_anonymous = peak_anonymous.max(cgroup.and_then(Cgroup::anonymous));
        disk_io = DiskIo::of(guarded.process_id()).or(disk_io);
        let ended = guarded.process().try_wait()?;
        // Ctrl-C in a terminal reaches the child, too, which then looks as if it had failed.
        interrupt::check()?;
        if let Some(status) = ended {
            break End::Exited(status);
        }
        if timeout.is_some_and(|timeout| start.elapsed() > timeout) {
            break End::TimedOut;
        }
    };
    let took = start.elapsed();
    drop(guarded);
    lines.iter().flat_map(|lines| lines.iter()).for_each(|line| tail.push(line, on_line));
    let stdout = stdout.and_then(|thread| thread.join().ok()).unwrap_or_default();
    Ok(Run { end, stdout, tail: tail.lines.into(), took, peak_anonymous, disk_io })
}

/// Passes on what came in, and waits one tick at most.
fn drain(lines: &Receiver<String>, tail: &mut Tail, on_line: &mut dyn FnMut(&str)) {
    let until = Instant::now() + TICK;
    loop {
        match lines.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(line) => tail.push(line, on_line),
            Err(RecvTimeoutError::Timeout) => return,
            Err(RecvTimeoutError::Disconnected) => return thread::sleep(Duration::from_millis(5)),
        }
    }
}

#[derive(Default)]
struct Tail {
    lines: VecDeque<String>,
}

impl Tail {
    fn push(&mut self, line: String, on_line: &mut dyn FnMut(&str)) {
        on_line(&line);
        if self.lines.len() == TAIL_LINES {
            self.lines.pop_front();
        }
        self.lines.push_back(line);
    }
}

fn collect(mut from: impl Read + Send + 'static) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        // Output before an error is still worth having.
        let _ = from.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// The lines of a stream, read by a thread of their own so that the child never waits for us.
pub fn lines(from: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        for line in BufReader::new(from).split(b'\n').map_while(Result::ok) {
            if sender.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                return;
            }
        }
    });
    receiver
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, timeout: Option<Duration>) -> (Run, Vec<String>) {
        let mut command = Command::new("sh");
        command.arg("-c").arg(script);
        let mut seen = Vec::new();
        let run = supervise(command, None, timeout, &mut |line| seen.push(line.to_owned())).expect("a run");
        (run, seen)
    }

    #[test]
    fn both_streams_arrive_whole() {
        let (run, seen) = shell("echo one; echo two >&2; echo three >&2; exit 3", None);
        assert_eq!(run.stdout, "one\n");
        assert_eq!(seen, ["two", "three"]);
        assert!(matches!(run.end, End::Exited(status) if status.code() == Some(3)));
    }

    #[test]
    fn only_the_last_lines_are_kept() {
        let (run, seen) = shell("seq 100 >&2", None);
        assert_eq!(seen.len(), 100);
        assert_eq!((run.tail.len(), run.tail[0].as_str()), (TAIL_LINES, "61"));
    }

    #[test]
    fn a_child_that_takes_too_long_is_stopped() {
        let (run, _) = shell("exec sleep 1000", Some(Duration::from_millis(50)));
        assert!(matches!(run.end, End::TimedOut));
    }

    /// Only a child that ended by itself could tell.
    #[test]
    fn the_transfers_of_a_child_that_was_stopped_are_known() {
        let (run, _) = shell("exec sleep 1000", Some(Duration::from_millis(50)));
        assert!(run.disk_io.is_some());
    }

    #[test]
    fn a_child_that_is_asked_to_end_may_clean_up() {
        let mut command = Command::new("sh");
        command.args(["-c", "trap 'echo cleaned; exit 0' TERM; echo ready; while :; do sleep 0.01; done"]);
        command.stdout(Stdio::piped());
        let mut guarded = Guarded::spawn(command, None).expect("a shell");
        let said = lines(guarded.process().stdout.take().expect("a pipe"));
        assert_eq!(said.recv().as_deref(), Ok("ready"));
        assert!(guarded.end(Duration::from_secs(60)));
        assert_eq!(said.recv().as_deref(), Ok("cleaned"));
    }

    #[test]
    fn a_child_that_does_not_end_is_told_of() {
        let mut command = Command::new("sh");
        command.args(["-c", "trap '' TERM; echo ready; while :; do sleep 0.01; done"]);
        command.stdout(Stdio::piped());
        let mut guarded = Guarded::spawn(command, None).expect("a shell");
        let said = lines(guarded.process().stdout.take().expect("a pipe"));
        assert_eq!(said.recv().as_deref(), Ok("ready"));
        assert!(!guarded.end(Duration::from_millis(50)) && !guarded.has_ended());
    }

    #[test]
    fn a_dropped_child_is_gone() {
        let mut command = Command::new("sleep");
        command.arg("1000");
        let mut guarded = Guarded::spawn(command, None).expect("sleep");
        let pid = guarded.process().id();
        drop(guarded);
        assert!(!std::path::Path::new(&format!("/proc/{pid}")).exists());
    }
}
