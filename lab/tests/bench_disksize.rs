// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera bench disksize`, with a program that touches 24 MiB, and with a kernel of the smallest class.

mod common;
#[path = "../../cli/tests/swap_server/mod.rs"]
mod swap_server;

use std::fs;
use std::path::Path;

use common::laboratory;
use predicates::str::contains;
use serde_json::Value;
use swap_server::may_serve_swap;

const DD: [&str; 6] = ["--", "dd", "if=/dev/zero", "of=/dev/null", "bs=24M", "count=1"];

/// Why a sweep cannot be made here.
fn missing() -> Option<&'static str> {
    let root = rustix::process::geteuid().is_root();
    match () {
        () if !root => Some("root"),
        () if !Path::new("/sys/class/zram-control").exists() => Some("a kernel that has zram"),
        () if fs::read_to_string("/proc/swaps").is_ok_and(|swaps| swaps.lines().count() > 1) => {
            Some("a system that does not swap already")
        }
        () => None,
    }
}

fn sweep(arguments: &[&str]) -> Value {
    let output = laboratory().args(["bench", "disksize", "--json"]).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// How the only run with this limit and size of an arm ended.
fn ending<'r>(report: &'r Value, arm: &str, machine: &str, size: u64) -> &'r Value {
    let data = report["samples"].as_array().unwrap().iter().map(|sample| &sample["data"]);
    let fits =
        |cell: &&Value| cell["arm"] == arm && cell["machine"] == machine && cell["size_percent"] == size;
    &data.into_iter().find(fits).unwrap_or_else(|| panic!("no cell in {report:#}"))["ending"]
}

/// The kernel's huge pages of one size.
struct HugePages {
    enabled: String,
    /// Since the system started.
    given: u64,
}

impl HugePages {
    /// Nothing if the kernel has none.
    fn of_64_kib() -> Option<HugePages> {
        let read = |file: &str| {
            let folder = "/sys/kernel/mm/transparent_hugepage/hugepages-64kB";
            Some(fs::read_to_string(format!("{folder}/{file}")).ok()?.trim().to_owned())
        };
        Some(HugePages { enabled: read("enabled")?, given: read("stats/anon_fault_alloc")?.parse().ok()? })
    }
}

fn nothing_is_left() {
    let swaps = fs::read_to_string("/proc/swaps").unwrap();
    assert!(swaps.lines().count() < 2, "{swaps}");
    let mounts = fs::read_to_string("/proc/mounts").unwrap();
    assert!(!mounts.contains("ztera-disk-"), "{mounts}");
}

#[test]
fn any_command_is_swept_on_zram_and_on_our_disk() {
    if let Some(missing) = missing() {
        eprintln!("SKIPPED, not tested: a sweep takes {missing}");
        return;
    }
    let sizes = ["--limits", "150,50", "--sizes", "0,100", "--disk"];
    let huge: &[&str] = if HugePages::of_64_kib().is_some() { &["--huge-pages", "64"] } else { &[] };
    let before = HugePages::of_64_kib();
    let report = sweep(&[&sizes[..], huge, &DD].concat());
    match (before, HugePages::of_64_kib()) {
        (Some(before), Some(after)) => {
            assert_eq!(ending(&report, "zram lzo-rle, huge pages of 64 KiB", "50 %", 100), "finished");
            assert_eq!(before.enabled, after.enabled, "the setting is as it was");
            assert!(before.given < after.given, "the program had none");
        }
        _ => eprintln!("SKIPPED, not tested: huge pages of 64 KiB take Linux 6.8"),
    }
    let zram = |machine, size| ending(&report, "zram lzo-rle", machine, size);
    assert_eq!([zram("150 %", 0), zram("150 %", 100)], ["finished", "finished"]);
    assert_eq!([zram("50 %", 0), zram("50 %", 100)], ["killed", "finished"]);
    if may_serve_swap() {
        assert_eq!(ending(&report, "our disk", "50 %", 100), "finished");
    } else {
        eprintln!("SKIPPED, not tested: our disk as swap takes CAP_SYS_RESOURCE and FUSE");
        assert!(report.to_string().contains("our block device does not start: "), "{report:#}");
        assert!(!report.to_string().contains("--memory-limit"), "the server's options are right: {report:#}");
    }
    nothing_is_left();
    a_kernel_is_laid_over_the_authors_runs();
}

/// Not a test of its own: two sweeps at once would find each other's swap.
fn a_kernel_is_laid_over_the_authors_runs() {
    let authors = tempfile::tempdir().unwrap();
    let csv = "\"End date\",Duration,Benchmark,\"Class\",\"Zram % (gb)\"\nday,0:06.00,\"is\",\"C\",\"  0% ( 0 gb)\"\n";
    fs::write(authors.path().join("8G_1.csv"), csv).unwrap();
    let plots = authors.path().join("plots");
    let [authors, plots_dir] = [authors.path(), &plots].map(|path| path.to_str().unwrap());
    let cells = ["--kernels", "is", "--class", "W", "--study", "8", "--limits", "200", "--sizes", "0"];
    let report = sweep(&[&cells[..], &["--authors", authors, "--plots", plots_dir]].concat());
    assert_eq!(ending(&report, "zram lzo-rle", "8 GB", 0), "finished");
    assert_eq!(report["verdicts"].as_array().unwrap().len(), 23);
    let map = fs::read_to_string(plots.join("disksize-study.svg")).unwrap();
    assert!(map.contains("is, theirs") && map.contains("is, ours"), "{map}");
    nothing_is_left();
}

#[test]
fn what_cannot_be_is_explained() {
    let bench = |arguments: &[&str]| laboratory().args(["bench", "disksize"]).args(arguments).assert();
    bench(&["--limits", "0"]).code(2).stderr(contains("not in 1.."));
    bench(&["--kernels", "dc"])
        .code(2)
        .stderr(contains("[possible values: ep, is, cg, mg, ft, bt, sp, lu, ua]"));
    if rustix::process::geteuid().is_root() {
        bench(&["--npb-dir", "/nowhere"]).code(1).stderr(contains("/nowhere has no NPB code of class A"));
        bench(&["--authors", "/nowhere"]).code(1).stderr(contains("cannot read /nowhere"));
        bench(&["--", "/nowhere/program"]).code(1).stderr(contains("cannot run program"));
        bench(&["--", "false"]).code(1).stderr(contains("false failed"));
    }
}

#[test]
fn a_kernel_verifies_itself() {
    let npb = |arguments: &[&str]| laboratory().args(["bench", "npb"]).args(arguments).assert();
    npb(&["is", "s"]).success().stdout(contains("Is S: verified"));
    npb(&["is", "z"]).code(2).stderr(contains("[possible values: S, W, A, B, C]"));
}
