// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The mappings of a process, by `/proc/PID/maps`.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::Result;

use super::{file_of, unreadable};

/// A piece of a process's address space.
#[derive(Clone, Debug, PartialEq)]
pub struct Mapping {
    /// Its addresses.
    pub range: Range<u64>,
    /// Whether the process may read it.
    pub readable: bool,
    /// Whether the process may write to it.
    pub writable: bool,
    /// Whether the process may run it.
    pub executable: bool,
    /// Whether others see what the process writes to it.
    pub shared: bool,
    /// Where in its file it begins, in bytes.
    pub offset: u64,
    /// Device and inode of its file; zeros if there is none.
    pub inode: (String, u64),
    /// Its file or the kernel's name for it, such as `[heap]`; empty if it has none.
    pub name: String,
}

impl Mapping {
    /// Bytes of addresses.
    pub fn len(&self) -> u64 {
        self.range.end - self.range.start
    }

    /// Whether there is none, which the kernel does not do.
    pub fn is_empty(&self) -> bool {
        self.range.is_empty()
    }

    /// The path of its file on a file system, which may have been deleted since; none if it has no file.
    pub fn path(&self) -> Option<&Path> {
        let is_file = self.inode.1 != 0 && self.name.starts_with('/') && !self.name.starts_with("/memfd:");
        is_file.then(|| Path::new(self.name.strip_suffix(DELETED).unwrap_or(&self.name)))
    }

    /// As of [`Mapping::path`], if the file can still be opened by it.
    pub fn file(&self) -> Option<&Path> {
        self.path().filter(|_| !self.name.ends_with(DELETED))
    }
}

/// The kernel's words behind the name of a file that is there no more.
const DELETED: &str = " (deleted)";

/// All mappings of process `pid`, by address.
pub fn of(pid: u32) -> Result<Vec<Mapping>> {
    let text = fs::read_to_string(file_of(pid, "maps")).map_err(|error| unreadable(pid, "maps", error))?;
    Ok(text.lines().filter_map(parse).collect())
}

/// A line such as `7f00-7f10 r-xp 00001000 fe:00 66 /lib/libc.so`.
pub fn parse(line: &str) -> Option<Mapping> {
    let (range, rest) = line.split_once(' ')?;
    let (start, end) = range.split_once('-')?;
    let hex = |text: &str| u64::from_str_radix(text, 16).ok();
    let mut words = rest.splitn(5, ' ');
    let (rights, offset, device, inode) = (words.next()?, words.next()?, words.next()?, words.next()?);
    let has = |at: usize, right: u8| rights.as_bytes().get(at) == Some(&right);
    Some(Mapping {
        range: hex(start)?..hex(end)?,
        readable: has(0, b'r'),
        writable: has(1, b'w'),
        executable: has(2, b'x'),
        shared: has(3, b's'),
        offset: hex(offset)?,
        inode: (device.to_owned(), inode.parse().ok()?),
        name: words.next().unwrap_or_default().trim_start().to_owned(),
    })
}

/// A file as process `pid` sees it, also from another mount namespace.
pub fn path_from_outside(pid: u32, path: &Path) -> PathBuf {
    let below = path.strip_prefix("/").unwrap_or(path);
    file_of(pid, "root").join(below)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_understood() {
        let library = parse("7f00-7f10 r-xp 00001000 fe:00 66                 /lib/my lib.so").unwrap();
        assert_eq!((library.range.clone(), library.offset, library.len()), (0x7f00..0x7f10, 0x1000, 0x10));
        assert!(library.readable && library.executable && !library.writable && !library.shared);
        assert_eq!(library.file(), Some(Path::new("/lib/my lib.so")));
        let anonymous = parse("10-20 rw-p 00000000 00:00 0 ").unwrap();
        assert_eq!((anonymous.name.as_str(), anonymous.file()), ("", None));
        assert!(anonymous.writable);
        assert_eq!(parse("Rss:               4 kB"), None);
        assert_eq!(parse("VmFlags: rd wr mr mw me ac "), None);
    }

    #[test]
    fn only_files_that_are_there_are_files() {
        let file =
            |name: &str| parse(&format!("10-20 rw-s 00000000 00:01 7    {name}")).unwrap().file().is_some();
        assert!(file("/a/b.jar"));
        assert!(!file("/a/b.jar (deleted)") && !file("/memfd:java_heap (deleted)") && !file("[heap]"));
    }

    #[test]
    fn a_deleted_file_keeps_its_path() {
        let deleted = parse("10-20 r--s 00000000 00:01 7    /a/b.jar (deleted)").unwrap();
        assert_eq!((deleted.path(), deleted.file()), (Some(Path::new("/a/b.jar")), None));
    }

    #[test]
    fn the_test_maps_itself() {
        let own = of(std::process::id()).unwrap();
        let here = &own as *const _ as u64;
        assert!(own.iter().any(|mapping| mapping.range.contains(&here)), "the stack is mapped");
        assert!(own.is_sorted_by_key(|mapping| mapping.range.start));
        assert_eq!(
            of(4_194_305).unwrap_err().to_string(),
            "there is no process 4194305; `ztera top` lists JVMs"
        );
    }
}
