//! A GPU by NVIDIA's library nvCOMP, which is loaded when it is asked for: `libnvcomp.so.6`, and the driver's
//! `libcuda.so.1`.
//!
//! Each lane is a thread with a stream of the GPU and memory for one batch. It takes all jobs that wait, up to
//! [`BATCH`], copies them in one piece, and has them compressed at once. The library makes no checksums of what it
//! decodes, so the CPU decodes each output.

mod cuda;
mod lane;
mod library;
mod sizes;

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;

use ztera_sync::thread::{JoinHandle, spawn};

use crate::answer::{Facts, Fault};
use crate::device::Device;
use crate::job::Job;
use crate::queue::Queue;
use cuda::Cuda;
use lane::Lane;
use library::Library;
use sizes::{BATCH, LANES, QUEUE};

/// The levels of the library, from the quickest to the densest, and the one that is taken where none is named.
pub const LEVELS: std::ops::RangeInclusive<u8> = 0..=5;
pub const LEVEL: u8 = 2;

/// The device. Dropping it waits for jobs under way.
pub(crate) struct NvComp {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

struct Shared {
    cuda: Cuda,
    library: Library,
    level: u8,
    queue: Queue,
}

impl NvComp {
    /// The device, or what is missing.
    pub fn open(level: u8) -> io::Result<Self> {
        Self::open_with(level, "libcuda.so.1", "libnvcomp.so.6")
    }

    fn open_with(level: u8, cuda: &str, library: &str) -> io::Result<Self> {
        let (library, cuda) = (Library::load(library)?, Cuda::load(cuda)?);
        // Memory of the GPU that others have is told before anything is stored.
        Lane::open(&cuda, &library, level).map_err(|error| io::Error::other(error.to_string()))?;
        let shared = Arc::new(Shared { cuda, library, level, queue: Queue::new(QUEUE) });
        let mut device = Self { shared, threads: Vec::new() };
        for i in 0..LANES {
            let own = device.shared.clone();
            device.threads.push(spawn(&format!("zt-gpu-{i}"), move || own.work())?);
        }
        Ok(device)
    }
}

impl Device for NvComp {
    /// A batch is under way as one, so that each of its units has an instance.
    fn facts(&self) -> Facts {
        let instances = LANES * BATCH as u32;
        Facts { instances, most: instances + QUEUE as u32 }
    }

    fn submit(&self, batch: &mut VecDeque<Job>) -> Result<(), Fault> {
        self.shared.queue.put(batch);
        Ok(())
    }

    /// A batch that the GPU is at goes on, but its lane is made anew.
    fn reset(&self) -> io::Result<()> {
        self.shared.queue.reset();
        Ok(())
    }
}

impl Drop for NvComp {
    fn drop(&mut self) {
        self.shared.queue.stop();
        for thread in self.threads.drain(..) {
            // A thread that panics ends the process, so there is no error to be found here.
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn work(&self) {
        let mut open: Option<(u64, Lane<'_>)> = None;
        while let Some((jobs, resets)) = self.queue.take(BATCH) {
            open.take_if(|(made_at, _)| *made_at != resets);
            if open.is_none() {
                open = Lane::open(&self.cuda, &self.library, self.level).ok().map(|lane| (resets, lane));
            }
            match &mut open {
                None => jobs.into_iter().for_each(|job| job.finish(Err(Fault::Gone))),
                Some((_, lane)) => lane.serve(jobs),
            }
        }
    }
}

#[cfg(test)]
#[path = "nvcomp_test.rs"]
mod tests;
