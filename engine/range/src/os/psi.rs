//! How long threads wait for memory, as Linux tells (Documentation/accounting/psi.rst), where that is a matter of
//! this process.

use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Where it is told.
#[derive(Debug)]
pub(crate) enum Psi {
    /// Of this process's own cgroup (version 2).
    Own(PathBuf),
    /// Of the system: of processes, too, that have used up a limit of their own. So it counts only while memory is
    /// short here: in the system, or in this process's cgroup (version 1), the directory of which this is.
    System(Option<PathBuf>),
}

const SYSTEM: &str = "/proc/pressure/memory";

impl Psi {
    /// `None` if the kernel does not tell.
    pub fn find() -> Option<Self> {
        let groups = std::fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
        let own = version_2(&groups).filter(|file| stall(file).is_some());
        let system = || stall(Path::new(SYSTEM)).map(|_| Self::System(version_1(&groups)));
        own.map(Self::Own).or_else(system)
    }

    /// Share of the last ten seconds in which some thread waited for memory, in hundredths of a percent.
    pub fn read(&self) -> Option<u32> {
        match self {
            Self::Own(file) => stall(file),
            Self::System(group) => {
                let short = is_system_short() || group.as_deref().is_some_and(is_group_short);
                if short { stall(Path::new(SYSTEM)) } else { Some(0) }
            }
        }
    }
}

fn version_2(groups: &str) -> Option<PathBuf> {
    let path = groups.lines().find_map(|line| line.strip_prefix("0::/"))?;
    Some(Path::new("/sys/fs/cgroup").join(path).join("memory.pressure"))
}

fn version_1(groups: &str) -> Option<PathBuf> {
    let path = groups.lines().find_map(|line| line.split_once(":memory:/"))?.1;
    Some(Path::new("/sys/fs/cgroup/memory").join(path))
}

fn stall(file: &Path) -> Option<u32> {
    parse_stall(&std::fs::read_to_string(file).ok()?)
}

fn parse_stall(text: &str) -> Option<u32> {
    let some = text.lines().find_map(|line| line.strip_prefix("some "))?;
    let (percent, hundredths) =
        some.split(' ').find_map(|field| field.strip_prefix("avg10="))?.split_once('.')?;
    Some(percent.parse::<u32>().ok()? * 100 + hundredths.parse::<u32>().ok()?)
}

/// Less than an eighth is to be had.
fn is_system_short() -> bool {
    std::fs::read_to_string("/proc/meminfo").is_ok_and(|text| parse_short(&text) == Some(true))
}

fn parse_short(meminfo: &str) -> Option<bool> {
    let field = |name: &str| {
        let line = meminfo.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim().strip_suffix(" kB")?.parse::<u64>().ok()
    };
    Some(field("MemAvailable:")? < field("MemTotal:")? / 8)
}

/// Less than a sixteenth of the limit is left.
fn is_group_short(group: &Path) -> bool {
    let number = |name: &str| number(&group.join(name));
    let numbers = number("memory.usage_in_bytes").zip(number("memory.limit_in_bytes"));
    numbers.is_some_and(|(usage, limit)| usage > limit - limit / 16)
}

fn number(file: &Path) -> Option<u64> {
    u64::from_str(std::fs::read_to_string(file).ok()?.trim()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernels_words_are_understood() {
        let text =
            "some avg10=12.34 avg60=0.00 avg300=0.00 total=639622\nfull avg10=1.00 avg60=0.00 total=5\n";
        assert_eq!(parse_stall(text), Some(1234));
        for other in ["", "full avg10=1.00 avg60=0.00", "some avg10=x avg60=0", "some avg60=1.00"] {
            assert_eq!(parse_stall(other), None, "{other}");
        }
        let memory =
            |available| format!("MemTotal:  8000 kB\nMemFree: 5 kB\nMemAvailable:   {available} kB\n");
        assert_eq!(parse_short(&memory(999)), Some(true));
        assert_eq!(parse_short(&memory(1000)), Some(false));
        assert_eq!(parse_short("MemTotal: 8000 kB\n"), None);
    }

    #[test]
    fn a_process_has_its_own_group_or_the_system() {
        assert_eq!(version_2("0::/a/b\n"), Some("/sys/fs/cgroup/a/b/memory.pressure".into()));
        assert_eq!(version_2("5:memory:/a\n1:cpu:/\n"), None);
        assert_eq!(version_1("5:memory:/a/b\n1:cpu:/\n"), Some("/sys/fs/cgroup/memory/a/b".into()));
        assert_eq!(version_1("0::/a/b\n"), None);
    }

    #[test]
    fn a_group_is_short_when_its_limit_is_near() {
        let group = tempfile::tempdir().expect("a directory");
        let set =
            |name: &str, value: u64| std::fs::write(group.path().join(name), format!("{value}\n")).unwrap();
        assert!(!is_group_short(group.path()), "nothing is known");
        set("memory.limit_in_bytes", 1600);
        set("memory.usage_in_bytes", 1500);
        assert!(!is_group_short(group.path()));
        set("memory.usage_in_bytes", 1501);
        assert!(is_group_short(group.path()));
    }
}
