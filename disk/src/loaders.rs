// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Threads that wait for the SSD, so that no worker does: a worker gives them each piece of which bytes are on the SSD,
//! and goes on with the next.

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::thread::JoinHandle;

use parking_lot::{Condvar, Mutex};

use crate::device::Device;
use crate::task::Task;

/// Reads under way at most: about as many as make an SSD busy.
const LOADERS: usize = 8;

/// The threads. Dropping it stops them, when what they were given is done.
pub(crate) struct Loaders {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    queue: Mutex<Queue>,
    work: Condvar,
}

#[derive(Default)]
struct Queue {
    pieces: VecDeque<(Arc<Task>, usize)>,
    stopping: bool,
}

impl Loaders {
    pub fn start(device: &Arc<Device>) -> io::Result<Self> {
        let mut loaders = Self { shared: Arc::default(), threads: Vec::new() };
        for i in 0..LOADERS {
            let (shared, device) = (loaders.shared.clone(), device.clone());
            let body = move || {
                let mut with = device.workspace();
                while let Some((task, piece)) = shared.next() {
                    task.run(piece, &device, &mut with);
                }
            };
            loaders.threads.push(ztera_sync::thread::spawn(&format!("zt-load-{i}"), body)?);
        }
        Ok(loaders)
    }

    /// Has a piece carried out.
    pub fn push(&self, task: Arc<Task>, piece: usize) {
        self.shared.queue.lock().pieces.push_back((task, piece));
        self.shared.work.notify_one();
    }
}

impl Shared {
    fn next(&self) -> Option<(Arc<Task>, usize)> {
        let mut queue = self.queue.lock();
        self.work.wait_while(&mut queue, |queue| queue.pieces.is_empty() && !queue.stopping);
        queue.pieces.pop_front()
    }
}

impl Drop for Loaders {
    fn drop(&mut self) {
        self.shared.queue.lock().stopping = true;
        self.shared.work.notify_all();
        for thread in self.threads.drain(..) {
            // A thread that panics ends the process, so there is no error to be found here.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use ztera_store::UnitIndex;

    use crate::{Config, Device, Extent, Request, Service, WriteBack};

    const UNIT: usize = 16 << 10;

    /// There is one worker. Once a read from the SSD held it, and everybody else waited.
    #[test]
    fn waiting_for_the_ssd_holds_no_worker() {
        let dir = tempfile::tempdir().expect("a folder");
        let device = Device::new(Config::small(dir.path())).expect("a device");
        let service = Service::start(device, 1).expect("threads");
        let write = |unit: u64, byte| {
            let bytes: Vec<u8> = (0..UNIT).map(|i| byte + (i / 999) as u8).collect();
            service.call(Request::Write(unit * UNIT as u64, bytes.into())).expect("there is room");
        };
        write(0, 1);
        assert_eq!(service.device().write_back(&WriteBack::default()), Some(1));
        write(1, 100);
        let (tell, told) = channel();
        let ask = |request: Request, name: &'static str| {
            let tell = tell.clone();
            service.submit(request, move |reply| {
                let _ = tell.send((name, reply.is_ok()));
            });
        };
        let unit = |unit: u64| Extent { offset: unit * UNIT as u64, len: UNIT as u64 };
        // As long as its slot is locked nobody gets the unit.
        let slot = service.device().core.store.table().lock(UnitIndex(0));
        ask(Request::Read(unit(0)), "on SSD");
        ask(Request::Write(100, vec![7; 10].into()), "a part of it");
        ask(Request::Read(unit(1)), "in memory");
        assert_eq!(told.recv(), Ok(("in memory", true)));
        assert!(told.try_recv().is_err(), "the others have to wait");
        drop(slot);
        let mut others = [told.recv(), told.recv()].map(|told| told.expect("they go on"));
        others.sort_unstable();
        assert_eq!(others, [("a part of it", true), ("on SSD", true)]);
    }
}
