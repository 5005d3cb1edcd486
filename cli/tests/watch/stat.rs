// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera stat --interval`.

use serde_json::Value;

use crate::common::ztera;
use crate::fake_jvm::busy::busy;
use crate::fake_jvm::{FakeJvm, tells};
use crate::signal::Running;

fn stat(jvm: &FakeJvm, arguments: &[&str]) -> String {
    let output = ztera().args(["stat", &jvm.pid(), "--interval", "0.1"]).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn rows_have_times_sizes_and_rates() {
    let jvm = FakeJvm::start("Rows", busy());
    let text = stat(&jvm, &["--count", "3"]);
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows.len(), 4, "{text}");
    assert_eq!(rows[0][..6], ["time", "h2", "resident", "packed", "pool", "ssd"]);
    assert_eq!(rows[1][1..], ["6.0G", "1.0G", "3.0G", "1.2G", "2.0G", "-", "-", "-", "-", "-"]);
    for row in &rows[2..] {
        assert_eq!(row.len(), rows[0].len(), "{text}");
        assert!(row[0].split(':').count() == 3 && row[6].ends_with('k') && row[7].ends_with('M'), "{text}");
        assert_eq!(row[10], "0", "the counters of its collections stand still: {text}");
    }
    assert!(
        text.lines().all(|line| line.len() == text.lines().next().unwrap().len() && line.len() <= 80),
        "{text}"
    );
}

#[test]
fn json_has_a_line_for_each_sample() {
    let jvm = FakeJvm::start("Lines", busy());
    let text = stat(&jvm, &["--count", "2", "--json"]);
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 2);
    assert!(lines[0]["sample"]["per_second"].is_null());
    assert_eq!(lines[1]["used_bytes"], 6144u64 << 20);
    let sample = &lines[1]["sample"];
    assert_eq!(
        (&sample["pid"].to_string(), &sample["pauses"]["young"]["collections"]),
        (&jvm.pid(), &3.into())
    );
    assert!(sample["time_seconds"].as_f64() > lines[0]["sample"]["time_seconds"].as_f64());
    let rate = |name: &str| sample["per_second"][name].as_f64().unwrap();
    assert!(rate("fault_count") > 0.0 && rate("bd_errors") == 0.0, "{sample}");
    assert!(sample["per_second"]["resident_bytes"].is_null(), "it is no counter");
    let pool = |name: &str| sample["faults"]["pool"][name].as_f64().unwrap();
    assert_eq!(pool("count"), 100.0, "since the line before: {sample}");
    assert!((16e-6..19e-6).contains(&pool("p50_seconds")) && pool("p99_seconds") > 250e-6, "{sample}");
}

#[test]
fn a_heap_that_is_off_has_no_rows() {
    let jvm = FakeJvm::start("OffRows", tells(r#"{"enabled":false}"#));
    assert!(stat(&jvm, &[]).contains("give it -XX:H2Size"));
}

#[test]
fn it_ends_with_the_jvm_and_by_a_signal() {
    let jvm = FakeJvm::start("Ends", busy());
    let arguments = ["stat", &jvm.pid(), "--interval", "100"];
    let mut first = Running::start(&arguments);
    assert!(first.line().contains("faults/s"));
    assert!(first.interrupt().success());
    let mut second = Running::start(&arguments);
    second.line();
    second.line();
    drop(jvm);
    assert_eq!(second.line(), "");
}
