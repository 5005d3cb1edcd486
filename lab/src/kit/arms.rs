// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The arms of benchmarks that move data to H2: each is a store of H2's pages.

use std::path::Path;

use anyhow::Result;
use tempfile::TempDir;
use ztera_machine::jvm_flags::{Backing, H2Flags};

use super::filesystem::{self, Disk};
use super::zram_fs::ZramFs;

/// The backing of the pages of H2. Dropping it undoes what was set up.
pub enum Store {
    /// The compressed tier.
    Tier,
    /// A file on ext4 on zram.
    Zram(ZramFs),
    /// A file in a folder of our own on a disk.
    Disk(TempDir, Disk),
}

impl Store {
    /// The folder of the file, if there is a file.
    pub fn folder(&self) -> Option<&Path> {
        match self {
            Store::Tier => None,
            Store::Zram(fs) => Some(fs.path()),
            Store::Disk(dir, _) => Some(dir.path()),
        }
    }

    /// The block device whose read-ahead matters.
    pub fn disk(&self) -> Option<String> {
        match self {
            Store::Tier => None,
            Store::Zram(fs) => Some(fs.disk()),
            Store::Disk(_, disk) => Some(disk.name.clone()),
        }
    }

    /// The flags that place H2 there; none for the tier, which takes sizes.
    pub fn file_flags(&self) -> Option<H2Flags> {
        let path = self.folder()?.to_owned();
        Some(H2Flags { backing: Some(Backing::File), path: Some(path), ..H2Flags::default() })
    }
}

/// A store with its name.
pub struct Arm {
    /// `tier`, `file-zram` or `file-ssd`.
    pub name: &'static str,
    /// The backing of the pages.
    pub store: Store,
}

impl Arm {
    /// The compressed tier.
    pub fn tier() -> Arm {
        Arm { name: "tier", store: Store::Tier }
    }

    /// A file on zram, for an H2 of so many bytes. Takes root.
    pub fn on_zram(h2: u64) -> Result<Arm> {
        Ok(Arm { name: "file-zram", store: Store::Zram(ZramFs::for_h2(h2, None)?) })
    }

    /// A file in `dir`. Fails if that is not on a disk.
    pub fn on_ssd(dir: &Path) -> Result<Arm> {
        let (folder, disk) = filesystem::folder_on_disk(dir)?;
        Ok(Arm { name: "file-ssd", store: Store::Disk(folder, disk) })
    }
}
