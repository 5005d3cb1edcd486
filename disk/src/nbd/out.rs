// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The way back to a client: replies, and the data of reads.

use std::io::{self, IoSlice, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::mpsc::Receiver;

use parking_lot::Mutex;

use super::handshake::Agreed;
use super::wire::{Command, Header, error_number, fragment_header, reply_header};
use crate::budget::Pass;
use crate::extent::Extent;
use crate::service::Service;
use crate::task::Request;

/// Bytes of a read that are in memory at once: a longer one is sent piece by piece.
pub(super) const READ_PIECE: u64 = 1 << 20;

/// A request that the client was not told of yet.
pub(super) enum Answer {
    /// It is finished.
    Done { header: Header, reply: Result<Vec<Vec<u8>>, u32>, pass: Pass },
    /// A long read, none of which was done.
    Read { header: Header, pass: Pass },
}

/// Shared by the thread that writes and the one that reads.
pub(super) struct Out {
    stream: Mutex<UnixStream>,
    agreed: Agreed,
    service: Arc<Service>,
}

impl Out {
    pub fn new(stream: UnixStream, agreed: Agreed, service: Arc<Service>) -> Self {
        Self { stream: Mutex::new(stream), agreed, service }
    }

    /// Writes what comes until nobody is left who could send more.
    pub fn write_all(&self, queue: &Receiver<Answer>) {
        for answer in queue {
            if self.write(answer).is_err() {
                // Nobody reads replies any more: the reader must see that too.
                let _ = self.stream.lock().shutdown(Shutdown::Both);
            }
        }
    }

    /// The request is under way until this returns.
    pub fn write(&self, answer: Answer) -> io::Result<()> {
        match answer {
            Answer::Done { header, reply, pass: _pass } => self.write_reply(&header, &reply),
            Answer::Read { header, pass: _pass } => self.write_pieces(&header),
        }
    }

    fn write_reply(&self, header: &Header, reply: &Result<Vec<Vec<u8>>, u32>) -> io::Result<()> {
        let read = (header.command == Command::Read).then_some((header.offset, header.len as usize));
        let error = reply.as_ref().err().copied().unwrap_or(0);
        let head = reply_header(self.agreed.structured, header.cookie, error, read);
        write_parts(&self.stream.lock(), &head, reply.as_deref().unwrap_or_default())
    }

    /// Where the client takes no fragments, the first header promises all of the bytes: then an error after that can
    /// only end the connection.
    fn write_pieces(&self, header: &Header) -> io::Result<()> {
        let whole = Extent { offset: header.offset, len: header.len.into() };
        let in_fragments = self.agreed.structured && header.takes_fragments();
        let stream = self.stream.lock();
        for piece in whole.pieces(READ_PIECE) {
            let is_first = piece.offset == whole.offset;
            let read = self.service.call(Request::Read(piece));
            let head = match &read {
                Err(error) if !in_fragments && !is_first => return Err(io::Error::other(*error)),
                Err(error) => {
                    let read = Some((piece.offset, piece.len as usize));
                    reply_header(self.agreed.structured, header.cookie, error_number(*error), read)
                }
                Ok(_) if in_fragments => fragment_header(header.cookie, piece, piece.end() == whole.end()),
                Ok(_) if is_first => {
                    let read = Some((whole.offset, whole.len as usize));
                    reply_header(self.agreed.structured, header.cookie, 0, read)
                }
                Ok(_) => Vec::new(),
            };
            write_parts(&stream, &head, read.as_deref().unwrap_or_default())?;
            if read.is_err() {
                break;
            }
        }
        Ok(())
    }
}

fn write_parts(mut to: &UnixStream, head: &[u8], pieces: &[Vec<u8>]) -> io::Result<()> {
    let pieces = pieces.iter().map(Vec::as_slice);
    let mut slices: Vec<_> = [head].into_iter().chain(pieces).map(IoSlice::new).collect();
    let mut slices = &mut slices[..];
    // Those of no bytes.
    IoSlice::advance_slices(&mut slices, 0);
    while !slices.is_empty() {
        match to.write_vectored(&slices[..slices.len().min(MOST_SLICES)]) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(written) => IoSlice::advance_slices(&mut slices, written),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// The kernel's UIO_MAXIOV.
const MOST_SLICES: usize = 1024;
