// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The NBD server as clients see it: a small one here, and other people's.

mod common;

use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::sync::Arc;

use common::{KIB, MIB, are_installed, bytes, config, run, service};
use tempfile::TempDir;
use ztera_disk::{Service, nbd, socket::Socket};

/// A piece of what is stored or sent at once is no longer than this.
const PIECE: usize = MIB;

struct Server {
    dir: TempDir,
    service: Arc<Service>,
}

impl Server {
    /// It serves as long as this process lives.
    fn new(size: usize, memory_limit: Option<usize>) -> Self {
        let dir = tempfile::tempdir().expect("a folder");
        let service = service(config(size, 16 * KIB, memory_limit));
        let socket = Socket::bind(&dir.path().join("disk.sock")).expect("a socket");
        let own = service.clone();
        std::thread::spawn(move || nbd::serve(&socket, &own));
        Self { dir, service }
    }

    fn path(&self) -> PathBuf {
        self.dir.path().join("disk.sock")
    }

    fn uri(&self) -> String {
        format!("nbd+unix:///?socket={}", self.path().display())
    }

    fn file(&self, name: &str) -> String {
        self.dir.path().join(name).display().to_string()
    }
}

/// As much of a client as a test needs.
struct Client(UnixStream);

impl Client {
    /// Connected, with simple replies.
    fn new(server: &Server) -> Self {
        let mut client = Self(UnixStream::connect(server.path()).expect("a connection"));
        assert_eq!(&client.take::<18>()[..8], b"NBDMAGIC");
        client.send(&[&3_u32.to_be_bytes(), b"IHAVEOPT", &1_u32.to_be_bytes(), &0_u32.to_be_bytes()]);
        let size = u64::from_be_bytes(client.take::<10>()[..8].try_into().expect("8 bytes"));
        assert_eq!(size, server.service.device().size());
        client
    }

    fn send(&mut self, parts: &[&[u8]]) {
        self.0.write_all(&parts.concat()).expect("somebody reads");
    }

    fn take<const LEN: usize>(&mut self) -> [u8; LEN] {
        let mut bytes = [0; LEN];
        self.0.read_exact(&mut bytes).expect("a reply");
        bytes
    }

    fn request(&mut self, command: u16, flags: u16, cookie: u64, offset: u64, len: u32) {
        self.send(&[
            &0x2560_9513_u32.to_be_bytes(),
            &flags.to_be_bytes(),
            &command.to_be_bytes(),
            &cookie.to_be_bytes(),
            &offset.to_be_bytes(),
            &len.to_be_bytes(),
        ]);
    }

    /// The same, whose replies to reads are structured.
    fn structured(server: &Server) -> Self {
        let mut client = Self(UnixStream::connect(server.path()).expect("a connection"));
        client.take::<18>();
        let (structured, go) = (8_u32.to_be_bytes(), 7_u32.to_be_bytes());
        client.send(&[&3_u32.to_be_bytes(), b"IHAVEOPT", &structured, &0_u32.to_be_bytes()]);
        assert_eq!(client.take::<20>()[12..16], 1_u32.to_be_bytes());
        client.send(&[b"IHAVEOPT", &go, &6_u32.to_be_bytes(), &[0; 6]]);
        client.take::<{ 32 + 20 }>();
        client
    }

    fn bytes(&mut self, len: usize) -> Vec<u8> {
        let mut bytes = vec![0; len];
        self.0.read_exact(&mut bytes).expect("a reply");
        bytes
    }

    /// Kind, offset and data of all parts of a structured reply.
    fn parts(&mut self) -> Vec<(u16, u64, Vec<u8>)> {
        let mut parts = Vec::new();
        loop {
            let head = self.take::<20>();
            assert_eq!(head[..4], 0x668e_33ef_u32.to_be_bytes());
            let [flags, kind] = [4, 6].map(|at| u16::from_be_bytes([head[at], head[at + 1]]));
            let body = self.bytes(u32::from_be_bytes(head[16..].try_into().expect("4 bytes")) as usize);
            let (offset, data) = body.split_at(8);
            parts.push((kind, u64::from_be_bytes(offset.try_into().expect("8 bytes")), data.to_vec()));
            if flags & 1 != 0 {
                return parts;
            }
        }
    }

    /// The error of the next reply, and the cookie.
    fn reply(&mut self) -> (u32, u64) {
        let reply = self.take::<16>();
        assert_eq!(reply[..4], 0x6744_6698_u32.to_be_bytes());
        let error = u32::from_be_bytes(reply[4..8].try_into().expect("4 bytes"));
        (error, u64::from_be_bytes(reply[8..].try_into().expect("8 bytes")))
    }
}

const READ: u16 = 0;
const WRITE: u16 = 1;
const FLUSH: u16 = 3;
const TRIM: u16 = 4;
const ZEROES: u16 = 6;

#[test]
fn many_requests_are_under_way_at_once_and_each_is_answered() {
    let server = Server::new(8 * MIB, None);
    let mut client = Client::new(&server);
    for i in 0..64_u64 {
        client.request(WRITE, 0, i, i * 100_000, 100_000);
        client.send(&[&bytes(i, 100_000, 3)]);
    }
    let mut cookies: Vec<u64> = (0..64)
        .map(|_| {
            let (error, cookie) = client.reply();
            assert_eq!(error, 0);
            cookie
        })
        .collect();
    cookies.sort_unstable();
    assert_eq!(cookies, (0..64).collect::<Vec<_>>());
    client.request(FLUSH, 0, 99, 0, 0);
    assert_eq!(client.reply(), (0, 99));
    let mut other = Client::new(&server);
    for i in 0..64 {
        other.request(READ, 0, i, i * 100_000, 100_000);
        assert_eq!(other.reply(), (0, i));
        assert!(other.take::<100_000>()[..] == bytes(i, 100_000, 3)[..], "request {i}");
    }
}

#[test]
fn what_cannot_be_done_is_answered_and_the_connection_goes_on() {
    let server = Server::new(MIB, None);
    let mut client = Client::new(&server);
    client.request(WRITE, 0, 1, MIB as u64 - 1, 512);
    client.send(&[&[7; 512]]);
    assert_eq!(client.reply(), (28, 1));
    client.request(READ, 0, 2, MIB as u64, 1);
    assert_eq!(client.reply(), (22, 2));
    client.request(77, 0, 3, 0, 1);
    assert_eq!(client.reply(), (22, 3));
    client.request(ZEROES, 1 << 1, 4, 100, 1000);
    assert_eq!(client.reply(), (0, 4));
    client.request(TRIM, 0, 5, 0, MIB as u32);
    assert_eq!(client.reply(), (0, 5));
    client.request(READ, 0, 6, 0, 512);
    assert_eq!((client.reply(), client.take::<512>()), ((0, 6), [0; 512]));
}

#[test]
fn a_full_device_is_told_as_no_space_and_what_was_there_is_there() {
    let server = Server::new(8 * MIB, Some(MIB));
    let mut client = Client::new(&server);
    let mut write = |at: u64| {
        client.request(WRITE, 0, at, at * 256 * KIB as u64, 256 * KIB as u32);
        client.send(&[&bytes(at, 256 * KIB, 8)]);
        client.reply().0
    };
    let full = (0..32).find(|&at| write(at) != 0).expect("noise does not fit");
    assert_eq!(write(full), 28);
    for at in 0..full {
        client.request(READ, 0, at, at * 256 * KIB as u64, 256 * KIB as u32);
        assert_eq!(client.reply(), (0, at));
        assert!(client.take::<{ 256 * KIB }>()[..] == bytes(at, 256 * KIB, 8)[..], "{at}");
    }
}

#[test]
fn nonsense_ends_its_own_connection_only() {
    let server = Server::new(MIB, None);
    let mut good = Client::new(&server);
    let mut bad = Client::new(&server);
    bad.send(&[&[0xee; 28]]);
    assert_eq!(bad.0.read(&mut [0; 1]).expect("the end"), 0);
    // One that goes in the middle of a payload.
    let mut gone = Client::new(&server);
    gone.request(WRITE, 0, 1, 0, 4096);
    gone.send(&[&[1; 100]]);
    drop(gone);
    good.request(READ, 0, 1, 0, 512);
    assert_eq!((good.reply(), good.take::<512>()), ((0, 1), [0; 512]));
}

/// Forty clients that had each sent 20 of 32 MiB once held 800 MiB, beside a limit of 16.
#[test]
fn a_write_is_stored_as_it_comes() {
    let server = Server::new(64 * MIB, None);
    let mut slow = Client::new(&server);
    let data = bytes(1, 32 * MIB, 1);
    slow.request(WRITE, 0, 1, 512, 32 << 20);
    slow.send(&[&data[..20 * MIB]]);
    // All but a piece of what has come is there, though the request has not ended.
    let mut other = Client::new(&server);
    let arrived = (20 * MIB - PIECE) as u32;
    let is_there = (0..1000).any(|_| {
        other.request(READ, 0, 2, 512, arrived);
        assert_eq!(other.reply(), (0, 2));
        let is_there = other.bytes(arrived as usize) == data[..arrived as usize];
        // The server may need a moment.
        std::thread::sleep(std::time::Duration::from_millis(if is_there { 0 } else { 10 }));
        is_there
    });
    assert!(is_there, "the server holds what it got");
    slow.send(&[&data[20 * MIB..]]);
    assert_eq!(slow.reply(), (0, 1), "one reply for all of it");
    other.request(READ, 0, 3, 512 + 19 * MIB as u64, 13 << 20);
    assert_eq!(other.reply(), (0, 3));
    assert!(other.bytes(13 * MIB) == data[19 * MIB..]);
}

/// Those that do not go on hold nobody up, be it in the middle of a request or before they read a reply.
#[test]
fn clients_that_stop_are_no_trouble_of_others() {
    let server = Server::new(64 * MIB, None);
    let stopped: Vec<Client> = (0..40)
        .map(|i| {
            let mut client = Client::new(&server);
            (0..8).for_each(|cookie| client.request(READ, 0, cookie, cookie * 8 * MIB as u64, 8 << 20));
            client.request(WRITE, 0, 9, i * MIB as u64, 32 << 20);
            client.send(&[&[1; 100]]);
            client
        })
        .collect();
    let mut client = Client::new(&server);
    let data = bytes(1, 3 * MIB, 3);
    for at in 0..4 {
        client.request(WRITE, 0, at, at * 4 * MIB as u64, 3 << 20);
        client.send(&[&data]);
        assert_eq!(client.reply(), (0, at));
        client.request(READ, 0, at, at * 4 * MIB as u64, 3 << 20);
        assert_eq!(client.reply(), (0, at));
        assert!(client.bytes(3 * MIB) == data);
    }
    drop(stopped);
}

#[test]
fn a_long_read_comes_in_parts_where_the_client_takes_them() {
    let server = Server::new(16 * MIB, None);
    let mut plain = Client::new(&server);
    let data = bytes(5, 5 * MIB, 3);
    plain.request(WRITE, 0, 1, 1000, 5 << 20);
    plain.send(&[&data]);
    assert_eq!(plain.reply(), (0, 1));
    plain.request(READ, 0, 2, 1000, 5 << 20);
    assert_eq!(plain.reply(), (0, 2));
    assert!(plain.bytes(5 * MIB) == data);
    let mut structured = Client::structured(&server);
    const DO_NOT_FRAGMENT: u16 = 1 << 2;
    for (flags, is_in_parts) in [(0, true), (DO_NOT_FRAGMENT, false)] {
        structured.request(READ, flags, 3, 1000, 5 << 20);
        let parts = structured.parts();
        assert_eq!(parts.len() > 1, is_in_parts);
        let mut at = 1000;
        for (kind, offset, part) in parts {
            assert_eq!((kind, offset), (1, at));
            assert!(part == data[at as usize - 1000..][..part.len()]);
            at += part.len() as u64;
        }
        assert_eq!(at, 1000 + 5 * MIB as u64, "all of it");
    }
}

/// A long write some part of which has no room is refused as a whole, once.
#[test]
fn a_long_write_without_room_has_one_reply() {
    let server = Server::new(64 * MIB, Some(4 * MIB));
    let mut client = Client::new(&server);
    client.request(WRITE, 0, 1, 0, 16 << 20);
    client.send(&[&bytes(1, 16 * MIB, 8)]);
    assert_eq!(client.reply(), (28, 1));
    client.request(FLUSH, 0, 2, 0, 0);
    assert_eq!(client.reply(), (0, 2));
}

/// Each connection has threads and buffers, and there once could be any number of them.
#[test]
fn a_connection_too_many_is_told_why() {
    let server = Server::new(MIB, None);
    let mut clients: Vec<_> = (0..nbd::MOST_CONNECTIONS).map(|_| Client::new(&server)).collect();
    let mut refused = UnixStream::connect(server.path()).expect("the kernel connects");
    let go = [&3_u32.to_be_bytes()[..], b"IHAVEOPT", &7_u32.to_be_bytes(), &6_u32.to_be_bytes(), &[0; 6]];
    refused.write_all(&go.concat()).expect("somebody reads");
    let mut said = Vec::new();
    let _ = refused.read_to_end(&mut said);
    assert_eq!(said[18 + 12..18 + 16], (1_u32 << 31 | 2).to_be_bytes(), "forbidden by policy");
    let why = String::from_utf8_lossy(&said[18 + 20..]);
    assert!(why.contains("too many connections"), "{why}");
    clients[0].request(FLUSH, 0, 1, 0, 0);
    assert_eq!(clients[0].reply(), (0, 1));
    drop(clients);
    // The threads that served them end a little later.
    let has_room = |_| {
        let mut stream = UnixStream::connect(server.path()).expect("the kernel connects");
        stream.write_all(&go.concat()).is_ok() && stream.read_exact(&mut [0; 18 + 32 + 20]).is_ok()
    };
    assert!((0..100).any(has_room));
}

#[test]
fn nbdinfo_and_nbdcopy_of_libnbd_get_along_with_it() {
    if !are_installed(&["nbdinfo", "nbdcopy"], "libnbd-bin") {
        return;
    }
    let server = Server::new(16 * MIB, None);
    let info = run("nbdinfo", &["--json", &server.uri()]);
    for wanted in [
        "\"protocol\": \"newstyle-fixed\"",
        "\"structured\": true",
        "\"export-size\": 16777216",
        "\"can_multi_conn\": true",
        "\"can_trim\": true",
        "\"can_zero\": true",
        "\"can_fua\": true",
        "\"block_size_preferred\": 16384",
    ] {
        assert!(info.contains(wanted), "{wanted} in {info}");
    }
    assert!(run("nbdinfo", &["--list", &server.uri()]).contains("export=\"\""));
    let (there, back) = (server.file("there"), server.file("back"));
    let mut data = bytes(1, 16 * MIB, 3);
    data[3 * MIB..5 * MIB].fill(0);
    std::fs::write(&there, &data).expect("a file");
    run("nbdcopy", &["--flush", &there, &server.uri()]);
    run("nbdcopy", &["--connections=4", &server.uri(), &back]);
    assert!(std::fs::read(&back).expect("a file") == data, "nbdcopy brought back something else");
}

#[test]
fn qemu_img_gets_along_with_it() {
    if !are_installed(&["qemu-img"], "qemu-utils") {
        return;
    }
    let server = Server::new(16 * MIB, None);
    let there = server.file("there");
    std::fs::write(&there, bytes(2, 16 * MIB, 2)).expect("a file");
    run("qemu-img", &["convert", "-n", "-f", "raw", "-O", "raw", &there, &server.uri()]);
    run("qemu-img", &["compare", "-f", "raw", "-F", "raw", &there, &server.uri()]);
    assert!(run("qemu-img", &["info", "-f", "raw", &server.uri()]).contains("16 MiB"));
}

#[test]
fn fio_verifies_what_it_wrote() {
    if !are_installed(&["fio"], "fio") {
        return;
    }
    if !run("fio", &["--enghelp"]).contains("nbd") {
        return common::skipped("this fio has no engine for NBD");
    }
    let server = Server::new(32 * MIB, None);
    let uri = format!("--uri={}", server.uri());
    let common = ["--name=verify", "--ioengine=nbd", &uri, "--rw=randrw", "--bsrange=512-256k", "--size=32m"];
    let verify =
        ["--iodepth=8", "--verify=crc32c", "--do_verify=1", "--verify_fatal=1", "--verify_state_save=0"];
    run("fio", &[&common[..], &verify[..]].concat());
}
