//! Cgroups of tests.

use std::fs;
use std::path::{Path, PathBuf};

use ztera_cgroup::files::{self, field, number};
use ztera_cgroup::{Version, group};

/// A cgroup with a limit and without swap, of version 1 or 2. Dropping it removes it; its processes have ended by then.
#[derive(Debug)]
pub struct Group(pub PathBuf);

impl Group {
    /// Below this process's own group, or where else it may be.
    pub fn create(name: &str, limit: u64) -> Result<Self, String> {
        let mut why = "there is none".to_owned();
        for above in group::own() {
            match Self::below(&above, name, limit) {
                Ok(group) => return Ok(group),
                Err(error) => why = format!("{}: {error}", above.dir.display()),
            }
        }
        Err(why)
    }

    fn below(above: &group::Group, name: &str, bytes: u64) -> std::io::Result<Self> {
        let group = Self(above.dir.join(format!("ztera-{}-{name}", std::process::id())));
        // Version 2; it may be so already.
        let _ = fs::write(above.dir.join("cgroup.subtree_control"), "+memory");
        fs::create_dir(&group.0)?;
        for (file, value) in files::limit(above.version, bytes) {
            let path = group.0.join(file.name);
            if file.required || path.exists() {
                fs::write(path, value)?;
            }
        }
        Ok(group)
    }

    /// Processes that the kernel has killed.
    pub fn kills(&self) -> u64 {
        let text = fs::read_to_string(self.0.join(files::events(version_of(&self.0))));
        field(&text.expect("the group is ours"), "oom_kill").expect("the kernel counts them")
    }
}

fn version_of(group: &Path) -> Version {
    if group.join(files::limit_file(Version::V2)).exists() { Version::V2 } else { Version::V1 }
}

/// Bytes that processes of `group` can have at once: those below its limit, and those that the kernel can take by itself.
/// To the kernel, what lingers is like pages of files.
#[allow(dead_code, reason = "each test file uses its part")]
pub fn spare(group: &Path) -> u64 {
    let names = version_of(group).names();
    let number = |file: &str| number(&group.join(file)).expect("the group has a limit");
    let (limit, usage) = (number(names.limits[0]), number(names.usage));
    let stat = fs::read_to_string(group.join(files::STATISTICS)).expect("the group has statistics");
    limit - usage.min(limit) + names.files.iter().filter_map(|name| field(&stat, name)).sum::<u64>()
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
