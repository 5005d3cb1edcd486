// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! One client: requests in, replies out, in whatever order they are done.
//!
//! ```text
//!  socket --read--> this thread --submit--> workers --done--> queue --> writer thread --> socket
//!                      \-- nothing else has come: carried out here, and replied to -------^
//! ```
//!
//! A long write is stored piece by piece as it comes, and a long read is sent piece by piece. So a request that was
//! sent in part takes the memory of one piece.

use std::io::{self, BufReader, Read};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use bytes::Bytes;
use rustix::event::{PollFd, PollFlags, poll};

use super::handshake::{Export, negotiate, skip};
use super::out::{Answer, Out, READ_PIECE};
use super::wire::{Command, Header, error_number};
use crate::budget::{Pass, Window};
use crate::extent::Extent;
use crate::service::Service;
use crate::task::{Reply, Request};

/// Bytes read from the socket ahead of need: many small requests with one system call. Payloads pass it by.
const READ_AHEAD: usize = 64 << 10;

/// Bytes of a write that are in memory before they are stored: a batch for an accelerator, and a multiple of every
/// unit.
const WRITE_PIECE: u64 = 256 << 10;

/// A client that has not said so long what it wants is sent away: others may need its place.
const PATIENCE: Duration = Duration::from_secs(30);

/// Serves a client until it goes.
pub(super) fn serve(stream: &UnixStream, service: &Arc<Service>) -> io::Result<()> {
    let device = service.device();
    let export = Export { size: device.size(), preferred: device.unit().bytes() as u32 };
    let mut from = BufReader::with_capacity(READ_AHEAD, stream);
    stream.set_read_timeout(Some(PATIENCE))?;
    let Some(agreed) = negotiate(&mut from, &mut &*stream, export)? else { return Ok(()) };
    stream.set_read_timeout(None)?;
    let (replies, queue) = channel();
    let out = Arc::new(Out::new(stream.try_clone()?, agreed, service.clone()));
    let writer = {
        let out = out.clone();
        ztera_sync::thread::spawn("zt-replies", move || out.write_all(&queue))?
    };
    let window = Window::of(service.budget().clone());
    let mut session = Session { from, stream, service, replies, out, window };
    let result = session.run();
    // The writer ends when the last request is done that may reply.
    drop(session);
    let _ = writer.join();
    result
}

struct Session<'s> {
    from: BufReader<&'s UnixStream>,
    stream: &'s UnixStream,
    service: &'s Arc<Service>,
    replies: Sender<Answer>,
    out: Arc<Out>,
    window: Arc<Window>,
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
            match header.check(size) {
                Err(error) => self.refuse(header, error)?,
                Ok(()) if header.command == Command::Write && header.len > 0 => self.write(header)?,
                Ok(()) if header.command == Command::Read && u64::from(header.len) > READ_PIECE => {
                    let pass = self.window.enter(READ_PIECE);
                    // If the writer has gone, so has the client.
                    let _ = self.replies.send(Answer::Read { header, pass });
                }
                Ok(()) => self.carry_out(header)?,
            }
        }
    }

    fn refuse(&mut self, header: Header, error: u32) -> io::Result<()> {
        let pass = self.window.enter(0);
        skip(&mut self.from, header.payload())?;
        self.out.write(Answer::Done { header, reply: Err(error), pass })
    }

    /// A request without data that would follow it. A flush asks for nothing: answered writes are stored.
    fn carry_out(&mut self, header: Header) -> io::Result<()> {
        let extent = Extent { offset: header.offset, len: header.len.into() };
        let (request, bytes) = match header.command {
            Command::Read => (Request::Read(extent), extent.len),
            Command::WriteZeroes => (Request::WriteZeroes(extent), 0),
            Command::Trim => (Request::Discard(extent), 0),
            _ => {
                let pass = self.window.enter(0);
                return self.out.write(Answer::Done { header, reply: Ok(Vec::new()), pass });
            }
        };
        let pass = self.window.enter(bytes);
        let answer =
            move |reply: Reply| Some(Answer::Done { header, reply: reply.map_err(error_number), pass });
        self.have_done(request, true, answer)
    }

    /// Stores the data that follow the header. Until there is room for a piece of them, it stays where it is.
    fn write(&mut self, header: Header) -> io::Result<()> {
        let extent = Extent { offset: header.offset, len: header.len.into() };
        let parts = Arc::new(Parts::new(header, extent.pieces(WRITE_PIECE).count()));
        for piece in extent.pieces(WRITE_PIECE) {
            let pass = self.window.enter(piece.len);
            let request = Request::Write(piece.offset, self.payload(piece.len as usize)?);
            let parts = parts.clone();
            self.have_done(request, piece.end() == extent.end(), move |reply| parts.end_one(reply, pass))?;
        }
        Ok(())
    }

    /// Has it carried out, by this thread if the client can have sent nothing behind it and waits.
    fn have_done(
        &self,
        request: Request,
        is_last: bool,
        answer: impl FnOnce(Reply) -> Option<Answer> + Send + 'static,
    ) -> io::Result<()> {
        if is_last && self.is_all() {
            let reply = self.service.call(request);
            return answer(reply).map_or(Ok(()), |answer| self.out.write(answer));
        }
        let replies = self.replies.clone();
        self.service.submit(request, move |reply| {
            // If the writer has gone, so has the client.
            let _ = answer(reply).map(|answer| replies.send(answer));
        });
        Ok(())
    }

    fn payload(&mut self, len: usize) -> io::Result<Bytes> {
        let mut payload = Vec::with_capacity(len);
        (&mut self.from).take(len as u64).read_to_end(&mut payload)?;
        if payload.len() < len {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(payload.into())
    }

    /// Whether the client waits for this request, as far as one can see: then two changes of threads are saved.
    fn is_all(&self) -> bool {
        let mut readable = [PollFd::new(self.stream, PollFlags::IN)];
        let now = rustix::time::Timespec { tv_sec: 0, tv_nsec: 0 };
        self.from.buffer().is_empty() && poll(&mut readable, Some(&now)).is_ok_and(|ready| ready == 0)
    }
}

/// A write, parts of which are done.
struct Parts {
    header: Header,
    left: AtomicUsize,
    /// Of some part; 0 = none.
    error: AtomicU32,
}

impl Parts {
    fn new(header: Header, count: usize) -> Self {
        Self { header, left: AtomicUsize::new(count), error: AtomicU32::new(0) }
    }

    /// The answer, once the last part is done.
    fn end_one(&self, reply: Reply, pass: Pass) -> Option<Answer> {
        if let Err(error) = reply {
            self.error.store(error_number(error), Ordering::Relaxed);
        }
        (self.left.fetch_sub(1, Ordering::AcqRel) == 1).then(|| {
            let error = self.error.load(Ordering::Relaxed);
            let reply = if error == 0 { Ok(Vec::new()) } else { Err(error) };
            Answer::Done { header: self.header, reply, pass }
        })
    }
}
