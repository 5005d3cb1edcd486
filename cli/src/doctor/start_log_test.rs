// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

use super::*;

const LOG: &str = "\
[info][gc,h2] Memory limit: 256M (H2MemoryLimit), of the machine's 24105M
[info][gc,h2] H1: at most 64M (Xmx), 64M at first, at 0x00000000fc000000
[info][gc,h2] H2 memory: 86M while H1 is full, up to 150M while H1 is empty; 106M beside both
[info][gc,h2] Tiers: DRAM; compressed DRAM, lz4, then zstd, units of 16K; no SSD (H2Path)
[info][gc,h2] Oops: compressed to 4 bytes (32-bit)
[warning][gc,h2] H2PoolSize=1024M is too much; lower it
[info   ][gc,h2] H2: 1024M at 0x00000000bc000000, 16384 regions of 64K, backing tier
[info   ][gc,init] Memory: 24105M
[info   ][gc,init] Heap Max Capacity: 64M
[info   ][gc,exit] Heap
";

fn started(log: &str, said: &str) -> Start {
    Start { log: log.to_owned(), said: said.to_owned(), failure: None }
}

fn failed(said: &str, failure: &str) -> Start {
    Start { said: said.to_owned(), failure: Some(failure.to_owned()), ..Start::default() }
}

fn shown(findings: &[Finding]) -> Vec<(&'static str, super::super::finding::Status)> {
    findings.iter().map(|finding| (finding.subject, finding.status)).collect()
}

#[test]
fn each_choice_is_a_finding_and_each_warning_after_them() {
    let findings = judge(&started(LOG, ""));
    let expected = [
        ("memory limit", Ok),
        ("H1", Ok),
        ("H2", Ok),
        ("memory of H2", Ok),
        ("tiers", Ok),
        ("references", Ok),
        ("flags", Warning),
    ];
    assert_eq!(shown(&findings), expected);
    assert_eq!(findings[0].found, "256M (H2MemoryLimit), of the machine's 24105M");
    assert_eq!(findings[6].found, "H2PoolSize=1024M is too much");
    assert_eq!(findings[6].remedy.as_deref(), Some("lower it"));
    assert!(starts(&findings));
}

/// It was "ok" while a seccomp profile forbade userfaultfd.
#[test]
fn tiers_that_became_a_file_are_warned_of() {
    let findings = judge(&started(&LOG.replace("backing tier", "backing file"), ""));
    let tiers = findings.iter().find(|finding| finding.subject == "tiers").unwrap();
    assert_eq!(tiers.status, Warning);
    assert!(tiers.found.starts_with("none: H2 is one mapped file"), "{}", tiers.found);
    assert!(findings[2].found.ends_with("backing file"));
}

#[test]
fn a_jvm_without_h2_says_so() {
    let log = "[info][gc,init] Memory: 24105M\n[info][gc,init] Heap Max Capacity: 6028M\n";
    let findings = judge(&started(log, ""));
    assert_eq!(shown(&findings), [("second heap", Note), ("memory limit", Ok), ("heap", Ok)]);
    assert_eq!(findings[0].remedy.as_deref(), Some("-XX:H2Size=<capacity>"));
    assert!(starts(&findings));
}

#[test]
fn a_refusal_is_told_with_what_to_do() {
    let cases = [
        (
            "Error occurred during initialization of VM\nH2Size=1024M works with Parallel only; choose no collector\n",
            "H2Size=1024M works with Parallel only",
            "choose no collector",
        ),
        (
            "Unrecognized VM option 'H2Foo=1'\nError: Could not create the Java Virtual Machine.\n\
             Error: A fatal exception has occurred. Program will exit.\n",
            "Unrecognized VM option 'H2Foo=1'",
            "correct or drop it",
        ),
        ("Could not reserve enough space for object heap\n", "Could not reserve", "ulimit -v"),
    ];
    for (said, found, remedy) in cases {
        let findings = judge(&failed(said, "exit status: 1"));
        assert_eq!(shown(&findings), [("start", Error)]);
        assert!(findings[0].found.starts_with(found), "{}", findings[0].found);
        assert!(
            findings[0].remedy.as_deref().unwrap_or_default().contains(remedy),
            "{:?}",
            findings[0].remedy
        );
        assert!(!starts(&findings));
    }
}

#[test]
fn a_jvm_that_says_nothing_is_told_by_how_it_ended() {
    for (failure, remedy) in [("signal: 9 (SIGKILL)", "AlwaysPreTouch"), ("no end within 60 s", "suspend=y")]
    {
        let findings = judge(&failed("[0.001s][info][gc] Using Parallel\n", failure));
        assert_eq!(findings[0].found, format!("the JVM failed: {failure}"));
        assert!(
            findings[0].remedy.as_deref().unwrap_or_default().contains(remedy),
            "{:?}",
            findings[0].remedy
        );
    }
}

#[test]
fn what_the_launcher_says_is_heard_too() {
    let said = "Picked up JAVA_TOOL_OPTIONS: -Xmx1g\nOpenJDK 64-Bit Server VM warning: Option X is deprecated\n\
                openjdk version \"25\"\n";
    let findings = judge(&started(LOG, said));
    let last = &findings[findings.len() - 2..];
    assert_eq!(shown(last), [("environment", Note), ("flags", Warning)]);
    assert_eq!(last[0].found, "JAVA_TOOL_OPTIONS: -Xmx1g");
    assert_eq!(last[1].found, "Option X is deprecated");
}
