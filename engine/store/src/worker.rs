//! Submission, and the threads that compress what was submitted.

use std::io;
use std::ptr::NonNull;
use std::sync::Arc;

use ztera_sync::thread::{JoinHandle, spawn_behind};

use crate::scratch::Scratch;
use crate::slot::{Backing, Slot, StagedPage};
use crate::staging::{Acquired, BUFFER_LEN, Buffer, Job, Need, StagingError, Task};
use crate::store::{Host, Store};
use ztera_policy::admission::may_stage;
use ztera_policy::units::Units;

impl Store {
    /// A staging buffer of [`BUFFER_LEN`] bytes with undefined contents, the caller's until it is
    /// submitted or cancelled. When there are no more, the caller compresses what is in one itself.
    pub fn acquire(&self, host: &dyn Host) -> io::Result<NonNull<u8>> {
        let may_have = |need| self.may_stage(need, host);
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
    fn may_stage(&self, need: Need, host: &dyn Host) -> bool {
        let Some(limit) = self.staging_pool_limit() else { return false };
        let free = self.pool_spare() + self.pool.kept_back_units() * self.unit().bytes() as u64;
        may_stage(free, need.unpromised, limit) && host.has_memory(need.beyond)
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

    /// Makes the first `units.count()` units of `buffer` the contents of `units`, at once for every
    /// reader; workers compress them later.
    ///
    /// `retire` is called with runs of units, to lock their slots in ascending order, unmap those that
    /// are resident, and then call back with each slot for its new backing to be set.
    pub fn submit(
        &self,
        buffer: *mut u8,
        units: Units,
        retire: impl FnOnce(Units, &mut dyn FnMut(&mut Slot<'_>)),
    ) -> Result<(), StagingError> {
        if units.count() == 0 {
            return self.cancel(buffer);
        }
        let buffer = self.take_submitted(buffer, units)?;
        let unit_len = self.unit().bytes();
        let promised = self.pool.reserve(units.count());
        let base = buffer.address();
        retire(units, &mut |slot| {
            let page = StagedPage::new(base + (slot.unit().0 - units.first.0) as usize * unit_len);
            self.replace(slot, Backing::Staged(page));
        });
        self.staging.push(Job { buffer, units, promised });
        Ok(())
    }

    /// The same for units that memory has room for as they are: no worker has to be waited for, and the buffer is free at
    /// once. `keep` is called with their contents, to have the units resident with these, and their backing
    /// [`Backing::Dirty`].
    pub fn submit_here(
        &self,
        buffer: *mut u8,
        units: Units,
        keep: impl FnOnce(&[u8]),
    ) -> Result<(), StagingError> {
        let buffer = self.take_submitted(buffer, units)?;
        keep(
            self.staged_bytes(
                StagedPage::new(buffer.address()),
                units.count() as usize * self.unit().bytes(),
            ),
        );
        self.staging.put_back(buffer);
        Ok(())
    }

    fn take_submitted(&self, buffer: *mut u8, units: Units) -> Result<Buffer, StagingError> {
        let len = units.count() as usize * self.unit().bytes();
        if units.end.0 > self.table().len() || len > BUFFER_LEN {
            return Err(StagingError::BadExtent);
        }
        self.staging.take(buffer.addr())
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
    /// Starts `count` threads named `zt-worker-N`.
    pub fn start(store: Arc<Store>, count: usize, host: Arc<dyn Host>) -> io::Result<Self> {
        let mut workers = Self { store, threads: Vec::new() };
        for i in 0..count {
            let (store, host) = (workers.store.clone(), host.clone());
            let body = move || {
                let mut scratch = store.patient_scratch();
                while let Some(task) = store.staging.next() {
                    match task {
                        Task::Job(job) => store.finish(job, &mut scratch, host.as_ref()),
                        Task::Idle if host.idle() => store.want_idle_work(),
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
