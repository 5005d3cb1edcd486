// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A device that serves as swap: its server keeps its memory, and pages come back as they went. Takes root.

mod swap_server;
mod swapping;

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;

use swap_server::may_serve_swap;
use swapping::{Folder, Loop, Server, Swapping, run};
use ztera_machine::cgroup::Cgroup;

const MIB: usize = 1 << 20;
const PAGE: usize = 4096;

/// Says on the terminal, captured or not, that the test has not looked at what it is for.
fn skipped(why: &str) {
    let test = std::thread::current().name().unwrap_or("a test").to_owned();
    let _ = writeln!(std::io::stderr(), "SKIPPED, not tested: {test}: {why}");
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

/// Bytes that depend on where they are; every other page compresses to a half, the rest better. By copies, as this is
/// not optimised, and may run on a CPU that is emulated.
fn fill(bytes: &mut [u8], place: usize) {
    static NOISE: LazyLock<Vec<u8>> = LazyLock::new(noise);
    for (i, page) in bytes.chunks_mut(PAGE).enumerate() {
        let number = place * 1000 + i;
        let from = number * 61 % PAGE;
        let noisy = if i % 2 == 0 { PAGE / 2 } else { PAGE / 16 };
        page.fill(place as u8);
        page[..noisy].copy_from_slice(&NOISE[from..from + noisy]);
        for at in [0, PAGE / 2, PAGE - 8] {
            page[at..at + 8].copy_from_slice(&number.to_le_bytes());
        }
    }
}

fn noise() -> Vec<u8> {
    let mut x = 1_u64;
    let mut word = || {
        x = x.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23) + 1;
        x.to_le_bytes()
    };
    (0..2 * PAGE / 8).flat_map(|_| word()).collect()
}

#[test]
fn every_page_comes_back_from_swap() {
    let swapping = match Swapping::start() {
        Ok(swapping) => swapping,
        Err(why) => return skipped(&why),
    };
    let child = in_group("pages_under_pressure", &swapping.group);
    let output = child.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{}: {said}", output.status);
    assert!(said.contains("every page was right"), "{said}");
    println!("{} KiB are swapped out at the end", swapping.swap.used_kib());
}

/// The kernel ends a program whose pages a killed server had. It gives it no other bytes.
#[test]
fn pages_of_a_killed_server_are_lost_and_not_wrong() {
    let mut swapping = match Swapping::start() {
        Ok(swapping) => swapping,
        Err(why) => return skipped(&why),
    };
    let mut child = in_group("pages_that_are_lost", &swapping.group);
    let mut said = BufReader::new(child.stdout.take().expect("a pipe")).lines().map_while(Result::ok);
    assert!(said.any(|line| line.contains("all pages are written")), "it ended before");
    swapping.server.0.kill().expect("it runs");
    swapping.server.0.wait().expect("it is dead");
    // A page that comes back must not wait for another one to go.
    swapping.group.set_limit_with_swap(1 << 30).expect("a limit");
    child.stdin.as_mut().expect("a pipe").write_all(b"look\n").expect("it waits");
    let status = child.wait().expect("it ends");
    assert_eq!(status.signal(), Some(libc::SIGBUS), "{status}: {}", said.collect::<Vec<_>>().join("\n"));
}

const GROUP: &str = "ZTERA_SWAP_TEST";

/// Starts one of the ignored tests as a process of its own. It begins when it reads a line, in the group by then.
fn in_group(test: &str, group: &Cgroup) -> Child {
    let mut child = Command::new(std::env::current_exe().expect("this program"))
        .args(["--exact", test, "--ignored", "--nocapture"])
        .env(GROUP, format!("{}", std::process::id()))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("this program once more");
    group.adopt(child.id()).expect("the group takes it");
    child.stdin.as_mut().expect("a pipe").write_all(b"go\n").expect("it waits");
    child
}

fn wait_for_a_line() {
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).expect("the parent says when");
}

/// Fills more than twice the memory that it has, and looks at every page again and again.
#[test]
#[ignore = "the child of every_page_comes_back_from_swap"]
fn pages_under_pressure() {
    assert!(std::env::var_os(GROUP).is_some(), "only that test starts it");
    wait_for_a_line();
    let mut memory = vec![0_u8; 80 * MIB];
    for round in 0..2 {
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

/// Has more pages than memory when the server dies, and looks at all of them.
#[test]
#[ignore = "the child of pages_of_a_killed_server_are_lost_and_not_wrong"]
fn pages_that_are_lost() {
    assert!(std::env::var_os(GROUP).is_some(), "only that test starts it");
    wait_for_a_line();
    let mut memory = vec![0_u8; 80 * MIB];
    memory.chunks_mut(MIB).enumerate().for_each(|(i, piece)| fill(piece, i));
    println!("all pages are written");
    wait_for_a_line();
    let mut wanted = vec![0; MIB];
    for (i, piece) in memory.chunks(MIB).enumerate() {
        fill(&mut wanted, i);
        assert!(piece == wanted, "a page of MiB {i} is wrong");
    }
}

/// The kernel gets an error from a device whose server was killed, and no bytes.
#[test]
fn a_killed_server_is_an_error() {
    if !rustix::process::geteuid().is_root() || !Path::new("/dev/fuse").exists() {
        return skipped("loop devices and FUSE take root");
    }
    let dir = Folder::new();
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
}
