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

use parking_lot::{Condvar, Mutex, MutexGuard};

use crate::bell::Behind;
use crate::budget::Budget;
use crate::device::{Device, Workspace};
use crate::loaders::Loaders;
use crate::patience::{Patience, look_for};
use crate::task::{Done, Reply, Request, Task};
use crate::upkeep;

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
        if *next == task.len() {
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
    budget: Arc<Budget>,
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
    /// After the workers, which give them work.
    _loaders: Option<Arc<Loaders>>,
    _behind: Vec<Behind>,
}

impl Service {
    /// Starts `workers` threads, at least one. With an SSD tier or denser codecs, also the threads that make room by
    /// them.
    pub fn start(device: Device, workers: usize) -> io::Result<Self> {
        let device = Arc::new(device);
        let has_ssd = device.core.store.tier().is_some();
        let shared = Arc::new(Shared {
            device: device.clone(),
            queue: Mutex::default(),
            queued: AtomicUsize::new(0),
            work: Condvar::new(),
            looking: AtomicUsize::new(0),
            most_looking: workers.saturating_sub(1),
            workspaces: Mutex::default(),
            budget: Arc::default(),
        });
        let loaders = has_ssd.then(|| Loaders::start(&device)).transpose()?.map(Arc::new);
        let mut service =
            Self { shared, workers: Vec::new(), _loaders: loaders.clone(), _behind: Vec::new() };
        for i in 0..workers.max(1) {
            let (shared, loaders) = (service.shared.clone(), loaders.clone());
            let body = move || {
                let mut with = shared.device.workspace();
                let mut patience = Patience::new();
                while let Some((task, piece)) = shared.next(&mut patience) {
                    match &loaders {
                        Some(loaders) if task.needs_ssd(piece, &shared.device) => loaders.push(task, piece),
                        _ => task.run(piece, &shared.device, &mut with),
                    }
                }
            };
            service.workers.push(ztera_sync::thread::spawn(&format!("zt-disk-{i}"), body)?);
        }
        service._behind = upkeep::start(&device.upkeep)?;
        Ok(service)
    }

    /// The device.
    pub fn device(&self) -> &Arc<Device> {
        &self.shared.device
    }

    /// Bounds the requests of clients that are under way.
    pub(crate) fn budget(&self) -> &Arc<Budget> {
        &self.shared.budget
    }

    /// Has the request carried out; `done` is called by the thread that does the last of it, and must not take long.
    pub fn submit(&self, request: Request, done: impl FnOnce(Reply) + Send + 'static) {
        let task = Arc::new(self.task(request, Some(Box::new(done))));
        match task.len() {
            0 => task.reply_to_nothing(),
            pieces => self.shared.push(task, pieces),
        }
    }

    /// Carries the request out. The calling thread does its part of the work.
    pub fn call(&self, request: Request) -> Reply {
        let task = self.task(request, None);
        let mut with = self.workspace();
        if task.len() > 1 {
            self.call_together(Arc::new(task), with)
        } else {
            (0..task.len()).for_each(|piece| task.run(piece, self.device(), &mut with));
            self.shared.workspaces.lock().push(with);
            task.reply()
        }
    }

    fn call_together(&self, task: Arc<Task>, mut with: Workspace) -> Reply {
        // The caller does its part, so one CPU has no need of a worker.
        let helpers = (task.len() - 1).min(self.workers.len().saturating_sub(1).max(1));
        self.shared.push(task.clone(), helpers);
        while let Some(piece) = self.shared.take_of(&task) {
            task.run(piece, self.device(), &mut with);
        }
        self.shared.workspaces.lock().push(with);
        task.wait();
        task.reply()
    }

    fn task(&self, request: Request, done: Option<Done>) -> Task {
        Task::new(request, self.device(), done)
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
