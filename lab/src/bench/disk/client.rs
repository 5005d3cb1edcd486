// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! As much of an NBD client as writes.

use std::io::{self, IoSlice, Read, Write};
use std::os::unix::net::UnixStream;

use ztera_disk::nbd::wire::{self, Command, Header, option};

/// One connection, with one request under way at a time.
pub struct Client(UnixStream);

impl Client {
    /// Greets the server at the other end, without structured replies.
    pub fn new(stream: UnixStream) -> io::Result<Client> {
        let mut client = Client(stream);
        client.receive::<18>()?;
        let mut hello = u32::from(wire::FIXED_NEWSTYLE | wire::NO_ZEROES).to_be_bytes().to_vec();
        hello.extend(wire::OPTION_MAGIC.to_be_bytes());
        hello.extend(option::EXPORT_NAME.to_be_bytes());
        hello.extend(0_u32.to_be_bytes());
        client.0.write_all(&hello)?;
        client.receive::<10>()?;
        Ok(client)
    }

    /// Writes, and waits for the reply.
    pub fn write(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let len = u32::try_from(bytes.len()).map_err(io::Error::other)?;
        let header = Header { command: Command::Write, flags: 0, cookie: offset, offset, len }.to_bytes();
        let mut parts = &mut [IoSlice::new(&header), IoSlice::new(bytes)][..];
        while !parts.is_empty() {
            let written = self.0.write_vectored(parts)?;
            IoSlice::advance_slices(&mut parts, written);
        }
        let reply = self.receive::<16>()?;
        if reply[4..8] == [0; 4] { Ok(()) } else { Err(io::Error::other("the server refused a write")) }
    }

    fn receive<const LEN: usize>(&mut self) -> io::Result<[u8; LEN]> {
        let mut bytes = [0; LEN];
        self.0.read_exact(&mut bytes)?;
        Ok(bytes)
    }
}
