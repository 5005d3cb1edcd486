// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera analyze` as a user sees it; and, where there is a JDK, on a dump of a real JVM.

use std::fs;
use std::path::Path;
use std::process::Output;

use assert_cmd::Command;
use predicates::prelude::predicate::str::contains;
use serde_json::Value;

#[allow(dead_code, reason = "other tests need the rest")]
mod fake_jvm;
mod jdk;

use fake_jvm::{FakeJvm, tells};

fn analyze() -> Command {
    let mut command = Command::cargo_bin("ztera").expect("the binary");
    command.env_remove("ZTERA_HOME").arg("analyze");
    command
}

/// A dump of one `byte[]`.
fn dump(contents: &[u8]) -> Vec<u8> {
    let length = &(contents.len() as u32).to_be_bytes()[..];
    let array = [&[0x23, 0, 0, 0, 8, 0, 0, 0, 0], length, &[8], contents].concat();
    let segment = [&[0x1c, 0, 0, 0, 0], &(array.len() as u32).to_be_bytes()[..], &array].concat();
    [b"JAVA PROFILE 1.0.2\0\0\0\0\x04\0\0\0\0\0\0\0\0", &segment[..], &[0x2c, 0, 0, 0, 0, 0, 0, 0, 0]]
        .concat()
}

fn json(output: &Output) -> Value {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[test]
fn a_dump_becomes_pages() {
    let home = tempfile::tempdir().unwrap();
    let (heap, pages) = (home.path().join("a.hprof"), home.path().join("a.pages"));
    fs::write(&heap, dump(&[7; 9000])).unwrap();
    let analyze = || {
        let mut command = analyze();
        command.arg(&heap).arg("--out").arg(&pages);
        command
    };
    analyze().assert().success().stdout(contains("byte[]")).stdout(contains("16.0 KiB"));
    let written = fs::read(&pages).unwrap();
    assert_eq!((written.len(), &written[16..9016], written[9016]), (12288, &[7; 9000][..], 0));

    analyze().assert().code(1).stderr(contains("a.pages exists: name a file that does not"));
    fs::remove_file(&pages).unwrap();
    let report = json(&analyze().arg("--json").output().unwrap());
    assert_eq!(
        (&report["bytes"], &report["heap"]["primitive_arrays"]["byte"]["bytes"]),
        (&12288.into(), &9016.into())
    );
    let units = report["compression"]["units"].as_array().unwrap();
    let found: Vec<_> =
        units.iter().map(|unit| (unit["unit_bytes"].as_u64(), unit["units"].as_u64())).collect();
    assert_eq!(found, [(Some(4096), Some(3)), (Some(8192), Some(2)), (Some(16384), Some(1))]);
}

#[test]
fn what_is_no_whole_dump_leaves_no_pages() {
    let home = tempfile::tempdir().unwrap();
    let (heap, pages) = (home.path().join("a.hprof"), home.path().join("a.pages"));
    let whole = dump(&[7; 9000]);
    for (bytes, said) in [
        (&whole[..5000], "a.hprof: the dump ends too early, at byte 5000"),
        (b"PK\x03\x04 and other bytes of a jar", "a.hprof: it is no heap dump: `jcmd PID GC.heap_dump FILE`"),
        (&[0x1f, 0x8b, 8], "run gunzip on it first"),
    ] {
        fs::write(&heap, bytes).unwrap();
        analyze().arg(&heap).arg("--out").arg(&pages).assert().code(1).stderr(contains(said));
        assert_eq!(fs::read_dir(home.path()).unwrap().count(), 1, "only the dump");
    }
}

#[test]
fn what_is_not_taken_is_explained() {
    analyze().assert().code(2).stderr(contains("<HPROF>"));
    analyze().args(["a.hprof", "--pid", "1"]).assert().code(2).stderr(contains("cannot be used with"));
    analyze().args(["a.hprof", "--label", "1"]).assert().code(2).stderr(contains("cannot be used with"));
    analyze().args(["a.hprof", "--references", "5"]).assert().code(2).stderr(contains("4, 8"));
    analyze()
        .arg("/nowhere/a.hprof")
        .assert()
        .code(1)
        .stderr(contains("/nowhere/a.hprof: it cannot be opened"));
    analyze().args(["--pid", "4194305"]).assert().code(1).stderr(contains("there is no process 4194305"));
    let folder = std::env::temp_dir();
    analyze().arg(folder).assert().code(1).stderr(contains("it must be a file"));
}

/// Answers as a JVM whose H2 has 8 KiB. They are spaces, and end with the label that was asked for.
fn dumps(said: &'static str) -> FakeJvm {
    FakeJvm::start("Dumps", move |command| match command.split(' ').collect::<Vec<_>>()[..] {
        ["GC.h2_info", "json"] => (0, r#"{"enabled":true,"used_bytes":8192}"#.to_owned()),
        ["GC.h2_dump", file, ref label @ ..] => {
            fs::write(file, format!("{:>8192}", label.join(" "))).unwrap();
            (0, format!("1 regions, {said} {file}\n"))
        }
        _ => (1, command.to_owned()),
    })
}

fn of(jvm: &FakeJvm) -> Command {
    let mut command = analyze();
    command.args(["--pid", &jvm.pid()]);
    command
}

#[test]
fn a_running_jvm_writes_its_pages() {
    let home = tempfile::tempdir().unwrap();
    let jvm = dumps("8K written to");
    let report = json(
        &of(&jvm)
            .current_dir(home.path())
            .args(["--out", "h2.pages", "--label", "-1", "--json"])
            .output()
            .unwrap(),
    );
    assert_eq!((&report["bytes"], &report["heap"]), (&8192.into(), &Value::Null));
    assert_eq!(report["compression"]["units"][0]["same_filled_units"], 1);
    assert!(fs::read(home.path().join("h2.pages")).unwrap().ends_with(b"  -1"));
    of(&jvm).assert().success().stdout(contains("8.00 KiB of pages\n"));
}

#[test]
fn a_jvm_without_pages_is_explained() {
    let refusal = |jvm: FakeJvm, said: &'static str| {
        of(&jvm).assert().code(1).stderr(contains(said));
    };
    let unknown = |_: &str| (1, "java.lang.IllegalArgumentException: Unknown diagnostic command".to_owned());
    refusal(FakeJvm::start("Stock", unknown), "a JVM without ZTera");
    refusal(FakeJvm::start("Off", tells(r#"{"enabled":false}"#)), "give it -XX:H2Size");
    refusal(FakeJvm::start("Empty", tells(r#"{"enabled":true,"used_bytes":0}"#)), "the second heap is empty");
    refusal(dumps("No space left, not"), "the JVM did not write all pages: 1 regions, No space left");
    let silent = FakeJvm::start("Silent", |_| (0, r#"{"enabled":true,"used_bytes":8192}"#.to_owned()));
    refusal(silent, "the JVM did not write /");
}

/// The output of [`jdk::PROGRAM`], and the report and pages of its dump.
fn real(java: &Path, references: &str) -> (Vec<String>, Value, Vec<u8>) {
    let home = tempfile::tempdir().unwrap();
    let (program, heap, pages) =
        (home.path().join("Program.java"), home.path().join("a.hprof"), home.path().join("a.pages"));
    fs::write(&program, jdk::PROGRAM).unwrap();
    let said = jdk::run(java, references, &program, &heap);
    let width = if references.starts_with('+') { "4" } else { "8" };
    let output =
        analyze().arg(&heap).args(["--json", "--references", width, "--out"]).arg(&pages).output().unwrap();
    (said, json(&output), fs::read(&pages).unwrap())
}

fn little_endian(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
}

/// Where the marked words of [`jdk::PROGRAM`]'s nodes lie, and their numbers.
fn nodes(pages: &[u8]) -> Vec<(usize, u64)> {
    let words = pages.chunks_exact(8).map(little_endian).enumerate();
    words
        .filter(|(_, word)| word >> 32 == jdk::MARKED >> 32)
        .map(|(at, word)| (at * 8, word - jdk::MARKED))
        .collect()
}

#[test]
fn all_objects_of_a_real_jvm_are_written() {
    let Some(java) = jdk::java(17..=99) else { return println!("not tested: there is no JDK from 17 on") };
    let (_, report, pages) = real(&java, "+");
    // A node is: mark, class, int, the marked long, reference to the node before.
    let nodes = nodes(&pages);
    let mut numbers: Vec<u64> = nodes.iter().map(|&(_, number)| number).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (0..jdk::NODES).collect::<Vec<_>>());
    let mut addresses = std::collections::HashMap::new();
    for (at, number) in nodes {
        assert_eq!(
            (little_endian(&pages[at - 16..at - 8]), little_endian(&pages[at - 4..at])),
            (1, number % 1000)
        );
        addresses.insert(number, little_endian(&pages[at + 8..at + 12]));
    }
    // An object that was allocated after another refers to an address of its own.
    assert_eq!(addresses[&0], 0);
    let distinct: std::collections::HashSet<_> = addresses.values().collect();
    assert_eq!(distinct.len() as u64, jdk::NODES);

    let heap = &report["heap"];
    let kinds = heap["primitive_arrays"].as_object().unwrap().values();
    let kinds = kinds.chain([&heap["instances"], &heap["reference_arrays"]]);
    let bytes: u64 = kinds.map(|kind| kind["bytes"].as_u64().unwrap()).sum();
    assert_eq!(
        (bytes.next_multiple_of(4096), pages.len() as u64),
        (pages.len() as u64, report["bytes"].as_u64().unwrap())
    );
}

#[test]
fn fields_lie_where_a_real_jvm_lays_them() {
    let Some(java) = jdk::java(25..=25) else { return println!("not tested: there is no JDK 25") };
    for references in ["+", "-"] {
        let (said, _, pages) = real(&java, references);
        let instances: Vec<_> = said.iter().filter_map(|line| line.strip_prefix("bytes ")).collect();
        assert_eq!(instances.len(), jdk::SHAPES, "{said:?}");
        for hex in instances {
            let bytes: Vec<u8> = (0..hex.len())
                .step_by(2)
                .map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap())
                .collect();
            let found = (4..pages.len() - bytes.len()).step_by(8).any(|at| pages[at..].starts_with(&bytes));
            assert!(found, "{references}UseCompressedOops: nothing looks like {hex}");
        }
    }
}
