// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The command as a user sees it, on a machine where nothing was built: no JVM is needed.

mod common;
mod fake_jdk;

use std::fs;

use common::ztera;
use fake_jdk::fake_jdk;
use predicates::prelude::{PredicateBooleanExt, predicate::str::contains};

#[test]
fn help_lists_the_commands() {
    let mut help = ztera().arg("--help").assert().success();
    for command in ["java", "doctor", "stat", "map", "pin", "demo", "bench", "analyze", "disk", "sim", "tune"]
    {
        help = help.stdout(contains(command));
    }
}

#[test]
fn every_command_has_a_help_text() {
    for command in [
        &["java"][..],
        &["doctor"],
        &["stat"],
        &["map"],
        &["pin"],
        &["demo"],
        &["bench"],
        &["bench", "all"],
        &["bench", "codec"],
        &["bench", "disk"],
        &["bench", "disksize"],
        &["bench", "engine"],
        &["bench", "h2"],
        &["bench", "off"],
        &["bench", "pauses"],
        &["bench", "tiers"],
        &["analyze"],
        &["sim"],
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
    let home = tempfile::tempdir().unwrap();
    fake_jdk(home.path(), "echo 'java.lang.IllegalArgumentException: Unknown diagnostic command'; exit 1");
    let own = std::process::id().to_string();
    ztera()
        .args(["stat", &own, "--jdk"])
        .arg(home.path())
        .assert()
        .code(1)
        .stderr(contains("a JVM without ZTera"));
    fake_jdk(home.path(), r#"echo 1:; echo '{"enabled":false}'"#);
    ztera()
        .args(["stat", &own, "--jdk"])
        .arg(home.path())
        .assert()
        .success()
        .stdout(contains("second heap is off"));
}

#[test]
fn stat_shows_the_second_heap() {
    let home = tempfile::tempdir().unwrap();
    let json = r#"{"enabled":true,"backing":"tier","capacity_bytes":4294967296,"used_bytes":1073741824,
        "labels":[{"label":3,"regions":2,"used_bytes":2097152}],
        "memory":{"limit_bytes":1048576,"h1_bytes":10240,"beside_bytes":20480,"staging_bytes":30720,"h2_bytes":987136},
        "engine":{"orig_data_size":300,"mem_used_total":100,"compr_data_size":90}}"#;
    fake_jdk(home.path(), &format!("echo 1:; cat <<'END'\n{}\nEND", json.replace('\n', "")));
    let own = std::process::id().to_string();
    let stat = || {
        let mut command = ztera();
        command.args(["stat", &own, "--jdk"]).arg(home.path());
        command
    };
    stat()
        .assert()
        .success()
        .stdout(contains("1.00 GiB of 4.00 GiB used"))
        .stdout(contains("1.00 MiB limit: H1 10.0 KiB, H2 964 KiB, staging 30.0 KiB, beside them 20.0 KiB"))
        .stdout(contains("3.00 times smaller"));
    stat().arg("--json").assert().success().stdout(contains("\"capacity_bytes\":4294967296"));
    stat().arg("--json").assert().success().stdout(contains("\"limit_bytes\":1048576"));
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
fn bench_tiers_explains_what_it_does_not_take() {
    let bench = |arguments: &[&str]| ztera().args(["bench", "tiers"]).args(arguments).assert();
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
        let output = ztera()
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
    let bench = |arguments: &[&str]| ztera().args(["bench", "codec"]).args(arguments).assert();
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
    let bench = |arguments: &[&str]| ztera().args(["bench", "engine"]).args(arguments).assert();
    bench(&["--rounds", "0"]).code(2).stderr(contains("not in 1.."));
    bench(&["--noise", "2"]).code(2).stderr(contains("from 0 to 1"));
    bench(&["--size", "5k"]).code(1).stderr(contains("whole MiB"));
    let half = tempfile::NamedTempFile::new().unwrap();
    fs::write(half.path(), [1; 2048]).unwrap();
    bench(&["--pages", half.path().to_str().unwrap()]).code(1).stderr(contains("a multiple of 4096"));
}

#[test]
fn a_mapped_file_is_read_by_a_process_of_its_own() {
    ztera().args(["bench", "--help"]).assert().stdout(contains("read-mapped").not());
    let pages = two_pages();
    let answer = |more: &[&str]| -> serde_json::Value {
        let output = ztera().args(["bench", "read-mapped"]).arg(pages.path()).args(more).output().unwrap();
        serde_json::from_slice(&output.stdout).expect("JSON")
    };
    let (scan, touched) = (answer(&[]), answer(&["--touch", "3"]));
    assert_eq!(scan["latency"]["p50"], 0.0);
    assert!(touched["latency"]["p50"].as_f64().unwrap() > 0.0);
    assert!(scan["reading"]["sum"].is_u64() && scan["reading"]["sum"] != touched["reading"]["sum"]);
    ztera()
        .args(["bench", "read-mapped", "/nowhere"])
        .assert()
        .code(1)
        .stderr(contains("cannot open /nowhere"));
}

#[test]
fn bench_engine_compares_real_pages_first_and_says_what_is_missing() {
    let (pages, ssd) = (two_pages(), tempfile::tempdir().unwrap());
    let output = ztera()
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

#[test]
fn sim_compares_policies() {
    let json = ["sim", "zipf", "--sample", "64", "--policy", "ours,opt", "--json"];
    ztera().args(json).assert().success().stdout(contains(r#""policy": "opt""#));
    ztera().args(["sim", "zipf", "--sample", "64"]).assert().success().stdout(contains("zram's rules"));
    let file = tempfile::NamedTempFile::new().unwrap();
    ztera().arg("sim").arg(file.path()).assert().failure().stderr(contains("not a trace"));
}
