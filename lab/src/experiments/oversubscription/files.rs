// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Files of the JVMs that no other process uses.
//!
//! The kernel charges a page of a file to the cgroup that reads it first. Other JVMs of this machine may have read the
//! JDK's files long ago, and then no limit would ever reclaim them. So the JVMs run on a copy.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use rustix::fs::{Advice, fadvise, syncfs};
use ztera_machine::view::Jdk;

/// Parts of a JDK that no JVM needs to run.
const UNUSED: [&str; 8] = ["include", "legal", "man", "jmods", "demo", "src.zip", "ct.sym", "NOTICE"];

/// The copy.
pub struct Files {
    folder: PathBuf,
    files: Vec<PathBuf>,
}

impl Files {
    /// Of a JDK and some jars, in `folder`.
    pub fn copy(jdk: &Jdk, jars: &[PathBuf], folder: &Path) -> Result<Files> {
        let mut copy = Files { folder: folder.to_owned(), files: Vec::new() };
        copy.add(jdk.home(), &copy.home())?;
        for jar in jars {
            copy.add(jar, &folder.join(jar.file_name().context("a jar without a name")?))?;
        }
        syncfs(File::open(folder)?).context("cannot write the copy of the JDK")?;
        Ok(copy)
    }

    /// The copy of the JDK.
    pub fn home(&self) -> PathBuf {
        self.folder.join("jdk")
    }

    /// The copy of a jar.
    pub fn jar(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Has the kernel forget all pages of the files. No process may map them.
    pub fn forget(&self) -> Result<()> {
        for path in &self.files {
            let file = File::open(path)?;
            fadvise(&file, 0, None, Advice::DontNeed)
                .with_context(|| format!("cannot drop the pages of {}", path.display()))?;
        }
        Ok(())
    }

    /// A file or a folder; links become what they lead to.
    fn add(&mut self, from: &Path, to: &Path) -> Result<()> {
        if !fs::metadata(from).with_context(|| format!("cannot read {}", from.display()))?.is_dir() {
            fs::copy(from, to).with_context(|| format!("cannot copy {}", from.display()))?;
            self.files.push(to.to_owned());
            return Ok(());
        }
        fs::create_dir(to)?;
        for entry in fs::read_dir(from)? {
            let name = entry?.file_name();
            if !UNUSED.iter().any(|unused| name == *unused) {
                self.add(&from.join(&name), &to.join(&name))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn a_tree_of_links_becomes_files() {
        let folder = tempfile::tempdir().unwrap();
        let (view, into) = (folder.path().join("view"), folder.path().join("into"));
        for path in ["view/bin", "view/include", "base", "into"] {
            fs::create_dir_all(folder.path().join(path)).unwrap();
        }
        fs::write(view.join("bin/java"), "java").unwrap();
        fs::write(folder.path().join("base/libnio.so"), "nio").unwrap();
        symlink(folder.path().join("base"), view.join("lib")).unwrap();
        let files = Files::copy(&Jdk::at(&view).unwrap(), &[], &into).unwrap();
        let lib = files.home().join("lib");
        assert!(!lib.is_symlink() && fs::read(lib.join("libnio.so")).unwrap() == b"nio");
        assert!(!files.home().join("include").exists());
        assert_eq!(files.files.len(), 2);
        files.forget().unwrap();
    }
}
