//! A thread of the engine that panics ends the process, at once and with a reason: accesses that wait
//! for it could neither be answered nor be made to fail. It must not just vanish, as threads do.
//!
//! Each case runs in a child process, which is this program again.

mod common;

use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};
use std::time::Duration;

use common::{UNIT, Words, eventually, open, submit};
use ztera_fail::{Failure, Scenario};
use ztera_range::Options;

const CASE: &str = "ZTERA_TEST_DYING_THREAD";

/// Does what needs the thread that is to die. Only if nothing dies it comes back.
fn use_everything() {
    let options =
        Options { resident_limit: 4 * UNIT as u64, workers: 1, fault_threads: 1, ..Options::default() };
    let Some(range) = open(256 * UNIT, &options) else { return };
    submit(&range, UNIT, 0, 256, |unit, i| (unit + i / 70) as u64);
    let words = Words::of(&range);
    for unit in 0..256 {
        let at = unit * UNIT / 8 + 5;
        assert_eq!(words.get(at), unit as u64);
        words.set(at, 7);
    }
    // Not `drain`, which would do the workers' work.
    eventually("everything is stored", || range.stats().store.staged_bytes == 0);
}

/// The child's part; without a case, only makes sure that nothing dies by itself.
#[test]
fn child() {
    let scenario = Scenario::begin();
    if let Ok(point) = std::env::var(CASE) {
        scenario.fail(&point, Failure::Panic).after(2);
    }
    use_everything();
}

fn dies(point: &str, thread: &str) {
    let mut child = Command::new(std::env::current_exe().expect("the test has a path"))
        .args(["--exact", "child", "--nocapture"])
        .env(CASE, point)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the child starts");
    // Long enough for any machine; a child that hangs must not hang the test.
    for _ in 0..6000 {
        if child.try_wait().expect("a child").is_some() {
            break;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let hung = child.try_wait().expect("a child").is_none();
    if hung {
        child.kill().expect("our child");
    }
    let output = child.wait_with_output().expect("a child");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!hung, "{point}: the process hangs\n{said}");
    assert!(!said.contains("SKIPPED") || output.status.success());
    if said.contains("SKIPPED") {
        return eprintln!("{said}");
    }
    assert_eq!(output.status.signal(), Some(libc::SIGABRT), "{point}: {}\n{said}", output.status);
    assert!(said.contains(thread) && said.contains(point), "{said}");
    assert!(said.contains("the process cannot go on"), "{said}");
}

#[test]
fn a_worker() {
    dies("worker.job", "zt-worker-0");
}

#[test]
fn a_fault_handler() {
    dies("handler.fault", "zt-fault-0");
}

/// Batches are evicted by handlers too, when the evictor does not keep up.
#[test]
fn whoever_evicts() {
    dies("evictor.batch", "zt-");
}
