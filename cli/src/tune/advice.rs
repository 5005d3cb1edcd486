// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Settings that follow from a choice, as files.

use std::path::{Path, PathBuf};
use ztera_measure::tuning::{Measured, Target};

use anyhow::{Context, Result};
use rustix::fs::{Access, access};
use serde::Serialize;

use ztera_measure::whole_file;

/// Files below the root of the file system.
const SYSCTL: &str = "etc/sysctl.d/90-ztera-zram.conf";
const ZRAM_GENERATOR: &str = "etc/systemd/zram-generator.conf.d/90-ztera.conf";
const FLAGS: &str = "etc/ztera/h2.flags";

/// The time of a read from an SSD, where none was measured.
pub const ASSUMED_DISK_NS: f64 = 100_000.0;

/// A file with settings.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Setting {
    /// Below the root of the file system.
    pub path: PathBuf,
    /// Its contents.
    pub text: String,
    /// How it takes effect.
    pub effect: &'static str,
}

/// The files for a choice. A read of the disk takes `disk_ns`.
pub fn files(choice: &Measured, target: Target, disk_ns: f64) -> Vec<Setting> {
    match target {
        Target::Zram => vec![sysctl(choice, disk_ns), zram_generator(choice)],
        Target::H2 => vec![h2_flags(choice)],
    }
}

fn sysctl(choice: &Measured, disk_ns: f64) -> Setting {
    let text = format!(
        "# Written by `ztera tune`. A read from zram takes {:.1} us, a page from the disk {:.1} us.\n\
         # Page-cluster is for other swap: from swap on zram Linux reads one page at a time.\n\
         vm.page-cluster = {}\nvm.swappiness = {}\n",
        choice.mean_ns / 1e3,
        disk_ns / 1e3,
        choice.page_cluster,
        swappiness(choice.mean_ns, disk_ns)
    );
    Setting { path: SYSCTL.into(), text, effect: "sysctl --system" }
}

/// The kernel's rule: of 200 points, swap and file system get theirs by what a read of the other costs.
fn swappiness(swap_ns: f64, disk_ns: f64) -> u32 {
    (200.0 * disk_ns / (swap_ns + disk_ns).max(1.0)).round() as u32
}

/// Swap that is full takes half of the memory, if all of it compresses as what was measured.
fn zram_generator(choice: &Measured) -> Setting {
    let text = format!(
        "# Written by `ztera tune`. Data compresses {:.2} times: full, this takes about half of the memory.\n\
         [zram0]\ncompression-algorithm = {}\nzram-size = ram * {:.2}\nswap-priority = 100\n",
        choice.ratio,
        choice.codec,
        choice.ratio.clamp(1.0, 4.0) / 2.0
    );
    let path = ZRAM_GENERATOR.into();
    Setting { path, text, effect: "systemctl restart systemd-zram-setup@zram0 (after swapoff /dev/zram0)" }
}

fn h2_flags(choice: &Measured) -> Setting {
    let text = format!("-XX:H2Codec={}\n-XX:H2UnitSize={}k\n", choice.codec, 4 << choice.page_cluster.min(4));
    Setting { path: FLAGS.into(), text, effect: "java @/etc/ztera/h2.flags -XX:H2Size=..." }
}

/// Fails if files for `target` cannot be written below `root`. To be asked before anything is measured.
pub fn may_apply(target: Target, root: &Path) -> Result<()> {
    let files: &[&str] = match target {
        Target::Zram => &[SYSCTL, ZRAM_GENERATOR],
        Target::H2 => &[FLAGS],
    };
    files.iter().try_for_each(|file| {
        let path = root.join(file);
        let folder = path.ancestors().skip(1).find(|folder| folder.exists()).unwrap_or(Path::new("."));
        access(folder, Access::WRITE_OK)
            .with_context(|| format!("cannot write {}: run this as root, or give --root", path.display()))
    })
}

/// Writes files below `root`, each as a whole.
pub fn apply(files: &[Setting], root: &Path) -> Result<()> {
    files.iter().try_for_each(|file| whole_file::write(&root.join(&file.path), &file.text))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn choice(codec: &str, page_cluster: u32) -> Measured {
        let codec = codec.to_owned();
        Measured {
            codec,
            page_cluster,
            mib_per_second: 1.0,
            iops: 1.0,
            mean_ns: 5000.0,
            p99_ns: 9000.0,
            ratio: 2.5,
            copy_seconds: 0.0,
        }
    }

    #[test]
    fn zram_has_two_files() {
        let files = files(&choice("zstd", 0), Target::Zram, ASSUMED_DISK_NS);
        assert!(files[0].text.ends_with("vm.page-cluster = 0\nvm.swappiness = 190\n"), "{files:?}");
        assert!(files[0].text.contains("5.0 us, a page from the disk 100.0 us"), "{files:?}");
        let expected = "[zram0]\ncompression-algorithm = zstd\nzram-size = ram * 1.25\nswap-priority = 100\n";
        assert!(files[1].text.ends_with(expected), "{files:?}");
    }

    #[test]
    fn equal_costs_make_equal_points() {
        assert_eq!((swappiness(1e4, 1e4), swappiness(1e4, 2e4), swappiness(1e4, 1e9)), (100, 133, 200));
    }

    #[test]
    fn h2_has_flags() {
        let files = files(&choice("lz4", 2), Target::H2, ASSUMED_DISK_NS);
        assert_eq!(files[0].text, "-XX:H2Codec=lz4\n-XX:H2UnitSize=16k\n");
    }

    #[test]
    fn files_are_written_below_the_root_and_replaced() {
        let root = tempfile::tempdir().unwrap();
        for codec in ["lz4", "zstd"] {
            apply(&files(&choice(codec, 1), Target::Zram, 1.0), root.path()).unwrap();
        }
        let text =
            fs::read_to_string(root.path().join("etc/systemd/zram-generator.conf.d/90-ztera.conf")).unwrap();
        assert!(text.contains("compression-algorithm = zstd"), "{text}");
        assert!(root.path().join("etc/sysctl.d/90-ztera-zram.conf").exists());
        let error =
            apply(&files(&choice("lz4", 1), Target::H2, 1.0), Path::new("/proc/nowhere")).unwrap_err();
        assert!(error.to_string().contains("cannot write /proc/nowhere/etc/ztera/h2.flags"), "{error}");
    }

    #[test]
    fn each_file_that_is_written_was_asked_for() {
        for (target, asked) in [(Target::Zram, &[SYSCTL, ZRAM_GENERATOR][..]), (Target::H2, &[FLAGS])] {
            let paths: Vec<PathBuf> =
                files(&choice("lz4", 1), target, 1.0).into_iter().map(|file| file.path).collect();
            assert_eq!(paths, asked.iter().map(PathBuf::from).collect::<Vec<_>>());
        }
        let root = tempfile::tempdir().unwrap();
        may_apply(Target::Zram, &root.path().join("new")).unwrap();
        assert!(!root.path().join("new").exists());
        let error = may_apply(Target::H2, Path::new("/proc/sys/nowhere")).unwrap_err().to_string();
        assert!(error.contains("h2.flags: run this as root, or give --root"), "{error}");
    }
}
