// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A device that serves as swap: its server keeps its memory, and pages come back as they went. Takes root.

mod swap_server;

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use swap_server::may_serve_swap;
use ztera_machine::cgroup::Cgroup;

const MIB: usize = 1 << 20;
const PAGE: usize = 4096;

/// Says on the terminal, captured or not, that the test has not looked at what it is for.
fn skipped(why: &str) {
    let test = std::thread::current().name().unwrap_or("a test").to_owned();
    let _ = writeln!(std::io::stderr(), "SKIPPED, not tested: {test}: {why}");
}

fn run(program: &str, arguments: &[&str]) -> Result<String, String> {
    let output =
        Command::new(program).args(arguments).output().map_err(|error| format!("{program}: {error}"))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    if output.status.success() { Ok(text(&output.stdout)) } else { Err(text(&output.stderr)) }
}

/// A server. Dropping it ends it.
struct Server(Child);

impl Server {
    fn start(folder: &Path, arguments: &[&str]) -> Self {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin("ztera"));
        command.args(["disk", "serve", "--fuse"]).arg(folder).args(arguments).stdout(Stdio::piped());
        let mut server = Self(command.spawn().expect("the command"));
        let mut first = String::new();
        BufReader::new(server.0.stdout.take().expect("a pipe")).read_line(&mut first).expect("text");
        assert!(first.starts_with("serving "), "{first}");
        server
    }

    /// A field of `/proc/PID/status`, in KiB.
    fn kib(&self, field: &str) -> usize {
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

/// A loop device. Dropping it detaches it.
struct Loop(String);

impl Loop {
    fn new(folder: &Path) -> Result<Self, String> {
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
struct Swap<'l>(&'l Loop);

impl<'l> Swap<'l> {
    fn on(device: &'l Loop) -> Result<Self, String> {
        run("mkswap", &[&device.0])?;
        run("swapon", &["--discard", &device.0])?;
        Ok(Self(device))
    }

    fn used_kib(&self) -> usize {
        let swaps = fs::read_to_string("/proc/swaps").expect("this kernel has swap");
        let line = swaps.lines().find(|line| line.starts_with(&self.0.0)).expect("it is on");
        line.split_whitespace().nth(3).and_then(|used| used.parse().ok()).expect("the used part")
    }
}

impl Drop for Swap<'_> {
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

/// The server's memory is there before it is needed, and stays.
#[test]
fn a_server_of_swap_holds_its_memory() {
    if !may_serve_swap() {
        return skipped("a server of swap takes CAP_SYS_RESOURCE, and FUSE");
    }
    let dir = tempfile::tempdir().expect("a folder");
    let options =
        ["--size", "64m", "--memory-limit", "32m", "--unit", "4k", "--swap", "--recompress-after", "0"];
    let server = Server::start(dir.path(), &options);
    let (held, locked) = (server.kib("VmRSS"), server.kib("VmLck"));
    assert!(held >= 32 << 10, "{held} KiB are less than its limit");
    assert!(locked >= 32 << 10, "{locked} KiB are locked");
    let device = fs::File::options().write(true).open(dir.path().join("disk")).expect("the device");
    let mut page = vec![0; MIB];
    for at in 0..48 {
        fill(&mut page, at);
        std::os::unix::fs::FileExt::write_all_at(&device, &page, (at * MIB) as u64).expect("there is room");
    }
    drop(device);
    let grown = server.kib("VmRSS").saturating_sub(held);
    assert!(grown < 8 << 10, "48 MiB were written, for which {grown} KiB were taken");
    let score = fs::read_to_string(format!("/proc/{}/oom_score_adj", server.0.id())).expect("it runs");
    assert_eq!(score.trim(), "-1000");
}

/// Bytes that depend on where they are; every other page compresses to a half, the rest better.
fn fill(bytes: &mut [u8], place: usize) {
    for (i, page) in bytes.chunks_mut(PAGE).enumerate() {
        let mut x = (place * 1000 + i) as u64 | 1 << 40;
        for (j, word) in page.chunks_mut(8).enumerate() {
            x = x.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23) + 1;
            let noise = if i % 2 == 0 && j % 2 == 0 { x } else { place as u64 };
            word.copy_from_slice(&noise.to_le_bytes()[..word.len()]);
        }
    }
}

#[test]
fn every_page_comes_back_from_swap() {
    if let Some(why) = obstacle() {
        return skipped(&why);
    }
    let dir = tempfile::tempdir().expect("a folder");
    let group = match Cgroup::create("swap-test") {
        Ok(group) => group,
        Err(why) => return skipped(&why.to_string()),
    };
    group.set_limit_with_swap(48 * MIB as u64).expect("a limit");
    let _server =
        Server::start(dir.path(), &["--size", "256m", "--memory-limit", "192m", "--unit", "4k", "--swap"]);
    let device = match Loop::new(dir.path()) {
        Ok(device) => device,
        Err(why) => return skipped(&format!("no loop device: {why}")),
    };
    let swap = match Swap::on(&device) {
        Ok(swap) => swap,
        Err(why) => return skipped(&format!("no swap: {why}")),
    };
    let mut child = Command::new(std::env::current_exe().expect("this program"))
        .args(["--exact", "pages_under_pressure", "--ignored", "--nocapture"])
        .env(GROUP, format!("{}", std::process::id()))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("this program once more");
    group.adopt(child.id()).expect("the group takes it");
    // It begins when it reads a line, in the group by then.
    child.stdin.take().expect("a pipe").write_all(b"go\n").expect("it waits");
    let output = child.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{}: {said}", output.status);
    assert!(said.contains("every page was right"), "{said}");
    let swapped = swap.used_kib();
    println!("{swapped} KiB are swapped out at the end");
}

const GROUP: &str = "ZTERA_SWAP_TEST";

/// Fills three times the memory that it has, and looks at every page again and again.
#[test]
#[ignore = "the child of every_page_comes_back_from_swap"]
fn pages_under_pressure() {
    assert!(std::env::var_os(GROUP).is_some(), "only that test starts it");
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).expect("the parent says when");
    let mut memory = vec![0_u8; 128 * MIB];
    for round in 0..3 {
        for (i, piece) in memory.chunks_mut(MIB).enumerate() {
            fill(piece, i + round * 1000);
        }
        let mut wanted = vec![0; MIB];
        for (i, piece) in memory.chunks(MIB).enumerate() {
            fill(&mut wanted, i + round * 1000);
            assert!(piece == wanted, "round {round}: a page of MiB {i} is wrong");
        }
    }
    println!("every page was right");
}

/// The kernel gets an error from a device whose server was killed, and no bytes.
#[test]
fn a_killed_server_is_an_error() {
    if !rustix::process::geteuid().is_root() || !Path::new("/dev/fuse").exists() {
        return skipped("loop devices and FUSE take root");
    }
    let dir = tempfile::tempdir().expect("a folder");
    let mut server = Server::start(dir.path(), &["--size", "16m", "--memory-limit", "16m"]);
    let device = match Loop::new(dir.path()) {
        Ok(device) => device,
        Err(why) => return skipped(&format!("no loop device: {why}")),
    };
    let mut bytes = vec![0; MIB];
    fill(&mut bytes, 1);
    fs::write(&device.0, &bytes).expect("the device works");
    server.0.kill().expect("it runs");
    server.0.wait().expect("it is dead");
    // Past the kernel's cache, as swap reads.
    let from = format!("if={}", device.0);
    let copy = run("dd", &[&from, "iflag=direct", "bs=64k", "count=16"]);
    assert!(copy.is_err_and(|error| error.contains("Input/output error")));
    drop(device);
    let _ = rustix::mount::unmount(dir.path(), rustix::mount::UnmountFlags::DETACH);
}
