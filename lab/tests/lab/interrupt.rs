// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Ctrl-C in a terminal: all programs of a run get the signal.

use std::collections::BTreeSet;
use std::fs;
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};

use super::fixture::{Lab, cgroup_of, swapping, words};

#[test]
fn zram_goes_on_after_an_interrupt_and_leaves_nothing_behind() {
    let lab = Lab::new();
    if !lab.can_run("zram-device") {
        return;
    }
    let is_there = |_| lab.steps("zram-device").len() >= 3;
    let (_, error) = interrupt_once(&lab, "zram-device", is_there);
    assert!(error.contains("interrupted"), "{error}");
    lab.assert_nothing_is_left();
    let before = lab.steps("zram-device");
    assert!(lab.samples("zram-device").iter().all(|sample| sample["missing"].is_null()), "{error}");
    assert!(before.len() >= 2, "{before:?}");
    let said = words(&lab.run(&["report"]));
    assert!(said.contains("as a run ended early"), "{said}");
    let verdicts = lab.verdicts();
    let own = verdicts.iter().filter(|verdict| verdict["experiment"] == "zram-device");
    assert!(own.clone().all(|verdict| verdict["verdict"] != "not-testable-here"), "{verdicts:?}");
    assert!(own.into_iter().any(|verdict| verdict["verdict"] == "not-measured"), "{verdicts:?}");
    let output = lab.run(&["run", "zram-device", "--tiny"]);
    assert!(output.status.success(), "{}", words(&output));
    lab.assert_nothing_is_left();
    let after = lab.steps("zram-device");
    assert_eq!(after[..before.len()], before);
    assert_eq!(after.iter().collect::<BTreeSet<_>>().len(), after.len(), "a step was taken twice: {after:?}");
    assert!(words(&output).contains(&format!("{} were done before", before.len())), "{}", words(&output));
    let page = lab.page();
    for part in ["figure 4.1", "tables 4.5 to 4.7", "Hypothesis 2", "scale tiny", "kernel"] {
        assert!(page.contains(part), "{part} is missing in the page");
    }
    lab.look_at("zram-device");
}

#[test]
fn jvms_that_swap_are_interrupted_and_leave_nothing_behind() {
    let lab = Lab::new();
    if !lab.can_run("oversubscription") {
        return;
    }
    let Some(_only) = swapping() else { return };
    let has_processes =
        |group: &Path| fs::read_to_string(group.join("cgroup.procs")).is_ok_and(|ids| !ids.is_empty());
    let own = |process| cgroup_of(process, "oversubscription");
    let is_there = |process| own(process).is_some_and(|group| has_processes(&group));
    let (process, error) = interrupt_once(&lab, "oversubscription", is_there);
    assert!(error.contains("interrupted; everything was cleaned up"), "{error}");
    lab.assert_nothing_is_left();
    assert_eq!(own(process), None, "{error}");
    assert!(lab.steps("oversubscription").is_empty(), "a JVM that got the signal is no result: {error}");
}

/// A killed run cannot clean up: the next one does.
#[test]
fn swap_that_a_killed_run_left_is_switched_off_by_the_next() {
    let lab = Lab::new();
    if !lab.can_run("oversubscription") {
        return;
    }
    let Some(_only) = swapping() else { return };
    let swaps = || fs::read_to_string("/proc/swaps").unwrap();
    let own = lab.folder.path().to_str().unwrap();
    end_once(&lab, "oversubscription", Signal::KILL, |_| swaps().contains(own));
    assert!(swaps().contains(own), "{}", swaps());
    let next = Lab::new();
    let output = next.run(&["run", "oversubscription", "--tiny"]);
    assert!(output.status.success(), "{}", words(&output));
    next.assert_nothing_is_left();
    assert!(!swaps().contains(own), "{}", swaps());
}

/// Interrupts a run of an experiment, once something of that process is there. Returns its id, and what it said.
fn interrupt_once(lab: &Lab, experiment: &str, is_there: impl Fn(u32) -> bool) -> (u32, String) {
    let (process, said) = end_once(lab, experiment, Signal::INT, is_there);
    assert!(!said.contains("stays"), "{said}");
    (process, said)
}

/// Sends a signal to the group of the run.
fn end_once(lab: &Lab, experiment: &str, signal: Signal, is_there: impl Fn(u32) -> bool) -> (u32, String) {
    let mut command = lab.command(&["run", experiment, "--tiny"]);
    command.process_group(0).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    while !is_there(child.id()) && child.try_wait().unwrap().is_none() {
        thread::sleep(Duration::from_millis(5));
    }
    // It fails if the run has ended, which is seen below.
    let _ = kill_process_group(Pid::from_child(&child), signal);
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert!(!child.wait().unwrap().success(), "{said}");
    (child.id(), said)
}
