// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A request, cut into pieces that are carried out by themselves, and its reply once all are.

use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::Bytes;
use parking_lot::{Condvar, Mutex};

use crate::device::{Device, Workspace};
use crate::error::Error;
use crate::extent::Extent;
use crate::patience::look_for;

/// A request to the device.
#[derive(Clone, Debug)]
pub enum Request {
    /// The bytes of an extent.
    Read(Extent),
    /// These bytes, from an offset on.
    Write(u64, Bytes),
    /// Zeros.
    WriteZeroes(Extent),
    /// Nothing more is wanted of an extent.
    Discard(Extent),
}

/// Bytes read, in order; none for other requests.
pub type Reply = Result<Vec<Vec<u8>>, Error>;

pub(crate) type Done = Box<dyn FnOnce(Reply) + Send>;

impl Request {
    fn extent(&self) -> Extent {
        match self {
            Self::Read(extent) | Self::WriteZeroes(extent) | Self::Discard(extent) => *extent,
            Self::Write(offset, bytes) => Extent { offset: *offset, len: bytes.len() as u64 },
        }
    }

    /// Bytes of a piece: work for about 30 microseconds, so that a request of 64 KiB ends at about the same time on all
    /// CPUs. An accelerator gets a piece as one batch. A multiple of every unit, as two pieces of one unit would do its
    /// work twice.
    fn piece_len(&self, unit: u64, offloads: bool) -> u64 {
        let len = match self {
            Self::Read(_) => 128 << 10,
            Self::Write(..) if offloads => 256 << 10,
            Self::Write(..) => 16 << 10,
            Self::WriteZeroes(_) | Self::Discard(_) => 16 << 20,
        };
        unit.max(len)
    }
}

/// A request that is being worked on.
pub(crate) struct Task {
    request: Request,
    pieces: Vec<Extent>,
    read: Vec<Mutex<Vec<u8>>>,
    /// Pieces that are not done.
    left: AtomicUsize,
    end: Mutex<End>,
    all_done: Condvar,
}

struct End {
    outcome: Result<(), Error>,
    done: Option<Done>,
}

impl Task {
    pub fn new(request: Request, device: &Device, done: Option<Done>) -> Self {
        let piece_len = request.piece_len(device.unit().bytes() as u64, device.offloads);
        let pieces: Vec<_> = request.extent().pieces(piece_len).collect();
        let reads = if matches!(request, Request::Read(_)) { pieces.len() } else { 0 };
        Self {
            read: (0..reads).map(|_| Mutex::default()).collect(),
            left: AtomicUsize::new(pieces.len()),
            end: Mutex::new(End { outcome: Ok(()), done }),
            all_done: Condvar::new(),
            request,
            pieces,
        }
    }

    pub fn run(&self, piece: usize, device: &Device, with: &mut Workspace) {
        if let Err(error) = self.carry_out(piece, device, with) {
            self.end.lock().outcome = Err(error);
        }
        if self.left.fetch_sub(1, Ordering::AcqRel) > 1 {
            return;
        }
        // The lock is for the one that waits: it either sees that nothing is left, or sleeps already.
        let done = self.end.lock().done.take();
        match done {
            Some(done) => done(self.reply()),
            None => {
                self.all_done.notify_all();
            }
        }
    }

    /// Pieces of it.
    pub fn len(&self) -> usize {
        self.pieces.len()
    }

    /// Replies to a request of no bytes.
    pub fn reply_to_nothing(&self) {
        self.end.lock().done.take().into_iter().for_each(|done| done(Ok(Vec::new())));
    }

    /// Whether a piece needs bytes that are on the SSD now.
    pub fn needs_ssd(&self, piece: usize, device: &Device) -> bool {
        let extent = self.pieces[piece];
        match self.request {
            Request::Read(_) => device.is_on_ssd(extent, true),
            // Whole units are overwritten, whatever they were.
            Request::Write(..) | Request::WriteZeroes(_) => device.is_on_ssd(extent, false),
            Request::Discard(_) => false,
        }
    }

    fn is_done(&self) -> bool {
        self.left.load(Ordering::Acquire) == 0
    }

    fn carry_out(&self, piece: usize, device: &Device, with: &mut Workspace) -> Result<(), Error> {
        let Extent { offset, len } = self.pieces[piece];
        match &self.request {
            Request::Read(_) => {
                let mut bytes = vec![0; len as usize];
                device.read(offset, &mut bytes, with)?;
                *self.read[piece].lock() = bytes;
                Ok(())
            }
            Request::Write(start, bytes) => {
                let from = (offset - start) as usize;
                device.write(offset, &bytes[from..from + len as usize], with)
            }
            Request::WriteZeroes(_) => device.write_zeroes(self.pieces[piece], with),
            Request::Discard(_) => {
                device.discard(self.pieces[piece]);
                Ok(())
            }
        }
    }

    /// Once nothing is left to do, and then only once.
    pub fn reply(&self) -> Reply {
        self.end.lock().outcome?;
        Ok(self.read.iter().map(|bytes| std::mem::take(&mut *bytes.lock())).collect())
    }

    pub fn wait(&self) {
        if !look_for(|| self.is_done()) {
            self.all_done.wait_while(&mut self.end.lock(), |_| !self.is_done());
        }
    }
}
