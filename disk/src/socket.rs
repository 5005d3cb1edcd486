// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A Unix socket that only its owner may use, and that is gone with the process that serves it.

use std::fs;
use std::io;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustix::fs::Mode;

/// A listening socket. Dropping it removes its file, if that is still ours.
pub struct Socket {
    listener: UnixListener,
    path: PathBuf,
    inode: u64,
}

impl Socket {
    /// Listens at `path`, with mode 0600. Replaces the socket of a killed server; anything else there is an error.
    pub fn bind(path: &Path) -> io::Result<Self> {
        remove_stale(path)?;
        // By the mask, as there must be no moment in which others could connect.
        let before = rustix::process::umask(Mode::from_raw_mode(0o177));
        let bound = UnixListener::bind(path);
        rustix::process::umask(before);
        let listener = bound?;
        fs::set_permissions(path, fs::Permissions::from_mode(0o600))?;
        let inode = fs::symlink_metadata(path)?.ino();
        Ok(Self { listener, path: path.to_owned(), inode })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Removes its file, if that is still ours: for a process that ends while a thread serves.
    pub fn remove(&self) {
        if fs::symlink_metadata(&self.path).is_ok_and(|there| there.ino() == self.inode) {
            // Nobody is left to tell if that fails; the next server replaces it.
            let _ = fs::remove_file(&self.path);
        }
    }

    /// Gives every connection to `serve`, in a thread of its own. Does not return but by an error.
    pub fn serve(&self, serve: impl Fn(UnixStream) + Send + Sync + 'static) -> io::Result<()> {
        let serve = Arc::new(serve);
        loop {
            let stream = match self.listener.accept() {
                Ok((stream, _)) => stream,
                Err(error) if is_passing(&error) => {
                    // Too many open files: some connection will end.
                    std::thread::sleep(std::time::Duration::from_millis(20));
                    continue;
                }
                Err(error) => return Err(error),
            };
            let serve = serve.clone();
            // Where no thread can be had, the client sees its connection closed.
            let _ = ztera_store::threads::spawn("zt-client", move || serve(stream));
        }
    }
}

fn is_passing(error: &io::Error) -> bool {
    let passing = [libc::EINTR, libc::ECONNABORTED, libc::EMFILE, libc::ENFILE, libc::ENOBUFS, libc::ENOMEM];
    error.raw_os_error().is_some_and(|errno| passing.contains(&errno))
}

fn remove_stale(path: &Path) -> io::Result<()> {
    let in_the_way = |why: &str| io::Error::new(io::ErrorKind::AddrInUse, why);
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
    use super::*;

    #[test]
    fn a_socket_is_the_owners_and_goes_with_the_server() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("disk.sock");
        let socket = Socket::bind(&path).expect("a socket");
        assert_eq!(fs::metadata(&path).expect("it is there").permissions().mode() & 0o777, 0o600);
        assert_eq!(Socket::bind(&path).err().expect("in use").kind(), io::ErrorKind::AddrInUse);
        drop(socket);
        assert!(!path.exists());
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
    }
}
