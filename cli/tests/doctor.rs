// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera doctor` with the flags of a JVM: of one that is none, and of the built one where there is one.

mod common;
mod fake_jdk;
mod seccomp;

use std::path::Path;

use common::ztera;
use fake_jdk::fake_jdk;
use predicates::prelude::{PredicateBooleanExt, predicate::str::contains};

/// A `java` that writes this to the log that it is asked for, and its arguments to its standard output.
fn java_that_logs(lines: &str, code: i32) -> String {
    format!(
        r#"echo "arguments: $*"
        for word in "$@"; do case $word in -Xlog:*file=*) file=${{word#*file=\"}}; file=${{file%%\"*}};; esac; done
        cat > "$file" <<'END'
{lines}
END
        exit {code}"#
    )
}

fn doctor(jdk: &Path, flags: &[&str]) -> assert_cmd::assert::Assert {
    ztera().args(["doctor", "--jdk"]).arg(jdk).arg("--").args(flags).assert()
}

fn json(jdk: &Path, flags: &[&str]) -> serde_json::Value {
    let output = ztera().args(["doctor", "--json", "--jdk"]).arg(jdk).arg("--").args(flags).output().unwrap();
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[test]
fn what_the_jvm_logs_becomes_findings() {
    let home = tempfile::tempdir().unwrap();
    let log = "[info][gc,h2] Memory limit: 256M (H2MemoryLimit)\n[warning][gc,h2] Xmx is too much; lower Xmx to 96M";
    fake_jdk(home.path(), &java_that_logs(log, 0));
    doctor(home.path(), &["-Xmx1g"])
        .success()
        .stdout(contains("256M (H2MemoryLimit)"))
        .stdout(contains("WARNING"))
        .stdout(contains("-> lower Xmx to 96M"))
        .stdout(contains("The JVM starts with these flags."));
    let report = json(home.path(), &["-Xmx1g", "-jar", "app.jar", "-version"]);
    assert_eq!((&report["starts"], &report["options"]), (&true.into(), &serde_json::json!(["-Xmx1g"])));
    assert_eq!(report["findings"][1]["status"], "warning");
}

#[test]
fn a_refusal_of_the_jvm_fails() {
    let home = tempfile::tempdir().unwrap();
    fake_jdk(home.path(), "echo \"Unrecognized VM option 'H2Foo=1'\" >&2; exit 1");
    doctor(home.path(), &["-XX:H2Foo=1"])
        .code(1)
        .stdout(contains("ERROR"))
        .stdout(contains("Unrecognized VM option 'H2Foo=1'"))
        .stdout(contains("-> correct or drop it"))
        .stdout(contains("The JVM does not start with these flags."));
    assert_eq!(json(home.path(), &["-XX:H2Foo=1"])["starts"], false);
}

/// The program could do anything.
#[test]
fn the_program_is_not_run() {
    let home = tempfile::tempdir().unwrap();
    fake_jdk(home.path(), r#"echo "$*" >&2; exit 1"#);
    doctor(home.path(), &["-Xmx1g", "-cp", "a.jar", "Main", "argument"])
        .stdout(contains("--dry-run"))
        .stdout(contains("-Xmx1g -cp a.jar -Xlog"))
        .stdout(contains("-version"))
        .stdout(contains("Main").not());
}

/// The findings of `ztera doctor` under a seccomp profile that answers userfaultfd, and its device if that is `closed`
/// too, with `error`.
fn userfaultfd_refused(error: i32, closed: bool) -> serde_json::Value {
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin("ztera"));
    command.args(["doctor", "--json"]);
    // SAFETY: between fork and exec it only makes two system calls.
    unsafe {
        std::os::unix::process::CommandExt::pre_exec(&mut command, move || seccomp::refuse(error, closed))
    };
    serde_json::from_slice(&command.output().unwrap().stdout).expect("JSON")
}

/// Docker's profile gives EPERM and that of others ENOSYS. The doctor took the second for a kernel without userfaultfd,
/// although a JVM gets it by the device.
#[test]
fn the_device_is_enough_under_seccomp() {
    if std::fs::File::options().read(true).write(true).open("/dev/userfaultfd").is_err() {
        return println!("not tested: this user has no /dev/userfaultfd");
    }
    for error in [libc::EPERM, libc::ENOSYS] {
        let report = userfaultfd_refused(error, false);
        assert_eq!(
            (&report["facts"]["uffd"]["access"], &report["tier_works"]),
            (&"device".into(), &true.into())
        );
        let report = userfaultfd_refused(error, true);
        assert_eq!(
            (&report["facts"]["uffd"]["access"], &report["tier_works"]),
            (&"denied".into(), &false.into())
        );
        let finding = report["findings"][0].to_string();
        assert!(
            finding.contains("--device /dev/userfaultfd") && finding.contains("mapped file"),
            "{finding}"
        );
    }
}

#[test]
fn the_built_jvm_is_understood() {
    let jdk = Path::new(env!("CARGO_MANIFEST_DIR")).join("../build/jdk");
    if !jdk.join("bin/java").exists() {
        return println!("not tested: `make jdk` has not been run");
    }
    let flags = ["-XX:H2Size=1g", "-XX:H2MemoryLimit=256m", "-Xmx200m"];
    let report = json(&jdk, &flags);
    if report.to_string().contains("userfaultfd") {
        return println!("not tested without userfaultfd: {report}");
    }
    assert_eq!(report["starts"], true, "{report}");
    let findings = report["findings"].as_array().unwrap();
    let of = |subject: &str| {
        findings.iter().find(|finding| finding["subject"] == subject).map(|f| f["found"].to_string())
    };
    for subject in ["memory limit", "H1", "H2", "memory of H2", "tiers", "references"] {
        assert!(of(subject).is_some(), "{subject} in {report}");
    }
    assert!(of("memory limit").unwrap().contains("256M (H2MemoryLimit)"), "{report}");
    assert!(of("flags").unwrap().contains("200M (Xmx)"), "{report}");
    doctor(&jdk, &["-XX:H2Size=1g", "-XX:+UseG1GC"]).code(1).stdout(contains("-XX:+UseParallelGC"));
    doctor(&jdk, &["-Xmx64m"])
        .success()
        .stdout(contains("second heap"))
        .stdout(contains("-XX:H2Size=<capacity>"));
}
