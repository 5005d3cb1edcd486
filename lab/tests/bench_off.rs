// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera bench off`, with JDKs whose `java` computes nothing.

mod common;
#[path = "../../cli/tests/fake_jdk/mod.rs"]
mod fake_jdk;

use std::path::Path;
use std::{fs, process};

use common::laboratory;
use fake_jdk::fake_jdk;
use serde_json::Value;

/// On the view, `maps` takes a tenth longer, and with H2 twice as long. It says so when it runs without Parallel GC.
const JAVA: &str = r#"
seconds=1.0
case "$*" in *BenchOff\ maps*) case "$0" in *view*) seconds=1.1;; esac;; esac
case "$*" in *BenchOff\ maps*) case "$*" in *H2Size=1024m*) seconds=2.0;; esac;; esac
case "$*" in *-XX:+UseParallelGC*-Xmx768m*-Xmn64m*BenchOff*/jdk-source) ;; *) echo "odd: $*" >&2; exit 1;; esac
echo 'a warning of the JVM'
echo '{"seconds":'$seconds',"cpu_seconds":0.5,"collections":3,"collecting_seconds":0.1,"checksum":"'${SUM:-ab}'"}'"#;

/// The output, with JDKs in `home`, where nothing else of a build is.
fn bench(home: &Path, view: &str, arguments: &[&str]) -> process::Output {
    fs::write(home.join("ztera-demo.jar"), "").unwrap();
    fs::create_dir_all(home.join("jdk-source")).unwrap();
    fake_jdk(&home.join("stock"), JAVA);
    fake_jdk(&home.join("view"), view);
    let mut command = laboratory();
    command.env("ZTERA_HOME", home).args(["bench", "off"]).args(arguments);
    command.arg("--stock").arg(home.join("stock")).arg("--jdk").arg(home.join("view")).output().unwrap()
}

fn comparison<'a>(comparisons: &'a Value, arm: &str) -> &'a Value {
    comparisons.as_array().unwrap().iter().find(|comparison| comparison["arm"] == arm).unwrap()
}

#[test]
fn each_arm_is_compared_with_the_stock_jdk() {
    let home = tempfile::tempdir().unwrap();
    let output =
        bench(home.path(), JAVA, &["--workload", "maps,text", "--rounds", "4", "--empty-h2", "--json"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let maps = &report["workloads"][0];
    let arms: Vec<_> =
        maps["arms"].as_array().unwrap().iter().map(|arm| arm["arm"].as_str().unwrap()).collect();
    assert_eq!(arms, ["stock", "view", "stock-again", "view-h2"]);
    assert_eq!(maps["arms"][1]["seconds"]["samples"], serde_json::json!([1.1, 1.1, 1.1, 1.1]));
    for (arm, quotient, verdict) in [("view", 1.1, "slower"), ("view-h2", 2.0, "slower")] {
        let found = comparison(&maps["time"], arm);
        assert_eq!(
            (found["quotient"]["median"].as_f64(), found["verdict"].as_str()),
            (Some(quotient), Some(verdict))
        );
        assert_eq!(comparison(&maps["cpu"], arm)["verdict"], "noise");
    }
    assert_eq!(comparison(&maps["time"], "stock-again")["quotient"]["max"], 1.0);
    assert_eq!(comparison(&report["workloads"][1]["time"], "view")["verdict"], "noise");
    let mean = comparison(&report["mean_time"], "view")["quotient"]["median"].as_f64().unwrap();
    assert!((mean - 1.1f64.sqrt()).abs() < 1e-9, "{mean}");
}

#[test]
fn people_see_two_tables() {
    let home = tempfile::tempdir().unwrap();
    let output = bench(home.path(), JAVA, &["--rounds", "1", "--workload", "digests"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(text.matches("| digests ").count(), 2, "{text}");
    assert!(text.contains("within noise") && !text.contains("view-h2"), "{text}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("digests, round 1 of 1"));
}

#[test]
fn a_jvm_that_computes_something_else_is_no_result() {
    let home = tempfile::tempdir().unwrap();
    let output = bench(home.path(), &format!("SUM=cd\n{JAVA}"), &["--workload", "maps"]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && output.stdout.is_empty());
    assert!(errors.contains("maps on view found cd, and ab before: it is broken"), "{errors}");
}

#[test]
fn a_jvm_that_fails_is_quoted() {
    let home = tempfile::tempdir().unwrap();
    let output = bench(home.path(), "echo 'no such heap' >&2; exit 3", &["--workload", "maps"]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && errors.contains("maps on view failed"), "{errors}");
    assert!(errors.contains("no such heap"), "{errors}");
}
