// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! One client: requests in, replies out, in whatever order they are done.
//!
//! ```text
//!  socket --read--> this thread --submit--> workers --done--> queue --> writer thread --> socket
//!                      \-- nothing else has come: carried out here, and replied to -------^
//! ```

use std::io::{self, BufReader, IoSlice, Read, Write};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use bytes::Bytes;
use parking_lot::Mutex;
use rustix::event::{PollFd, PollFlags, poll};

use super::handshake::{Agreed, Export, negotiate, skip};
use super::window::Window;
use super::wire::{Command, Header, error_number, reply_header};
use crate::extent::Extent;
use crate::service::Service;
use crate::task::{Reply, Request};

/// Bytes read from the socket ahead of need: many small requests with one system call. Payloads pass it by.
const READ_AHEAD: usize = 64 << 10;

/// Serves a client until it goes.
pub(super) fn serve(stream: &UnixStream, service: &Arc<Service>) -> io::Result<()> {
    let device = service.device();
    let export = Export { size: device.size(), preferred: device.unit().bytes() as u32 };
    let mut from = BufReader::with_capacity(READ_AHEAD, stream);
    let Some(agreed) = negotiate(&mut from, &mut &*stream, export)? else { return Ok(()) };
    let (replies, queue) = channel();
    let out = Arc::new(Out { stream: Mutex::new(stream.try_clone()?), window: Window::default(), agreed });
    let writer = {
        let out = out.clone();
        ztera_store::threads::spawn("zt-replies", move || out.write_all(&queue))?
    };
    let mut session = Session { from, stream, service, replies, out };
    let result = session.run();
    // The writer ends when the last request is done that may reply.
    drop(session);
    let _ = writer.join();
    result
}

/// Finished requests that the client was not told of yet.
struct Answer {
    header: Header,
    reply: Result<Vec<Vec<u8>>, u32>,
}

/// The way back to the client, shared by the writer thread and the one that reads.
struct Out {
    stream: Mutex<UnixStream>,
    window: Window,
    agreed: Agreed,
}

impl Out {
    fn write_all(&self, queue: &Receiver<Answer>) {
        for answer in queue {
            let bytes = cost(&answer.header);
            if self.write(&answer).is_err() {
                // Nobody reads replies any more: the reader must see that too.
                let _ = self.stream.lock().shutdown(std::net::Shutdown::Both);
            }
            self.window.leave(bytes);
        }
    }

    fn write(&self, Answer { header, reply }: &Answer) -> io::Result<()> {
        let read = (header.command == Command::Read).then_some((header.offset, header.len as usize));
        let error = reply.as_ref().err().copied().unwrap_or(0);
        let head = reply_header(self.agreed.structured, header.cookie, error, read);
        let pieces = reply.as_deref().unwrap_or_default();
        let mut slices: Vec<_> = [&head].into_iter().chain(pieces).map(|bytes| IoSlice::new(bytes)).collect();
        write_all_vectored(&mut *self.stream.lock(), &mut slices)
    }
}

/// Bytes of the window that a request takes.
fn cost(header: &Header) -> u64 {
    match header.command {
        Command::Read | Command::Write => header.len.into(),
        _ => 0,
    }
}

fn write_all_vectored(to: &mut impl Write, mut slices: &mut [IoSlice<'_>]) -> io::Result<()> {
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

struct Session<'s> {
    from: BufReader<&'s UnixStream>,
    stream: &'s UnixStream,
    service: &'s Arc<Service>,
    replies: Sender<Answer>,
    out: Arc<Out>,
}

impl Session<'_> {
    fn run(&mut self) -> io::Result<()> {
        let size = self.service.device().size();
        loop {
            let mut bytes = [0; Header::LEN];
            self.from.read_exact(&mut bytes)?;
            let header = Header::parse(&bytes)?;
            if header.command == Command::Disconnect {
                return Ok(());
            }
            let checked = header.check(size);
            // Before the payload is read: until there is room for it, it stays where it is.
            self.out.window.enter(checked.map_or(0, |()| cost(&header)));
            if let Err(error) = checked {
                skip(&mut self.from, header.payload())?;
                self.refuse(header, error)?;
                continue;
            }
            match self.request(&header)? {
                None => self.answer_here(header, Ok(Vec::new()))?,
                Some(request) if self.is_all() => {
                    let reply = self.service.call(request);
                    self.answer_here(header, reply)?;
                }
                Some(request) => {
                    let replies = self.replies.clone();
                    // If the writer has gone, so has the client.
                    self.service.submit(request, move |reply| {
                        let _ = replies.send(Answer { header, reply: reply.map_err(error_number) });
                    });
                }
            }
        }
    }

    /// Job for the device, with the data that follow the header. A flush asks for nothing: answered writes are stored.
    fn request(&mut self, header: &Header) -> io::Result<Option<Request>> {
        let extent = Extent { offset: header.offset, len: header.len.into() };
        Ok(match header.command {
            Command::Read => Some(Request::Read(extent)),
            Command::Write => {
                let mut payload = Vec::with_capacity(header.len as usize);
                (&mut self.from).take(header.len.into()).read_to_end(&mut payload)?;
                if payload.len() < header.len as usize {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
                Some(Request::Write(header.offset, Bytes::from(payload)))
            }
            Command::WriteZeroes => Some(Request::WriteZeroes(extent)),
            Command::Trim => Some(Request::Discard(extent)),
            Command::Flush | Command::Disconnect | Command::Unknown => None,
        })
    }

    /// Whether the client waits for this request, as far as one can see: then two changes of threads are saved.
    fn is_all(&self) -> bool {
        let mut readable = [PollFd::new(self.stream, PollFlags::IN)];
        let now = rustix::time::Timespec { tv_sec: 0, tv_nsec: 0 };
        self.from.buffer().is_empty() && poll(&mut readable, Some(&now)).is_ok_and(|ready| ready == 0)
    }

    fn answer_here(&self, header: Header, reply: Reply) -> io::Result<()> {
        let written = self.out.write(&Answer { header, reply: reply.map_err(error_number) });
        self.out.window.leave(cost(&header));
        written
    }

    fn refuse(&self, header: Header, error: u32) -> io::Result<()> {
        let written = self.out.write(&Answer { header, reply: Err(error) });
        self.out.window.leave(0);
        written
    }
}
