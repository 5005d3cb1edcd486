// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The device as an NBD export, for clients of a Unix socket: QEMU, libnbd, fio, or the kernel's own.
//!
//! * [`wire`] has the protocol's numbers, and turns bytes into requests and replies into bytes: pure functions.
//! * [`handshake`] negotiates, over anything that reads and writes.
//! * [`session`] carries out what a client asks for afterwards, and [`out`] replies. How much of that is under way is
//!   bounded over all clients.
//!
//! Written after the protocol's description (NetworkBlockDevice/nbd, doc/proto.md): fixed newstyle, simple and
//! structured replies, several connections. The server refuses optional parts that it lacks (TLS, block status,
//! extended headers, resizing) as the description says.

pub mod handshake;
mod out;
mod session;
pub mod wire;

use std::io;
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::time::Duration;

use crate::service::Service;
use crate::socket::Socket;

/// Serves one client until it goes.
pub fn attend(stream: &UnixStream, service: &Arc<Service>) -> io::Result<()> {
    session::serve(stream, service)
}

/// Connections at once: each has two threads, and up to some MiB for requests.
pub const MOST_CONNECTIONS: usize = 64;

/// How long the server waits for a client that is one too many, to tell it why.
const BRIEFLY: Duration = Duration::from_millis(200);

/// Serves NBD to those who connect, up to [`MOST_CONNECTIONS`]. Does not return but by an error.
pub fn serve(socket: &Socket, service: &Arc<Service>) -> io::Result<()> {
    let service = service.clone();
    let serve = move |stream: UnixStream| {
        // A client that goes away, or does not know the protocol, is no trouble of others.
        if let Err(error) = attend(&stream, &service)
            && error.kind() == io::ErrorKind::InvalidData
        {
            ztera_log::say(format_args!("an NBD client was sent away: {error}"));
        }
    };
    socket.serve(MOST_CONNECTIONS, serve, |mut stream, why| {
        let briefly = Some(BRIEFLY);
        let is_set = stream.set_read_timeout(briefly).and_then(|()| stream.set_write_timeout(briefly));
        // A client that does not wait for the reason will not hear it.
        let _ = is_set.and_then(|()| handshake::refuse(&mut &*stream, &mut stream, why));
    })
}
