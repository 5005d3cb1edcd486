// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

use ztera_machine::units::{GIB, MIB};

use super::*;

/// A line as the program prints it.
const PROGRAM: &str = r#"{"h2_enabled":true,"load_seconds":44.762230,"live_bytes":3307781984,
"h1_live_bytes":50000000,"h2_used_bytes":0,"areas":81,"shards":182,"source_bytes":614569962,"files":64831,
"lines":15318826,"symbols":2715960,"postings":44772440,"trigram_postings":86825223,
"h2_after_load":{"usedBytes":7,"comprDataSize":5},"query_seconds":6.776517,"queries":546,"hits":241042,
"checksum":"3169525d04aeefe8","h2_after_queries":{"compressedBytes":400,"memUsedTotal":100,"newerField":1},
"reindex":{"area":"src/java.xml","seconds":6.7,"live_bytes_without":1,"regions_freed":3,"h2_bytes_freed":12,
"checksum":"3169525d04aeefe8"}}"#;

/// An arm that finished, or did not.
pub fn arm(name: &'static str, checksum: Option<&str>) -> ArmReport {
    let done = |value: f64| checksum.map(|_| value);
    ArmReport {
        name,
        outcome: if checksum.is_some() { "finished" } else { "OutOfMemoryError after 9 s" }.to_owned(),
        checksum: checksum.map(str::to_owned),
        live_bytes: checksum.map(|_| 3 * GIB),
        limit_bytes: (name != "reference").then_some(GIB),
        limited_by_cgroup: true,
        peak_bytes: Some(GIB),
        peak_anonymous_bytes: Some(900 * MIB),
        load_seconds: done(40.0),
        query_seconds: done(6.0),
        pauses_seconds: 2.5,
        pauses: Pauses { count: 10, full: 5, total_seconds: 2.5, max_seconds: 0.75, left_bytes: None },
        compression_ratio: (name == "ztera").then_some(3.5),
        wall_seconds: 60.0,
        h1_live_bytes: checksum.map(|_| 50 * MIB),
        queries: checksum.map(|_| 546),
        files: checksum.map(|_| 64831),
        source_bytes: checksum.map(|_| 586 * MIB),
        postings: checksum.map(|_| 44772440),
        h2: (name == "ztera").then(H2Stats::default),
        reindex: None,
        command: vec!["java".to_owned()],
    }
}

fn ok(reference: Option<&str>, ztera: Option<&str>) -> bool {
    let arms = vec![arm("reference", reference), arm("stock", None), arm("ztera", ztera)];
    DemoReport::new(arms, 3 * GIB, GIB, "tree".to_owned()).ok
}

#[test]
fn the_programs_report_is_understood() {
    let report: ProgramReport = serde_json::from_str(PROGRAM).unwrap();
    assert_eq!(report.live_bytes, 3307781984);
    assert_eq!((report.h2_after_load.used_bytes, report.h2_after_load.compr_data_size), (7, 5));
    assert_eq!(report.h2_after_queries.compression_ratio(), Some(4.0));
    assert_eq!(report.h2_after_load.compression_ratio(), None);
    assert_eq!(report.reindex.unwrap().regions_freed, 3);
}

#[test]
fn ztera_must_give_the_references_answers() {
    assert!(ok(Some("a"), Some("a")));
    assert!(!ok(Some("a"), Some("b")));
    assert!(!ok(Some("a"), None));
    assert!(!ok(None, None));
}

#[test]
fn the_answers_after_indexing_again_count_too() {
    let mut ztera = arm("ztera", Some("a"));
    let reindex: ProgramReport = serde_json::from_str(PROGRAM).unwrap();
    ztera.reindex = reindex.reindex;
    assert!(!DemoReport::new(vec![arm("reference", Some("a")), ztera], 3 * GIB, GIB, String::new()).ok);
}

#[test]
fn the_written_report_has_the_agreed_names() {
    let report = DemoReport::new(vec![arm("reference", Some("a"))], 3 * GIB, GIB, "tree".to_owned());
    let json = serde_json::to_value(&report).unwrap();
    assert_eq!(json["factor"], 3.0);
    let names = [
        "name",
        "outcome",
        "checksum",
        "live_bytes",
        "limit_bytes",
        "peak_bytes",
        "load_seconds",
        "query_seconds",
        "pauses_seconds",
        "compression_ratio",
    ];
    for name in names {
        assert!(json["arms"][0].get(name).is_some(), "{name}");
    }
}
