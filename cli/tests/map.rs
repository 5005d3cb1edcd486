// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera map` of processes that wait: a JVM, and one that is none.

#[allow(dead_code, reason = "other tests need the rest")]
mod jdk;

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use predicates::prelude::predicate::str::contains;
use serde_json::Value;

fn ztera() -> assert_cmd::Command {
    assert_cmd::Command::cargo_bin("ztera").expect("the binary")
}

/// A process that waits until this is dropped.
struct Waiting(Child);

impl Waiting {
    fn start(command: &mut Command) -> Waiting {
        Waiting(command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts"))
    }

    fn pid(&self) -> String {
        self.0.id().to_string()
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        let out = self.0.stdout.as_mut().expect("a pipe");
        BufReader::new(out).read_line(&mut line).expect("text");
        line
    }

    /// The kernel's own sums, in bytes, by name.
    fn rollup(&self) -> BTreeMap<String, u64> {
        let text = fs::read_to_string(format!("/proc/{}/smaps_rollup", self.pid())).expect("it runs");
        let value = |line: &str| {
            let (key, value) = line.split_once(':')?;
            Some((key.to_owned(), value.trim().strip_suffix(" kB")?.parse::<u64>().ok()? << 10))
        };
        text.lines().filter_map(value).collect()
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn json(arguments: &[&str]) -> Value {
    let output = ztera().arg("map").args(arguments).arg("--json").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// The sums of all areas are the total, of which the kinds of resident pages are the whole.
fn assert_sums(report: &Value) {
    let areas = report["areas"].as_array().unwrap();
    for (name, total) in report["total"].as_object().unwrap() {
        let sum: u64 = areas.iter().map(|area| area[name].as_u64().unwrap()).sum();
        assert_eq!(Some(sum), total.as_u64(), "{name} in {report}");
    }
    let of = |name: &str| report["total"][name].as_u64().unwrap();
    let kinds = of("anonymous_bytes") + of("file_clean_bytes") + of("file_dirty_bytes");
    assert_eq!(kinds, of("resident_bytes"));
}

fn resident(report: &Value, name: &str) -> Option<u64> {
    let areas = report["areas"].as_array().unwrap();
    areas.iter().find(|area| area["area"] == name)?["resident_bytes"].as_u64()
}

#[test]
fn a_process_that_is_no_jvm_has_areas_by_kind() {
    let mut cat = Waiting::start(&mut Command::new("cat"));
    writeln!(cat.0.stdin.as_mut().unwrap(), "ready").unwrap();
    assert_eq!(cat.line(), "ready\n");
    let report = json(&[&cat.pid()]);
    assert_sums(&report);
    let (rollup, total) = (cat.rollup(), &report["total"]);
    assert_eq!(total["resident_bytes"], rollup["Rss"]);
    assert_eq!(total["swapped_bytes"], rollup["Swap"]);
    assert_eq!(total["anonymous_bytes"], rollup["Anonymous"]);
    assert_eq!((&report["jvm"], &report["h2"]), (&Value::Bool(false), &Value::Null));
    for area in ["libraries", "malloc", "thread stacks"] {
        assert!(resident(&report, area) > Some(0), "{area} in {report}");
    }
    ztera().args(["map", &cat.pid()]).assert().success().stdout(contains("libraries"));
}

/// `map` called any memory that a child does not inherit the pool of a second heap: this test showed 64 MiB of it.
#[test]
fn a_process_without_a_second_heap_has_no_pool() {
    let mut memory = memmap2::MmapMut::map_anon(64 << 20).unwrap();
    memory.advise(memmap2::Advice::DontFork).unwrap();
    memory[0] = 1;
    let report = json(&[&std::process::id().to_string()]);
    assert_sums(&report);
    assert_eq!(resident(&report, "H2 pool"), None, "{report}");
}

#[test]
fn a_picture_is_drawn() {
    let mut cat = Waiting::start(&mut Command::new("cat"));
    writeln!(cat.0.stdin.as_mut().unwrap(), "ready").unwrap();
    cat.line();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("map.svg");
    ztera().args(["map", &cat.pid(), "--svg"]).arg(&file).assert().success();
    let svg = fs::read_to_string(&file).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains("libraries") && svg.contains("file, clean"), "{svg}");
}

#[test]
fn a_process_that_is_not_there_is_named() {
    ztera().args(["map", "4194305"]).assert().code(1).stderr(contains("there is no process 4194305"));
}

const PROGRAM: &str = r#"
public class Program {
    static byte[][] kept = new byte[4000][];
    public static void main(String[] args) throws Exception {
        for (int i = 0; i < kept.length; i++) kept[i] = new byte[4000];
        System.gc();
        System.out.println("ready");
        System.in.read();
    }
}
"#;

fn jvm(java: &Path, folder: &Path, flags: &[&str]) -> Waiting {
    let program = folder.join("Program.java");
    fs::write(&program, PROGRAM).unwrap();
    let mut jvm = Waiting::start(Command::new(java).args(["-Xmx128m"]).args(flags).arg(program));
    assert_eq!(jvm.line(), "ready\n");
    jvm
}

#[test]
fn a_jvm_tells_its_areas() {
    let Some(java) = jdk::java(25..=30) else {
        let _ = writeln!(std::io::stderr(), "SKIPPED, not tested: there is no java 25 here");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let tracked = ["-XX:+UseParallelGC", "-XX:NativeMemoryTracking=summary"];
    for (flags, told_by, areas) in [
        (
            &tracked[..],
            "System.map",
            &["young", "old", "metaspace", "class space", "code cache", "CDS", "GC"][..],
        ),
        (&["-XX:+UseSerialGC"], "VM.info", &["young", "old", "class space", "code cache", "CDS"]),
        (&["-XX:+UseG1GC"], "VM.info", &["heap", "code cache"]),
    ] {
        let jvm = jvm(&java, folder.path(), flags);
        let report = json(&[&jvm.pid()]);
        assert_sums(&report);
        assert_eq!((&report["jvm"], &report["told_by"]), (&Value::Bool(true), &told_by.into()), "{report}");
        for area in areas.iter().chain(&["libjvm", "libraries", "thread stacks", "malloc"]) {
            assert!(resident(&report, area) > Some(0), "{area} in {report}");
        }
        let live = ["old", "heap"].iter().find_map(|area| resident(&report, area));
        assert!(live >= Some(16 << 20), "16 MB are old: {report}");
        let notes = report["notes"].to_string();
        assert_eq!(notes.contains("as a whole"), flags.contains(&"-XX:+UseG1GC"), "{notes}");
        assert_eq!(notes.contains("NativeMemoryTracking"), told_by == "VM.info", "{notes}");
    }
}

#[test]
fn a_second_heap_is_an_area() {
    let java = Path::new(env!("CARGO_MANIFEST_DIR")).join("../build/jdk/bin/java");
    if !java.exists() {
        let _ = writeln!(std::io::stderr(), "SKIPPED, not tested: `make jdk` has not been run");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let jvm = jvm(&java, folder.path(), &["-XX:+UseParallelGC", "-XX:H2Size=1g"]);
    let report = json(&[&jvm.pid()]);
    assert_sums(&report);
    assert!(resident(&report, "H2").is_some() && report["h2"]["used_bytes"].is_u64(), "{report}");
    ztera().args(["map", &jvm.pid()]).assert().success().stdout(contains("Second heap:"));
}
