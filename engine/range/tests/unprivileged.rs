//! As an ordinary user: what works without a privilege, with `vm.unprivileged_userfaultfd=0`, and what is said of the rest.
//!
//! Each case runs in a child process, which is this program again, and stops being root first.

mod common;

use std::io::Write;
use std::process::Command;

use common::{UNIT, WORDS, Words, options, serve, submit, tame};
use ztera_range::{Error, FaultMode, Options, Range};

const CASE: &str = "ZTERA_TEST_UNPRIVILEGED";

/// Runs `case`, a test of this file that does its work where [`is_child`] says so, as an ordinary user.
fn runs_as_nobody(case: &str) {
    let output = Command::new(std::env::current_exe().expect("the test has a path"))
        .args(["--exact", case, "--nocapture", "--test-threads=1"])
        .env(CASE, case)
        .output()
        .expect("the child starts");
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}\n{said}", output.status);
    for line in said.lines().filter(|line| line.contains("SKIPPED")) {
        // Past the test harness, which swallows what passing tests print.
        let _ = writeln!(std::io::stderr(), "{line}");
    }
}

/// Whether this process has to do the work, which begins with becoming an ordinary user.
fn is_child(case: &str) -> bool {
    let is_child = std::env::var(CASE).is_ok_and(|wanted| wanted == case);
    if is_child {
        become_nobody();
    }
    is_child
}

fn become_nobody() {
    const NOBODY: u32 = 65534;
    // SAFETY: these calls change who this process is, and nothing else; it is a child that does only this.
    unsafe {
        if libc::geteuid() != 0 {
            return;
        }
        assert_eq!(libc::setgroups(0, std::ptr::null()), 0);
        assert_eq!(libc::setresgid(NOBODY, NOBODY, NOBODY), 0);
        assert_eq!(libc::setresuid(NOBODY, NOBODY, NOBODY), 0);
    }
}

/// Whether an ordinary user is refused what root may have; visibly if not, as then there is nothing to see.
fn is_refused() -> bool {
    let setting = std::fs::read_to_string("/proc/sys/vm/unprivileged_userfaultfd").unwrap_or_default();
    let device = std::fs::OpenOptions::new().read(true).write(true).open("/dev/userfaultfd").is_ok();
    let refused = setting.trim() == "0" && !device;
    if !refused {
        eprintln!("SKIPPED, not tested: this machine gives userfaultfd to everybody");
    }
    refused
}

#[test]
fn threads_serve_themselves_without_a_privilege() {
    const CASE: &str = "threads_serve_themselves_without_a_privilege";
    if !is_child(CASE) {
        return runs_as_nobody(CASE);
    }
    let options = Options { fault_mode: FaultMode::Sigbus, ..options(32) };
    let range = match Range::open(256 * UNIT, &options) {
        Err(error @ Error::Unsupported(_)) => return eprintln!("SKIPPED, not tested: {error}"),
        result => result.expect("instructions may be served by anybody"),
    };
    let words = Words::of(&range);
    let range = serve(range);
    submit(&range, UNIT, 0, 256, tame);
    for round in 0..3 {
        for unit in 0..256 {
            assert_eq!(words.get(unit * WORDS + 9), tame(unit, 9) + round);
            words.set(unit * WORDS + 9, tame(unit, 9) + round + 1);
        }
    }
    let stats = range.stats();
    assert!(stats.fault_count > 0 && stats.evicted_dirty > 0 && stats.read_ahead_units > 0, "{stats:?}");
    // Handlers would have to serve system calls, too. The former way goes on.
    if is_refused() {
        assert!(matches!(range.use_handlers(), Err(Error::Forbidden)));
        assert!(!words.readable(5 * WORDS), "a system call fails where the page is not in memory");
    }
    (0..256).for_each(|unit| assert_eq!(words.get(unit * WORDS + 9), tame(unit, 9) + 3));
}

#[test]
fn handlers_need_a_privilege_and_say_so() {
    const CASE: &str = "handlers_need_a_privilege_and_say_so";
    if !is_child(CASE) {
        return runs_as_nobody(CASE);
    }
    if !is_refused() {
        return;
    }
    match Range::open(64 * UNIT, &options(8)).map(|_| ()) {
        Err(error @ Error::Unsupported(_)) => eprintln!("SKIPPED, not tested: {error}"),
        Err(error @ Error::Forbidden) => {
            let said = error.to_string();
            assert!(said.contains("unprivileged_userfaultfd") && said.contains("serve their own"), "{said}");
        }
        other => panic!("{other:?}"),
    }
}
