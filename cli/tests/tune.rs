// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera tune` with the measurements of the Zram notes, and with tiny ones of its own.

use std::fs;
use std::io::Write;
use std::path::Path;

use predicates::prelude::predicate::str::contains;
use serde_json::Value;

/// Their table.
const NOTES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../measure/src/tuning/zram_notes.json");
/// As little as can be measured.
const TINY: [&str; 6] = ["--size", "1m", "--seconds", "0.001", "--threads", "2"];
const INVENTED: &str = "--synthetic";

fn ztera() -> assert_cmd::Command {
    assert_cmd::Command::cargo_bin("ztera").expect("the binary")
}

fn json(arguments: &[&str]) -> Value {
    let output = ztera().arg("tune").args(arguments).arg("--json").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn best(report: &Value) -> (String, u64) {
    let first = &report["ranked"][0];
    (first["codec"].as_str().unwrap().to_owned(), first["page_cluster"].as_u64().unwrap())
}

/// The help said that zram reads 2^page-cluster pages at once "as a page fault on swap does". Through swap on zram the
/// kernel read one page in each of 12,287 faults.
#[test]
fn the_help_says_what_page_cluster_does_to_swap_on_zram() {
    let help = ztera().args(["tune", "--help"]).output().unwrap();
    let help = String::from_utf8_lossy(&help.stdout);
    // Lines are as long as the terminal is wide.
    let words: Vec<&str> = help.split_whitespace().collect();
    assert!(words.join(" ").contains("Linux reads one page for a fault"), "{help}");
    let sysctl = ztera().args(["tune", "--measured", NOTES]).assert().success();
    sysctl.stdout(contains("from swap on zram Linux reads one page at a time"));
}

#[test]
fn the_notes_recommend_zstd_and_score_lz4() {
    let of = |arguments: &[&str]| best(&json(&[&["--measured", NOTES], arguments].concat()));
    assert_eq!(of(&["--formula", "notes"]), ("lz4".to_owned(), 0));
    assert_eq!(of(&[]), ("lz4".to_owned(), 0));
    // Their text says zstd with page-cluster 0. That takes a weight which they do not name.
    let heavier = ["--weights", "latency=0.15,throughput=0.05,ratio=0.8"];
    assert_eq!(of(&heavier), ("zstd".to_owned(), 0));
    assert_eq!(of(&[&heavier[..], &["--formula", "seed"]].concat()), ("lz4".to_owned(), 0));
    ztera()
        .args(["tune", "--measured", NOTES])
        .assert()
        .success()
        .stdout(contains("Best: lz4 with page-cluster 0."))
        .stdout(contains("zstd with page-cluster 0 would win if the ratio had a weight of 0.7"))
        .stdout(contains("To be written with --apply: /etc/sysctl.d/90-ztera-zram.conf"))
        .stdout(contains("compression-algorithm = lz4"));
}

#[test]
fn files_are_written_only_when_asked_for() {
    let root = tempfile::tempdir().unwrap();
    let at = root.path().to_str().unwrap();
    ztera().args(["tune", "--measured", NOTES, "--dry-run"]).assert().success();
    ztera().args(["tune", "--measured", NOTES, "--root", at]).assert().code(2).stderr(contains("--apply"));
    assert_eq!(fs::read_dir(root.path()).unwrap().count(), 0);
    let report = json(&["--measured", NOTES, "--apply", "--root", at]);
    assert_eq!(report["applied_below"], at);
    let sysctl = fs::read_to_string(root.path().join("etc/sysctl.d/90-ztera-zram.conf")).unwrap();
    assert!(sysctl.contains("vm.page-cluster = 0\nvm.swappiness = 197\n"), "{sysctl}");
    let flags = ["--measured", NOTES, "--target", "h2", "--apply", "--root", at];
    json(&flags);
    let flags = fs::read_to_string(root.path().join("etc/ztera/h2.flags")).unwrap();
    assert_eq!(flags, "-XX:H2Codec=lz4\n-XX:H2UnitSize=4k\n");
}

/// Every candidate has figures, and the report can be scored again.
fn assert_measured(report: &Value, candidates: usize) {
    let measured = report["measured"].as_array().unwrap();
    assert_eq!(measured.len(), candidates, "{report}");
    for candidate in measured {
        let of = |name: &str| candidate[name].as_f64().unwrap_or(0.0);
        assert!(of("mib_per_second") > 0.0 && of("iops") > 0.0 && of("ratio") > 0.5, "{candidate}");
        assert!(of("mean_ns") > 0.0 && of("p99_ns") > 0.0, "{candidate}");
    }
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), report.to_string()).unwrap();
    let again = json(&["--measured", file.path().to_str().unwrap()]);
    assert_eq!(best(&again), best(report));
}

#[test]
fn h2_is_measured_on_data_of_the_user() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("text"), "some text, again and again\n".repeat(4000)).unwrap();
    let files = folder.path().to_str().unwrap();
    let report = json(&[&TINY[..], &["--target", "h2", "--directory", files]].concat());
    assert_measured(&report, 15);
    assert!(report["measured"][0]["ratio"].as_f64() > Some(2.0), "text compresses: {report}");
    let own = std::process::id().to_string();
    let report = json(&[&TINY[..], &["--target", "h2", "--pid", &own, "--codecs", "lz4"]].concat());
    assert_measured(&report, 5);
    assert_eq!(report["data"], format!("memory of process {own}"));
}

/// It measured invented data for half a minute, on a zram device that nobody had asked for.
#[test]
fn without_data_nothing_is_measured() {
    for target in ["zram", "h2"] {
        let tune = ["tune", "--target", target];
        ztera()
            .args(tune)
            .assert()
            .code(1)
            .stdout("")
            .stderr(contains("there is nothing to compress: name your data"));
    }
}

#[test]
fn zram_is_measured() {
    if !rustix::process::geteuid().is_root() || !Path::new("/sys/class/zram-control").exists() {
        let _ = writeln!(std::io::stderr(), "SKIPPED, not tested: zram takes root, and a kernel that has it");
        return;
    }
    let all = json(&[&TINY[..], &[INVENTED, "--page-clusters", "0"]].concat());
    let codecs = all["measured"].as_array().unwrap().len();
    assert_measured(&all, codecs);
    assert!(codecs >= 1 && all["data"].as_str().unwrap().contains("synthetic"), "{all}");
    let codec = all["measured"][0]["codec"].as_str().unwrap();
    let disk = env!("CARGO_TARGET_TMPDIR");
    let report =
        json(&[&TINY[..], &[INVENTED, "--codecs", codec, "--page-clusters", "0,3", "--disk", disk]].concat());
    assert_measured(&report, 2);
    assert_eq!(report["disk_measured"], true);
}

#[test]
fn mistakes_are_explained() {
    for (arguments, why) in [
        (&["--target", "h2", INVENTED, "--codecs", "lzo"][..], "there is no codec `lzo` here, but lz4, zstd"),
        (&["--target", "h2", INVENTED, "--page-clusters", "5"], "4 is the most"),
        (&["--target", "h2", INVENTED, "--size", "6k"], "--size must be a multiple of the 64 KiB"),
        (&["--target", "h2", "--pid", "4194305"], "there is no process 4194305"),
        (&["--measured", "/nowhere"], "cannot read /nowhere"),
        (&["--measured", "/proc/self/status"], "no output of `ztera tune --json`"),
    ] {
        ztera().arg("tune").args(arguments).assert().code(1).stderr(contains(why));
    }
    for (arguments, why) in [
        (&["--weights", "speed=1"][..], "is no weight"),
        (&["--pid", "1", "--directory", "."], "cannot be used with"),
    ] {
        ztera().arg("tune").args(arguments).assert().code(2).stderr(contains(why));
    }
}
