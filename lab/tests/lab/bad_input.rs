// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Runs that cannot be: each has one clear line per thing that is missing, and leaves nothing.

use std::io::ErrorKind;
use std::os::unix::process::CommandExt;
use std::process::Output;

use super::fixture::{Lab, STEPS_LEFT_OUT, words};

/// Somebody who is not root.
const NOBODY: u32 = 65534;
/// A script that makes the kernel look as if it had no zram.
const HIDE_ZRAM: &str = "[ ! -d /sys/class/zram-control ] || mount -t tmpfs none /sys/class/zram-control";

#[test]
fn an_unknown_experiment_is_one_clear_line() {
    let output = Lab::new().run(&["run", "no-such"]);
    assert!(!output.status.success());
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(error.lines().count(), 1, "{error}");
    assert!(error.contains("there is no experiment `no-such`") && error.contains("zram-device"), "{error}");
}

#[test]
fn a_missing_program_is_one_clear_line() {
    let lab = Lab::new();
    let output = lab.command(&["run", "zram-device", "--tiny"]).env("PATH", "").output().unwrap();
    let lines = left_out(&lab, &output);
    assert!(
        lines.iter().any(|line| line == "fio is missing: install it with `apt-get install fio`"),
        "{lines:?}"
    );
}

#[test]
fn want_of_root_is_one_clear_line() {
    if !is_root() {
        return;
    }
    let lab = Lab::new();
    let mut command = lab.command(&["run", "zram-device", "--tiny"]);
    let output = match command.uid(NOBODY).gid(NOBODY).output() {
        Err(error) if error.kind() == ErrorKind::PermissionDenied => {
            println!("SKIPPED, not tested: others than root may not run this build");
            return;
        }
        output => output.unwrap(),
    };
    let lines = left_out(&lab, &output);
    assert_eq!(lines[0], "root is needed: run the command with sudo");
}

#[test]
fn want_of_zram_is_one_clear_line() {
    if !is_root() {
        return;
    }
    let lab = Lab::new();
    let lines = left_out(&lab, &lab.run_after(HIDE_ZRAM, &["run", "zram-device", "--tiny"]));
    assert!(
        lines.iter().any(|line| line.starts_with("zram is missing: load it with `modprobe zram`")),
        "{lines:?}"
    );
}

/// The status was 0, so a script took a run with holes for a whole one.
#[test]
fn steps_that_are_left_out_have_an_exit_status() {
    if !is_root() {
        return;
    }
    let lab = Lab::new();
    let output = lab.run_after(HIDE_ZRAM, &["run", "tune", "--tiny"]);
    assert_eq!(output.status.code(), Some(STEPS_LEFT_OUT), "{}", words(&output));
    let said = words(&output);
    assert!(said.contains("\ntune: 5 steps taken, 0 were done before, 3 without data\n"), "{said}");
    assert_eq!(lab.steps("tune").len(), 5);
}

#[test]
fn a_full_ssd_is_one_clear_line_before_anything_is_measured() {
    if !is_root() {
        return;
    }
    let (mut lab, image) = (Lab::new(), tempfile::NamedTempFile::new().unwrap());
    image.as_file().set_len(64 << 20).unwrap();
    // Other files are not below that mount, which nobody else sees: what a run leaves is found afterwards.
    lab.ssd = lab.folder.path().join("ssd");
    let file = image.path().display();
    let mount = format!("mkfs.ext4 -q {file}\nmkdir \"$LAB/ssd\"\nmount -o loop {file} \"$LAB/ssd\"");
    let output = lab.run_after(&mount, &["run", "zram-device", "--tiny"]);
    if words(&output).contains("mount:") {
        println!("SKIPPED, not tested: no small file system can be mounted: {}", words(&output));
        return;
    }
    let lines = left_out(&lab, &output);
    let end = " GiB are needed: name another directory with --ssd DIR";
    assert!(lines.iter().any(|line| line.contains(" free, and ") && line.ends_with(end)), "{lines:?}");
}

#[test]
fn no_room_for_samples_is_one_clear_line() {
    if !is_root() {
        return;
    }
    let lab = Lab::new();
    let mount = "mkdir \"$LAB/lab\"\nmount -t tmpfs -o size=64k none \"$LAB/lab\"";
    let output = lab.run_after(mount, &["run", "codec", "--tiny"]);
    assert!(!output.status.success());
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(error.lines().count(), 1, "{error}");
    let start = "ztera: there is no room for samples: name another folder with --out DIR: ";
    assert!(
        error.starts_with(start) && error.ends_with("64.0 KiB free, and 16.0 MiB are needed\n"),
        "{error}"
    );
}

/// The reasons for which zram-device is left out. Fails if the command did or said anything else.
fn left_out(lab: &Lab, output: &Output) -> Vec<String> {
    assert!(!output.status.success() && output.stdout.is_empty(), "{}", words(output));
    let error = String::from_utf8_lossy(&output.stderr);
    let reason = |line: &str| line.strip_prefix("ztera: zram-device is left out: ").map(str::to_owned);
    let lines = error.lines().map(|line| reason(line).unwrap_or_else(|| panic!("{error}")));
    assert!(!lab.out().exists(), "nothing was to be written");
    lines.collect()
}

fn is_root() -> bool {
    let root = rustix::process::geteuid().is_root();
    if !root {
        println!("SKIPPED, not tested: it takes root");
    }
    root
}
