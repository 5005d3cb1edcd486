// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The device as an NBD export, for clients of a Unix socket: QEMU, libnbd, fio, or the kernel's own.
//!
//! * [`wire`] has the protocol's numbers, and turns bytes into requests and replies into bytes: pure functions.
//! * [`handshake`] negotiates, over anything that reads and writes.
//! * [`session`] carries out what a client asks for afterwards; [`window`] bounds how much of that is under way.
//!
//! Written after the protocol's description (NetworkBlockDevice/nbd, doc/proto.md): fixed newstyle, simple and
//! structured replies, several connections. The server refuses optional parts that it lacks (TLS, block status,
//! extended headers, resizing) as the description says.

pub mod handshake;
mod session;
mod window;
pub mod wire;

use std::os::unix::net::UnixStream;
use std::sync::Arc;

use crate::service::Service;
use crate::socket::Socket;

/// Serves one client until it goes.
pub fn attend(stream: &UnixStream, service: &Arc<Service>) -> std::io::Result<()> {
    session::serve(stream, service)
}

/// Serves NBD to everybody who connects. Does not return but by an error.
pub fn serve(socket: &Socket, service: &Arc<Service>) -> std::io::Result<()> {
    let service = service.clone();
    socket.serve(move |stream| {
        // A client that goes away, or does not know the protocol, is no trouble of others.
        if let Err(error) = attend(&stream, &service)
            && error.kind() == std::io::ErrorKind::InvalidData
        {
            eprintln!("ztera: an NBD client was sent away: {error}");
        }
    })
}
