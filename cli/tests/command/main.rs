// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The command as a user sees it, on a machine where nothing was built: no JVM is needed.

#[path = "../common/mod.rs"]
mod common;
#[path = "../fake_jdk/mod.rs"]
mod fake_jdk;
#[allow(dead_code, reason = "other tests need the rest")]
#[path = "../fake_jvm/mod.rs"]
mod fake_jvm;

use std::fs;

use common::ztera;
use fake_jdk::fake_jdk;
use fake_jvm::{FakeJvm, tells};
use predicates::prelude::predicate::str::contains;

#[test]
fn help_lists_the_commands() {
    let mut help = ztera().arg("--help").assert().success();
    let commands = [
        "java", "doctor", "stat", "top", "export", "map", "pin", "demo", "bench", "analyze", "disk", "sim",
        "tune",
    ];
    for command in commands {
        help = help.stdout(contains(command));
    }
}

#[test]
fn every_command_has_a_help_text() {
    for command in [
        &["java"][..],
        &["doctor"],
        &["stat"],
        &["top"],
        &["export"],
        &["map"],
        &["pin"],
        &["demo"],
        &["analyze"],
        &["tune"],
    ] {
        ztera().args(command).arg("--help").assert().success().stdout(contains("Usage: ztera"));
    }
}

#[test]
fn doctor_speaks_json() {
    let output = ztera().args(["doctor", "--json"]).output().unwrap();
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let works = report["tier_works"].as_bool().unwrap();
    assert_eq!(output.status.code(), Some(if works { 0 } else { 1 }));
    assert!(report["findings"].as_array().unwrap().iter().any(|finding| finding["subject"] == "userfaultfd"));
    assert!(report["facts"]["page_size"].as_u64().unwrap() >= 4096);
}

#[test]
fn doctor_says_what_follows() {
    ztera()
        .arg("doctor")
        .assert()
        .stdout(contains("userfaultfd"))
        .stdout(contains("The compressed tier can"));
}

#[test]
fn java_prints_the_command_it_would_run() {
    let home = tempfile::tempdir().unwrap();
    fake_jdk(home.path(), "exit 0");
    ztera()
        .args([
            "java",
            "--print",
            "--h2-size",
            "4g",
            "--resident",
            "64m",
            "--pool",
            "512m",
            "--codec",
            "zstd",
        ])
        .args(["--backing", "file", "--path", "/mnt/h2", "--jdk"])
        .arg(home.path())
        .args(["--", "-Xmx1g", "-jar", "my app.jar"])
        .assert()
        .success()
        .stdout(contains(
            "bin/java -XX:H2Size=4096m -XX:H2ResidentSize=64m -XX:H2PoolSize=512m -XX:H2Backing=file \
             -XX:H2Path=/mnt/h2 -XX:H2Codec=zstd -Xmx1g -jar 'my app.jar'",
        ));
}

#[test]
fn java_becomes_the_program() {
    let home = tempfile::tempdir().unwrap();
    fake_jdk(&home.path().join("jdk"), r#"echo "$@"; exit 7"#);
    ztera()
        .env("ZTERA_HOME", home.path())
        .args(["java", "--h2-size", "1g", "--", "Main"])
        .assert()
        .code(7)
        .stdout("-XX:H2Size=1024m Main\n");
}

#[test]
fn a_missing_jdk_is_named() {
    ztera()
        .args(["java", "--h2-size", "1g", "--jdk", "/nowhere", "--", "Main"])
        .assert()
        .code(1)
        .stderr(contains("/nowhere is no JDK"));
}

/// The stock JVM said "Unrecognized VM option" of flags that the user had not given.
#[test]
fn a_jdk_without_ztera_is_named() {
    let home = tempfile::tempdir().unwrap();
    fake_jdk(home.path(), "exit 0");
    fs::remove_file(home.path().join("lib/libztera.so")).unwrap();
    ztera()
        .args(["java", "--h2-size", "1g", "--jdk"])
        .arg(home.path())
        .args(["--", "Main"])
        .assert()
        .code(1)
        .stderr(contains("is a JDK without ZTera: there is no lib/libztera.so in it"));
}

/// They said "invalid digit found in string".
#[test]
fn a_wrong_process_id_is_explained() {
    for command in ["map abc", "pin abc", "analyze --pid abc", "tune --pid abc"] {
        let refused = ztera().args(command.split(' ')).assert().code(2);
        refused.stderr(contains("`abc` is no process id: give a number"));
    }
}

/// It measured a minute before it refused.
#[test]
fn the_demo_refuses_a_low_limit_before_it_measures() {
    ztera()
        .args(["demo", "--limit", "10m"])
        .assert()
        .code(1)
        .stderr(contains("a limit of 10.0 MiB is too low"));
}

#[test]
fn a_wrong_size_is_explained() {
    ztera()
        .args(["java", "--h2-size", "lots", "--", "Main"])
        .assert()
        .code(2)
        .stderr(contains("such as 512m"));
}

#[test]
fn stat_explains_why_there_is_nothing_to_see() {
    ztera().args(["stat", "4194305"]).assert().code(1).stderr(contains("there is no process"));
    ztera()
        .args(["stat", "no.such.Main"])
        .assert()
        .code(1)
        .stderr(contains("no JVM has `no.such.Main` in the name"));
    let own = std::process::id().to_string();
    ztera().args(["stat", &own]).assert().code(1).stderr(contains("is no JVM: it has no libjvm.so"));
    let stock = FakeJvm::start("Stock", |_| (1, "Unknown diagnostic command".to_owned()));
    ztera().args(["stat", &stock.pid()]).assert().code(1).stderr(contains("a JVM without ZTera"));
    let off = FakeJvm::start("Off", tells(r#"{"enabled":false}"#));
    ztera().args(["stat", &off.pid()]).assert().success().stdout(contains("second heap is off"));
}

#[test]
fn stat_shows_the_second_heap() {
    let json = r#"{"enabled":true,"backing":"tier","capacity_bytes":4294967296,"used_bytes":1073741824,
        "labels":[{"label":3,"regions":2,"used_bytes":2097152}],
        "memory":{"limit_bytes":1048576,"h1_bytes":10240,"beside_bytes":20480,"staging_bytes":30720,"h2_bytes":987136},
        "engine":{"orig_data_size":300,"mem_used_total":100,"compr_data_size":90}}"#;
    let jvm = FakeJvm::start("org.example.OnlyStat", tells(json));
    for called in [&jvm.pid(), "example.OnlyStat"] {
        ztera()
            .args(["stat", called])
            .assert()
            .success()
            .stdout(contains("1.00 GiB of 4.00 GiB used"))
            .stdout(contains(
                "1.00 MiB limit: H1 10.0 KiB, H2 964 KiB, staging 30.0 KiB, beside them 20.0 KiB",
            ))
            .stdout(contains("3.00 times smaller"));
    }
    let stat = || ztera().args(["stat", &jvm.pid(), "--json"]).assert().success();
    stat().stdout(contains("\"capacity_bytes\":4294967296")).stdout(contains("\"limit_bytes\":1048576"));
}

#[test]
fn the_demo_says_what_it_lacks() {
    let home = tempfile::tempdir().unwrap();
    fake_jdk(&home.path().join("jdk"), "exit 0");
    fake_jdk(&home.path().join("stock"), "exit 0");
    let demo = || {
        let mut command = ztera();
        command.current_dir(home.path()).env("ZTERA_HOME", home.path()).args(["demo", "--stock", "stock"]);
        command
    };
    ztera()
        .env("ZTERA_HOME", home.path())
        .arg("demo")
        .assert()
        .code(1)
        .stderr(contains("/nowhere/jdk is no JDK"));
    demo().args(["--jar", "missing.jar"]).assert().code(1).stderr(contains("missing.jar does not exist"));
}

#[test]
fn the_demo_fails_when_the_reference_does() {
    let home = tempfile::tempdir().unwrap();
    fake_jdk(&home.path().join("jdk"), "exit 0");
    fake_jdk(&home.path().join("stock"), "echo 'java.lang.OutOfMemoryError: Java heap space' >&2; exit 1");
    fs::write(home.path().join("demo.jar"), "").unwrap();
    ztera()
        .current_dir(home.path())
        .env("ZTERA_HOME", home.path())
        .args(["demo", "--stock", "stock", "--jar", "demo.jar", "--source", "."])
        .assert()
        .code(1)
        .stderr(contains("the reference arm did not finish (OutOfMemoryError: Java heap space"));
}
