//! Cgroups of tests.

use std::fs;
use std::path::{Path, PathBuf};

/// A cgroup with a limit and without swap, of version 1 or 2. Dropping it removes it; its processes have ended by then.
#[derive(Debug)]
pub struct Group(pub PathBuf);

impl Group {
    /// Below this process's own group, or where else it may be.
    pub fn create(name: &str, limit: u64) -> Result<Self, String> {
        let groups = fs::read_to_string("/proc/self/cgroup").expect("proc is mounted");
        let version_1 = groups.lines().find_map(|line| line.split_once(":memory:/"));
        let (root, path) = match version_1 {
            Some((_, path)) => ("/sys/fs/cgroup/memory", path),
            None => ("/sys/fs/cgroup", groups.trim().strip_prefix("0::/").unwrap_or_default()),
        };
        let mut why = "there is none".to_owned();
        for above in Path::new(root).join(path).ancestors().take_while(|dir| dir.starts_with(root)) {
            match Self::below(above, name, limit) {
                Ok(group) => return Ok(group),
                Err(error) => why = format!("{}: {error}", above.display()),
            }
        }
        Err(why)
    }

    fn below(above: &Path, name: &str, bytes: u64) -> std::io::Result<Self> {
        let group = Self(above.join(format!("ztera-{}-{name}", std::process::id())));
        // Version 2; it may be so already.
        let _ = fs::write(above.join("cgroup.subtree_control"), "+memory");
        fs::create_dir(&group.0)?;
        let [limit, swap] = if group.0.join("memory.max").exists() {
            [("memory.max", bytes), ("memory.swap.max", 0)]
        } else {
            [("memory.limit_in_bytes", bytes), ("memory.memsw.limit_in_bytes", bytes)]
        };
        fs::write(group.0.join(limit.0), limit.1.to_string())?;
        if group.0.join(swap.0).exists() {
            fs::write(group.0.join(swap.0), swap.1.to_string())?;
        }
        Ok(group)
    }

    /// Processes that the kernel has killed.
    pub fn kills(&self) -> u64 {
        let files = ["memory.events", "memory.oom_control"].map(|file| self.0.join(file));
        let text = files.iter().find_map(|file| fs::read_to_string(file).ok()).expect("one of them exists");
        let kills = text.lines().find_map(|line| line.strip_prefix("oom_kill "));
        kills.expect("the kernel counts them").trim().parse().expect("a number")
    }
}

/// Bytes that processes of `group` can have at once: those below its limit, and those that the kernel can take by itself.
/// To the kernel, what lingers is like pages of files.
#[allow(dead_code, reason = "each test file uses its part")]
pub fn spare(group: &Path) -> u64 {
    let number = |file: &str| fs::read_to_string(group.join(file)).ok()?.trim().parse::<u64>().ok();
    let [limit, usage] =
        [["memory.max", "memory.limit_in_bytes"], ["memory.current", "memory.usage_in_bytes"]]
            .map(|files| files.into_iter().find_map(number).expect("one of them exists"));
    let stat = fs::read_to_string(group.join("memory.stat")).expect("the group has statistics");
    let of_files = |line: &str| -> Option<u64> {
        line.strip_prefix("inactive_file ").or(line.strip_prefix("active_file "))?.parse().ok()
    };
    limit - usage.min(limit) + stat.lines().filter_map(of_files).sum::<u64>()
}

impl Drop for Group {
    fn drop(&mut self) {
        // A process that has just ended may hold it for a moment.
        for _ in 0..100 {
            if fs::remove_dir(&self.0).is_ok() || !self.0.exists() {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    }
}
