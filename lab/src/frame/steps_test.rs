// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

use std::fs::OpenOptions;
use std::io::Write;

use super::super::context::Scale;
use super::super::machine::Machine;
use super::super::record::{Record, forget};
use super::*;
use anyhow::anyhow;
use serde_json::Value;
use ztera_machine::interrupt::Interrupted;

fn header(scale: Scale) -> Header {
    Header { scale, machine: Machine::here() }
}

/// A run of the steps `a` and `b`.
fn open(folder: &Path, scale: Scale) -> Steps {
    planned(folder, &header(scale), &["a", "b"])
}

fn planned(folder: &Path, header: &Header, keys: &[&str]) -> Steps {
    let mut steps = Steps::open("toy", folder, header).unwrap();
    steps.plan(keys.iter().map(|&key| key.to_owned())).unwrap();
    steps
}

fn steps_of(folder: &Path) -> Vec<(String, Value)> {
    let samples = Record::load(folder).unwrap().samples;
    samples.into_iter().map(|sample| (sample.step, sample.data)).collect()
}

#[test]
fn a_finished_step_is_not_taken_again() {
    let folder = tempfile::tempdir().unwrap();
    open(folder.path(), Scale::Tiny).take("a", || Ok(1)).unwrap();
    let mut steps = open(folder.path(), Scale::Tiny);
    steps.take("a", || -> Result<i32> { panic!("it is done") }).unwrap();
    steps.take("b", || Ok(2)).unwrap();
    assert_eq!(steps.finish().unwrap(), Finished { taken: 1, skipped: 1, left_out: 0 });
    assert_eq!(steps_of(folder.path()), [("a".to_owned(), 1.into()), ("b".to_owned(), 2.into())]);
}

#[test]
fn a_step_that_failed_is_tried_again() {
    let folder = tempfile::tempdir().unwrap();
    open(folder.path(), Scale::Tiny).take("a", || Err::<i32, _>(anyhow!("no disk"))).unwrap();
    assert_eq!(Record::load(folder.path()).unwrap().samples[0].missing.as_deref(), Some("no disk"));
    open(folder.path(), Scale::Tiny).take("a", || Ok(1)).unwrap();
    assert_eq!(steps_of(folder.path()), [("a".to_owned(), 1.into())]);
}

#[test]
fn an_interrupt_ends_the_run_and_leaves_no_sample() {
    let folder = tempfile::tempdir().unwrap();
    let error = open(folder.path(), Scale::Tiny).take("a", || Err::<i32, _>(Interrupted.into()));
    assert!(error.unwrap_err().is::<Interrupted>());
    assert_eq!(steps_of(folder.path()), []);
}

#[test]
fn a_run_is_whole_once_it_came_to_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let whole = || Record::load(folder.path()).unwrap().whole;
    let mut steps = open(folder.path(), Scale::Tiny);
    steps.take("a", || Ok(1)).unwrap();
    assert!(!whole());
    drop(steps);
    assert!(!whole());
    let finished = open(folder.path(), Scale::Tiny).finish().unwrap();
    assert!(whole());
    assert_eq!(finished.left_out, 1, "b was never tried");
}

#[test]
fn half_a_line_of_a_killed_run_goes() {
    let folder = tempfile::tempdir().unwrap();
    open(folder.path(), Scale::Tiny).take("a", || Ok(1)).unwrap();
    let mut file = OpenOptions::new().append(true).open(folder.path().join(FILE)).unwrap();
    file.write_all(br#"{"step":"b","seco"#).unwrap();
    drop(file);
    open(folder.path(), Scale::Tiny).take("b", || Ok(2)).unwrap();
    assert_eq!(steps_of(folder.path()), [("a".to_owned(), 1.into()), ("b".to_owned(), 2.into())]);
}

#[test]
fn samples_of_another_scale_are_set_aside() {
    let folder = tempfile::tempdir().unwrap();
    let mut tiny = open(folder.path(), Scale::Tiny);
    tiny.take("a", || Ok(1)).unwrap();
    drop(tiny);
    let mut quick = open(folder.path(), Scale::Quick);
    quick.take("a", || Ok(2)).unwrap();
    assert_eq!(steps_of(folder.path()), [("a".to_owned(), 2.into())]);
    drop(quick);
    // Files that were set aside before stay.
    open(folder.path(), Scale::Tiny).take("a", || Ok(3)).unwrap();
    open(folder.path(), Scale::Quick).take("a", || Ok(4)).unwrap();
    let data = |file: &str| {
        let text = fs::read_to_string(folder.path().join(file)).unwrap();
        let samples = text.lines().skip(1).map(|line| serde_json::from_str::<Sample>(line).unwrap().data);
        samples.collect::<Vec<Value>>()
    };
    let aside = ["samples-tiny.jsonl", "samples-quick.jsonl", "samples-tiny-2.jsonl"].map(data);
    assert_eq!(aside, [[Value::from(1)], [Value::from(2)], [Value::from(3)]]);
}

/// A run that went on with `--ssd` on another disk left samples of both in one file, and nothing told them apart.
#[test]
fn samples_of_another_disk_are_set_aside() {
    let folder = tempfile::tempdir().unwrap();
    let on = |disk: &str| {
        let mut header = header(Scale::Tiny);
        header.machine.0.push(("disk".to_owned(), disk.to_owned()));
        planned(folder.path(), &header, &["a"])
    };
    on("vda").take("a", || Ok(1)).unwrap();
    on("vda").take("a", || -> Result<i32> { panic!("it is done") }).unwrap();
    on("vdb").take("a", || Ok(2)).unwrap();
    assert_eq!(steps_of(folder.path()), [("a".to_owned(), 2.into())]);
    assert!(folder.path().join("samples-tiny.jsonl").exists());
    // Samples of earlier versions do not say which disk they are from.
    let mut unknown = planned(folder.path(), &header(Scale::Tiny), &["a"]);
    assert!(!unknown.has("a"));
    unknown.take("a", || Ok(3)).unwrap();
    drop(unknown);
    assert!(!on("vda").has("a"));
}

/// A command of a benchmark had changed, and verdicts came from the sample that the older one had left.
#[test]
fn steps_that_are_not_planned_any_more_are_set_aside() {
    let folder = tempfile::tempdir().unwrap();
    let mut steps = open(folder.path(), Scale::Tiny);
    steps.take("a", || Ok(1)).unwrap();
    steps.take("b", || Ok(2)).unwrap();
    drop(steps);
    let mut steps = planned(folder.path(), &header(Scale::Tiny), &["b", "c"]);
    assert_eq!(steps_of(folder.path()), [("b".to_owned(), 2.into())]);
    assert!(steps.has("b") && !steps.has("a"));
    steps.take("c", || Ok(3)).unwrap();
    assert_eq!(steps_of(folder.path()), [("b".to_owned(), 2.into()), ("c".to_owned(), 3.into())]);
    let aside = fs::read_to_string(folder.path().join("samples-unplanned.jsonl")).unwrap();
    let lines: Vec<&str> = aside.lines().collect();
    assert_eq!(serde_json::from_str::<Header>(lines[0]).unwrap().scale, Scale::Tiny);
    assert_eq!(serde_json::from_str::<Sample>(lines[1]).unwrap().step, "a");
    assert_eq!(lines.len(), 2);
}

#[test]
fn steps_without_data_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let mut steps = open(folder.path(), Scale::Tiny);
    steps.take("a", || Err::<i32, _>(anyhow!("no room"))).unwrap();
    steps.take("b", || Ok(2)).unwrap();
    assert_eq!(steps.finish().unwrap(), Finished { taken: 2, skipped: 0, left_out: 1 });
}

#[test]
fn what_is_forgotten_is_gone() {
    let folder = tempfile::tempdir().unwrap();
    let mut steps = open(folder.path(), Scale::Tiny);
    steps.take("a", || Ok(1)).unwrap();
    drop(steps);
    forget(folder.path()).unwrap();
    assert!(Record::load(folder.path()).is_none());
    forget(Path::new("/nowhere")).unwrap();
}

#[test]
fn two_runs_do_not_write_to_one_file() {
    let folder = tempfile::tempdir().unwrap();
    let first = open(folder.path(), Scale::Tiny);
    assert!(Steps::open("toy", folder.path(), &header(Scale::Tiny)).is_err());
    drop(first);
    // A process that another test is just starting may have the lock until its exec.
    let opens = |_| {
        std::thread::sleep(std::time::Duration::from_millis(10));
        Steps::open("toy", folder.path(), &header(Scale::Tiny)).is_ok()
    };
    assert!((0..500).any(opens));
}
