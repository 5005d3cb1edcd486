// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Requests, cut into pieces that all CPUs work on: first in, first out.
//!
//! A writer that waits for each of its requests would use one CPU alone, as it does with zram. Here a large request is
//! compressed by all workers, and by the caller.

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::thread::JoinHandle;

use bytes::Bytes;
use parking_lot::{Condvar, Mutex};

use crate::bell::Behind;
use crate::demote;
use crate::device::{Device, Workspace};
use crate::error::Error;
use crate::extent::Extent;
use crate::recompress;

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

type Done = Box<dyn FnOnce(Reply) + Send>;

impl Request {
    fn extent(&self) -> Extent {
        match self {
            Self::Read(extent) | Self::WriteZeroes(extent) | Self::Discard(extent) => *extent,
            Self::Write(offset, bytes) => Extent { offset: *offset, len: bytes.len() as u64 },
        }
    }

    /// Bytes of a piece: work for about 50 microseconds, many times what it takes to wake a worker. A multiple of every
    /// unit, as two pieces of one unit would do its work twice.
    fn piece_len(&self, unit: u64) -> u64 {
        let len = match self {
            Self::Read(_) => 128 << 10,
            Self::Write(..) => 32 << 10,
            Self::WriteZeroes(_) | Self::Discard(_) => 16 << 20,
        };
        unit.max(len)
    }
}

/// A request that is being worked on.
struct Task {
    request: Request,
    pieces: Vec<Extent>,
    read: Vec<Mutex<Vec<u8>>>,
    progress: Mutex<Progress>,
    all_done: Condvar,
}

struct Progress {
    left: usize,
    outcome: Result<(), Error>,
    done: Option<Done>,
}

impl Task {
    fn new(request: Request, unit: u64, done: Option<Done>) -> Self {
        let pieces: Vec<_> = request.extent().pieces(request.piece_len(unit)).collect();
        let reads = if matches!(request, Request::Read(_)) { pieces.len() } else { 0 };
        Self {
            read: (0..reads).map(|_| Mutex::default()).collect(),
            progress: Mutex::new(Progress { left: pieces.len(), outcome: Ok(()), done }),
            all_done: Condvar::new(),
            request,
            pieces,
        }
    }

    fn run(&self, piece: usize, device: &Device, with: &mut Workspace) {
        let outcome = self.carry_out(piece, device, with);
        let mut progress = self.progress.lock();
        progress.outcome = progress.outcome.and(outcome);
        progress.left -= 1;
        if progress.left > 0 {
            return;
        }
        let done = progress.done.take();
        drop(progress);
        self.all_done.notify_all();
        if let Some(done) = done {
            done(self.reply());
        }
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
    fn reply(&self) -> Reply {
        self.progress.lock().outcome?;
        Ok(self.read.iter().map(|bytes| std::mem::take(&mut *bytes.lock())).collect())
    }

    fn wait(&self) {
        let mut progress = self.progress.lock();
        self.all_done.wait_while(&mut progress, |progress| progress.left > 0);
    }
}

#[derive(Default)]
struct Queue {
    /// Each with the piece that is to be taken next.
    tasks: VecDeque<(Arc<Task>, usize)>,
    stopping: bool,
}

impl Queue {
    /// The next piece of the task at `index`, which leaves the queue with its last one.
    fn take(&mut self, index: usize) -> Option<(Arc<Task>, usize)> {
        let (task, next) = self.tasks.get_mut(index)?;
        let taken = (task.clone(), *next);
        *next += 1;
        if *next == task.pieces.len() {
            self.tasks.remove(index);
        }
        Some(taken)
    }

    fn take_of(&mut self, task: &Arc<Task>) -> Option<usize> {
        let index = self.tasks.iter().position(|(queued, _)| Arc::ptr_eq(queued, task))?;
        self.take(index).map(|(_, piece)| piece)
    }
}

struct Shared {
    device: Arc<Device>,
    queue: Mutex<Queue>,
    work: Condvar,
    /// Of callers that are not working now.
    workspaces: Mutex<Vec<Workspace>>,
}

impl Shared {
    /// Waits for a piece of work; `None` once the workers are to stop, and nothing is queued.
    fn next(&self) -> Option<(Arc<Task>, usize)> {
        let mut queue = self.queue.lock();
        loop {
            if let Some(taken) = queue.take(0) {
                return Some(taken);
            }
            if queue.stopping {
                return None;
            }
            self.work.wait(&mut queue);
        }
    }

    fn push(&self, task: Arc<Task>) {
        let pieces = task.pieces.len();
        self.queue.lock().tasks.push_back((task, 0));
        if pieces > 1 {
            self.work.notify_all();
        } else {
            self.work.notify_one();
        }
    }
}

/// A device, and the threads that work for it. Dropping it stops them, when what was asked for is done.
pub struct Service {
    shared: Arc<Shared>,
    workers: Vec<JoinHandle<()>>,
    _behind: Vec<Behind>,
}

impl Service {
    /// Starts `workers` threads, at least one. With an SSD tier or denser codecs, also the threads that make room by
    /// them.
    pub fn start(device: Device, workers: usize) -> io::Result<Self> {
        let device = Arc::new(device);
        let has_ssd = device.store.tier().is_some();
        let shared = Arc::new(Shared {
            device: device.clone(),
            queue: Mutex::default(),
            work: Condvar::new(),
            workspaces: Mutex::default(),
        });
        let mut service = Self { shared, workers: Vec::new(), _behind: Vec::new() };
        for i in 0..workers.max(1) {
            let shared = service.shared.clone();
            let body = move || {
                let mut with = shared.device.workspace();
                while let Some((task, piece)) = shared.next() {
                    task.run(piece, &shared.device, &mut with);
                }
            };
            service.workers.push(ztera_store::threads::spawn(&format!("zt-disk-{i}"), body)?);
        }
        if has_ssd {
            service._behind.push(demote::start(device.clone())?);
        }
        service._behind.extend(recompress::start(device)?);
        Ok(service)
    }

    /// The device.
    pub fn device(&self) -> &Arc<Device> {
        &self.shared.device
    }

    /// Has the request carried out; `done` is called by the thread that does the last of it, and must not take long.
    pub fn submit(&self, request: Request, done: impl FnOnce(Reply) + Send + 'static) {
        let task = Arc::new(self.task(request, Some(Box::new(done))));
        match task.pieces.len() {
            0 => task.progress.lock().done.take().into_iter().for_each(|done| done(Ok(Vec::new()))),
            _ => self.shared.push(task),
        }
    }

    /// Carries the request out. The calling thread does its part of the work.
    pub fn call(&self, request: Request) -> Reply {
        let task = self.task(request, None);
        let mut with = self.workspace();
        if task.pieces.len() > 1 {
            self.call_together(Arc::new(task), with)
        } else {
            (0..task.pieces.len()).for_each(|piece| task.run(piece, self.device(), &mut with));
            self.shared.workspaces.lock().push(with);
            task.reply()
        }
    }

    fn call_together(&self, task: Arc<Task>, mut with: Workspace) -> Reply {
        self.shared.push(task.clone());
        loop {
            // Not in the condition: the lock would be held for the work.
            let piece = self.shared.queue.lock().take_of(&task);
            let Some(piece) = piece else { break };
            task.run(piece, self.device(), &mut with);
        }
        self.shared.workspaces.lock().push(with);
        task.wait();
        task.reply()
    }

    fn task(&self, request: Request, done: Option<Done>) -> Task {
        Task::new(request, self.device().unit().bytes() as u64, done)
    }

    fn workspace(&self) -> Workspace {
        let free = self.shared.workspaces.lock().pop();
        free.unwrap_or_else(|| self.device().workspace())
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.shared.queue.lock().stopping = true;
        self.shared.work.notify_all();
        for worker in self.workers.drain(..) {
            // A worker that panics ends the process, so there is no error to be found here.
            let _ = worker.join();
        }
    }
}
