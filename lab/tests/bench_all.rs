// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera bench pauses` and `ztera bench all`, with a `java` that collects nothing but writes a log as if it did.

mod common;
#[path = "../../cli/tests/fake_jdk/mod.rs"]
mod fake_jdk;
#[path = "../../cli/tests/fake_jvm/listening.rs"]
mod listening;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{fs, process};

use common::laboratory;
use fake_jdk::fake_jdk;
use listening::Listening;
use serde_json::Value;

/// Answers the benchmark's commands. Its moves to the tier take 2 s, to a file 4 s. A young collection takes 2.5 ms and
/// a full one 300 ms. With H2 these are 3 ms and 330 ms, and 9 ms if something was written to it. Where the
/// test listens, it does so for this JVM too.
const JAVA: &str = r#"
socket=${0%/jdk/bin/java}/attach
[ -S "$socket" ] && ln -sf "$socket" /tmp/.java_pid$$
move=2000 young=2.5 full=300
for word in "$@"; do
    case "$word" in
        -Xlog:*) log=${word##*file=};;
        -XX:H2Backing=file) move=4000;;
        -XX:H2Size=*) young=3.0 full=330;;
    esac
done
: > "$log"
pause() { echo "[1.0s][info][gc] GC($1) Pause $2 9M->8M(10M) $3ms" >> "$log"; }
collect() { for number in $(seq "$1"); do pause "$number" "$2" "$3"; done; }
while read -r command argument share; do
    case "$command $share" in
        build*|live*) pause 0 "Full (System.gc())" 100;;
        move*)
            echo "[1.0s][info][gc,phases] GC(1) H2 Copy 1500ms" >> "$log"
            pause 1 "Full (H2 move)" "$move";;
        young\ 0) collect "$argument" "Young (Allocation Failure)" "$young";;
        young*) collect "$argument" "Young (Allocation Failure)" 9;;
        full*) collect "$argument" "Full (System.gc())" "$full";;
    esac
    echo '{"moved_bytes":7,"in_h2":true,"seconds":0,"h2":{"memUsedTotal":5,"residentBytes":1}}'
done"#;

/// Listens for all of these JVMs, and writes two pages when it is asked for a dump.
struct Attach {
    socket: PathBuf,
    _listening: Listening,
}

impl Attach {
    fn listen(home: &Path) -> Attach {
        let socket = home.join("attach");
        let listening =
            Listening::at(socket.clone(), |command| match command.split(' ').collect::<Vec<_>>()[..] {
                ["GC.h2_info", "json"] => (0, r#"{"enabled":true,"used_bytes":8192}"#.to_owned()),
                ["GC.h2_dump", file, ..] => {
                    let numbers: String = (0..9999).map(|number| format!("{number}\n")).collect();
                    fs::write(file, &numbers[..8192]).unwrap();
                    (0, format!("1 regions, 8K written to {file}"))
                }
                _ => (1, command.to_owned()),
            });
        Attach { socket, _listening: listening }
    }
}

impl Drop for Attach {
    fn drop(&mut self) {
        for link in fs::read_dir("/tmp").into_iter().flatten().flatten() {
            if fs::read_link(link.path()).is_ok_and(|to| to == self.socket) {
                let _ = fs::remove_file(link.path());
            }
        }
    }
}

/// The output, with a JDK in `home`, where nothing else of a build is.
fn bench(home: &Path, arguments: &[&str]) -> process::Output {
    fs::write(home.join("ztera-demo.jar"), "").unwrap();
    fs::create_dir_all(home.join("jdk-source")).unwrap();
    let mut command = laboratory();
    command.current_dir(home).env("ZTERA_HOME", home).arg("bench").args(arguments);
    command.args(["--move", "16m", "--h2", "16m", "--h1", "16m", "--rounds", "2"]).output().unwrap()
}

fn json(output: &process::Output) -> Value {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The figures of the JVM, those with a file if that could be had.
fn check_pauses(ratios: &Value, pauses: &Value) {
    let near = |name: &str, wanted: f64| {
        let found =
            ratios[name].as_f64().unwrap_or_else(|| panic!("{name} in {ratios}; {}", pauses["notes"]));
        assert!((found - wanted).abs() < 1e-9, "{name}: {found}");
    };
    near("young_pause_clean_h2_ms", 0.5);
    near("full_pause_with_h2", 1.1);
    for (figure, arm) in [("move_pause_vs_zram_file", "file-zram"), ("move_pause_vs_ssd_file", "file-ssd")] {
        if pauses["notes"].to_string().contains(&format!("{arm} is left out")) {
            println!("{arm} was not tested: {}", pauses["notes"]);
            assert!(ratios[figure].is_null(), "{figure}: {}", ratios[figure]);
        } else {
            near(figure, 0.5);
        }
    }
}

#[test]
fn pauses_are_those_of_the_log() {
    let home = tempfile::tempdir().unwrap();
    fake_jdk(&home.path().join("jdk"), JAVA);
    let report = json(&bench(home.path(), &["pauses", "--json"]));
    check_pauses(&report["ratios"], &report);
    let tier = &report["moves"][0];
    assert_eq!((tier["arm"].as_str(), tier["memory_bytes"]["median"].as_f64()), (Some("tier"), Some(6.0)));
    assert_eq!(tier["plain_pause_seconds"]["median"], 0.1);
    assert_eq!(
        (tier["phases"][0]["name"].as_str(), tier["phases"][0]["seconds"]["max"].as_f64()),
        (Some("H2 Copy"), Some(1.5))
    );
    let collections = report["collections"].as_array().unwrap();
    let dirty = collections.iter().find(|arm| arm["arm"] == "h2-dirty-1%").unwrap();
    assert_eq!(
        (dirty["kind"].as_str(), dirty["pause_seconds"]["median"].as_f64()),
        (Some("young"), Some(0.009))
    );
    assert_eq!(dirty["pause_seconds"]["samples"].as_array().unwrap().len(), 30);
}

#[test]
fn all_has_thirteen_figures_of_real_pages() {
    let home = tempfile::tempdir().unwrap();
    fake_jdk(&home.path().join("jdk"), JAVA);
    let _attach = Attach::listen(home.path());
    let report = json(&bench(home.path(), &["all", "--size", "2m", "--json"]));
    let ratios = report["ratios"].as_object().unwrap();
    assert_eq!(ratios.len(), 13, "{ratios:?}");
    let names = |key: &str| -> Vec<String> { report[key].as_object().unwrap().keys().cloned().collect() };
    assert_eq!(names("targets"), names("ratios"));
    check_pauses(&report["ratios"], &report["pauses"]);
    assert_eq!(report["engine"]["pages"], "real");
    for (name, value) in report["engine"]["ratios"].as_object().unwrap() {
        assert_eq!(&ratios[name], value, "{name}");
    }
    for (name, _) in ratios.iter().filter(|(_, value)| value.is_null()) {
        assert!(report["notes"].to_string().contains(&format!("{name} has no value")), "{}", report["notes"]);
    }
}

/// The names of the files in a folder.
fn files(folder: &Path) -> BTreeSet<String> {
    let entries = folder.read_dir().unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn plots_are_written_beside_the_report() {
    let home = tempfile::tempdir().unwrap();
    fake_jdk(&home.path().join("jdk"), JAVA);
    let output = bench(home.path(), &["all", "--size", "2m", "--json", "--plots", "out/plots"]);
    let report = json(&output);
    let written = files(&home.path().join("out/plots"));
    let expected = ["figures", "pauses-move", "pauses-collections"].into_iter().chain([
        "engine-fault",
        "engine-scan",
        "engine-store",
        "engine-density",
    ]);
    assert_eq!(written, expected.map(|name| format!("{name}.svg")).collect());
    let errors = String::from_utf8_lossy(&output.stderr);
    for name in &written {
        assert!(errors.contains(&format!("wrote out/plots/{name}")), "{name} in\n{errors}");
    }
    let figures = fs::read_to_string(home.path().join("out/plots/figures.svg")).unwrap();
    for name in report["targets"].as_object().unwrap().keys() {
        assert!(figures.contains(&format!("{name}: ")), "{name} in\n{figures}");
    }
}

#[test]
fn a_folder_that_takes_no_plots_is_an_error_before_anything_is_measured() {
    let home = tempfile::tempdir().unwrap();
    for what in ["all", "pauses"] {
        let output = bench(home.path(), &[what, "--plots", "/dev/null/plots"]);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && output.stdout.is_empty(), "{errors}");
        assert_eq!(
            errors,
            "ztera: plots cannot be written to /dev/null/plots: Not a directory (os error 20)\n"
        );
    }
}

#[test]
fn without_a_jvm_the_engine_is_measured_alone() {
    let home = tempfile::tempdir().unwrap();
    let output = bench(home.path(), &["all", "--size", "2m", "--jdk", "/nowhere"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(text.contains("the JVM's pauses are left out: /nowhere is no JDK"), "{text}");
    assert!(text.contains("full_pause_with_h2 has no value"), "{text}");
    assert!(text.contains("| `young_pause_clean_h2_ms` |") && text.contains("SYNTHETIC"), "{text}");
}

#[test]
fn a_second_heap_that_cannot_hold_both_kinds_of_data_is_refused() {
    let output = laboratory().args(["bench", "pauses", "--h2", "1m"]).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("--h2 must be at least 16m"), "{errors}");
}
