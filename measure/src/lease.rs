// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Notes of what belongs to the whole system and is ours for a while: swap, and zram devices. The owner keeps its note
//! locked; the kernel unlocks it when the owner is killed. The next run undoes all that unlocked notes name.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};

use anyhow::{Context, Result};

use crate::locked::Locked;

/// As devices and swap, the notes are gone after a new start of the system.
const FOLDER: &str = "/run/ztera";

/// A thing that a killed owner leaves behind.
#[derive(Clone, Debug, PartialEq)]
pub enum Lent {
    /// The kernel swaps to this file or device.
    Swap(PathBuf),
    /// The zram device of this number.
    Zram(u32),
}

impl Lent {
    fn note(&self) -> String {
        match self {
            Lent::Swap(path) => format!("swap {}", path.display()),
            Lent::Zram(number) => format!("zram {number}"),
        }
    }

    fn of(note: &str) -> Option<Lent> {
        let (kind, name) = note.split_once(' ')?;
        match kind {
            "swap" => Some(Lent::Swap(name.into())),
            "zram" => name.parse().map(Lent::Zram).ok(),
            _ => None,
        }
    }
}

/// A note of this process. Dropping it removes it: undo first what it names.
pub struct Lease {
    /// None if the note is to stay.
    path: Option<PathBuf>,
    _locked: Locked,
}

impl Lease {
    /// Fails where notes cannot be written, which takes root.
    pub fn take(lent: &Lent) -> Result<Lease> {
        Lease::take_in(Path::new(FOLDER), lent).with_context(|| format!("cannot write a note in {FOLDER}"))
    }

    /// Nobody sees the note before it is locked: it gets its name last.
    fn take_in(folder: &Path, lent: &Lent) -> io::Result<Lease> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        fs::create_dir_all(folder)?;
        let name = format!("{}-{}", process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let (new, path) = (folder.join(format!("{name}.new")), folder.join(format!("{name}.lent")));
        let locked = Locked::new(File::create(&new)?)?;
        locked.file().write_all(lent.note().as_bytes())?;
        fs::rename(&new, &path)?;
        Ok(Lease { path: Some(path), _locked: locked })
    }

    /// Unlocks the note, and leaves it there.
    fn leave(mut self) {
        self.path = None;
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        // A note that stays is unlocked: the next run undoes what it names.
        let _ = self.path.as_ref().map_or(Ok(()), fs::remove_file);
    }
}

/// Undoes what killed owners left, swap before devices. A note stays if `undo` fails.
pub fn sweep(undo: impl Fn(&Lent) -> Result<()>) {
    sweep_in(Path::new(FOLDER), undo);
}

/// All that notes name, of owners that live and of others.
pub fn noted() -> Vec<Lent> {
    let files = fs::read_dir(FOLDER).into_iter().flatten().flatten().map(|entry| entry.path());
    files.filter_map(|file| Lent::of(&fs::read_to_string(file).ok()?)).collect()
}

fn sweep_in(folder: &Path, undo: impl Fn(&Lent) -> Result<()>) {
    let files = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut left: Vec<_> = files.filter_map(left_behind).collect();
    left.sort_by_key(|(lent, _)| matches!(lent, Lent::Zram(_)));
    for (lent, lease) in left {
        match undo(&lent) {
            Ok(()) => drop(lease),
            Err(error) => {
                eprintln!("ztera: a killed run left {}, which stays: {error:#}", lent.note());
                lease.leave();
            }
        }
    }
}

/// A note that nobody has locked, now locked by us.
fn left_behind(path: PathBuf) -> Option<(Lent, Lease)> {
    if path.extension()? != "lent" {
        return None;
    }
    let locked = Locked::new(File::open(&path).ok()?).ok()?;
    let lent = Lent::of(&fs::read_to_string(&path).ok()?)?;
    Some((lent, Lease { path: Some(path), _locked: locked }))
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use anyhow::bail;

    use super::*;

    #[test]
    fn what_a_killed_owner_left_is_undone_once_and_swap_first() {
        let folder = tempfile::tempdir().unwrap();
        let take = |lent: &Lent| Lease::take_in(folder.path(), lent).unwrap();
        let (device, swap) = (Lent::Zram(7), Lent::Swap("/dev/zram 7".into()));
        let _alive = take(&Lent::Zram(1));
        take(&device).leave();
        take(&swap).leave();
        let undone = RefCell::new(Vec::new());
        let undo = |lent: &Lent| {
            undone.borrow_mut().push(lent.clone());
            Ok(())
        };
        sweep_in(folder.path(), undo);
        assert_eq!(*undone.borrow(), [swap, device]);
        sweep_in(folder.path(), undo);
        assert_eq!((undone.borrow().len(), fs::read_dir(folder.path()).unwrap().count()), (2, 1));
    }

    #[test]
    fn what_cannot_be_undone_is_tried_again() {
        let folder = tempfile::tempdir().unwrap();
        Lease::take_in(folder.path(), &Lent::Zram(7)).unwrap().leave();
        sweep_in(folder.path(), |_| bail!("busy"));
        let tried = RefCell::new(0);
        sweep_in(folder.path(), |_| {
            *tried.borrow_mut() += 1;
            Ok(())
        });
        assert_eq!((tried.into_inner(), fs::read_dir(folder.path()).unwrap().count()), (1, 0));
    }

    #[test]
    fn an_owner_that_ends_leaves_no_note() {
        let folder = tempfile::tempdir().unwrap();
        drop(Lease::take_in(folder.path(), &Lent::Zram(7)).unwrap());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
