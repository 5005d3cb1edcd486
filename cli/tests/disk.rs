// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera disk` as its user sees it: the server is a process of its own.

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use predicates::prelude::{PredicateBooleanExt, predicate::str::contains};

fn ztera() -> assert_cmd::Command {
    assert_cmd::Command::cargo_bin("ztera").expect("the binary")
}

/// A server. Dropping it ends it, as Ctrl-C does.
struct Server(Child);

impl Server {
    fn start(arguments: &[&str]) -> Self {
        let program = assert_cmd::cargo::cargo_bin("ztera");
        let mut command = Command::new(program);
        command.args(["disk", "serve"]).args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut server = Self(command.spawn().expect("the command"));
        let mut first = String::new();
        let out = server.0.stdout.take().expect("a pipe");
        BufReader::new(out).read_line(&mut first).expect("text");
        assert!(first.starts_with("serving 64.0 MiB at "), "{first}");
        server
    }

    fn end(self) -> bool {
        self.signal();
        self.ended().0 == Some(0)
    }

    fn kill(mut self) {
        self.0.kill().expect("it lives");
        self.0.wait().expect("it ends");
    }

    /// Its status and what it said, once it has ended.
    fn ended(mut self) -> (Option<i32>, String) {
        let mut said = String::new();
        let error = self.0.stderr.take().expect("a pipe");
        let status = self.0.wait().expect("it ends");
        BufReader::new(error).read_to_string(&mut said).expect("text");
        (status.code(), said)
    }

    fn signal(&self) {
        let process = rustix::process::Pid::from_child(&self.0);
        let _ = rustix::process::kill_process(process, rustix::process::Signal::TERM);
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.signal();
        let _ = self.0.wait();
    }
}

fn socket(dir: &Path) -> (PathBuf, String) {
    let path = dir.join("disk.sock");
    let text = path.display().to_string();
    (path, text)
}

#[test]
fn a_device_is_served_asked_and_taken_away() {
    let dir = tempfile::tempdir().unwrap();
    let (path, at) = socket(dir.path());
    let ssd = dir.path().join("ssd").display().to_string();
    std::fs::create_dir(&ssd).unwrap();
    let limits = ["--memory-limit", "16m", "--path", &ssd, "--file-size", "64m", "--codec", "zstd:1"];
    let server = Server::start(&[&["--size", "64m", "--socket", &at][..], &limits].concat());
    for socket in [path.clone(), dir.path().join("disk.sock.control")] {
        assert_eq!(std::fs::metadata(socket).unwrap().permissions().mode() & 0o777, 0o600);
    }
    ztera().args(["disk", "stat", &at]).assert().success().stdout(
        contains("disksize           64.0 MiB in units of 16.0 KiB")
            .and(contains("mem_limit          16.0 MiB"))
            .and(contains("comp_algorithm     zstd"))
            .and(contains("bd_count           0")),
    );
    let json = ztera().args(["disk", "stat", "--json", &at]).output().unwrap().stdout;
    let stats: serde_json::Value = serde_json::from_slice(&json).unwrap();
    assert_eq!(stats["mm_stat"]["mem_limit"], 16 << 20);
    assert_eq!(stats["io_stat"]["failed_writes"], 0);
    ztera().args(["disk", "compact", &at]).assert().success().stdout(contains("given back"));
    ztera().args(["disk", "idle", "--age", "5", &at]).assert().success();
    ztera().args(["disk", "recompress", "--idle", "--codec", "zstd:9", &at]).assert().success();
    ztera().args(["disk", "writeback", "--huge", &at]).assert().success().stdout("0 units written\n");
    let which = ["--pages", "0-3,9", "--incompressible", "--idle"];
    ztera().args(["disk", "writeback", &at]).args(which).assert().success().stdout("0 units written\n");
    ztera()
        .args(["disk", "writeback", &at, "--pages", "9-3"])
        .assert()
        .code(2)
        .stderr(contains("no range of pages"));
    ztera()
        .args(["disk", "serve", "--size", "64m", "--socket", &at])
        .assert()
        .code(1)
        .stderr(contains("somebody serves there already"));
    assert!(server.end(), "a server that is asked to end ends well");
    assert!(!path.exists() && !dir.path().join("disk.sock.control").exists());
    ztera().args(["disk", "stat", &at]).assert().code(1).stderr(contains("no device is served at"));
}

#[test]
fn devices_are_listed_while_they_are_served() {
    let dir = tempfile::tempdir().unwrap();
    let (_, at) = socket(dir.path());
    let server = Server::start(&["--size", "64m", "--socket", &at]);
    let list = || {
        let listed = ztera().args(["disk", "list"]).output().unwrap();
        assert!(listed.status.success());
        String::from_utf8(listed.stdout).unwrap()
    };
    let listed = list();
    let line = listed.lines().find(|line| line.contains(&at)).expect("it is there");
    assert!(listed.contains("DISKSIZE") && line.contains("lz4") && line.contains("64.0 MiB"), "{listed}");
    let json = ztera().args(["disk", "list", "--json"]).output().unwrap().stdout;
    let devices: serde_json::Value = serde_json::from_slice(&json).unwrap();
    let own = devices.as_array().unwrap().iter().find(|device| device["at"] == *at).expect("it is there");
    assert_eq!(own["stats"]["disksize"], 64 << 20);
    assert!(server.end());
    assert!(!list().contains(&at));
}

#[test]
fn a_killed_server_leaves_nothing_that_stands_in_the_way() {
    let dir = tempfile::tempdir().unwrap();
    let (_, at) = socket(dir.path());
    Server::start(&["--size", "64m", "--socket", &at]).kill();
    assert!(Server::start(&["--size", "64m", "--socket", &at]).end());
}

/// A new folder in `dir` for `--fuse`, and its name as an argument. `None` where FUSE cannot be had, which is said.
fn fuse_folder(dir: &Path) -> Option<(PathBuf, String)> {
    has_fuse().then(|| {
        let folder = dir.join("folder");
        std::fs::create_dir(&folder).unwrap();
        let at = folder.display().to_string();
        (folder, at)
    })
}

fn has_fuse() -> bool {
    let has_fuse = rustix::process::geteuid().is_root() && Path::new("/dev/fuse").exists();
    if !has_fuse {
        let _ = writeln!(std::io::stderr(), "SKIPPED, not tested: FUSE takes root, and a kernel that has it");
    }
    has_fuse
}

/// Two servers that start together on what a killed one left once both lived, and clients of one found the other.
#[test]
fn of_two_servers_that_start_together_one_lives() {
    let dir = tempfile::tempdir().unwrap();
    let (path, at) = socket(dir.path());
    Server::start(&["--size", "64m", "--socket", &at]).kill();
    let serve = || {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin("ztera"));
        command.args(["disk", "serve", "--size", "64m", "--socket", &at]);
        Server(command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the command"))
    };
    let mut servers = [serve(), serve()];
    // One of them gives up.
    let loser = loop {
        if let Some(loser) = servers.iter_mut().position(|server| server.0.try_wait().unwrap().is_some()) {
            break loser;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    };
    let [first, second] = servers;
    let (winner, loser) = if loser == 1 { (first, second) } else { (second, first) };
    let (status, said) = loser.ended();
    assert!(status == Some(1) && said.contains("somebody serves there already"), "{status:?} {said}");
    while !path.exists() {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    ztera().args(["disk", "stat", &at]).assert().success();
    assert!(winner.end());
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0, "no socket and no lock is left");
}

/// A server whose folder somebody else unmounted once ended as if it had been asked to, and its data were gone.
#[test]
fn a_server_whose_folder_is_taken_away_says_so() {
    let dir = tempfile::tempdir().unwrap();
    let Some((_, at)) = fuse_folder(dir.path()) else { return };
    let server = Server::start(&["--size", "64m", "--fuse", &at]);
    assert!(Command::new("umount").arg(&at).status().unwrap().success());
    let (status, said) = server.ended();
    assert!(status == Some(1) && said.contains("somebody has unmounted"), "{status:?} {said}");
}

/// A second server by another name of the folder once lay over the first, and ended with it. Files in a folder
/// vanished.
#[test]
fn a_folder_in_use_is_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let Some((folder, at)) = fuse_folder(dir.path()) else { return };
    let link = dir.path().join("link");
    std::os::unix::fs::symlink(&folder, &link).unwrap();
    let refused = |at: &Path, why: &str| {
        let serve = ["disk", "serve", "--size", "64m", "--fuse"];
        ztera().args(serve).arg(at).assert().code(1).stderr(contains(why));
    };
    std::fs::write(folder.join("precious"), "data").unwrap();
    refused(&folder, "the folder must be empty, and has `precious`");
    std::fs::remove_file(folder.join("precious")).unwrap();
    let first = Server::start(&["--size", "64m", "--fuse", &at]);
    refused(&link, "ztera is mounted there already");
    refused(&folder, "somebody serves there already");
    assert!(first.end());
    assert!(!dir.path().join("link.control").exists() && !dir.path().join("link.control.lock").exists());
}

#[test]
fn a_killed_server_leaves_no_folder_that_stands_in_the_way() {
    let dir = tempfile::tempdir().unwrap();
    let Some((folder, at)) = fuse_folder(dir.path()) else { return };
    let killed = Server::start(&["--size", "64m", "--fuse", &at]);
    assert_eq!(std::fs::metadata(folder.join("disk")).unwrap().len(), 64 << 20);
    killed.kill();
    assert!(std::fs::read(folder.join("disk")).is_err(), "an error, and no other bytes");
    let next = Server::start(&["--size", "64m", "--fuse", &at]);
    let device = std::fs::File::options().write(true).open(folder.join("disk")).unwrap();
    std::os::unix::fs::FileExt::write_all_at(&device, b"hello", 1000).unwrap();
    ztera().args(["disk", "stat", &at]).assert().success().stdout(contains("written            5 B"));
    drop(device);
    assert!(next.end());
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0, "nothing is mounted any more");
}

#[test]
fn without_an_ssd_nothing_is_written_back() {
    let dir = tempfile::tempdir().unwrap();
    let (_, at) = socket(dir.path());
    let _server = Server::start(&["--size", "64m", "--socket", &at]);
    ztera().args(["disk", "writeback", &at]).assert().code(1).stderr(contains("--path"));
}

#[test]
fn what_cannot_be_is_explained() {
    for (arguments, why) in [
        (&["--size", "64m"][..], "--socket"),
        (&["--size", "64m", "--socket", "a", "--unit", "5k"], "power of two"),
        (&["--size", "64m", "--socket", "a", "--codec", "lzo"], "there are lz4, zstd, deflate"),
        (&["--size", "64m", "--socket", "a", "--path", "."], "--memory-limit"),
        (&["--size", "64m", "--socket", "a", "--fuse", "b"], "cannot be used with"),
        (&["--size", "64m", "--ublk", "--fuse", "b"], "cannot be used with"),
        (&["--size", "64m", "--socket", "a", "--swap"], "--memory-limit"),
        (&["--size", "64m", "--socket", "a", "--accelerator", "gpu"], "there are model"),
        (&["--size", "64m", "--socket", "a", "--accelerator", "model:rings=3"], "the model has no `rings`"),
        (&["--size", "64m", "--socket", "a", "--accelerator-check", "sums"], "--accelerator"),
    ] {
        ztera().args(["disk", "serve"]).args(arguments).assert().code(2).stderr(contains(why));
    }
    ztera()
        .args(["disk", "serve", "--size", "1000", "--socket", "/nowhere/a"])
        .assert()
        .code(1)
        .stderr(contains("multiple of 512"));
    // "No such file or directory" was all it said.
    let nowhere = ["--size", "64m", "--socket", "/tmp/a", "--memory-limit", "16m", "--path", "/nowhere/ssd"];
    ztera().args(["disk", "serve"]).args(nowhere).assert().code(1).stderr(contains("--path /nowhere/ssd: "));
    let (lz4, deflate) =
        (&["--accelerator", "model"][..], &["--accelerator", "qatzip", "--codec", "deflate"]);
    // Without the library the server refused to start; the paper's goes on in software.
    for (arguments, why) in [(lz4, "an accelerator makes deflate"), (deflate, ": the CPU compresses\n")] {
        let serve = ["disk", "serve", "--size", "64m", "--socket", "/nowhere/a"];
        ztera().args(serve).args(arguments).assert().code(1).stderr(contains(why));
    }
}

/// A loop device over a file. Dropping it detaches it.
struct Loop(String);

impl Loop {
    /// `None` where there can be none, which is said.
    fn new(file: &Path) -> Option<Self> {
        let made = Command::new("losetup").args(["--find", "--show"]).arg(file).output();
        let name = made.ok().filter(|made| made.status.success()).map(|made| made.stdout)?;
        Some(Self(String::from_utf8(name).expect("text").trim().to_owned()))
    }

    fn run(&self, program: &str, arguments: &[&str]) {
        assert!(Command::new(program).args(arguments).arg(&self.0).status().unwrap().success(), "{program}");
    }
}

impl Drop for Loop {
    fn drop(&mut self) {
        let _ = Command::new("losetup").args(["--detach", &self.0]).status();
    }
}

/// An unmounted disk with a file system was once overwritten without a word.
#[test]
fn a_device_that_holds_data_is_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let (_, at) = socket(dir.path());
    let file = dir.path().join("medium");
    std::fs::File::create(&file).unwrap().set_len(32 << 20).unwrap();
    let Some(device) = Loop::new(&file) else {
        let _ = writeln!(std::io::stderr(), "SKIPPED, not tested: there is no loop device for this user");
        return;
    };
    device.run("mkfs.ext4", &["-q"]);
    let before = std::fs::read(&file).unwrap();
    let limits = ["--memory-limit", "16m", "--path", &device.0];
    let serve = [&["--size", "64m", "--socket", &at][..], &limits].concat();
    let remedy = format!(
        "holds data (ext4); name another device, or erase their signature with `wipefs --all {}`",
        device.0
    );
    ztera().args(["disk", "serve"]).args(&serve).assert().code(1).stderr(contains(remedy));
    assert!(std::fs::read(&file).unwrap() == before, "not a byte of it has changed");
    device.run("wipefs", &["--all", "--quiet"]);
    assert!(Server::start(&serve).end());
    // A killed server leaves nothing that libblkid knows.
    Server::start(&serve).kill();
    assert!(Server::start(&serve).end());
}

/// `make test-guest` has one that has it.
#[test]
fn a_kernel_without_ublk_is_named_as_the_reason() {
    if Path::new("/dev/ublk-control").exists() {
        let _ = writeln!(std::io::stderr(), "SKIPPED, not tested: this kernel has ublk");
        return;
    }
    let serve = ["disk", "serve", "--size", "64m", "--ublk"];
    ztera()
        .args(serve)
        .assert()
        .code(1)
        .stderr(contains("this kernel has no ublk").and(contains("modprobe")));
}

#[test]
fn an_accelerator_compresses_and_says_so() {
    let dir = tempfile::tempdir().unwrap();
    let (_, at) = socket(dir.path());
    let options = ["--codec", "deflate", "--accelerator", "model:latency=1,error=0.1", "--unit", "4k"];
    let server = Server::start(&[&["--size", "64m", "--socket", &at][..], &options].concat());
    let json = ztera().args(["disk", "stat", "--json", &at]).output().unwrap().stdout;
    let stats: serde_json::Value = serde_json::from_slice(&json).unwrap();
    assert_eq!(stats["accelerator"]["offloaded_units"], 0);
    assert_eq!(stats["comp_algorithm"], "deflate");
    assert!(server.end());
}

#[test]
fn each_command_has_a_help_text() {
    for command in ["serve", "list", "stat", "compact", "idle", "recompress", "writeback"] {
        ztera().args(["disk", command, "--help"]).assert().success().stdout(contains("Usage: ztera disk"));
    }
}
