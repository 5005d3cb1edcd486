// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Folders on which the device is mounted: they must be empty, and no mount of somebody else.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use rustix::fs::{AtFlags, CWD, StatxAttributes, StatxFlags, statx};
use rustix::mount::UnmountFlags;

use crate::lock::{Locked, in_the_way};

/// The source of our mounts, as `mount` shows it.
pub(super) const NAME: &str = "ztera";

/// A folder that can be mounted on, by its path without links. It is locked, so no other server of ours mounts on it.
pub(super) struct Folder {
    pub path: PathBuf,
    _locked: Locked,
}

impl Folder {
    /// Takes the folder `at`, from which it first unmounts what a killed server of ours left. An error says what is in
    /// the way.
    pub fn take(at: &Path) -> io::Result<Self> {
        let path = at.canonicalize()?;
        while let Some(mounted) = seen_at(&path)? {
            if !is_dead(&path) {
                return Err(in_the_way(&format!("{} is mounted there already", name_of(mounted))));
            }
            if name_of(mounted) != NAME {
                return Err(in_the_way("a dead mount is there: unmount it"));
            }
            // Programs that still have its file open get errors already.
            detach(&path, UnmountFlags::DETACH)?;
        }
        let locked = Locked::new(File::open(&path)?)?;
        // Another server may have mounted there before it was locked, and is what was opened then.
        if seen_at(&path)?.is_some() {
            return Err(in_the_way("somebody serves there already"));
        }
        if let Some(first) = fs::read_dir(&path)?.next() {
            let name = first?.file_name();
            return Err(in_the_way(&format!("the folder must be empty, and has `{}`", name.display())));
        }
        Ok(Self { path, _locked: locked })
    }
}

/// The number of the mount that is seen at a path; `None` if nothing is mounted there.
pub(super) fn seen_at(path: &Path) -> io::Result<Option<u64>> {
    // Without asking its server, which may be this process, or none.
    let stat = statx(CWD, path, AtFlags::STATX_DONT_SYNC, StatxFlags::MNT_ID)?;
    Ok(stat.stx_attributes.contains(StatxAttributes::MOUNT_ROOT).then_some(stat.stx_mnt_id))
}

/// Where a mount is from, as `mount` shows it.
fn name_of(mounted: u64) -> String {
    let all = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    let source = all.lines().find_map(|line| source_of(line, mounted)).unwrap_or("something");
    source.to_owned()
}

/// The source in a line of mountinfo, if that is about this mount: behind the dash come type, source and options.
fn source_of(line: &str, mounted: u64) -> Option<&str> {
    let number = line.split(' ').next()?;
    let (_, end) = line.split_once(" - ")?;
    end.split(' ').nth(1).filter(|_| number.parse() == Ok(mounted))
}

/// Whether nobody answers for a mounted folder any more: its attributes may still be known to the kernel, but not its
/// contents.
fn is_dead(path: &Path) -> bool {
    let dead = [libc::ENOTCONN, libc::ECONNABORTED];
    fs::read_dir(path).is_err_and(|error| error.raw_os_error().is_some_and(|errno| dead.contains(&errno)))
}

/// Unmounts what is seen at a path.
pub(super) fn detach(path: &Path, flags: UnmountFlags) -> io::Result<()> {
    match rustix::mount::unmount(path, flags) {
        Err(rustix::io::Errno::PERM) => detach_by_helper(path, flags),
        result => Ok(result?),
    }
}

/// Users other than root mount and unmount by it.
fn detach_by_helper(path: &Path, flags: UnmountFlags) -> io::Result<()> {
    let lazily = flags.contains(UnmountFlags::DETACH).then_some("-z");
    let output = Command::new("fusermount3").arg("-u").args(lazily).arg(path).output()?;
    if output.status.success() { Ok(()) } else { Err(io::ErrorKind::ResourceBusy.into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mount_is_known_by_its_number() {
        let line = r"36 35 98:0 /a\040b /mnt/a\040b rw,noatime shared:1 - fuse.ztera ztera rw,user_id=0";
        assert_eq!(source_of(line, 36), Some("ztera"));
        assert_eq!(source_of(line, 35), None);
        assert_eq!(source_of("nonsense", 36), None);
        let root = seen_at(Path::new("/")).expect("a folder").expect("a mount");
        assert_ne!(name_of(root), "something");
        let dir = tempfile::tempdir().expect("a folder");
        assert_eq!(seen_at(dir.path()).expect("a folder"), None);
    }

    #[test]
    fn a_folder_is_taken_once_and_if_it_is_empty() {
        let dir = tempfile::tempdir().expect("a folder");
        let folder = Folder::take(dir.path()).expect("it is empty");
        assert!(Folder::take(dir.path()).is_err_and(|error| error.kind() == io::ErrorKind::AddrInUse));
        drop(folder);
        fs::write(dir.path().join("precious"), "data").expect("a file");
        let error = Folder::take(dir.path()).err().expect("it is not empty");
        assert!(error.to_string().contains("`precious`"), "{error}");
        assert!(
            Folder::take(Path::new("/proc"))
                .err()
                .expect("it is a mount")
                .to_string()
                .contains("proc is mounted")
        );
    }
}
