// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! How this process creates cgroups, and removes them.

use std::fs;
use std::io;
use std::path::Path;
use std::thread;
use std::time::Duration;

use ztera_cgroup::{Group, Version};

/// How the names of all our groups begin; the creator's process id follows.
pub const PREFIX: &str = "ztera-";

/// Creates a group below another one, and sees to it that it has the memory controller.
pub fn create(above: &Group, dir: &Path) -> io::Result<()> {
    if above.version == Version::V2 && !lists_memory(&above.dir.join("cgroup.subtree_control")) {
        fs::write(above.dir.join("cgroup.subtree_control"), "+memory")?;
    }
    fs::create_dir(dir)
}

/// Removes groups whose creator is gone: it was killed and could not clean up itself.
pub fn sweep(dir: &Path) {
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        let name = entry.file_name();
        if creator(&name.to_string_lossy()).is_some_and(is_gone) {
            // One that is still in use refuses, which is right.
            let _ = fs::remove_dir(entry.path());
        }
    }
}

/// Removes a group. A process that just ended may hold it for a moment longer.
pub fn remove(dir: &Path) {
    for _ in 0..100 {
        match fs::remove_dir(dir) {
            Err(e) if e.kind() == io::ErrorKind::ResourceBusy => thread::sleep(Duration::from_millis(20)),
            _ => return,
        }
    }
    eprintln!("ztera: the cgroup {} is still in use and stays", dir.display());
}

/// Not where the question fails, as for want of memory: a group that is about to be used looks like one of the dead.
fn is_gone(pid: &str) -> bool {
    matches!(Path::new("/proc").join(pid).try_exists(), Ok(false))
}

fn creator(name: &str) -> Option<&str> {
    let (pid, _) = name.strip_prefix(PREFIX)?.split_once('-')?;
    pid.bytes().all(|b| b.is_ascii_digit()).then_some(pid)
}

fn lists_memory(file: &Path) -> bool {
    fs::read_to_string(file).is_ok_and(|text| text.split_whitespace().any(|name| name == "memory"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_groups_are_known_by_their_names() {
        assert_eq!(creator("ztera-123-demo"), Some("123"));
        for foreign in ["ztera-demo", "ztera-x1-demo", "user.slice", "other-1-demo"] {
            assert_eq!(creator(foreign), None, "{foreign}");
        }
    }
}
