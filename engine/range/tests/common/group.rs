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
