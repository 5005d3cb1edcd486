// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A device as it is shown to others, and taken away from them.

use std::io::{self, ErrorKind, Write};
use std::path::{self, Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use ztera_disk::fuse::{self, Mount};
use ztera_disk::socket::Socket;
use ztera_disk::ublk::Disk;
use ztera_disk::{Service, control, nbd};

/// Between looks whether a device is free, or the server is to end.
pub const LOOK: Duration = Duration::from_millis(50);

/// Bytes of a name that leave room for the end of a socket's: the kernel has 107 in all.
const LONGEST_NAME: usize = 99;

/// Things that the server takes away when it ends, in this order.
pub struct Served {
    shown: Shown,
    at: PathBuf,
    _sockets: Vec<Bound>,
}

enum Shown {
    /// By NBD, for as long as this process lives.
    Socket,
    Folder(Mount),
    Disk(Box<Disk>),
}

impl Shown {
    /// [`ResourceBusy`](ErrorKind::ResourceBusy) while somebody uses it.
    fn take_away(&mut self) -> io::Result<()> {
        match self {
            Shown::Socket => Ok(()),
            Shown::Folder(mount) => mount.unmount(),
            Shown::Disk(disk) => disk.take_away(),
        }
    }
}

/// A socket that a thread serves for as long as this process lives.
struct Bound(Arc<Socket>);

impl Bound {
    fn serve(
        path: &Path,
        service: &Arc<Service>,
        serve: fn(&Socket, &Arc<Service>) -> io::Result<()>,
    ) -> Result<Bound> {
        let socket = Arc::new(
            Socket::bind(path).with_context(|| format!("cannot make the socket {}", path.display()))?,
        );
        let bound = Bound(socket.clone());
        let service = service.clone();
        thread::spawn(move || {
            let Err(error) = serve(&socket, &service) else { return };
            let _ =
                writeln!(io::stderr(), "ztera: no new connections at {}: {error}", socket.path().display());
        });
        Ok(bound)
    }
}

impl Drop for Bound {
    fn drop(&mut self) {
        self.0.remove();
    }
}

impl Served {
    /// Shows the device by NBD at a socket, or in a folder by FUSE, or else by ublk.
    pub fn start(socket: Option<&Path>, folder: Option<&Path>, service: &Arc<Service>) -> Result<Served> {
        // By its whole name `ztera disk list` finds it.
        let controlled = |at: &Path| {
            let whole = path::absolute(at).ok().filter(|at| at.as_os_str().len() <= LONGEST_NAME);
            let control = control::path_for(whole.as_deref().unwrap_or(at));
            Bound::serve(&control, service, control::serve)
        };
        let (shown, at, sockets) = match (socket, folder) {
            (Some(path), _) => {
                let sockets = vec![controlled(path)?, Bound::serve(path, service, nbd::serve)?];
                (Shown::Socket, path.to_owned(), sockets)
            }
            // First the socket, for which there can be one server only.
            (None, Some(folder)) => {
                let control = controlled(folder)?;
                (Shown::Folder(mount(folder, service)?), folder.to_owned(), vec![control])
            }
            (None, None) => {
                let disk = Disk::new(service).context(
                    "cannot make a block device by ublk: it takes root and `modprobe ublk_drv`, else use --fuse or --socket",
                )?;
                let path = disk.path();
                let control = controlled(&path)?;
                (Shown::Disk(Box::new(disk)), path, vec![control])
            }
        };
        Ok(Served { shown, at, _sockets: sockets })
    }

    /// The name that other commands know it by.
    pub fn at(&self) -> &Path {
        &self.at
    }

    /// A name for clients, or a command that uses the device.
    pub fn how_to_connect(&self) -> String {
        let at = self.at.display();
        match self.shown {
            Shown::Socket => format!("nbd+unix:///?socket={at}"),
            Shown::Folder(_) => format!("losetup --find --show --direct-io=on {at}/{}", fuse::FILE),
            Shown::Disk(_) => format!("mkfs.ext4 {at}"),
        }
    }

    /// Whether somebody else has taken the folder or the block device away.
    pub fn has_ended(&self) -> bool {
        match &self.shown {
            Shown::Socket => false,
            Shown::Folder(mount) => mount.is_gone(),
            Shown::Disk(disk) => disk.is_gone(),
        }
    }

    /// Why a server ends that nobody has asked to.
    pub fn how_it_was_taken(&self) -> String {
        let at = self.at.display();
        match self.shown {
            Shown::Disk(_) => format!("somebody has deleted the device {at}; its data are gone"),
            _ => format!("somebody has unmounted {at}; the data of the device are gone"),
        }
    }

    /// Takes it away. While somebody uses it, it stays: what is on the device would be lost.
    pub fn end(mut self) -> Result<()> {
        let mut told = false;
        loop {
            match self.shown.take_away() {
                Ok(()) => return Ok(()),
                Err(busy) if busy.kind() == ErrorKind::ResourceBusy => {
                    if !std::mem::replace(&mut told, true) {
                        let _ = writeln!(io::stderr(), "{STILL_USED}");
                    }
                    thread::sleep(LOOK);
                }
                Err(error) => return Err(error).context("cannot take the device away"),
            }
        }
    }
}

const STILL_USED: &str = "ztera: the device is in use, and served until it is not: unmount its file system or switch off \
                          its swap, then `losetup --detach`, and unmount what lies over its folder. SIGKILL ends it at \
                          once, and its I/O fails";

fn mount(folder: &Path, service: &Arc<Service>) -> Result<Mount> {
    if !Path::new("/dev/fuse").exists() {
        bail!("this kernel has no FUSE (no /dev/fuse): use --socket");
    }
    Mount::new(folder, service.clone()).with_context(|| {
        format!(
            "cannot mount on {}: it must be an empty folder, and it takes root or the package fuse3",
            folder.display()
        )
    })
}
