// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! How an administrator talks to a device that is being served: one line of JSON there, one back.

use std::ffi::OsString;
use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::service::Service;
use crate::socket::{Socket, lock_of};
use crate::stats::Stats;
use crate::upkeep::{Recompress, Recompressed, WriteBack};

/// A request of the control socket.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ask {
    /// The statistics.
    Stat,
    /// Objects moved together, so that memory is given back.
    Compact,
    /// Everything marked idle that was not wanted for so many seconds.
    Idle(u64),
    /// Objects made anew by another codec.
    Recompress(Recompress),
    /// Units moved to the SSD.
    Writeback(WriteBack),
}

/// The answer to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// The statistics.
    Stat(Box<Stats>),
    /// Bytes of memory given back.
    Compacted(u64),
    /// It was done.
    Done,
    /// Objects made anew.
    Recompressed(Recompressed),
    /// Units moved to the SSD.
    WrittenBack(u64),
    /// Why it was not done.
    Refused(String),
}

/// Bytes of a line at most: more is no question.
const LONGEST: u64 = 64 << 10;

/// The end of a control socket's name.
const CONTROL: &str = ".control";

/// The control socket of the device that is served at `path`, be that a socket or a folder.
pub fn path_for(path: &Path) -> PathBuf {
    let mut name = OsString::from(path.components().as_path());
    name.push(CONTROL);
    name.into()
}

/// Connections at once.
const MOST_CONNECTIONS: usize = 32;

/// A client that asks nothing for so long, or does not read the answer, is left. So is a server that shows no sign of
/// life.
const PATIENCE: Duration = Duration::from_secs(60);

/// While a server works on an answer it shows a sign of life each time that this is over: a space before the JSON.
const SIGN: Duration = Duration::from_secs(5);

/// Answers those who connect. Does not return but by an error.
pub fn serve(socket: &Socket, service: &Arc<Service>) -> io::Result<()> {
    let service = service.clone();
    let serve = move |stream: UnixStream| {
        // A client that goes away is no trouble of others.
        let _ = converse(&stream, &service);
    };
    socket.serve(MOST_CONNECTIONS, serve, |stream, why| {
        // It fits into the socket's buffer, so nobody waits.
        let _ = say(stream, &Answer::Refused(why.to_owned()));
    })
}

fn say(mut stream: &UnixStream, answer: &Answer) -> io::Result<()> {
    let mut bytes = serde_json::to_vec(answer)?;
    bytes.push(b'\n');
    stream.write_all(&bytes)
}

fn converse(stream: &UnixStream, service: &Service) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut from = BufReader::new(stream);
    loop {
        let mut line = String::new();
        if (&mut from).take(LONGEST).read_line(&mut line)? == 0 {
            return Ok(());
        }
        let answer = match serde_json::from_str(&line) {
            Ok(ask) => alive(stream, SIGN, || answer(ask, service))?,
            Err(error) => Answer::Refused(format!("that is no question: {error}")),
        };
        say(stream, &answer)?;
        if !line.ends_with('\n') {
            return Ok(());
        }
    }
}

/// The answer that `work` makes, which may take long. The client gets a sign of life each time that `sign` is over.
fn alive(
    mut stream: &UnixStream,
    sign: Duration,
    work: impl FnOnce() -> Answer + Send,
) -> io::Result<Answer> {
    let (tell, told) = channel();
    thread::scope(|scope| {
        scope.spawn(move || tell.send(work()));
        loop {
            match told.recv_timeout(sign) {
                Ok(answer) => return Ok(answer),
                Err(RecvTimeoutError::Timeout) => stream.write_all(b" ")?,
                Err(RecvTimeoutError::Disconnected) => return Err(io::ErrorKind::Other.into()),
            }
        }
    })
}

fn answer(ask: Ask, service: &Service) -> Answer {
    let device = service.device();
    match ask {
        Ask::Stat => Answer::Stat(Box::new(device.stats())),
        Ask::Compact => Answer::Compacted(device.compact()),
        Ask::Idle(seconds) => {
            device.mark_idle(Duration::from_secs(seconds));
            Answer::Done
        }
        Ask::Recompress(which) => {
            device.recompress(&which).map_or_else(Answer::Refused, Answer::Recompressed)
        }
        Ask::Writeback(which) => match device.write_back(&which) {
            Some(units) => Answer::WrittenBack(units),
            None => Answer::Refused(NO_SSD.to_owned()),
        },
    }
}

const NO_SSD: &str =
    "the device has no SSD tier (`ztera disk serve --path DIR` gives it one), or the SSD takes no more";

/// The devices whose control sockets listen in this network namespace, by the socket, folder or block device that they
/// are served at. Some of them may be other users'.
pub fn listening() -> io::Result<Vec<PathBuf>> {
    let mut found: Vec<_> = fs::read_to_string("/proc/net/unix")?.lines().filter_map(served_at).collect();
    found.retain(|path| lock_of(&path_for(path)).exists());
    found.sort();
    found.dedup();
    Ok(found)
}

/// Of a line such as `0000: 00000002 00000000 00010000 0001 01 12345 /run/disk.sock.control`: the device whose it is.
fn served_at(line: &str) -> Option<PathBuf> {
    const LISTENS: &str = "00010000";
    let mut rest = line;
    let mut word = || {
        let (word, after) = rest.trim_start().split_once(' ')?;
        rest = after;
        Some(word)
    };
    let words: Vec<_> = (0..7).map_while(|_| word()).collect();
    let is_listening = words.len() == 7 && words[3] == LISTENS;
    let name = rest.strip_suffix(CONTROL)?;
    (is_listening && name.starts_with('/')).then(|| name.into())
}

/// Asks the device that is served at `path`. Fails if the server shows no sign of life for a minute.
pub fn ask(path: &Path, ask: &Ask) -> io::Result<Answer> {
    ask_within(path, ask, PATIENCE)
}

/// As [`ask`], for a server that is given up after `patience`.
pub fn ask_within(path: &Path, ask: &Ask, patience: Duration) -> io::Result<Answer> {
    let mut stream = UnixStream::connect(path_for(path))?;
    stream.set_read_timeout(Some(patience))?;
    stream.set_write_timeout(Some(patience))?;
    let mut bytes = serde_json::to_vec(ask)?;
    bytes.push(b'\n');
    // A server that refuses may have closed the connection already, and left its reason.
    let asked = stream.write_all(&bytes);
    let mut line = String::new();
    BufReader::new(stream).read_line(&mut line).map_err(|error| match error.kind() {
        io::ErrorKind::WouldBlock => io::Error::new(io::ErrorKind::TimedOut, "the server does not answer"),
        _ => error,
    })?;
    if line.is_empty() {
        asked?;
        return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the server went away"));
    }
    Ok(serde_json::from_str(&line)?)
}

#[cfg(test)]
mod tests {
    use std::os::unix::net::UnixListener;

    use super::*;

    #[test]
    fn listening_sockets_are_told_by_their_names() {
        let at = |line: &str| served_at(line).map(|path| path.display().to_string());
        let line = "0000000000000000: 00000002 00000000 00010000 0001 01   345 /run/my disk.sock.control";
        assert_eq!(at(line).as_deref(), Some("/run/my disk.sock"));
        assert_eq!(at(&line.replace("00010000", "00000000")), None, "a connection");
        assert_eq!(at(&line.replace(".control", "")), None);
        assert_eq!(at("Num       RefCount Protocol Flags    Type St Inode Path"), None);
        assert_eq!(at("0000000000000000: 00000003 00000000 00000000 0001 03 28115"), None);
    }

    #[test]
    fn the_control_socket_lies_beside_what_is_served() {
        assert_eq!(path_for(Path::new("/run/a.sock")), Path::new("/run/a.sock.control"));
        assert_eq!(path_for(Path::new("/mnt/a/")), Path::new("/mnt/a.control"));
    }

    /// A server that was stopped kept `ztera disk stat` waiting for ever.
    #[test]
    fn a_server_that_does_not_answer_is_given_up() {
        let dir = tempfile::tempdir().expect("a folder");
        let at = dir.path().join("disk.sock");
        let _silent = UnixListener::bind(path_for(&at)).expect("a socket");
        let error = ask_within(&at, &Ask::Stat, Duration::from_millis(20)).expect_err("nobody answers");
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    }

    #[test]
    fn a_server_that_works_shows_signs_of_life() {
        let (server, mut client) = UnixStream::pair().expect("two sockets");
        let (tell, told) = channel();
        thread::scope(|scope| {
            let work = move || {
                told.recv().expect("the client has seen signs");
                Answer::Compacted(7)
            };
            scope.spawn(move || {
                let answer = alive(&server, Duration::from_millis(1), work).expect("the client is there");
                say(&server, &answer).expect("the client is there");
            });
            client.read_exact(&mut [0; 3]).expect("three signs");
            tell.send(()).expect("the server works");
        });
        let mut line = String::new();
        BufReader::new(client).read_line(&mut line).expect("an answer");
        assert_eq!(serde_json::from_str::<Answer>(&line).expect("JSON"), Answer::Compacted(7));
    }
}
