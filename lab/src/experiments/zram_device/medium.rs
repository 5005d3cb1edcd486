// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The media, each set up for as long as it is measured.

use anyhow::{Context as _, Result};
use rustix::mount::{MountFlags, UnmountFlags, mount, unmount};
use tempfile::TempDir;

use crate::frame::context::Context;
use crate::kit::disk_server::DiskServer;
use crate::kit::filesystem::{Disk, folder_on_disk, striped_disks};
use crate::kit::fio::Place;
use crate::kit::zram_fs::ZramFs;

/// Something that fio can write to. Dropping it undoes it.
pub enum Medium {
    /// ext4 on zram.
    Zram(ZramFs),
    /// A folder on the SSD, and its disk.
    Ssd(TempDir, Disk),
    /// A folder on a RAID 0, its disk, and how many disks that is made of.
    Raid(TempDir, Disk, u32),
    /// Memory.
    Tmpfs(Tmpfs),
    /// Our device by NBD.
    Ours(DiskServer),
}

impl Medium {
    /// By name, with room for `bytes`.
    pub fn create(name: &str, context: &Context, bytes: u64) -> Result<Medium> {
        match name.split_once('-') {
            Some(("zram", codec)) => Ok(Medium::Zram(ZramFs::create(bytes, codec, None)?)),
            Some(("ours", codec)) => Ok(Medium::Ours(DiskServer::at_socket(bytes, &["--codec", codec])?)),
            _ if name == "tmpfs" => Ok(Medium::Tmpfs(Tmpfs::mount(bytes)?)),
            _ if name == RAID => raid(context),
            _ => folder_on_disk(&context.ssd).map(|(folder, disk)| Medium::Ssd(folder, disk)),
        }
    }

    /// Where fio finds it.
    pub fn place(&self) -> Place<'_> {
        match self {
            Medium::Zram(fs) => Place::Folder(fs.path()),
            Medium::Ssd(dir, _) | Medium::Raid(dir, ..) => Place::Folder(dir.path()),
            Medium::Tmpfs(tmpfs) => Place::Folder(tmpfs.0.path()),
            Medium::Ours(server) => Place::Socket(server.socket()),
        }
    }

    /// Its block device, by its name in `/sys/block`.
    pub fn device(&self) -> Option<String> {
        match self {
            Medium::Zram(fs) => Some(fs.device().node().file_name()?.to_string_lossy().into_owned()),
            Medium::Ssd(_, disk) | Medium::Raid(_, disk, _) => Some(disk.name.clone()),
            Medium::Tmpfs(_) | Medium::Ours(_) => None,
        }
    }

    /// Of a RAID 0, how many disks it has.
    pub fn disks(&self) -> Option<u32> {
        if let Medium::Raid(.., disks) = self { Some(*disks) } else { None }
    }

    /// How many times smaller the data are now, where the medium tells.
    pub fn smaller_by(&self) -> Option<f64> {
        let Medium::Zram(fs) = self else { return None };
        let usage = fs.device().usage().filter(|usage| usage.used > 0)?;
        Some(usage.original as f64 / usage.used as f64)
    }
}

/// The name of a RAID 0 of several SSDs.
pub const RAID: &str = "raid";

fn raid(context: &Context) -> Result<Medium> {
    let dir = context.raid.as_ref().context("there is no RAID")?;
    let (folder, disk) = folder_on_disk(dir)?;
    let disks = striped_disks(&disk.name)?;
    Ok(Medium::Raid(folder, disk, disks))
}

/// A file system in memory.
pub struct Tmpfs(TempDir);

impl Tmpfs {
    fn mount(bytes: u64) -> Result<Tmpfs> {
        let dir = tempfile::Builder::new().prefix("ztera-tmpfs-").tempdir()?;
        let options = std::ffi::CString::new(format!("size={bytes}"))?;
        let flags = MountFlags::NOATIME | MountFlags::NOSUID | MountFlags::NODEV;
        mount("tmpfs", dir.path(), "tmpfs", flags, Some(options.as_c_str())).context("cannot mount tmpfs")?;
        Ok(Tmpfs(dir))
    }
}

impl Drop for Tmpfs {
    fn drop(&mut self) {
        if let Err(error) = unmount(self.0.path(), UnmountFlags::DETACH) {
            eprintln!("ztera: {} stays mounted: {error}", self.0.path().display());
        }
    }
}
