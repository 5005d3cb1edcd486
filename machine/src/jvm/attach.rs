// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! HotSpot's attach protocol, in its first version, which every JVM since JDK 6 speaks.
//!
//! A JVM listens at a socket once somebody has made a file and sent SIGQUIT. Each connection carries one request and
//! its answer:
//!
//! ```text
//!  "1" 0 "jcmd" 0 COMMAND 0 0 0   ->
//!                                 <-   CODE "\n" TEXT
//! ```

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use rustix::process::{Pid, Signal, geteuid, kill_process};

use super::list::is_jvm;
use super::place::Place;
use crate::interrupt;
use crate::process::{exists, file_of, missing};

/// A JVM that does not listen after this time is too busy, or does not want to.
const PATIENCE: Duration = Duration::from_secs(10);

/// Between looks whether it listens: at first, and at most.
const LOOKS: (Duration, Duration) = (Duration::from_millis(1), Duration::from_millis(50));

/// The answer of a JVM.
pub struct Answer {
    /// 0 if it did what was asked for.
    pub code: i32,
    /// The output of the command, or why there is none.
    pub text: String,
}

/// Asks for a diagnostic command, with its arguments as jcmd takes them.
pub fn ask(place: &Place, command: &str, patience: Option<Duration>) -> Result<Answer> {
    let mut stream = connect(place)?;
    let answer = converse(&mut stream, command, patience);
    let answer = answer.map_err(|error| match error.downcast::<io::Error>() {
        Ok(error) => explain(place.pid, error),
        Err(interrupted) => interrupted,
    })?;
    parse(&answer).with_context(|| format!("process {} does not answer as a JVM", place.pid))
}

fn converse(stream: &mut UnixStream, command: &str, patience: Option<Duration>) -> Result<Vec<u8>> {
    stream.set_read_timeout(Some(LOOKS.1))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    stream.write_all(format!("1\0jcmd\0{command}\0\0\0").as_bytes())?;
    let (mut answer, asked, mut piece) = (Vec::new(), Instant::now(), [0; 8192]);
    loop {
        match stream.read(&mut piece) {
            Ok(0) => return Ok(answer),
            Ok(bytes) => answer.extend_from_slice(&piece[..bytes]),
            Err(error) if error.kind() == ErrorKind::Interrupted => interrupt::check()?,
            Err(error)
                if error.kind() == ErrorKind::WouldBlock
                    && patience.is_none_or(|it| asked.elapsed() < it) =>
            {
                interrupt::check()?;
            }
            Err(error) => return Err(error.into()),
        }
    }
}

fn parse(answer: &[u8]) -> Option<Answer> {
    let text = String::from_utf8_lossy(answer);
    let (code, text) = text.split_once('\n')?;
    Some(Answer { code: code.trim().parse().ok()?, text: text.to_owned() })
}

fn explain(pid: u32, error: io::Error) -> anyhow::Error {
    if !exists(pid) {
        return anyhow::anyhow!("process {pid} has ended");
    }
    match error.kind() {
        ErrorKind::PermissionDenied => forbidden(pid),
        ErrorKind::WouldBlock | ErrorKind::TimedOut => {
            anyhow::anyhow!("process {pid} does not answer in time: it is stopped, or in a long collection")
        }
        _ => anyhow::Error::new(error).context(format!("process {pid} does not answer")),
    }
}

fn forbidden(pid: u32) -> anyhow::Error {
    anyhow::anyhow!("not allowed to ask process {pid}: run this as its user, or as root")
}

/// Connects, after waking the JVM if it does not listen yet.
fn connect(place: &Place) -> Result<UnixStream> {
    let socket = place.socket();
    if let Some(stream) = reach(place, &socket)? {
        return Ok(stream);
    }
    let _trigger = wake(place)?;
    let (deadline, mut pause) = (Instant::now() + PATIENCE, LOOKS.0);
    while Instant::now() < deadline {
        thread::sleep(pause);
        interrupt::check()?;
        if let Some(stream) = reach(place, &socket)? {
            return Ok(stream);
        }
        if !exists(place.pid) {
            return Err(missing(place.pid));
        }
        pause = LOOKS.1.min(2 * pause);
    }
    bail!(
        "process {} does not answer: its attach mechanism is off (-XX:+DisableAttachMechanism), its /tmp is read-only, or it is stopped or too busy",
        place.pid
    )
}

/// A connection, if somebody listens. A socket of another user is not the JVM's: it might be there to deceive.
fn reach(place: &Place, socket: &Path) -> Result<Option<UnixStream>> {
    let owner = match fs::symlink_metadata(socket) {
        Ok(metadata) => metadata.uid(),
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(explain(place.pid, error)),
    };
    let user = fs::metadata(file_of(place.pid, "")).map_err(|_| missing(place.pid))?.uid();
    if owner != user {
        bail!("{} is not of the user of process {}", socket.display(), place.pid);
    }
    match UnixStream::connect(socket) {
        Ok(stream) => Ok(Some(stream)),
        // An earlier process with this id has left it.
        Err(error) if matches!(error.kind(), ErrorKind::ConnectionRefused | ErrorKind::NotFound) => Ok(None),
        Err(error) => Err(explain(place.pid, error)),
    }
}

/// The file that tells a JVM to listen, while that is needed.
struct Trigger(PathBuf);

impl Drop for Trigger {
    fn drop(&mut self) {
        // The JVM may be gone, and its folder with it.
        let _ = fs::remove_file(&self.0);
    }
}

/// Asks a JVM to listen. Nothing else gets the signal, of which it might die.
fn wake(place: &Place) -> Result<Trigger> {
    check(place)?;
    let trigger = Trigger(make_trigger(place)?);
    let pid = i32::try_from(place.pid).ok().and_then(Pid::from_raw).context("no process id")?;
    kill_process(pid, Signal::QUIT).map_err(|error| explain(place.pid, error.into()))?;
    Ok(trigger)
}

fn make_trigger(place: &Place) -> Result<PathBuf> {
    let mut last = None;
    for path in place.triggers() {
        match File::create_new(&path) {
            Ok(_) => return Ok(path),
            // Somebody else attaches just now, or has left it.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => return Ok(path),
            Err(error) => last = Some((path, error)),
        }
    }
    let (path, error) = last.context("there are two places")?;
    Err(error)
        .with_context(|| format!("cannot make {}, by which process {} listens", path.display(), place.pid))
}

/// Whether the process is a JVM of a user that may be asked, and awaits the signal.
fn check(place: &Place) -> Result<()> {
    let pid = place.pid;
    let user = fs::metadata(file_of(pid, "")).map_err(|_| missing(pid))?.uid();
    let own = geteuid();
    if !own.is_root() && own.as_raw() != user {
        return Err(forbidden(pid));
    }
    if !is_jvm(pid)? {
        bail!("process {pid} is no JVM: it has no libjvm.so; `ztera top` lists JVMs");
    }
    let status = fs::read_to_string(file_of(pid, "status")).map_err(|_| missing(pid))?;
    if !catches_quit(&status) {
        bail!("process {pid} is a JVM that nobody may ask: it runs with -Xrs, or is just starting");
    }
    Ok(())
}

/// Whether `/proc/PID/status` tells of a handler for SIGQUIT.
fn catches_quit(status: &str) -> bool {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (Signal::QUIT.as_raw() - 1) & 1 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_begins_with_its_code() {
        let answer = parse(b"0\nheap\nof 3 lines\n").unwrap();
        assert_eq!((answer.code, answer.text.as_str()), (0, "heap\nof 3 lines\n"));
        assert!(parse(b"").is_none() && parse(b"x\ny").is_none());
    }

    #[test]
    fn a_handler_is_seen() {
        assert!(catches_quit("Name:\tjava\nSigCgt:\t2000000181005ccf\n"));
        assert!(!catches_quit("SigCgt:\t0000000000000000\n") && !catches_quit(""));
    }

    /// It was killed by the signal, with a core dump.
    #[test]
    fn a_process_that_is_no_jvm_survives() {
        let mut sleeper = std::process::Command::new("sleep").arg("100").spawn().unwrap();
        let refused = ask(&Place::of(sleeper.id()).unwrap(), "GC.h2_info", None).err().unwrap().to_string();
        let lives = sleeper.try_wait().unwrap().is_none();
        sleeper.kill().and_then(|()| sleeper.wait()).unwrap();
        assert!(lives && refused.contains("is no JVM"), "{refused}");
    }
    /// Another user might listen where a JVM will, and answer in its place.
    #[test]
    fn a_socket_of_another_user_is_not_asked() {
        let mut sleeper = std::process::Command::new("sleep").arg("100").spawn().unwrap();
        let place = Place::of(sleeper.id()).unwrap();
        let listener = std::os::unix::net::UnixListener::bind(place.socket()).unwrap();
        let own = reach(&place, &place.socket()).unwrap().is_some();
        let others = std::os::unix::fs::lchown(place.socket(), Some(65534), None)
            .map(|()| reach(&place, &place.socket()).err().map(|error| error.to_string()));
        drop(listener);
        fs::remove_file(place.socket()).unwrap();
        sleeper.kill().and_then(|()| sleeper.wait()).unwrap();
        assert!(own, "one of the user of the JVM is");
        match others {
            Ok(refused) => {
                assert!(refused.as_ref().is_some_and(|it| it.contains("is not of the user")), "{refused:?}")
            }
            Err(_) => {
                writeln!(io::stderr(), "SKIPPED, not tested: only root can give a file to another user")
                    .unwrap()
            }
        }
    }
}
