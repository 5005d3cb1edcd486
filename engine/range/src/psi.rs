//! How long threads wait for memory, as Linux tells (Documentation/accounting/psi.rst).

use std::path::PathBuf;

/// The file that tells it, of this process's cgroup (version 2) or of the system. `None`: the kernel does not.
pub(crate) fn file() -> Option<PathBuf> {
    let own = std::fs::read_to_string("/proc/self/cgroup").ok().and_then(|groups| own_file(&groups));
    let system = PathBuf::from("/proc/pressure/memory");
    own.into_iter().chain([system]).find(|file| read(file).is_some())
}

fn own_file(groups: &str) -> Option<PathBuf> {
    let path = groups.lines().find_map(|line| line.strip_prefix("0::/"))?;
    Some(PathBuf::from("/sys/fs/cgroup").join(path).join("memory.pressure"))
}

/// Share of the last ten seconds in which some thread waited for memory, in hundredths of a percent.
pub(crate) fn read(file: &std::path::Path) -> Option<u32> {
    parse(&std::fs::read_to_string(file).ok()?)
}

fn parse(text: &str) -> Option<u32> {
    let some = text.lines().find_map(|line| line.strip_prefix("some "))?;
    let (percent, hundredths) =
        some.split(' ').find_map(|field| field.strip_prefix("avg10="))?.split_once('.')?;
    Some(percent.parse::<u32>().ok()? * 100 + hundredths.parse::<u32>().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernels_words_are_understood() {
        let text = "some avg10=12.34 avg60=0.00 avg300=0.00 total=639622\nfull avg10=1.00 avg60=0.00 avg300=0.00 total=5\n";
        assert_eq!(parse(text), Some(1234));
        for other in ["", "full avg10=1.00 avg60=0.00", "some avg10=x avg60=0", "some avg60=1.00"] {
            assert_eq!(parse(other), None, "{other}");
        }
    }

    #[test]
    fn a_process_has_its_own_group_or_the_system() {
        assert_eq!(own_file("0::/a/b\n"), Some("/sys/fs/cgroup/a/b/memory.pressure".into()));
        assert_eq!(own_file("5:memory:/a\n1:cpu:/\n"), None);
    }
}
