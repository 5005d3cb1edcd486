//! A model of a device. It computes nothing faster: it answers as late as a device would that has these instances, rings
//! and times, and makes the mistakes that it is told to.
//!
//! A thread compresses each unit the first time that it comes, and keeps the output. When the same bytes come again the
//! output is there, so that the host pays what it would with a device: a copy, a checksum and an interrupt. So a
//! measurement sends all data once before it begins. All that is measured with it is called a model's.

mod memory;
mod params;
mod rings;

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ztera_sync::thread::{JoinHandle, spawn};
use ztera_sync::{Condvar, Mutex, Rank};

use crate::answer::{Answer, Facts, Fault};
use crate::device::Device;
use crate::job::Job;
use memory::Memory;
use params::Mistake;
pub use params::{Faults, Params};
use rings::{Due, Rings};

/// The device. Dropping it drops what it has.
pub struct Model {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    params: Params,
    rings: Mutex<Rings>,
    changed: Condvar,
}

impl Model {
    /// A device that is ready.
    pub fn start(params: Params) -> io::Result<Self> {
        let rings = Mutex::ranked(Rank::Rings, Rings::new(params));
        let shared = Arc::new(Shared { params, rings, changed: Condvar::new() });
        let own = shared.clone();
        let thread = spawn("zt-model", move || own.work())?;
        Ok(Self { shared, thread: Some(thread) })
    }
}

impl Device for Model {
    fn facts(&self) -> Facts {
        let Params { instances, ring, .. } = self.shared.params;
        Facts { instances, most: instances * ring }
    }

    fn submit(&self, batch: &mut VecDeque<Job>) -> Result<(), Fault> {
        let submitted = self.shared.rings.lock().submit(batch, Instant::now());
        self.shared.changed.notify_one();
        submitted
    }

    fn reset(&self) -> io::Result<()> {
        let dropped = self.shared.rings.lock().reset();
        // Each tells the one that waits for it.
        drop(dropped);
        Ok(())
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        drop(self.shared.rings.lock().stop());
        self.shared.changed.notify_one();
        // A thread that panics ends the process, so there is no error to be found here.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

impl Shared {
    /// Answers each job when its time has come.
    fn work(&self) {
        // Else the kernel lets a sleep last 50 microseconds longer, which is as long as a page takes.
        let _ = rustix::thread::set_current_timer_slack(std::num::NonZeroU64::new(1));
        let mut memory = Memory::new(self.params.level, self.params.memory);
        while let Some(due) = self.wait() {
            // One interrupt for all that is ready.
            spin(self.params.interrupt);
            due.into_iter().for_each(|due| answer(due, &mut memory));
        }
    }

    /// The jobs whose time has come; `None` at the end.
    fn wait(&self) -> Option<Vec<Due>> {
        let mut rings = self.rings.lock();
        loop {
            if rings.is_stopped() {
                return None;
            }
            let due = rings.take(Instant::now());
            if !due.is_empty() {
                return Some(due);
            }
            match rings.next() {
                None => self.changed.wait(&mut rings),
                Some(at) => {
                    self.changed.wait_until(&mut rings, at);
                }
            }
        }
    }
}

fn spin(time: Duration) {
    let start = Instant::now();
    while start.elapsed() < time {
        std::hint::spin_loop();
    }
}

fn answer(due: Due, memory: &mut Memory) {
    let Due { mut job, mistake, .. } = due;
    let (input, output) = job.buffers_mut();
    let made = memory.compress(input, output);
    let made = match (mistake, made) {
        (Some(Mistake::Error), _) => Err(Fault::Error),
        (Some(Mistake::TooLong), _) | (_, None) => Err(Fault::TooLong),
        (mistake, Some((len, sums))) => {
            if mistake == Some(Mistake::Corrupt) {
                output[len / 2] ^= 0x10;
            }
            Ok((len, sums))
        }
    };
    job.finish(made.map(|(len, sums)| Answer { len, sums: Some(sums) }));
}
