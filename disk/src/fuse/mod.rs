// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The device as the one file of a folder, by FUSE: for loop devices, and so for file systems and swap.

mod mounts;

use std::ffi::OsStr;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use fuser::{
    BackgroundSession, BsdFileFlags, Config, Errno, FileAttr, FileHandle, FileType, Filesystem, FopenFlags,
    Generation, INodeNo, InitFlags, KernelConfig, LockOwner, MountOption, OpenFlags, ReplyAttr, ReplyData,
    ReplyDirectory, ReplyEmpty, ReplyEntry, ReplyOpen, ReplyWrite, Session, TimeOrNow, WriteFlags,
};
use rustix::mount::UnmountFlags;

use self::mounts::{Folder, NAME, detach, seen_at};
use crate::error::Error;
use crate::extent::Extent;
use crate::service::Service;
use crate::task::Request;

/// The file's name.
pub const FILE: &str = "disk";

/// Nothing of it ever changes but the contents.
const FOR_LONG: Duration = Duration::from_secs(3600);
const FILE_NODE: INodeNo = INodeNo(2);

/// A mounted folder. Dropping it unmounts it: whoever still uses the file then gets errors.
pub struct Mount {
    session: Option<BackgroundSession>,
    folder: Folder,
    /// The kernel's number of it.
    number: Option<u64>,
}

impl Mount {
    /// Mounts it on the folder `at`, as root, or by the package fuse3's helper. Unmounts what a killed server left
    /// there. [`AddrInUse`](io::ErrorKind::AddrInUse) if anything else is mounted there, or is in the folder.
    pub fn new(at: &Path, service: Arc<Service>) -> io::Result<Self> {
        let mut config = Config::default();
        config.mount_options = vec![
            MountOption::FSName(NAME.to_owned()),
            MountOption::Subtype(NAME.to_owned()),
            MountOption::NoSuid,
            MountOption::NoDev,
            MountOption::NoExec,
        ];
        config.n_threads = Some(std::thread::available_parallelism().map_or(1, usize::from));
        config.clone_fd = true;
        let folder = Folder::take(at)?;
        let shown = Shown { service, since: SystemTime::now() };
        let session = Session::new(shown, &folder.path, &config)?.spawn()?;
        let mut mount = Self { session: Some(session), folder, number: None };
        mount.number = seen_at(&mount.folder.path)?;
        Ok(mount)
    }

    /// Whether somebody has unmounted it.
    pub fn is_gone(&self) -> bool {
        self.session.as_ref().is_none_or(|session| session.guard.is_finished())
    }

    /// Unmounts it. [`ResourceBusy`](io::ErrorKind::ResourceBusy) while somebody uses it, or has mounted something over
    /// it: then it still is there.
    pub fn unmount(&mut self) -> io::Result<()> {
        if !self.is_gone() {
            self.detach(UnmountFlags::empty())?;
        }
        self.session.take().map_or(Ok(()), BackgroundSession::join)
    }

    /// Only this mount: by its name somebody else's would go that lies above it.
    fn detach(&self, flags: UnmountFlags) -> io::Result<()> {
        let path = &self.folder.path;
        if seen_at(path)? != self.number {
            return Err(io::ErrorKind::ResourceBusy.into());
        }
        detach(path, flags)
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        if self.unmount().is_err() {
            // Out of sight at least. Its threads go on for who has the file open, so nobody may wait for them.
            let _ = self.detach(UnmountFlags::DETACH);
            std::mem::forget(self.session.take());
        }
    }
}

/// The folder and its file, as the kernel asks for them.
struct Shown {
    service: Arc<Service>,
    since: SystemTime,
}

impl Shown {
    fn attributes(&self, node: INodeNo) -> Option<FileAttr> {
        let (kind, perm, size, links) = match node {
            INodeNo::ROOT => (FileType::Directory, 0o500, 0, 2),
            FILE_NODE => (FileType::RegularFile, 0o600, self.service.device().size(), 1),
            _ => return None,
        };
        let user = rustix::process::geteuid().as_raw();
        Some(FileAttr {
            ino: node,
            size,
            blocks: size / 512,
            atime: self.since,
            mtime: self.since,
            ctime: self.since,
            crtime: self.since,
            kind,
            perm,
            nlink: links,
            uid: user,
            gid: rustix::process::getegid().as_raw(),
            rdev: 0,
            blksize: self.service.device().unit().bytes() as u32,
            flags: 0,
        })
    }

    /// The part of `len` bytes at `offset` that is on the device: a read at a file's end gets the rest of the file.
    fn clipped(&self, offset: u64, len: u64) -> Extent {
        let len = self.service.device().size().saturating_sub(offset).min(len);
        Extent { offset, len }
    }
}

fn errno(error: Error) -> Errno {
    Errno::from_i32(error.errno())
}

impl Filesystem for Shown {
    /// Programs often truncate a file as they open it. The kernel does not ask that of a block device, and of ours it
    /// shall ask by a flag, so that only calls of ftruncate are refused. Old kernels have no such flag.
    fn init(&mut self, _: &fuser::Request, config: &mut KernelConfig) -> io::Result<()> {
        let _ = config.add_capabilities(InitFlags::FUSE_ATOMIC_O_TRUNC);
        Ok(())
    }

    fn lookup(&self, _: &fuser::Request, parent: INodeNo, name: &OsStr, reply: ReplyEntry) {
        match self.attributes(FILE_NODE).filter(|_| parent == INodeNo::ROOT && name == FILE) {
            Some(attributes) => reply.entry(&FOR_LONG, &attributes, Generation(0)),
            None => reply.error(Errno::ENOENT),
        }
    }

    fn getattr(&self, _: &fuser::Request, node: INodeNo, _: Option<FileHandle>, reply: ReplyAttr) {
        match self.attributes(node) {
            Some(attributes) => reply.attr(&FOR_LONG, &attributes),
            None => reply.error(Errno::ENOENT),
        }
    }

    /// Nothing of it changes, and whoever tries is told. Times do not matter to anybody.
    fn setattr(
        &self,
        _: &fuser::Request,
        node: INodeNo,
        mode: Option<u32>,
        uid: Option<u32>,
        gid: Option<u32>,
        size: Option<u64>,
        _atime: Option<TimeOrNow>,
        _mtime: Option<TimeOrNow>,
        _ctime: Option<SystemTime>,
        _: Option<FileHandle>,
        _crtime: Option<SystemTime>,
        _chgtime: Option<SystemTime>,
        _bkuptime: Option<SystemTime>,
        _flags: Option<BsdFileFlags>,
        reply: ReplyAttr,
    ) {
        let Some(is) = self.attributes(node) else { return reply.error(Errno::ENOENT) };
        let same_mode = mode.is_none_or(|mode| mode & 0o7777 == u32::from(is.perm));
        if size.is_some_and(|size| size != is.size) {
            // As of a block device.
            reply.error(Errno::EINVAL);
        } else if !same_mode || uid.is_some_and(|uid| uid != is.uid) || gid.is_some_and(|gid| gid != is.gid) {
            reply.error(Errno::EPERM);
        } else {
            reply.attr(&FOR_LONG, &is);
        }
    }

    fn readdir(&self, _: &fuser::Request, _: INodeNo, _: FileHandle, offset: u64, mut reply: ReplyDirectory) {
        let entries = [
            (INodeNo::ROOT, FileType::Directory, "."),
            (INodeNo::ROOT, FileType::Directory, ".."),
            (FILE_NODE, FileType::RegularFile, FILE),
        ];
        for (next, (node, kind, name)) in (1..).zip(entries).skip(offset as usize) {
            if reply.add(node, next, kind, name) {
                break;
            }
        }
        reply.ok();
    }

    /// Without the page cache: what is compressed here must not lie there as well.
    fn open(&self, _: &fuser::Request, _: INodeNo, _: OpenFlags, reply: ReplyOpen) {
        let flags = FopenFlags::FOPEN_DIRECT_IO | FopenFlags::FOPEN_PARALLEL_DIRECT_WRITES;
        reply.opened(FileHandle(0), flags);
    }

    fn read(
        &self,
        _: &fuser::Request,
        _: INodeNo,
        _: FileHandle,
        offset: u64,
        len: u32,
        _: OpenFlags,
        _: Option<LockOwner>,
        reply: ReplyData,
    ) {
        match self.service.call(Request::Read(self.clipped(offset, len.into()))) {
            Ok(pieces) => match &pieces[..] {
                [piece] => reply.data(piece),
                pieces => reply.data(&pieces.concat()),
            },
            Err(error) => reply.error(errno(error)),
        }
    }

    fn write(
        &self,
        _: &fuser::Request,
        _: INodeNo,
        _: FileHandle,
        offset: u64,
        data: &[u8],
        _: WriteFlags,
        _: OpenFlags,
        _: Option<LockOwner>,
        reply: ReplyWrite,
    ) {
        let len = self.clipped(offset, data.len() as u64).len as usize;
        if len == 0 && !data.is_empty() {
            return reply.error(Errno::ENOSPC);
        }
        match self.service.call(Request::Write(offset, Bytes::copy_from_slice(&data[..len]))) {
            Ok(_) => reply.written(len as u32),
            Err(error) => reply.error(errno(error)),
        }
    }

    fn flush(&self, _: &fuser::Request, _: INodeNo, _: FileHandle, _: LockOwner, reply: ReplyEmpty) {
        reply.ok();
    }

    /// A write that was replied to is stored.
    fn fsync(&self, _: &fuser::Request, _: INodeNo, _: FileHandle, _: bool, reply: ReplyEmpty) {
        reply.ok();
    }

    /// How loop devices pass discards and zeros on.
    fn fallocate(
        &self,
        _: &fuser::Request,
        _: INodeNo,
        _: FileHandle,
        offset: u64,
        len: u64,
        mode: i32,
        reply: ReplyEmpty,
    ) {
        const ZEROS: i32 = libc::FALLOC_FL_PUNCH_HOLE | libc::FALLOC_FL_ZERO_RANGE;
        if mode & ZEROS == 0 {
            return reply.error(Errno::EOPNOTSUPP);
        }
        // A hole reads as zeros to its very ends, unlike what was discarded.
        match self.service.call(Request::WriteZeroes(self.clipped(offset, len))) {
            Ok(_) => reply.ok(),
            Err(error) => reply.error(errno(error)),
        }
    }
}
