//! The side that users of a device call: it decides, waits, and checks.

use std::collections::VecDeque;
use std::io;
use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use ztera_codec::{CodecKind, Packer, frame};
use ztera_metrics::Offload as Stats;
use ztera_policy::offload::{Health, Load, Place, Reason, after_busy, place};
use ztera_sync::Mutex;
use ztera_sync::thread::{JoinHandle, spawn};

use crate::answer::{Answer, Facts, Fault};
use crate::device::Device;
use crate::job::{Buffers, Finished, Job, Post, Yard};

/// How a device is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// How long a unit may take before the CPU does it.
    pub deadline: Duration,
    /// Units of fewer bytes stay on the CPU.
    pub least: usize,
    /// How outputs are checked.
    pub verify: Verify,
    /// CPUs that compress, too.
    pub cpus: usize,
    /// Each thread gives the device one unit at a time, and the CPU takes none because the device is slow. To see what
    /// batches and load balance are worth.
    pub direct: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            deadline: Duration::from_millis(50),
            least: 4096,
            verify: Verify::Decode,
            cpus: 1,
            direct: false,
        }
    }
}

/// How outputs are checked before they are stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Verify {
    /// The CPU decodes each and compares it with the unit.
    #[default]
    Decode,
    /// The device's checksums must be those of the unit and of the output: for a device that decodes what it made, and
    /// is trusted to. One that sends no checksums is checked by decoding.
    Sums,
}

/// Why the CPU has to compress a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// The device was not asked.
    NotAsked(Reason),
    /// It gave no output.
    Failed(Fault),
    /// It gave none in time.
    Late,
    /// Its output does not decode to the unit.
    Wrong,
}

/// A unit that the device has, or had. Dropping it forgets the answer.
pub struct Ticket {
    post: Arc<Post>,
    yard: Arc<Yard>,
    unit_len: usize,
    /// Resets of the device before.
    resets: u32,
    /// Jobs that each instance has had to do for it, the last one included.
    rounds: u32,
    /// Of the unit, if it is compared.
    sum: Option<u32>,
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.post.abandon().into_iter().for_each(|buffers| self.yard.give_back(buffers));
    }
}

/// A unit as the device has compressed it.
pub enum Made {
    /// A frame, as [`Packer::pack`] makes them.
    Frame(Frame),
    /// The unit hardly becomes smaller.
    Huge,
}

/// A frame in a buffer that is used again.
pub struct Frame {
    buffers: Option<Box<Buffers>>,
    len: usize,
    yard: Arc<Yard>,
}

impl Deref for Frame {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        let buffers = self.buffers.as_deref().expect("only `drop` takes them");
        &buffers.output[..self.len]
    }
}

impl AsRef<[u8]> for Frame {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl Drop for Frame {
    fn drop(&mut self) {
        self.buffers.take().into_iter().for_each(|buffers| self.yard.give_back(buffers));
    }
}

/// A device in use. All methods may be called by any thread.
pub struct Accelerator {
    shared: Arc<Shared>,
    /// To the thread that resets the device; `None` when it is to end.
    resets: Option<Sender<Duration>>,
    keeper: Option<JoinHandle<()>>,
}

struct Shared {
    device: Box<dyn Device>,
    facts: Facts,
    options: Options,
    yard: Arc<Yard>,
    is_up: AtomicBool,
    resets: AtomicU32,
    health: Mutex<Health>,
    on_cpu: AtomicU32,
    /// Moving averages.
    device_ns: AtomicU64,
    cpu_ns: AtomicU64,
    stats: Mutex<Stats>,
}

impl Accelerator {
    /// Uses a device that is ready.
    pub fn start(device: Box<dyn Device>, options: Options) -> io::Result<Self> {
        let shared = Arc::new(Shared {
            facts: device.facts(),
            device,
            options,
            yard: Arc::default(),
            is_up: AtomicBool::new(true),
            resets: AtomicU32::new(0),
            health: Mutex::default(),
            on_cpu: AtomicU32::new(0),
            device_ns: AtomicU64::new(0),
            cpu_ns: AtomicU64::new(0),
            stats: Mutex::default(),
        });
        let (resets, queue) = channel();
        let own = shared.clone();
        let keeper = spawn("zt-accel", move || own.keep(&queue))?;
        Ok(Self { shared, resets: Some(resets), keeper: Some(keeper) })
    }

    /// Units that a thread is to offer at a time, at most.
    pub fn most_at_once(&self) -> usize {
        if self.shared.options.direct { 1 } else { usize::MAX }
    }

    /// Submits units to the device as one batch. `None` for each that the CPU has to compress.
    pub fn offer<'u>(&self, units: impl IntoIterator<Item = &'u [u8]>) -> Vec<Option<Ticket>> {
        let mut batch = VecDeque::new();
        let tickets = units.into_iter().map(|unit| self.prepare(unit, &mut batch)).collect();
        if batch.is_empty() {
            return tickets;
        }
        let refused = self.shared.device.submit(&mut batch).err().unwrap_or(Fault::Full);
        batch.into_iter().for_each(|job| job.finish(Err(refused)));
        tickets
    }

    fn prepare(&self, unit: &[u8], batch: &mut VecDeque<Job>) -> Option<Ticket> {
        let shared = &self.shared;
        let load = shared.load(unit.len());
        if let Place::Cpu(reason) = place(load) {
            if reason == Reason::Busy {
                let device_ns = shared.device_ns.load(Ordering::Relaxed);
                shared.device_ns.store(after_busy(device_ns), Ordering::Relaxed);
            }
            shared.count(Err(Why::NotAsked(reason)));
            return None;
        }
        let sum = (shared.options.verify == Verify::Sums).then(|| crc32fast::hash(unit));
        let resets = shared.resets.load(Ordering::Relaxed);
        let rounds = load.in_flight / load.instances.max(1) + 1;
        let (job, post) = Job::new(&shared.yard, unit);
        batch.push_back(job);
        Some(Ticket { post, yard: shared.yard.clone(), unit_len: unit.len(), resets, rounds, sum })
    }

    /// Waits for what the device makes of a unit. `decodes` says whether the CPU decodes a frame to the unit.
    pub fn wait(&self, ticket: &Ticket, decodes: impl FnOnce(&[u8]) -> bool) -> Result<Made, Why> {
        let shared = &self.shared;
        let until = ticket.post.submitted + shared.options.deadline;
        let (made, took) = match ticket.post.wait(until) {
            None => (Err(Why::Late), Duration::ZERO),
            Some(Err(fault)) => (Err(Why::Failed(fault)), Duration::ZERO),
            Some(Ok(Finished { buffers, answer, took })) => {
                (shared.check(buffers, answer, ticket, decodes), took)
            }
        };
        shared.count(made.as_ref().map(|_| ()).map_err(|why| *why));
        self.judge(made.as_ref().err().copied(), took, ticket);
        made
    }

    /// The device's health after that, and its time for one unit: not until this thread came to look, and without those
    /// that were before it in the rings.
    fn judge(&self, why: Option<Why>, took: Duration, ticket: &Ticket) {
        let shared = &self.shared;
        let mut health = shared.health.lock();
        let (next, pause) = match why {
            None => {
                average(&shared.device_ns, took / ticket.rounds);
                (health.good(), None)
            }
            // Full rings and odd units are no mistakes.
            Some(Why::NotAsked(_) | Why::Failed(Fault::Full | Fault::TooLong)) => (*health, None),
            // The device was reset for that already.
            Some(_) if shared.resets.load(Ordering::Relaxed) != ticket.resets => (*health, None),
            Some(Why::Failed(Fault::Gone)) => health.lost(),
            Some(Why::Failed(Fault::Error | Fault::Lost) | Why::Late | Why::Wrong) => health.bad(),
        };
        *health = next;
        if let Some(pause) = pause
            && shared.is_up.swap(false, Ordering::Relaxed)
        {
            shared.resets.fetch_add(1, Ordering::Relaxed);
            let resets = self.resets.as_ref().expect("only `drop` takes it");
            // The keeper ends after this sender only.
            let _ = resets.send(pause);
        }
    }

    /// A CPU compresses a unit in place of the device, until it [ends](Self::cpu_ends).
    pub fn cpu_begins(&self) {
        self.shared.on_cpu.fetch_add(1, Ordering::Relaxed);
    }

    /// It has compressed the unit, which took so long.
    pub fn cpu_ends(&self, took: Duration) {
        self.shared.on_cpu.fetch_sub(1, Ordering::Relaxed);
        average(&self.shared.cpu_ns, took);
    }

    /// A snapshot of what came of the units so far.
    pub fn stats(&self) -> Stats {
        let in_flight = u64::from(self.shared.yard.in_flight());
        Stats { in_flight_units: in_flight, ..*self.shared.stats.lock() }
    }

    /// Whether the device is used now.
    pub fn is_up(&self) -> bool {
        self.shared.is_up.load(Ordering::Relaxed)
    }
}

impl Drop for Accelerator {
    fn drop(&mut self) {
        self.resets = None;
        // A keeper that panics ends the process, so there is no error to be found here.
        let _ = self.keeper.take().map(JoinHandle::join);
    }
}

/// Of the last sixteen or so.
fn average(of: &AtomicU64, new: Duration) {
    let new = (new.as_nanos() as u64).max(1);
    let old = of.load(Ordering::Relaxed);
    // Threads may overwrite each other's: it is an average.
    of.store(if old == 0 { new } else { old - old / 16 + new / 16 }, Ordering::Relaxed);
}

impl Shared {
    fn load(&self, len: usize) -> Load {
        Load {
            len: len as u64,
            least: self.options.least as u64,
            is_up: self.is_up.load(Ordering::Relaxed),
            in_flight: self.yard.in_flight(),
            most: self.facts.most,
            instances: self.facts.instances,
            device_ns: self.device_ns.load(Ordering::Relaxed),
            on_cpu: self.on_cpu.load(Ordering::Relaxed),
            cpus: self.options.cpus as u32,
            cpu_ns: self.cpu_ns.load(Ordering::Relaxed),
            balances: !self.options.direct,
        }
    }

    /// Makes a frame of the output, if it is right.
    fn check(
        &self,
        mut buffers: Box<Buffers>,
        Answer { len, sums }: Answer,
        ticket: &Ticket,
        decodes: impl FnOnce(&[u8]) -> bool,
    ) -> Result<Made, Why> {
        let is_possible = len > 0 && len <= buffers.output.len() - frame::HEADER;
        if !is_possible || len > Packer::limit(ticket.unit_len) {
            self.yard.give_back(buffers);
            return if is_possible { Ok(Made::Huge) } else { Err(Why::Wrong) };
        }
        frame::write_header(&mut buffers.output, CodecKind::Deflate, frame::Form::Whole, len);
        let made = Frame { buffers: Some(buffers), len: frame::HEADER + len, yard: self.yard.clone() };
        let is_right = match (ticket.sum, sums) {
            (Some(unit), Some(sums)) => {
                sums.input == unit && sums.output == crc32fast::hash(&made[frame::HEADER..])
            }
            _ => decodes(&made),
        };
        if is_right { Ok(Made::Frame(made)) } else { Err(Why::Wrong) }
    }

    fn count(&self, outcome: Result<(), Why>) {
        let mut stats = self.stats.lock();
        let count = match outcome {
            Ok(()) => &mut stats.offloaded_units,
            Err(Why::NotAsked(Reason::Small)) => &mut stats.small_units,
            Err(Why::NotAsked(Reason::Busy)) => &mut stats.busy_units,
            Err(Why::NotAsked(Reason::Full) | Why::Failed(Fault::Full)) => &mut stats.ring_full_units,
            Err(Why::NotAsked(Reason::Down) | Why::Failed(Fault::Gone)) => &mut stats.down_units,
            Err(Why::Failed(Fault::Error)) => &mut stats.failed_units,
            Err(Why::Failed(Fault::TooLong)) => &mut stats.too_long_units,
            Err(Why::Failed(Fault::Lost)) => &mut stats.lost_units,
            Err(Why::Late) => &mut stats.late_units,
            Err(Why::Wrong) => &mut stats.wrong_units,
        };
        *count += 1;
    }

    /// Resets the device when somebody asks for it, and leaves it alone for a while.
    fn keep(&self, queue: &Receiver<Duration>) {
        while let Ok(mut pause) = queue.recv() {
            loop {
                let is_ready = self.device.reset().is_ok();
                self.stats.lock().resets += 1;
                // Nobody asks while it is down: an answer is the end.
                if !sleeps(queue, pause) {
                    return;
                }
                if is_ready {
                    break;
                }
                let mut health = self.health.lock();
                let (next, longer) = health.lost();
                *health = next;
                pause = longer.unwrap_or(pause);
            }
            self.is_up.store(true, Ordering::Relaxed);
        }
    }
}

/// False if the sender went away meanwhile.
fn sleeps(queue: &Receiver<Duration>, pause: Duration) -> bool {
    use std::sync::mpsc::RecvTimeoutError::Timeout;
    matches!(queue.recv_timeout(pause), Err(Timeout) | Ok(_))
}
