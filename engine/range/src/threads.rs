//! The threads of a range: fault handlers, or who reads ahead in their place, the evictor, and who moves units to SSD.
//!
//! They touch no range memory but units that are resident and locked, take no signals, and depend on
//! nothing of the host program; so a fault taken anywhere, at any time, is answered.

use std::io;
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::time::Duration;

use rustix::event::{EventfdFlags, Timespec, epoll, eventfd};
use ztera_sync::thread::{JoinHandle, spawn};

use crate::core::{Core, fatal};
use crate::fault::hold::{Held, SLICE};
use crate::os::events::Events;
use crate::os::uffd::Fault;
use crate::parts::Parts;
use crate::reclaim::governor::{Governor, Pace};

/// Running threads. Dropping it ends them.
pub(crate) struct Threads {
    parts: Arc<Parts>,
    stop: Arc<OwnedFd>,
    pace: Arc<Pace>,
    threads: Vec<JoinHandle<()>>,
    /// How many of them serve faults.
    handlers: usize,
}

const FAULT: u64 = 0;
const STOP: u64 = 1;

impl Threads {
    /// Starts `count` threads named `zt-fault-N`, or `zt-ahead-N` where threads serve themselves; `zt-evict`, with
    /// an SSD tier `zt-demote`, with a budget `zt-govern` and, where the kernel tells events, `zt-watch`.
    pub fn start(parts: Arc<Parts>, count: usize) -> io::Result<Self> {
        let stop = Arc::new(eventfd(0, EventfdFlags::CLOEXEC)?);
        let mut threads = Self { parts, stop, pace: Arc::default(), threads: Vec::new(), handlers: 0 };
        if threads.parts.faults.sigbus.is_none() {
            threads.start_handlers(count)?;
        } else {
            for i in 0..count {
                let parts = threads.parts.clone();
                threads.threads.push(spawn(&format!("zt-ahead-{i}"), move || read_ahead(&parts))?);
            }
        }
        let parts = threads.parts.clone();
        let body = move || {
            let mut scratch = parts.core.store.patient_scratch();
            while parts.core.residency.wait_for_work() {
                parts.evictor().evict_to_low(&mut scratch);
                parts.evictor().offer_stored(&mut scratch);
            }
        };
        threads.threads.push(spawn("zt-evict", body)?);
        if threads.parts.core.store.tier().is_some() {
            let parts = threads.parts.clone();
            let body = move || {
                let denser = parts.recompress.map(|settings| parts.core.store.recompressor(settings));
                let mut demoter = parts.demoter().with_denser(denser);
                while parts.core.watch.demoter.wait() {
                    ztera_fail::at("demoter.round");
                    demoter.demote_until_room();
                }
            };
            threads.threads.push(spawn("zt-demote", body)?);
        }
        if threads.parts.core.budget.is_some() {
            let (parts, pace) = (threads.parts.clone(), threads.pace.clone());
            let body = move || {
                // Others use all CPUs just when it has to be quick. It may not be allowed, and uses little.
                let _ = rustix::process::setpriority_process(None, NICE);
                Governor::new(&parts.core).into_iter().for_each(|governor| governor.run(&pace));
            };
            threads.threads.push(spawn("zt-govern", body)?);
            let (pace, stop) = (threads.pace.clone(), threads.stop.clone());
            let body = move || {
                // Here and not before: nobody who starts should wait for the kernel.
                let Some(events) = Events::find(&stop) else { return };
                while events.wait(&stop) {
                    pace.hurry();
                }
            };
            threads.threads.push(spawn("zt-watch", body)?);
        }
        Ok(threads)
    }

    /// Starts threads that serve faults, up to `count`; those that were started before an error stay.
    pub fn start_handlers(&mut self, count: usize) -> io::Result<()> {
        for i in self.handlers..count {
            let (parts, stop) = (self.parts.clone(), self.stop.clone());
            let waiter = Waiter::new(&parts.core, &stop)?;
            let body = move || {
                // Kept open by the closure for as long as the epoll refers to it.
                let _stop = stop;
                handle_faults(&parts, &waiter);
            };
            self.threads.push(spawn(&format!("zt-fault-{i}"), body)?);
            self.handlers += 1;
        }
        Ok(())
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        self.parts.core.residency.stop_evictor();
        self.parts.core.watch.demoter.stop();
        self.pace.stop();
        self.parts.faults.sigbus.iter().for_each(|sigbus| sigbus.ahead.stop());
        let result = rustix::io::write(&self.stop, &1_u64.to_ne_bytes());
        result.unwrap_or_else(|error| fatal("stopping the fault handlers", &error));
        for thread in self.threads.drain(..) {
            // A thread that panics ends the process, so there is no error to be found here.
            let _ = thread.join();
        }
    }
}

/// Priority of the thread that divides memory.
const NICE: i32 = -10;

/// For how long a handler looks for another fault before it sleeps. The thread that was just served
/// often faults again at once.
const SPIN: Duration = Duration::from_micros(50);

fn read_ahead(parts: &Parts) {
    let Some(sigbus) = &parts.faults.sigbus else { return };
    let mut scratch = parts.core.store.scratch();
    while let Some(piece) = sigbus.ahead.next() {
        ztera_fail::at("ahead.piece");
        parts.server().bring_piece(piece, &mut scratch);
    }
}

fn handle_faults(parts: &Parts, waiter: &Waiter) {
    let mut scratch = parts.core.store.scratch();
    let mut held = Held::default();
    while waiter.wait((!held.is_empty()).then_some(SLICE)) {
        while let Some(fault) = next_to_serve(parts, &mut held) {
            let mut ahead = parts.server().serve(fault, &mut scratch);
            // A fault that comes meanwhile goes first, and what comes after it is wanted more.
            while ahead.count() > 0 {
                ahead = parts.server().read_ahead(ahead, &mut scratch);
                if let Some(fault) =
                    read_fault(&parts.core).and_then(|fault| held.unless_held(&parts.core, fault))
                {
                    ahead = parts.server().serve(fault, &mut scratch);
                }
            }
        }
    }
}

/// The next fault that does not have to wait, if there is one.
fn next_to_serve(parts: &Parts, held: &mut Held) -> Option<Fault> {
    loop {
        if let Some(fault) = held.next(&parts.core) {
            return Some(fault);
        }
        let fault = next_fault(parts)?;
        if let Some(fault) = held.unless_held(&parts.core, fault) {
            return Some(fault);
        }
    }
}

/// The next fault, if there is one.
fn read_fault(core: &Core) -> Option<Fault> {
    core.uffd.next_fault().unwrap_or_else(|error| fatal("reading a fault", &error))
}

/// The next fault, even if it only comes within [`SPIN`].
fn next_fault(parts: &Parts) -> Option<Fault> {
    parts.faults.spin.wait(SPIN, || read_fault(&parts.core))
}

/// Waits for faults or the end. Each handler has its own epoll, so that the kernel can wake exactly
/// one of them for a fault.
struct Waiter {
    epoll: OwnedFd,
}

impl Waiter {
    fn new(core: &Core, stop: &OwnedFd) -> io::Result<Self> {
        use epoll::{EventData, EventFlags};
        let epoll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        let faults = EventFlags::IN | EventFlags::EXCLUSIVE;
        epoll::add(&epoll, &core.uffd, EventData::new_u64(FAULT), faults)?;
        epoll::add(&epoll, stop, EventData::new_u64(STOP), EventFlags::IN)?;
        Ok(Self { epoll })
    }

    /// Blocks until there may be a fault, or for `most` (true), or the range is being closed (false).
    fn wait(&self, most: Option<Duration>) -> bool {
        let most = most.map(|most| Timespec { tv_sec: 0, tv_nsec: most.subsec_nanos().into() });
        let mut events =
            [epoll::Event { flags: epoll::EventFlags::empty(), data: epoll::EventData::new_u64(0) }; 2];
        loop {
            match epoll::wait(&self.epoll, &mut events, most.as_ref()) {
                Ok(n) => return events[..n].iter().all(|event| event.data.u64() != STOP),
                Err(rustix::io::Errno::INTR) => {}
                Err(error) => fatal("waiting for faults", &error),
            }
        }
    }
}
