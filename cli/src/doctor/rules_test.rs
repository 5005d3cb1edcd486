// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

use super::*;
use crate::doctor::uffd::Uffd;

fn good() -> Facts {
    Facts {
        kernel: "6.12.3-amd64".to_owned(),
        page_size: 4096,
        uffd: Uffd {
            access: UffdAccess::SystemCall,
            features: Some(kernel::UFFD_FEATURE_PAGEFAULT_FLAG_WP.into()),
            device: true,
        },
        memory_lock: None,
        addresses: None,
        memory: Some(8 << 30),
        memory_limit: None,
        swap: Some(0),
        cgroup: Some(2),
        cgroup_refusal: None,
        overcommit: Some(0),
        huge_pages: Some("madvise".to_owned()),
        zram: true,
        io_uring_disabled: Some(0),
        root: true,
        jdk: Some("/opt/ztera/jdk".to_owned()),
    }
}

fn statuses(facts: &Facts) -> Vec<(&'static str, Status)> {
    let bad = |finding: &Finding| finding.status != Ok;
    judge(facts).iter().filter(|f| bad(f)).map(|f| (f.subject, f.status)).collect()
}

#[test]
fn a_good_machine_has_nothing_to_remark() {
    assert_eq!(statuses(&good()), []);
    assert!(tier_works(&judge(&good())));
}

#[test]
fn each_shortcoming_is_found_where_it_belongs() {
    let uffd = |access, features| Uffd { access, features, device: false };
    let wp = good().uffd.features;
    let user_mode_only = if cfg!(target_arch = "x86_64") { Note } else { Missing };
    let cases = [
        (Facts { uffd: uffd(UffdAccess::UserModeOnly, wp), ..good() }, "userfaultfd", user_mode_only),
        (Facts { uffd: uffd(UffdAccess::SystemCall, Some(0)), ..good() }, "userfaultfd features", Missing),
        (Facts { page_size: 16384, ..good() }, "page size", Note),
        (Facts { page_size: 1 << 21, ..good() }, "page size", Missing),
        (Facts { kernel: "5.4.0".to_owned(), ..good() }, "kernel", Missing),
        (Facts { kernel: "strange".to_owned(), ..good() }, "kernel", Note),
        (Facts { overcommit: Some(2), ..good() }, "vm.overcommit_memory", Note),
        (Facts { addresses: Some(4 << 30), ..good() }, "address limits", Note),
        (Facts { cgroup_refusal: Some("no".to_owned()), ..good() }, "memory cgroup", Note),
        (Facts { swap: Some(1 << 30), ..good() }, "swap", Note),
        (Facts { zram: false, ..good() }, "zram", Note),
        (Facts { root: false, ..good() }, "zram", Note),
        (Facts { io_uring_disabled: Some(2), ..good() }, "io_uring", Note),
        (Facts { jdk: None, ..good() }, "ZTera JDK", Note),
    ];
    for (facts, subject, status) in cases {
        assert_eq!(statuses(&facts), [(subject, status)]);
        assert_eq!(tier_works(&judge(&facts)), status != Missing, "{subject}");
    }
}

/// `doctor` praised kernels for PAGEMAP_SCAN, which no code uses, and said that nothing uses io_uring: ublk does.
#[test]
fn findings_speak_of_features_that_code_uses() {
    let old = Facts { kernel: "5.15.0-91-generic".to_owned(), ..good() };
    assert_eq!(statuses(&old), []);
    let follows = |subject: &str| {
        let found = judge(&good()).into_iter().find(|finding| finding.subject == subject);
        found.map(|finding| finding.follows).unwrap_or_default()
    };
    assert!(!follows("kernel").contains("cards"), "{}", follows("kernel"));
    assert!(follows("io_uring").contains("--ublk"), "{}", follows("io_uring"));
}

#[test]
fn the_lock_limit_matters_with_swap_only() {
    let low = Facts { memory_lock: Some(8 << 20), ..good() };
    assert_eq!(statuses(&low), []);
    let swapping = Facts { swap: Some(1 << 30), ..low };
    assert_eq!(statuses(&swapping), [("memory lock limit", Note), ("swap", Note)]);
}

#[test]
fn without_userfaultfd_both_findings_say_so() {
    for access in [UffdAccess::Denied, UffdAccess::Absent] {
        let facts = Facts { uffd: Uffd { access, features: None, device: false }, ..good() };
        assert_eq!(statuses(&facts), [("userfaultfd", Missing), ("userfaultfd features", Missing)]);
    }
}

#[test]
fn what_is_missing_for_the_tier_has_a_remedy() {
    let facts = Facts {
        uffd: Uffd { access: UffdAccess::Denied, features: None, device: true },
        kernel: "4.19.0".to_owned(),
        ..good()
    };
    for finding in judge(&facts).iter().filter(|f| f.status == Missing && f.found != "unknown") {
        assert!(finding.remedy.is_some(), "{}", finding.subject);
    }
}
