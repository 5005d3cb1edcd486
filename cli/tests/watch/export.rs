// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera export`.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;

use predicates::prelude::predicate::str::contains;
use ztera_metrics::{OF_COLLECTOR, OF_ENGINE, OF_HEAP, OF_LABEL, OF_MEMORY};

use crate::common::ztera;
use crate::fake_jvm::FakeJvm;
use crate::fake_jvm::busy::busy;
use crate::promtool::{check, parse};
use crate::signal::Running;

/// Head and body of an answer.
pub fn get(address: &str, request: &str) -> (String, String) {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "{request}\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.to_owned(), body.to_owned())
}

/// All that a JVM tells has a number.
fn assert_whole(values: &BTreeMap<String, f64>) {
    for group in [OF_ENGINE, OF_HEAP, OF_MEMORY, OF_LABEL, OF_COLLECTOR] {
        for statistic in group.statistics {
            let name = group.exported(statistic);
            assert!(values.contains_key(&name), "{name} in {values:?}");
        }
    }
    let faults = |part: &str| values[&format!("ztera_h2_fault_seconds_{part}")];
    assert!(
        faults("count") >= 300.0 && faults("sum") > 0.0 && faults("bucket") > faults("count"),
        "{values:?}"
    );
    assert_eq!(values["ztera_jvm_up"], 1.0);
    assert_eq!(values["ztera_h2_used_bytes"], (6144u64 << 20) as f64);
    assert_eq!(values["ztera_gc_pause_seconds_total"], 4.0);
    assert_eq!(values["ztera_h2_label_used_bytes"], (6144u64 << 20) as f64);
}

#[test]
fn a_file_is_written_for_node_exporter() {
    let jvm = FakeJvm::start("File", busy());
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ztera.prom");
    ztera().args(["export", &jvm.pid(), "--textfile"]).arg(&file).assert().success().stdout("");
    let text = fs::read_to_string(&file).unwrap();
    assert_whole(&parse(&text));
    check("metrics", &text);
}

#[test]
fn prometheus_scrapes_what_it_wants() {
    let jvm = FakeJvm::start("org.example.Scraped", busy());
    let mut export = Running::start(&["export", "--listen", "127.0.0.1:0", "example.Scraped"]);
    let line = export.line();
    let address = line.split("http://").nth(1).unwrap().split('/').next().unwrap().to_owned();
    let (head, older) = get(&address, "GET /metrics HTTP/1.1");
    assert!(head.contains("200 OK") && head.contains("text/plain; version=0.0.4"), "{head}");
    assert_whole(&parse(&older));
    check("metrics", &older);
    let accept = "GET /metrics HTTP/1.1\r\nAccept: application/openmetrics-text; version=1.0.0";
    let (head, newer) = get(&address, accept);
    assert!(head.contains("application/openmetrics-text"), "{head}");
    assert!(newer.ends_with("# EOF\n") && newer.contains("# UNIT ztera_h2_used_bytes bytes"), "{newer}");
    assert_whole(&parse(&newer));
    assert!(newer.contains(&format!(r#"ztera_jvm_up{{pid="{}",main="org.example.Scraped"}} 1"#, jvm.pid())));
    assert!(get(&address, "GET /other HTTP/1.1").0.contains("404"));
    assert!(get(&address, "POST /metrics HTTP/1.1\r\nContent-Length: 0").0.contains("405"));
    drop(jvm);
    assert!(!get(&address, "GET /metrics HTTP/1.1").1.contains("ztera_h2"), "the JVM has ended");
    assert!(export.interrupt().success());
}

#[test]
fn a_disk_that_does_not_answer_is_down() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ztera.prom");
    let silent = ["export", "no.such.Main", "--disk", "/nowhere/disk", "--textfile"];
    ztera().args(silent).arg(&file).assert().success();
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains(r#"ztera_disk_up{disk="/nowhere/disk"} 0"#), "{text}");
}

#[test]
fn what_cannot_be_done_is_explained() {
    let refused = |arguments: &[&str], code: i32, said: &'static str| {
        ztera().arg("export").args(arguments).assert().code(code).stderr(contains(said));
    };
    refused(&["--textfile", "a.txt"], 2, ".prom");
    refused(&["--textfile", "/nowhere/a.prom"], 1, "cannot write /nowhere/a.prom");
    refused(&["--listen", "203.0.113.1:1"], 1, "name a free one with --listen");
    refused(&["--interval", "5"], 2, "--textfile");
}
