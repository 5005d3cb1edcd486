// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The consequences of the facts. Pure functions, one per subject.

use linux_raw_sys::general as kernel;
use ztera_machine::units::{MIB, show_size};

use super::facts::Facts;
use super::finding::{Finding, Status};
use super::uffd::UffdAccess;
use Status::{Missing, Note, Ok};

/// All findings, the important ones first.
pub fn judge(facts: &Facts) -> Vec<Finding> {
    vec![
        userfaultfd(facts),
        write_protection(facts),
        page_size(facts),
        kernel_version(facts),
        overcommit(facts),
        addresses(facts),
        memory(facts),
        memory_lock(facts),
        cgroup(facts),
        swap(facts),
        huge_pages(facts),
        zram(facts),
        io_uring(facts),
        jdk(facts),
    ]
}

/// Whether the compressed tier can work here.
pub fn tier_works(findings: &[Finding]) -> bool {
    findings.iter().all(|finding| finding.status != Missing)
}

fn userfaultfd(facts: &Facts) -> Finding {
    const ENABLE: &str = "in a container: `--device /dev/userfaultfd`, which needs no other seccomp profile; else as root: \
                          `chmod a+rw /dev/userfaultfd`, or `sysctl vm.unprivileged_userfaultfd=1`, or give the process \
                          CAP_SYS_PTRACE";
    let finding = |status, found: &str, follows: &str| Finding::new("userfaultfd", status, found, follows);
    match facts.uffd.access {
        UffdAccess::SystemCall => finding(
            Ok,
            "by system call, kernel-mode faults included",
            "H2 pages can be brought in on demand, for system calls too",
        ),
        UffdAccess::Device => finding(
            Ok,
            "by /dev/userfaultfd, kernel-mode faults included",
            "H2 pages can be brought in on demand, for system calls too",
        ),
        // Only there a thread can serve itself.
        UffdAccess::UserModeOnly if cfg!(target_arch = "x86_64") => finding(
            Note,
            "for user-mode faults only",
            "H2 works, each thread serves its own faults; native code that hands an array in H2 to a system call may get \
             EFAULT, H2FaultMode=handler refuses to start, and native code that takes SIGBUS by a system call of its own \
             ends the VM",
        )
        .remedy(ENABLE),
        UffdAccess::UserModeOnly => finding(
            Missing,
            "for user-mode faults only",
            "a read() or write() with an address in H2 would fail, so the tier refuses to start",
        )
        .remedy(ENABLE),
        UffdAccess::Denied => finding(
            Missing,
            "forbidden to this process",
            "with H2Path, H2 is a mapped file, which is not compressed; without, the JVM does not start",
        )
        .remedy(ENABLE),
        UffdAccess::Absent => {
            finding(Missing, "not in this kernel", "the tier refuses to start; -XX:H2Backing=file works")
                .remedy("a kernel with CONFIG_USERFAULTFD=y, Linux 5.7 or later")
        }
    }
}

fn write_protection(facts: &Facts) -> Finding {
    const SUBJECT: &str = "userfaultfd features";
    let Some(features) = facts.uffd.features else {
        return Finding::new(SUBJECT, Missing, "unknown", "see userfaultfd");
    };
    let names = feature_names(features);
    if features & u64::from(kernel::UFFD_FEATURE_PAGEFAULT_FLAG_WP) == 0 {
        return Finding::new(SUBJECT, Missing, names, "pages written to could not be told from clean ones")
            .remedy("Linux 5.7 or later with CONFIG_HAVE_ARCH_USERFAULTFD_WP");
    }
    Finding::new(SUBJECT, Ok, names, "clean pages are dropped without compressing them again")
}

fn feature_names(features: u64) -> String {
    const NAMES: [(u32, &str); 8] = [
        (kernel::UFFD_FEATURE_PAGEFAULT_FLAG_WP, "write-protect"),
        (kernel::UFFD_FEATURE_MINOR_SHMEM, "minor-shmem"),
        (kernel::UFFD_FEATURE_SIGBUS, "sigbus"),
        (kernel::UFFD_FEATURE_THREAD_ID, "thread-id"),
        (kernel::UFFD_FEATURE_WP_UNPOPULATED, "wp-unpopulated"),
        (kernel::UFFD_FEATURE_POISON, "poison"),
        (kernel::UFFD_FEATURE_WP_ASYNC, "wp-async"),
        (kernel::UFFD_FEATURE_MOVE, "move"),
    ];
    let has = |bit: u32| features & u64::from(bit) != 0;
    let names: Vec<&str> = NAMES.iter().filter(|(bit, _)| has(*bit)).map(|(_, name)| *name).collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

fn page_size(facts: &Facts) -> Finding {
    let found = show_size(facts.page_size as u64);
    match facts.page_size {
        4096 => Finding::new("page size", Ok, found, "units of 4 to 64 KiB are possible"),
        size if size <= 65536 => Finding::new(
            "page size",
            Note,
            found,
            "units cannot be smaller than a page, so first reads cost more",
        ),
        _ => Finding::new("page size", Missing, found, "no unit is as large as a page"),
    }
}

fn kernel_version(facts: &Facts) -> Finding {
    let finding = |status, follows: &str| Finding::new("kernel", status, facts.kernel.as_str(), follows);
    match version(&facts.kernel) {
        Some(v) if v >= (5, 7) => finding(Ok, "new enough for userfaultfd with write protection"),
        Some(_) => {
            finding(Missing, "too old for userfaultfd with write protection").remedy("Linux 5.7 or later")
        }
        None => finding(Note, "a version that ztera does not understand"),
    }
}

fn version(release: &str) -> Option<(u32, u32)> {
    let mut parts = release.split(|c: char| !c.is_ascii_digit());
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

fn overcommit(facts: &Facts) -> Finding {
    const SUBJECT: &str = "vm.overcommit_memory";
    match facts.overcommit {
        Some(2) => {
            Finding::new(SUBJECT, Note, "2", "all of H2Size counts as committed memory, compressed or not")
                .remedy("`sysctl vm.overcommit_memory=0`, or an H2Size within CommitLimit of /proc/meminfo")
        }
        Some(mode) => Finding::new(SUBJECT, Ok, mode.to_string(), "H2Size is only an address range"),
        None => Finding::new(SUBJECT, Note, "unknown", "H2Size is probably only an address range"),
    }
}

fn memory(facts: &Facts) -> Finding {
    let all = facts.memory.map_or("unknown".to_owned(), show_size);
    match facts.memory_limit {
        Some(limit) => Finding::new(
            "memory",
            Ok,
            format!("{all}, of which a cgroup allows {}", show_size(limit)),
            "the sizes that are not given are derived from the cgroup's limit",
        ),
        None => Finding::new("memory", Ok, all, "no cgroup limits it"),
    }
}

fn addresses(facts: &Facts) -> Finding {
    const SUBJECT: &str = "address limits";
    match facts.addresses {
        None => Finding::new(SUBJECT, Ok, "none", "H2Size costs nothing until it is used"),
        Some(limit) => Finding::new(
            SUBJECT,
            Note,
            show_size(limit),
            "H2Size, and up to twice as much for compressed pages, have to fit into it beside the JVM",
        )
        .remedy("`ulimit -v unlimited; ulimit -d unlimited`, or an H2Size of at most a quarter"),
    }
}

fn memory_lock(facts: &Facts) -> Finding {
    let found = facts.memory_lock.map_or("unlimited".to_owned(), show_size);
    let finding = |status, follows: &str| Finding::new("memory lock limit", status, found.as_str(), follows);
    match (facts.memory_lock, facts.swap.unwrap_or(0)) {
        (_, 0) => finding(Ok, "does not matter: without swap nothing of the engine can be swapped out"),
        (Some(limit), _) if limit < 64 * MIB => finding(
            Note,
            "too low to keep the engine's own tables out of swap, should they be locked one day",
        )
        .remedy("`ulimit -l unlimited`, or LimitMEMLOCK=infinity in the service; or run without swap"),
        _ => finding(Ok, "high enough to keep the engine's own tables out of swap"),
    }
}

fn cgroup(facts: &Facts) -> Finding {
    let found = facts.cgroup.map_or("none".to_owned(), |version| format!("version {version}"));
    match &facts.cgroup_refusal {
        None => {
            Finding::new("memory cgroup", Ok, found, "`ztera demo` runs its arms under a real memory limit")
        }
        Some(refusal) => Finding::new(
            "memory cgroup",
            Note,
            format!("{found}; {refusal}"),
            "`ztera demo` limits its arms by JVM flags only; the tier itself needs no cgroup",
        )
        .remedy("run as root, or `systemd-run --user --scope -p Delegate=yes ztera demo`"),
    }
}

fn swap(facts: &Facts) -> Finding {
    match facts.swap {
        None | Some(0) => Finding::new("swap", Ok, "none", "nothing but H2 decides what is compressed"),
        Some(size) => Finding::new(
            "swap",
            Note,
            show_size(size),
            "under pressure the kernel may swap H1 and the pool too",
        )
        .remedy("give the container memory.swap.max=0, as `ztera demo` does"),
    }
}

fn huge_pages(facts: &Facts) -> Finding {
    let mode = facts.huge_pages.as_deref().unwrap_or("unknown");
    let follows = match mode {
        "always" => {
            "the kernel may use 2 MiB pages in H1; H2 is registered with userfaultfd, which keeps them out"
        }
        _ => "H2 is paged in small pages",
    };
    Finding::new("transparent huge pages", Ok, mode, follows)
}

fn zram(facts: &Facts) -> Finding {
    match (facts.zram, facts.root) {
        (true, true) => {
            Finding::new("zram", Ok, "present", "`ztera bench h2` can compare with a file on zram")
        }
        (true, false) => {
            Finding::new("zram", Note, "present", "`ztera bench h2` needs root to set a device up")
        }
        (false, _) => Finding::new(
            "zram",
            Note,
            "absent",
            "`ztera bench h2` leaves the arm on zram out; H2 does not use it",
        )
        .remedy("a kernel with CONFIG_ZRAM"),
    }
}

fn io_uring(facts: &Facts) -> Finding {
    let finding = |status, found: &str| {
        let follows = "`ztera disk serve --ublk` takes it; H2 and its SSD tier do not";
        Finding::new("io_uring", status, found, follows)
    };
    match facts.io_uring_disabled {
        Some(0) => finding(Ok, "enabled"),
        Some(1) if facts.root => finding(Ok, "for root only"),
        Some(_) => finding(Note, "disabled").remedy("`sysctl kernel.io_uring_disabled=0`"),
        None => finding(Ok, "no switch (before Linux 6.6)"),
    }
}

fn jdk(facts: &Facts) -> Finding {
    match &facts.jdk {
        Some(home) => Finding::new("ZTera JDK", Ok, home.as_str(), "`ztera java` uses it"),
        None => Finding::new("ZTera JDK", Note, "not found", "`ztera java` has nothing to run yet")
            .remedy("`make`, or set ZTERA_HOME"),
    }
}

#[cfg(test)]
#[path = "rules_test.rs"]
mod tests;
