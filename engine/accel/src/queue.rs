//! Jobs that wait for the threads of a library, which compresses while its caller waits.

use std::collections::VecDeque;

use ztera_sync::{Condvar, Mutex};

use crate::job::Job;

/// The jobs of a device. Shared by the threads that offer them and those that serve them.
pub(crate) struct Queue {
    state: Mutex<State>,
    work: Condvar,
    room: usize,
}

#[derive(Default)]
struct State {
    jobs: VecDeque<Job>,
    resets: u64,
    stopping: bool,
}

impl Queue {
    /// One that has room for so many jobs.
    pub fn new(room: usize) -> Self {
        Self { state: Mutex::default(), work: Condvar::new(), room }
    }

    /// Takes jobs from the front of `batch`, as many as there is room for.
    pub fn put(&self, batch: &mut VecDeque<Job>) {
        let mut state = self.state.lock();
        let room = self.room.saturating_sub(state.jobs.len()).min(batch.len());
        state.jobs.extend(batch.drain(..room));
        drop(state);
        self.work.notify_one();
    }

    /// Up to `most` jobs that wait, and how many resets there were before; `None` at the end. Blocks until there are some.
    pub fn take(&self, most: usize) -> Option<(Vec<Job>, u64)> {
        let mut state = self.state.lock();
        self.work.wait_while(&mut state, |state| state.jobs.is_empty() && !state.stopping);
        if state.stopping {
            return None;
        }
        let count = state.jobs.len().min(most);
        let jobs = state.jobs.drain(..count).collect();
        let (resets, is_more) = (state.resets, !state.jobs.is_empty());
        drop(state);
        if is_more {
            self.work.notify_one();
        }
        Some((jobs, resets))
    }

    /// Drops the jobs that wait. A thread that sees another number of resets begins anew.
    pub fn reset(&self) {
        self.clear(|state| state.resets += 1);
    }

    /// Drops the jobs that wait, and ends the threads.
    pub fn stop(&self) {
        self.clear(|state| state.stopping = true);
        self.work.notify_all();
    }

    fn clear(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.state.lock();
        change(&mut state);
        let dropped = std::mem::take(&mut state.jobs);
        drop(state);
        // Each takes a lock of its own.
        drop(dropped);
    }
}
