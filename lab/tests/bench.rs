// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera bench` with a java that is none.

mod common;
#[path = "../../cli/tests/fake_jdk/mod.rs"]
mod fake_jdk;

use std::fs;

use common::laboratory;
use fake_jdk::fake_jdk;
use predicates::prelude::{PredicateBooleanExt, predicate::str::contains};

#[test]
fn bench_tiers_explains_what_it_does_not_take() {
    let bench = |arguments: &[&str]| laboratory().args(["bench", "tiers"]).args(arguments).assert();
    bench(&["--arms", "tiers,swap"]).code(2).stderr(contains("swap-zram"));
    bench(&["--workload", "spark"]).code(2).stderr(contains("demo-uniform"));
    bench(&["--rounds", "0"]).code(2).stderr(contains("not in 1.."));
    bench(&["--limit", "100m"]).code(1).stderr(contains("a limit of 100 MiB is too low"));
}

/// A `java` that finds `right` with H2 on tiers and without H2, and runs out of memory with H2 on a file.
fn workload_script(right: &str) -> String {
    format!(
        r#"case "$*" in
            *H2Backing=file*) echo 'java.lang.OutOfMemoryError: Java heap space' >&2; exit 1;;
            *H2Size*) found={right};;
            *) found=abc;;
        esac
        io='{{"read_bytes":5,"write_bytes":7}}'
        echo '{{"load_seconds":2,"query_seconds":1,"operations":9,"checksum":"'$found'","io_after_queries":'$io',"h2_after_queries":{{}}}}'"#
    )
}

#[test]
fn bench_tiers_compares_what_its_arms_found() {
    for (found, code, ending) in [("abc", 0, "finished"), ("abd", 1, "wrong-answers")] {
        let home = tempfile::tempdir().unwrap();
        fake_jdk(&home.path().join("jdk"), &workload_script(found));
        fs::write(home.path().join("ztera-demo.jar"), "").unwrap();
        let output = laboratory()
            .current_dir(home.path())
            .env("ZTERA_HOME", home.path())
            .args([
                "bench",
                "tiers",
                "--workload",
                "vectors",
                "--arms",
                "tier,file-ssd",
                "--rounds",
                "2",
                "--json",
            ])
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        if errors.contains("without a memory cgroup") {
            return println!("not tested without a memory cgroup: {errors}");
        }
        assert_eq!(output.status.code(), Some(code), "{errors}");
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let arms = report["workloads"][0]["arms"].as_array().unwrap();
        let endings: Vec<_> = arms.iter().map(|arm| (arm["arm"].as_str(), arm["ending"].as_str())).collect();
        assert_eq!(endings[..2], [(Some("reference"), Some("finished")), (Some("tier"), Some(ending))]);
        // Where the folder for the test lies on no disk, this arm is left out.
        assert!(
            endings[2..].iter().all(|arm| *arm == (Some("file-ssd"), Some("does-not-fit"))),
            "{endings:?}"
        );
    }
}

/// Two pages, of which one repeats a word.
fn two_pages() -> tempfile::NamedTempFile {
    let file = tempfile::NamedTempFile::new().unwrap();
    let words = (0..512_u64).flat_map(|word| (word / 3).to_le_bytes());
    fs::write(file.path(), words.chain([7; 4096]).collect::<Vec<u8>>()).unwrap();
    file
}

#[test]
fn bench_codec_shows_what_each_filter_contributes() {
    let bench = |arguments: &[&str]| laboratory().args(["bench", "codec"]).args(arguments).assert();
    bench(&["--unit", "5k"]).code(1).stderr(contains("a power of two"));
    bench(&["--size", "20k", "--unit", "16k"]).code(1).stderr(contains("whole units"));
    let output = bench(&["--size", "256k", "--rounds", "1", "--json"]).success().get_output().stdout.clone();
    let report: serde_json::Value = serde_json::from_slice(&output).expect("JSON");
    let doubles = &report["data"][1]["arms"];
    assert_eq!(report["data"][1]["data"], "doubles, 3 decimals");
    for (plain, filtered) in [(0, 1), (2, 3)] {
        let smaller_by = |arm: usize| doubles[arm]["smaller_by"].as_f64().expect("a number");
        assert!(smaller_by(filtered) >= 2.5 && smaller_by(filtered) > smaller_by(plain), "{doubles}");
    }
}

#[test]
fn bench_engine_explains_what_it_does_not_take() {
    let bench = |arguments: &[&str]| laboratory().args(["bench", "engine"]).args(arguments).assert();
    bench(&["--rounds", "0"]).code(2).stderr(contains("not in 1.."));
    bench(&["--noise", "2"]).code(2).stderr(contains("from 0 to 1"));
    bench(&["--size", "5k"]).code(1).stderr(contains("whole MiB"));
    let half = tempfile::NamedTempFile::new().unwrap();
    fs::write(half.path(), [1; 2048]).unwrap();
    bench(&["--pages", half.path().to_str().unwrap()]).code(1).stderr(contains("a multiple of 4096"));
}

#[test]
fn a_mapped_file_is_read_by_a_process_of_its_own() {
    laboratory().args(["bench", "--help"]).assert().stdout(contains("read-mapped").not());
    let pages = two_pages();
    let answer = |more: &[&str]| -> serde_json::Value {
        let output =
            laboratory().args(["bench", "read-mapped"]).arg(pages.path()).args(more).output().unwrap();
        serde_json::from_slice(&output.stdout).expect("JSON")
    };
    let (scan, touched) = (answer(&[]), answer(&["--touch", "3"]));
    assert_eq!(scan["latency"]["p50"], 0.0);
    assert!(touched["latency"]["p50"].as_f64().unwrap() > 0.0);
    assert!(scan["reading"]["sum"].is_u64() && scan["reading"]["sum"] != touched["reading"]["sum"]);
    laboratory()
        .args(["bench", "read-mapped", "/nowhere"])
        .assert()
        .code(1)
        .stderr(contains("cannot open /nowhere"));
}

#[test]
fn bench_engine_compares_real_pages_first_and_says_what_is_missing() {
    let (pages, ssd) = (two_pages(), tempfile::tempdir().unwrap());
    let output = laboratory()
        .args(["bench", "engine", "--size", "2m", "--rounds", "1", "--json", "--pages"])
        .arg(pages.path())
        .arg("--ssd")
        .arg(ssd.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let data = report["data"].as_array().unwrap();
    let origins: Vec<_> = data.iter().map(|data| data["pages"].as_str().unwrap()).collect();
    assert_eq!((report["pages"].as_str(), origins), (Some("real"), vec!["real", "synthetic"]));
    assert_eq!(report["ratios"], data[0]["ratios"]);

    let notes = report["notes"].to_string();
    let left_out = |arm: &str| notes.contains(&format!("{arm} is left out"));
    let (engine, zram) = (!left_out("engine-lz4-8k"), !left_out("mmap-zram-lz4") && !left_out("zram-lz4"));
    if !engine || !zram {
        println!("not tested in full: {notes}");
    }
    for (name, wanted) in [
        ("fault_random_p50", engine && zram),
        ("fault_random_p99", engine && zram),
        ("scan_sequential", engine && zram),
        ("store_one_writer", engine && zram),
        ("store_all_cores", engine && zram),
        ("density", engine && zram),
        ("vectors_3_decimals", engine),
        ("metadata_bytes_per_page", engine),
        ("pool_fragmentation", engine),
    ] {
        let ratio = report["ratios"].get(name).unwrap_or_else(|| panic!("{name} in {}", report["ratios"]));
        assert_eq!(ratio.as_f64().is_some_and(|ratio| ratio > 0.0), wanted, "{name}: {ratio}; {notes}");
    }
    let arms = data[0]["results"].as_array().unwrap();
    let touched = arms.iter().filter(|arm| arm["measure"] == "fault_random");
    assert!(touched.clone().any(|arm| arm["arm"] == "mmap-tmpfs"));
    assert!(touched.clone().all(|arm| arm["p99_seconds"]["median"].as_f64().unwrap() > 0.0));
    let dram = |name| touched.clone().find(|arm| arm["arm"] == name)?["dram_bytes"]["median"].as_f64();
    if let (Some(limited), Some(roomy)) = (dram("mmap-zram-lz4"), dram("mmap-zram-roomy-lz4")) {
        assert!(limited < roomy, "an eighth of the pages and all of them: {limited} and {roomy}");
    }
    assert!(!notes.contains("not in force"), "{notes}");
    assert!(report["vectors"].as_array().unwrap().iter().any(|arm| arm["measure"] == "vectors_3_decimals"));
}
