// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Locks on files and folders. The kernel ends them with their process, however that ends.

use std::fs::File;
use std::io;

/// A file or folder that this process has locked. Dropping it unlocks it.
pub struct Locked(File);

impl Locked {
    /// Fails while another process has locked it.
    pub fn new(file: File) -> io::Result<Locked> {
        file.try_lock()?;
        Ok(Locked(file))
    }

    /// The file, to be read and written.
    pub fn file(&self) -> &File {
        &self.0
    }
}

impl Drop for Locked {
    /// Closing it is not enough: a child of this process has it open, too, until it runs its program.
    fn drop(&mut self) {
        // An open file can be unlocked.
        let _ = self.0.unlock();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_in_a_child_does_not_keep_it_locked() {
        let folder = tempfile::tempdir().unwrap();
        let again = || Locked::new(File::open(folder.path()).unwrap());
        let file = File::open(folder.path()).unwrap();
        let childs = file.try_clone().unwrap();
        let locked = Locked::new(file).unwrap();
        assert!(again().is_err());
        drop(locked);
        again().unwrap();
        drop(childs);
    }
}
