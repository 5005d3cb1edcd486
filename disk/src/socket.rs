// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A Unix socket that only its owner may use, that one process at a time serves, and that is gone with that process.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::fs::FileTypeExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rustix::fs::Mode;
use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType};

use crate::lock::{LockFile, in_the_way, same};

/// A listening socket. Dropping it removes its file, if that is still ours.
pub struct Socket {
    listener: UnixListener,
    path: PathBuf,
    there: fs::Metadata,
    /// Two servers that start on the socket of a killed one would otherwise remove each other's.
    lock: LockFile,
}

impl Socket {
    /// Listens at `path`, with mode 0600. Replaces the socket of a killed server; anything else there is an error. The
    /// file `<path>.lock` is locked for as long as this lives.
    pub fn bind(path: &Path) -> io::Result<Self> {
        let lock = LockFile::take(&lock_of(path))?;
        let bound = remove_stale(path).and_then(|()| listen(path)).inspect_err(|_| lock.remove());
        let (listener, there) = bound?;
        Ok(Self { listener, path: path.to_owned(), there, lock })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Removes its file, if that is still ours: for a process that ends while a thread serves.
    pub fn remove(&self) {
        if fs::symlink_metadata(&self.path).is_ok_and(|there| same(&there, &self.there)) {
            // Nobody is left to tell if that fails; the next server replaces it.
            let _ = fs::remove_file(&self.path);
        }
        self.lock.remove();
    }

    /// Gives every connection to `serve`, in a thread of its own, as long as there are no more than `most` of them.
    /// Others get to know by `refuse`, for which everybody else has to wait. Does not return but by an error.
    pub fn serve(
        &self,
        most: usize,
        serve: impl Fn(UnixStream) + Send + Sync + 'static,
        refuse: impl Fn(&UnixStream, &str),
    ) -> io::Result<()> {
        let (serve, seat) = (Arc::new(serve), Arc::new(()));
        let mut told = false;
        loop {
            let stream = match self.listener.accept() {
                Ok((stream, _)) => stream,
                Err(error) if is_passing(&error) => {
                    // Too many open files: some connection will end.
                    std::thread::sleep(Duration::from_millis(20));
                    continue;
                }
                Err(error) => return Err(error),
            };
            // One of them is this thread's.
            let is_full = Arc::strong_count(&seat) > most;
            if is_full {
                let why = format!("too many connections: {most} are open");
                refuse(&stream, &why);
                if !told {
                    ztera_log::say(format_args!("clients of {} are sent away: {why}", self.path.display()));
                }
            } else {
                let (serve, seat) = (serve.clone(), seat.clone());
                // Where no thread can be had, the client sees its connection closed.
                let _ = ztera_sync::thread::spawn("zt-client", move || {
                    serve(stream);
                    drop(seat);
                });
            }
            told = is_full;
        }
    }
}

/// The file that is locked as long as a socket at `path` lives.
pub(crate) fn lock_of(path: &Path) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(".lock");
    name.into()
}

/// Makes the socket. Its file gets the mode that the socket has before it gets a name. So there is no moment in which
/// others could connect, and no name that could lead to another file.
fn listen(path: &Path) -> io::Result<(UnixListener, fs::Metadata)> {
    let socket =
        rustix::net::socket_with(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC, None)?;
    rustix::fs::fchmod(&socket, Mode::RUSR | Mode::WUSR)?;
    rustix::net::bind(&socket, &SocketAddrUnix::new(path)?)?;
    let there = fs::symlink_metadata(path)?;
    rustix::net::listen(&socket, BACKLOG)?;
    Ok((UnixListener::from(socket), there))
}

/// Connections that the kernel keeps until they are accepted, as the standard library has it.
const BACKLOG: i32 = 128;

fn is_passing(error: &io::Error) -> bool {
    let passing = [libc::EINTR, libc::ECONNABORTED, libc::EMFILE, libc::ENFILE, libc::ENOBUFS, libc::ENOMEM];
    error.raw_os_error().is_some_and(|errno| passing.contains(&errno))
}

/// The caller has the lock, so no server of ours is there. A server of another kind may be.
fn remove_stale(path: &Path) -> io::Result<()> {
    let Ok(there) = fs::symlink_metadata(path) else { return Ok(()) };
    if !there.file_type().is_socket() {
        return Err(in_the_way("there is a file of that name that is no socket"));
    }
    match UnixStream::connect(path) {
        Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => fs::remove_file(path),
        _ => Err(in_the_way("somebody serves there already")),
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        self.remove();
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn names(dir: &Path) -> Vec<OsString> {
        fs::read_dir(dir).expect("a folder").map(|entry| entry.expect("a file").file_name()).collect()
    }

    #[test]
    fn a_socket_is_the_owners_and_goes_with_the_server() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("disk.sock");
        let socket = Socket::bind(&path).expect("a socket");
        assert_eq!(fs::metadata(&path).expect("it is there").permissions().mode() & 0o777, 0o600);
        assert_eq!(Socket::bind(&path).err().expect("in use").kind(), io::ErrorKind::AddrInUse);
        drop(socket);
        assert!(names(dir.path()).is_empty());
    }

    #[test]
    fn what_a_killed_server_left_is_replaced_and_nothing_else_is() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("disk.sock");
        drop(UnixListener::bind(&path).expect("a socket"));
        assert!(path.exists());
        drop(Socket::bind(&path).expect("in its place"));
        fs::write(&path, "precious").expect("a file");
        assert!(Socket::bind(&path).is_err());
        assert_eq!(fs::read(&path).expect("still there"), b"precious");
        assert_eq!(names(dir.path()), ["disk.sock"], "no lock stays");
    }

    /// Two servers that started on the socket of a killed one once found nobody there, both of them. The second
    /// removed the first's new socket, and both lived.
    #[test]
    fn of_servers_that_start_together_one_serves() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("disk.sock");
        for _ in 0..50 {
            drop(UnixListener::bind(&path).expect("a socket that is left"));
            let bound: Vec<_> = std::thread::scope(|scope| {
                let starting: Vec<_> = (0..4).map(|_| scope.spawn(|| Socket::bind(&path))).collect();
                starting.into_iter().map(|thread| thread.join().expect("an answer")).collect()
            });
            assert_eq!(bound.iter().filter(|socket| socket.is_ok()).count(), 1);
            UnixStream::connect(&path).expect("the one that serves has the name");
        }
    }

    /// The mode was once changed by name after the socket was made. Where others may write to the folder, a link in
    /// its place made that the mode of any file.
    #[test]
    fn the_mode_is_right_when_the_name_appears() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("disk.sock");
        let (_listener, there) = listen(&path).expect("a socket");
        // As it was before anybody listened.
        assert_eq!(there.permissions().mode() & 0o777, 0o600);
    }

    /// Each connection has a thread and buffers. Once there could be as many as clients liked.
    #[test]
    fn connections_beyond_the_most_are_told_so() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("disk.sock");
        let socket = Socket::bind(&path).expect("a socket");
        std::thread::spawn(move || {
            let echo = |mut stream: UnixStream| {
                while stream.read(&mut [0]).is_ok_and(|read| read > 0 && stream.write(b"!").is_ok()) {}
            };
            socket.serve(2, echo, |mut stream, why| drop(stream.write_all(why.as_bytes())))
        });
        let served = || {
            let mut stream = UnixStream::connect(&path).expect("a connection");
            let _ = stream.write_all(b"?");
            let mut first = [0];
            stream.read_exact(&mut first).expect("an answer");
            (first == *b"!").then_some(stream)
        };
        let (first, second) = (served().expect("a seat"), served().expect("a seat"));
        assert!(served().is_none(), "there are two");
        drop((first, second));
        // Their threads end a little later.
        while served().is_none() {}
    }
}
