// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Requests, cut into pieces that all CPUs work on: first in, first out.
//!
//! A writer that waits for each of its requests would use one CPU alone, as it does with zram. Here a large request is
//! compressed by all workers, and by the caller.

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::Instant;

use bytes::Bytes;
use parking_lot::{Condvar, Mutex, MutexGuard};

use crate::bell::Behind;
use crate::demote;
use crate::device::{Device, Workspace};
use crate::error::Error;
use crate::extent::Extent;
use crate::patience::{Patience, look_for};
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

    /// Bytes of a piece: work for about 30 microseconds, so that a request of 64 KiB ends at about the same time on all
    /// CPUs. A multiple of every unit, as two pieces of one unit would do its work twice.
    fn piece_len(&self, unit: u64) -> u64 {
        let len = match self {
            Self::Read(_) => 128 << 10,
            Self::Write(..) => 16 << 10,
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
    fn new(request: Request, unit: u64, done: Option<Done>) -> Self {
        let pieces: Vec<_> = request.extent().pieces(request.piece_len(unit)).collect();
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

    fn run(&self, piece: usize, device: &Device, with: &mut Workspace) {
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
    fn reply(&self) -> Reply {
        self.end.lock().outcome?;
        Ok(self.read.iter().map(|bytes| std::mem::take(&mut *bytes.lock())).collect())
    }

    fn wait(&self) {
        if !look_for(|| self.is_done()) {
            self.all_done.wait_while(&mut self.end.lock(), |_| !self.is_done());
        }
    }
}

#[derive(Default)]
struct Queue {
    /// Each with the piece that is to be taken next.
    tasks: VecDeque<(Arc<Task>, usize)>,
    /// Workers that sleep.
    asleep: usize,
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
}

struct Shared {
    device: Arc<Device>,
    queue: Mutex<Queue>,
    /// Tasks of which pieces are left to be taken, for those who look without the lock.
    queued: AtomicUsize,
    work: Condvar,
    /// Workers that look for work in a loop, and how many may. All but one: somebody has to bring the work.
    looking: AtomicUsize,
    most_looking: usize,
    /// Of callers that are not working now.
    workspaces: Mutex<Vec<Workspace>>,
}

impl Shared {
    /// Waits for a piece of work; `None` once the workers are to stop, and nothing is queued.
    fn next(&self, patience: &mut Patience) -> Option<(Arc<Task>, usize)> {
        loop {
            let start = Instant::now();
            let mut queue = self.queue.lock();
            if let Some(taken) = self.take(&mut queue, 0) {
                return Some(taken);
            }
            if queue.stopping {
                return None;
            }
            if patience.expects_short() && MutexGuard::unlocked(&mut queue, || self.look()) {
                continue;
            }
            if queue.tasks.is_empty() && !queue.stopping {
                queue.asleep += 1;
                self.work.wait(&mut queue);
                queue.asleep -= 1;
            }
            patience.waited(start);
        }
    }

    /// Looks for work in a loop, unless enough others do; whether there is some.
    fn look(&self) -> bool {
        let is_one_too_many = self.looking.fetch_add(1, Ordering::Relaxed) >= self.most_looking;
        let found = !is_one_too_many && look_for(|| self.queued.load(Ordering::Relaxed) > 0);
        self.looking.fetch_sub(1, Ordering::Relaxed);
        found
    }

    fn take(&self, queue: &mut Queue, index: usize) -> Option<(Arc<Task>, usize)> {
        let taken = queue.take(index);
        self.queued.store(queue.tasks.len(), Ordering::Relaxed);
        taken
    }

    fn take_of(&self, task: &Arc<Task>) -> Option<usize> {
        let mut queue = self.queue.lock();
        let index = queue.tasks.iter().position(|(queued, _)| Arc::ptr_eq(queued, task))?;
        self.take(&mut queue, index).map(|(_, piece)| piece)
    }

    /// Queues the task for `helpers` workers at most.
    fn push(&self, task: Arc<Task>, helpers: usize) {
        let mut queue = self.queue.lock();
        queue.tasks.push_back((task, 0));
        self.queued.store(queue.tasks.len(), Ordering::Relaxed);
        let awake = self.looking.load(Ordering::Relaxed).min(self.most_looking);
        let to_wake = helpers.saturating_sub(awake).min(queue.asleep);
        drop(queue);
        for _ in 0..to_wake {
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
            queued: AtomicUsize::new(0),
            work: Condvar::new(),
            looking: AtomicUsize::new(0),
            most_looking: workers.saturating_sub(1),
            workspaces: Mutex::default(),
        });
        let mut service = Self { shared, workers: Vec::new(), _behind: Vec::new() };
        for i in 0..workers.max(1) {
            let shared = service.shared.clone();
            let body = move || {
                let mut with = shared.device.workspace();
                let mut patience = Patience::new();
                while let Some((task, piece)) = shared.next(&mut patience) {
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
            0 => task.end.lock().done.take().into_iter().for_each(|done| done(Ok(Vec::new()))),
            pieces => self.shared.push(task, pieces),
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
        // The caller does its part, so one CPU has no need of a worker.
        let helpers = (task.pieces.len() - 1).min(self.workers.len().saturating_sub(1).max(1));
        self.shared.push(task.clone(), helpers);
        while let Some(piece) = self.shared.take_of(&task) {
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
