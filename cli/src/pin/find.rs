// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The files of a process, and which of their pages it uses.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::ops::Range;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use anyhow::Result;
use ztera_machine::process::files::kind;
use ztera_machine::process::mapping::{self, Mapping};
use ztera_machine::process::pagemap::Pagemap;
use ztera_machine::process::{file_of, unreadable};

use super::in_memory;
use super::what::What;

/// A file, opened, and its pages that are wanted.
#[derive(Debug)]
pub struct Wanted {
    /// As the process names it.
    pub path: PathBuf,
    /// Its kind.
    pub what: What,
    /// To map it by.
    pub file: File,
    /// Bytes of it, in order and apart from each other. They begin and end with a page.
    pub ranges: Vec<Range<u64>>,
}

impl Wanted {
    /// How many bytes are wanted.
    pub fn bytes(&self) -> u64 {
        self.ranges.iter().map(|range| range.end - range.start).sum()
    }

    /// Wants no more than the first `bytes` of them, in whole pages.
    pub fn keep(&mut self, bytes: u64) {
        let mut left = bytes - bytes % rustix::param::page_size() as u64;
        for range in &mut self.ranges {
            range.end = range.end.min(range.start + left);
            left -= range.end - range.start;
        }
        self.ranges.retain(|range| !range.is_empty());
    }
}

/// The files of process `pid` of these kinds, each device and inode once, and the names of those that cannot be opened.
/// Of each the pages that are in memory, or with `whole` all that the process has mapped.
pub fn files(pid: u32, kinds: &[What], whole: bool) -> Result<(Vec<Wanted>, Vec<String>)> {
    let (mut found, mut lost) = (BTreeMap::new(), Vec::new());
    let pagemap = Pagemap::of(pid)?;
    let is_wanted = |what: &What| kinds.contains(what);
    for mapping in mapping::of(pid)? {
        let Some(path) = mapping.path() else { continue };
        let Some(what) = What::of(kind(path, mapping.executable)).filter(is_wanted) else { continue };
        match open(pid, &mapping, path) {
            Some(file) if whole => {
                let all = mapping.offset..mapping.offset + mapping.len();
                add(&mut found, path, what, file, vec![all])?;
            }
            Some(file) => add(&mut found, path, what, file, in_memory::of_mapping(&pagemap, &mapping)?)?,
            None if lost.contains(&mapping.name) => (),
            None => lost.push(mapping.name.clone()),
        }
    }
    for (path, file) in open_files(pid)? {
        // Jars are read and not mapped: all of their pages may be used.
        if What::of(kind(&path, false)) == Some(What::Jars) && is_wanted(&What::Jars) {
            let all = 0..file.metadata()?.len();
            let ranges = if whole { vec![all] } else { in_memory::of_file(&file, all.end)? };
            add(&mut found, &path, What::Jars, file, ranges)?;
        }
    }
    let mut files: Vec<Wanted> = found.into_values().filter(|wanted: &Wanted| wanted.bytes() > 0).collect();
    files.iter_mut().for_each(|wanted| wanted.ranges = union(std::mem::take(&mut wanted.ranges)));
    files.sort_by(|a, b| (a.what, &a.path).cmp(&(b.what, &b.path)));
    Ok((files, lost))
}

fn add(
    found: &mut BTreeMap<(u64, u64), Wanted>,
    path: &Path,
    what: What,
    file: File,
    ranges: Vec<Range<u64>>,
) -> Result<()> {
    let metadata = file.metadata()?;
    let page = rustix::param::page_size() as u64;
    // Pages behind the end of the file can be mapped, and not locked.
    let whole_pages = |range: Range<u64>| {
        let end = range.end.min(metadata.len()).next_multiple_of(page);
        (range.start / page * page).min(end)..end
    };
    let new = || Wanted { path: path.to_owned(), what, file, ranges: Vec::new() };
    let wanted = found.entry((metadata.dev(), metadata.ino())).or_insert_with(new);
    wanted.ranges.extend(ranges.into_iter().map(whole_pages));
    Ok(())
}

/// The very file that is mapped: also one that was replaced, if the kernel lets this user have it.
fn open(pid: u32, mapping: &Mapping, path: &Path) -> Option<File> {
    let name = format!("map_files/{:x}-{:x}", mapping.range.start, mapping.range.end);
    let by_name = || {
        let file = File::open(mapping::path_from_outside(pid, path)).ok()?;
        (file.metadata().ok()?.ino() == mapping.inode.1).then_some(file)
    };
    File::open(file_of(pid, &name)).ok().or_else(by_name)
}

/// The regular files that the process has open, as far as they can be opened once more.
fn open_files(pid: u32) -> Result<Vec<(PathBuf, File)>> {
    let folder = fs::read_dir(file_of(pid, "fd")).map_err(|error| unreadable(pid, "fd", error))?;
    let file = |link: PathBuf| {
        let path = fs::read_link(&link).ok().filter(|path| path.is_absolute())?;
        // Others may wait, or do something, when they are opened.
        fs::metadata(&link).ok().filter(|metadata| metadata.is_file())?;
        Some((path, File::open(&link).ok()?))
    };
    Ok(folder.flatten().filter_map(|entry| file(entry.path())).collect())
}

/// The same bytes without those that are there twice, in order.
fn union(mut ranges: Vec<Range<u64>>) -> Vec<Range<u64>> {
    ranges.retain(|range| !range.is_empty());
    ranges.sort_by_key(|range| range.start);
    let mut apart: Vec<Range<u64>> = Vec::new();
    for range in ranges {
        match apart.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => apart.push(range),
        }
    }
    apart
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_byte_is_wanted_twice() {
        let of = |ranges: &[Range<u64>]| union(ranges.to_vec());
        assert_eq!(of(&[8..12, 0..4, 2..8, 20..24, 5..5]), [0..12, 20..24]);
        assert_eq!(of(&[]), []);
    }

    #[test]
    fn the_first_pages_are_kept() {
        let page = rustix::param::page_size() as u64;
        let (path, what, file) = ("/a.jar".into(), What::Jars, tempfile::tempfile().unwrap());
        let mut wanted =
            Wanted { path, what, file, ranges: vec![0..page, 2 * page..6 * page, 8 * page..9 * page] };
        wanted.keep(3 * page + 1);
        assert_eq!(wanted.ranges, [0..page, 2 * page..4 * page]);
    }

    #[test]
    fn libraries_of_the_test_are_found() {
        let (files, lost) = files(std::process::id(), &[What::Libraries], false).unwrap();
        assert!(lost.is_empty(), "{lost:?}");
        let own = std::env::current_exe().unwrap();
        let wanted = files.iter().find(|wanted| wanted.path == own).expect("the test itself is mapped");
        let len = own.metadata().unwrap().len().next_multiple_of(rustix::param::page_size() as u64);
        assert!(wanted.bytes() > 0 && wanted.bytes() <= len, "{} of {len}", wanted.bytes());
        let (all, _) = super::files(std::process::id(), &[What::Libraries], true).unwrap();
        let whole = all.iter().find(|wanted| wanted.path == own).expect("as before");
        assert!(wanted.bytes() < whole.bytes(), "the test has not run all of its code");
    }

    #[test]
    fn an_open_jar_is_wanted_as_it_is_in_memory() {
        let folder = tempfile::tempdir().unwrap();
        let jar = folder.path().join("a.jar");
        fs::write(&jar, vec![1; 5000]).unwrap();
        let _open = File::open(&jar).unwrap();
        let (files, _) = files(std::process::id(), &[What::Jars], false).unwrap();
        let wanted = files.iter().find(|wanted| wanted.path == jar).expect("it is open");
        assert_eq!(wanted.bytes(), 5000u64.next_multiple_of(rustix::param::page_size() as u64));
    }
}
