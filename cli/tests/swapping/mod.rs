// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A server of swap, and what lies between it and a program that swaps. All of it is undone when it is dropped.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;
use ztera_machine::cgroup::Cgroup;

use crate::swap_server::may_serve_swap;

pub fn run(program: &str, arguments: &[&str]) -> Result<String, String> {
    let output =
        Command::new(program).args(arguments).output().map_err(|error| format!("{program}: {error}"))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    if output.status.success() { Ok(text(&output.stdout)) } else { Err(text(&output.stderr)) }
}

/// A server. Dropping it ends it.
pub struct Server(pub Child);

impl Server {
    pub fn start(folder: &Path, arguments: &[&str]) -> Self {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin("ztera"));
        command.args(["disk", "serve", "--fuse"]).arg(folder).args(arguments).stdout(Stdio::piped());
        let mut server = Self(command.spawn().expect("the command"));
        let mut first = String::new();
        BufReader::new(server.0.stdout.take().expect("a pipe")).read_line(&mut first).expect("text");
        assert!(first.starts_with("serving "), "{first}");
        server
    }

    /// A field of `/proc/PID/status`, in KiB.
    pub fn kib(&self, field: &str) -> usize {
        let status = fs::read_to_string(format!("/proc/{}/status", self.0.id())).expect("it runs");
        let line = status.lines().find_map(|line| line.strip_prefix(field)).expect("the field is there");
        let number = line.trim_start_matches(':').trim().trim_end_matches(" kB");
        number.parse().expect("a number")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let process = rustix::process::Pid::from_child(&self.0);
        let _ = rustix::process::kill_process(process, rustix::process::Signal::TERM);
        let _ = self.0.wait();
    }
}

/// A folder for a server. Dropping it unmounts what a killed one left there.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // As a rule nothing is mounted there any more.
        let _ = rustix::mount::unmount(self.path(), rustix::mount::UnmountFlags::DETACH);
    }
}

/// A loop device. Dropping it detaches it.
pub struct Loop(pub String);

impl Loop {
    pub fn new(folder: &Path) -> Result<Self, String> {
        let file = folder.join("disk").display().to_string();
        run("losetup", &["--find", "--show", "--direct-io=on", &file]).map(Self)
    }
}

impl Drop for Loop {
    fn drop(&mut self) {
        let _ = run("losetup", &["--detach", &self.0]);
    }
}

/// Swap on a device. Dropping it takes it off, which brings back all pages.
pub struct Swap(Loop);

impl Swap {
    fn on(device: Loop) -> Result<Self, String> {
        run("mkswap", &[&device.0])?;
        run("swapon", &["--discard", &device.0])?;
        Ok(Self(device))
    }

    pub fn used_kib(&self) -> usize {
        let swaps = fs::read_to_string("/proc/swaps").expect("this kernel has swap");
        let line = swaps.lines().find(|line| line.starts_with(&self.0.0)).expect("it is on");
        line.split_whitespace().nth(3).and_then(|used| used.parse().ok()).expect("the used part")
    }
}

impl Drop for Swap {
    fn drop(&mut self) {
        if let Err(error) = run("swapoff", &[&self.0.0]) {
            eprintln!("swapoff {}: {error}", self.0.0);
        }
    }
}

/// Why swap cannot be tried here; `None` if it can.
fn obstacle() -> Option<String> {
    if !rustix::process::geteuid().is_root() || !may_serve_swap() {
        return Some(
            "swap takes root with CAP_SYS_RESOURCE, and a kernel with FUSE and loop devices".to_owned(),
        );
    }
    pages_out_by_itself().map(|who| {
        format!("{who} pages out memory of all processes here, which would land on a device under test")
    })
}

/// A part of the kernel that moves cold pages of any process to swap, pressure or not.
fn pages_out_by_itself() -> Option<String> {
    let reclaim = Path::new("/sys/module/damon_reclaim/parameters/enabled");
    if fs::read_to_string(reclaim).is_ok_and(|enabled| enabled.trim() == "Y") {
        return Some("damon_reclaim".to_owned());
    }
    let kdamonds = fs::read_dir("/sys/kernel/mm/damon/admin/kdamonds").ok()?;
    let is_on = |dir: &Path| fs::read_to_string(dir.join("state")).is_ok_and(|state| state.trim() == "on");
    let on = kdamonds.flatten().map(|entry| entry.path()).find(|dir| is_on(dir))?;
    Some(format!("DAMON ({})", on.display()))
}

/// A cgroup with little memory, and swap on a device. Dropping it undoes all, in this order.
pub struct Swapping {
    pub swap: Swap,
    pub server: Server,
    pub group: Cgroup,
    _folder: Folder,
}

impl Swapping {
    /// An error says what is missing.
    pub fn start() -> Result<Self, String> {
        obstacle().map_or(Ok(()), Err)?;
        let folder = Folder::new();
        let group = Cgroup::create("swap-test").map_err(|error| error.to_string())?;
        group.set_limit_with_swap(32 << 20).expect("a limit");
        let sizes = ["--size", "192m", "--memory-limit", "128m", "--unit", "4k"];
        let options = [&sizes[..], &["--swap", "--recompress-after", "0"]].concat();
        let server = Server::start(folder.path(), &options);
        let device = Loop::new(folder.path()).map_err(|why| format!("no loop device: {why}"))?;
        let swap = Swap::on(device).map_err(|why| format!("no swap: {why}"))?;
        Ok(Self { swap, server, group, _folder: folder })
    }
}
