//! Events by which Linux says that memory gets short: of this process's cgroups, version 1 or 2, and of the machine.
//!
//! | source | event | asks for |
//! |---|---|---|
//! | version 1, `memory.pressure_level` | the kernel reclaims in the group | a writable `cgroup.event_control` |
//! | version 1, `memory.usage_in_bytes` | the usage crosses one of some steps | the same |
//! | version 2, `memory.events` | a limit of the group was met | nothing |
//! | pressure stall information | threads waited for memory | nothing since Linux 6.5 |
//!
//! A source that cannot be had is done without: the governor looks in time as well.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::time::Duration;

use rustix::event::{EventfdFlags, PollFd, PollFlags, Timespec, eventfd, poll};
use rustix::io::Errno;

use ztera_cgroup::files::{self, parse_limit};
use ztera_cgroup::{Group, Version, group, stall};

use crate::core::fatal;

/// The shortest time between two calls: a look takes some tenths of a millisecond, and while the kernel reclaims there is
/// no end of events.
const REST: Duration = Duration::from_millis(10);

/// Steps of a limit at which the usage of a group of version 1 is an event, from half of it on.
const STEPS: u64 = 32;

/// Threads waited for a tenth of a second within two. Shorter windows ask for a privilege.
const STALLS: [&str; 2] = ["some 20000 500000", "some 100000 2000000"];

/// The events to be waited for.
#[derive(Debug)]
pub(crate) struct Events {
    /// Set off by groups of version 1.
    told: OwnedFd,
    /// Files that say so by `POLLPRI`.
    files: Vec<File>,
}

impl Events {
    /// Those of this process as it is placed now; `None` if the kernel tells none. Takes the kernel up to half a second,
    /// unless `stop` can be read: in version 1 each step of the usage waits until all CPUs have seen it.
    pub fn find(stop: &OwnedFd) -> Option<Self> {
        Self::of(&group::own(), &[Path::new(stall::SYSTEM)], stop)
    }

    fn of(groups: &[Group], stalls: &[&Path], stop: &OwnedFd) -> Option<Self> {
        let told = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK).ok()?;
        let of = |version| groups.iter().filter(move |group| group.version == version);
        let is_told = of(Version::V1).filter(|group| register(&group.dir, &told, stop).is_ok()).count() > 0;
        let met = files::events(Version::V2);
        let limits = of(Version::V2).filter_map(|group| File::open(group.dir.join(met)).ok());
        let own = groups.first().map(|group| group.dir.join(stall::OF_GROUP));
        let stalls = own.iter().map(|file| file.as_path()).chain(stalls.iter().copied());
        let files: Vec<_> = limits.chain(stalls.filter_map(of_stalls)).collect();
        let events = (is_told || !files.is_empty()).then_some(Self { told, files })?;
        // A file that nobody has read yet is an event.
        events.forget();
        Some(events)
    }

    /// Blocks until there is an event (true) or `stop` can be read (false). Not sooner than [`REST`] after the last one.
    pub fn wait(&self, stop: &OwnedFd) -> bool {
        if wait_for(&mut [PollFd::new(stop, PollFlags::IN)], Some(REST)) {
            return false;
        }
        let mut all = vec![PollFd::new(stop, PollFlags::IN), PollFd::new(&self.told, PollFlags::IN)];
        all.extend(self.files.iter().map(|file| PollFd::new(file, PollFlags::PRI)));
        wait_for(&mut all, None);
        let is_stopped = !all[0].revents().is_empty();
        self.forget();
        !is_stopped
    }

    /// Waits for the next event. Fails harmlessly where there was none.
    fn forget(&self) {
        let _ = rustix::io::read(&self.told, &mut [0_u8; 8]);
        // An event of a file is over once that was read. Of stalls it is over by itself.
        self.files.iter().for_each(|file| drop(file.read_at(&mut [0; 256], 0)));
    }
}

/// Has `group` of version 1 set off `told`, unless `stop` can be read meanwhile.
fn register(group: &Path, told: &OwnedFd, stop: &OwnedFd) -> io::Result<()> {
    let control = |line: String| {
        OpenOptions::new().write(true).open(group.join(files::EVENT_CONTROL))?.write_all(line.as_bytes())
    };
    let told = told.as_raw_fd();
    let pressure = File::open(group.join(files::PRESSURE_LEVEL))?;
    control(format!("{told} {} low", pressure.as_raw_fd()))?;
    let names = Version::V1.names();
    let limit = fs::read_to_string(group.join(names.limits[0]));
    let Some(limit) = limit.ok().as_deref().and_then(parse_limit) else { return Ok(()) };
    let usage = File::open(group.join(names.usage))?;
    for step in STEPS / 2..STEPS {
        if wait_for(&mut [PollFd::new(stop, PollFlags::IN)], Some(Duration::ZERO)) {
            break;
        }
        control(format!("{told} {} {}", usage.as_raw_fd(), limit / STEPS * step))?;
    }
    Ok(())
}

/// Has the kernel tell when threads waited for memory.
fn of_stalls(file: &Path) -> Option<File> {
    STALLS.iter().find_map(|trigger| {
        let mut file = OpenOptions::new().read(true).write(true).open(file).ok()?;
        file.write_all(format!("{trigger}\0").as_bytes()).ok()?;
        Some(file)
    })
}

/// Whether one of them came, within `most` if that is given.
fn wait_for(files: &mut [PollFd<'_>], most: Option<Duration>) -> bool {
    let most = most.map(|most| Timespec { tv_sec: 0, tv_nsec: most.subsec_nanos().into() });
    loop {
        match poll(files, most.as_ref()) {
            Ok(count) => return count > 0,
            Err(Errno::INTR) => {}
            Err(error) => fatal("waiting for events", &error),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    const MIB: u64 = 1 << 20;
    const LIMIT: u64 = 32 * MIB;

    /// A cgroup of its own, removed when dropped.
    struct Made(Group);

    impl Made {
        /// `None`, visibly, where there can be none.
        fn create() -> Option<Self> {
            let name = format!("ztera-{}-events", std::process::id());
            let below = |above: Group| Group { dir: above.dir.join(&name), ..above };
            let made = group::own().into_iter().map(below).find(|group| {
                // Version 2; it may be so already.
                let _ = fs::write(group.dir.with_file_name("cgroup.subtree_control"), "+memory");
                fs::create_dir(&group.dir).is_ok()
            });
            if made.is_none() {
                let message = b"SKIPPED, not tested: no cgroup can be created, as root can\n";
                let _ = io::stderr().write_all(message);
            }
            let made = Self(made?);
            let file = made.0.dir.join(files::limit_file(made.0.version));
            fs::write(file, LIMIT.to_string()).expect("the group is ours");
            Some(made)
        }

        fn is_version_2(&self) -> bool {
            self.0.version == Version::V2
        }

        /// Has a process in the group use so much.
        fn grow(&self, bytes: u64) {
            let processes = self.0.dir.join("cgroup.procs");
            let script = format!(
                "echo $$ > {}; head -c {bytes} /dev/zero | tail -c {bytes} > /dev/null",
                processes.display()
            );
            // In version 2 it is killed.
            let end = Command::new("sh").args(["-c", &script]).status().expect("a shell");
            assert!(end.success() || self.is_version_2(), "{end:?}");
        }
    }

    impl Drop for Made {
        fn drop(&mut self) {
            for _ in 0..100 {
                if fs::remove_dir(&self.0.dir).is_ok() {
                    return;
                }
                std::thread::sleep(REST);
            }
        }
    }

    fn stop() -> OwnedFd {
        eventfd(0, EventfdFlags::CLOEXEC).expect("a descriptor")
    }

    #[test]
    fn a_group_tells_when_little_is_left() {
        let Some(group) = Made::create() else { return };
        let events = Events::of(std::slice::from_ref(&group.0), &[], &stop()).expect("root may ask for them");
        // Version 1 tells when the usage grows, version 2 when the limit is met.
        group.grow(if group.is_version_2() { 2 * LIMIT } else { LIMIT / 4 * 3 });
        assert!(events.wait(&stop()));
    }

    #[test]
    fn whoever_waits_can_be_stopped() {
        let stop = stop();
        let events =
            Events { told: eventfd(0, EventfdFlags::NONBLOCK).expect("a descriptor"), files: Vec::new() };
        rustix::io::write(&stop, &1_u64.to_ne_bytes()).expect("it has room");
        assert!(!events.wait(&stop));
    }

    #[test]
    fn nothing_is_told_where_there_is_nothing() {
        let none = tempfile::tempdir().expect("a directory");
        for version in [Version::V1, Version::V2] {
            let group = Group { dir: none.path().to_owned(), version };
            assert!(Events::of(&[group], &[&none.path().join("memory")], &stop()).is_none());
        }
    }
}
