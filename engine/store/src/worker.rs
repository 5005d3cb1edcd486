//! Buffers for producers, and the threads that compress what was submitted.

use std::io;
use std::ptr::NonNull;
use std::sync::Arc;

use ztera_sync::thread::{JoinHandle, spawn_behind};

use crate::scratch::Scratch;
use crate::staging::{Acquired, Job, Need, StagingError, Task};
use crate::store::{Host, Store};
use ztera_policy::admission::may_stage;

impl Store {
    /// A staging buffer of [`BUFFER_LEN`](crate::BUFFER_LEN) bytes with undefined contents, the caller's until it is
    /// submitted or cancelled. When there are no more, the caller compresses what is in one itself. `has_memory` says whether
    /// so many bytes of buffers beyond their limit would have memory that nobody else uses. A lock is held meanwhile: it must
    /// not call what stages.
    pub fn acquire(&self, host: &dyn Host, has_memory: &dyn Fn(u64) -> bool) -> io::Result<NonNull<u8>> {
        let may_have = |need| self.may_stage(need, has_memory);
        loop {
            match self.staging.acquire(may_have)? {
                Acquired::Buffer(at) => return Ok(at),
                Acquired::Help(job) => {
                    let mut scratch = self.patient_scratch();
                    let buffer = self.run(job, &mut scratch, host);
                    let lent = self.staging.lend_again(buffer, may_have);
                    host.freed(&mut scratch);
                    if let Some(at) = lent {
                        return Ok(at);
                    }
                }
            }
        }
    }

    /// Whether the pool has room for what is in the buffers as it is, and they have memory until then. A part of the pool
    /// stays free of promises: else it could open no chunk for what is compressed, and would have to keep that as it is.
    fn may_stage(&self, need: Need, has_memory: &dyn Fn(u64) -> bool) -> bool {
        let Some(limit) = self.staging_pool_limit() else { return false };
        let free = self.pool_spare() + self.pool.kept_back_units() * self.unit().bytes() as u64;
        may_stage(free, need.unpromised, limit) && has_memory(need.beyond)
    }

    fn finish(&self, job: Job, scratch: &mut Scratch, host: &dyn Host) {
        let buffer = self.run(job, scratch, host);
        self.staging.finish(buffer);
        host.freed(scratch);
    }

    /// Gives a buffer back unused.
    pub fn cancel(&self, buffer: *mut u8) -> Result<(), StagingError> {
        self.staging.cancel(buffer.addr())
    }

    /// Waits until nothing is staged, helping meanwhile.
    pub fn drain(&self, host: &dyn Host) {
        let mut scratch = None;
        while let Some(job) = self.staging.next_unless_idle() {
            self.finish(job, scratch.get_or_insert_with(|| self.patient_scratch()), host);
        }
    }
}

/// The threads that compress. Dropping it stops them; what is still queued stays staged.
pub struct Workers {
    store: Arc<Store>,
    threads: Vec<JoinHandle<()>>,
}

impl Workers {
    /// Starts `count` threads named `zt-worker-N`. One that has nothing else to do, and of which that [was
    /// wanted](Store::want_idle_work), does a little by `idle`, which says whether there is more.
    pub fn start<H: Host + 'static>(
        store: Arc<Store>,
        count: usize,
        host: Arc<H>,
        idle: fn(&H) -> bool,
    ) -> io::Result<Self> {
        let mut workers = Self { store, threads: Vec::new() };
        for i in 0..count {
            let (store, host) = (workers.store.clone(), host.clone());
            let body = move || {
                let mut scratch = store.patient_scratch();
                while let Some(task) = store.staging.next() {
                    match task {
                        Task::Job(job) => store.finish(job, &mut scratch, host.as_ref()),
                        Task::Idle if idle(&host) => store.want_idle_work(),
                        Task::Idle => {}
                    }
                }
            };
            workers.threads.push(spawn_behind(&format!("zt-worker-{i}"), body)?);
        }
        Ok(workers)
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.store.staging.stop();
        for thread in self.threads.drain(..) {
            // A worker that panics ends the process, so there is no error to be found here.
            let _ = thread.join();
        }
    }
}
