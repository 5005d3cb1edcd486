// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Locks that end with their process, however it ends: of a name that one server may have, and of a folder.

use std::fs::{self, File, TryLockError};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags};

/// An empty file that one process at a time has locked.
pub(crate) struct LockFile {
    file: Locked,
    path: PathBuf,
}

impl LockFile {
    /// Makes the file and locks it. [`AddrInUse`](io::ErrorKind::AddrInUse) while another process has it, or if the
    /// file is none of ours.
    pub fn take(path: &Path) -> io::Result<Self> {
        loop {
            let file = Locked::new(open(path)?)?;
            let lock = Self { file, path: path.to_owned() };
            // Its last owner may have removed it since it was opened: then others make a new one.
            if lock.is_there() {
                return Ok(lock);
            }
        }
    }

    /// Removes the file, if it is still the one that is locked.
    pub fn remove(&self) {
        if self.is_there() {
            // Nobody is left to tell if that fails; the next server takes it.
            let _ = fs::remove_file(&self.path);
        }
    }

    fn is_there(&self) -> bool {
        let (locked, there) = (self.file.0.metadata(), fs::symlink_metadata(&self.path));
        locked.is_ok_and(|locked| there.is_ok_and(|there| same(&locked, &there)))
    }
}

fn open(path: &Path) -> io::Result<File> {
    let flags = OFlags::RDWR | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = File::from(rustix::fs::open(path, flags, Mode::RUSR | Mode::WUSR)?);
    let meta = file.metadata()?;
    if meta.is_file() && meta.len() == 0 {
        Ok(file)
    } else {
        Err(in_the_way(&format!("{} is no lock file of a server", path.display())))
    }
}

/// A file or folder that this process has locked. Dropping it unlocks it.
pub(crate) struct Locked(File);

impl Locked {
    /// [`AddrInUse`](io::ErrorKind::AddrInUse) while another process has locked it.
    pub fn new(file: File) -> io::Result<Self> {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => Err(in_the_way("somebody serves there already")),
            result => Ok(result.map(|()| Self(file))?),
        }
    }
}

impl Drop for Locked {
    /// Closing it is not enough: a child of this process has it open, too, until it runs its program.
    fn drop(&mut self) {
        // An open file can be unlocked.
        let _ = self.0.unlock();
    }
}

/// Something that is not ours has the name.
pub(crate) fn in_the_way(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::AddrInUse, why)
}

/// Whether both are of one file.
pub(crate) fn same(one: &fs::Metadata, other: &fs::Metadata) -> bool {
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_has_it_and_then_the_next() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("a.lock");
        let first = LockFile::take(&path).expect("it is free");
        assert_eq!(LockFile::take(&path).err().expect("taken").kind(), io::ErrorKind::AddrInUse);
        first.remove();
        let second = LockFile::take(&path).expect("a new file");
        first.remove();
        assert!(path.exists(), "it is the second's");
        drop((first, second));
        LockFile::take(&path).expect("what a killed server left").remove();
        assert!(!path.exists());
    }

    #[test]
    fn a_copy_in_a_child_does_not_keep_it_locked() {
        let dir = tempfile::tempdir().expect("a folder");
        let again = || Locked::new(File::open(dir.path()).expect("the folder"));
        let file = File::open(dir.path()).expect("the folder");
        let childs = file.try_clone().expect("as fork makes it");
        let locked = Locked::new(file).expect("it is free");
        assert!(again().is_err());
        drop(locked);
        again().expect("it is free again");
        drop(childs);
    }

    #[test]
    fn files_of_others_are_left_alone() {
        let dir = tempfile::tempdir().expect("a folder");
        let [precious, link] = ["precious", "link"].map(|name| dir.path().join(name));
        fs::write(&precious, "data").expect("a file");
        std::os::unix::fs::symlink(dir.path().join("new"), &link).expect("a link");
        assert!(LockFile::take(&precious).is_err() && LockFile::take(&link).is_err());
        assert!(fs::read(&precious).expect("still there") == b"data" && !dir.path().join("new").exists());
    }
}
