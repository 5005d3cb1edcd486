//! Staging buffers: where producers write what is to be stored.
//!
//! ```text
//!  free -> lent to a producer -> queued -> taken by a worker -> free
//! ```
//! One lock guards all of it; it is taken a few times per MiB. Beyond the limit there are more buffers as long as the pool
//! has room for what is in them as it is: it keeps that room for them, and they take its place. When that is used up too,
//! those that become free go back to the system, and a producer that wants a buffer works off the queue itself. Only when
//! every buffer is in the hands of producers, which then might wait for each other, is another one made in any case; the
//! next one that comes back goes to the system for it.

use std::collections::{HashMap, VecDeque};
use std::ffi::c_void;
use std::io;
use std::ptr::NonNull;

use rustix::io::Errno;
use rustix::mm::{Advice, MapFlags, ProtFlags, madvise};
use ztera_pool::Reservation;
use ztera_sync::atomic::{AtomicU64, Ordering};
use ztera_sync::{Condvar, Mutex, MutexGuard, Rank};

use ztera_policy::units::Units;

/// Bytes in a staging buffer.
pub const BUFFER_LEN: usize = 1 << 20;

/// Free buffers that keep their memory while nothing is going on.
const KEPT_WHEN_IDLE: usize = 4;

/// The same while something is: a producer may want them at once.
const KEPT_WHEN_BUSY: usize = 8;

/// Why a buffer could not be handed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StagingError {
    /// It is not a buffer that was acquired and not yet given back.
    NotLent,
    /// Offset or length are not those of whole units inside the range, or longer than a buffer.
    BadExtent,
}

/// One buffer, page-aligned. Dropping it unmaps it, which waits for all others who map, protect or fault; so its memory is
/// given back by [`empty`](Self::empty).
#[derive(Debug)]
pub(crate) struct Buffer(NonNull<u8>);

// SAFETY: a buffer is plain memory with one owner.
unsafe impl Send for Buffer {}

impl Buffer {
    fn new() -> io::Result<Self> {
        ztera_fail::check("staging.map")?;
        let prot = ProtFlags::READ | ProtFlags::WRITE;
        // All of it is about to be written, so its memory comes at once and not by a fault per page.
        let flags = MapFlags::PRIVATE | MapFlags::POPULATE;
        // SAFETY: a new mapping at an address of the kernel's choice affects no existing memory.
        let at = unsafe { rustix::mm::mmap_anonymous(std::ptr::null_mut(), BUFFER_LEN, prot, flags)? };
        // Slots refer to staged units by address.
        at.expose_provenance();
        NonNull::new(at.cast()).map(Self).ok_or_else(|| io::ErrorKind::OutOfMemory.into())
    }

    pub fn address(&self) -> usize {
        self.0.addr().get()
    }

    /// Gives its memory back to the system, and keeps its place. `None`: it is gone, as where the program locks its memory.
    fn empty(self) -> Option<EmptyBuffer> {
        // SAFETY: our mapping, of that length; no slot refers to a buffer that is not in a job.
        let result = unsafe { madvise(self.0.as_ptr().cast::<c_void>(), BUFFER_LEN, Advice::LinuxDontNeed) };
        result.is_ok().then_some(EmptyBuffer(self))
    }
}

/// A buffer without memory.
#[derive(Debug)]
struct EmptyBuffer(Buffer);

impl EmptyBuffer {
    /// Takes memory for all of it at once.
    fn fill(self) -> io::Result<Buffer> {
        ztera_fail::check("staging.map")?;
        let at = self.0.0.as_ptr().cast::<c_void>();
        // SAFETY: our mapping, of that length, in which nothing is.
        match unsafe { madvise(at, BUFFER_LEN, Advice::LinuxPopulateWrite) } {
            // An older kernel: its memory comes page by page.
            Ok(()) | Err(Errno::INVAL) => Ok(self.0),
            Err(error) => Err(error.into()),
        }
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: our mapping, of that length; no slot refers to a buffer that is not in a job.
        let _ = unsafe { rustix::mm::munmap(self.0.as_ptr().cast::<c_void>(), BUFFER_LEN) };
    }
}

/// A submitted buffer: unit `i` of `units` is at `i * unit_len` of `buffer`.
pub(crate) struct Job {
    pub buffer: Buffer,
    pub units: Units,
    pub promised: Option<Reservation>,
}

pub(crate) struct Staging {
    state: Mutex<State>,
    /// Buffers, and those beyond the limit, as of the last change of `state`: for who must not wait for its lock.
    total: AtomicU64,
    beyond: AtomicU64,
    /// A job was queued, or the workers are to stop.
    work: Condvar,
    /// A job was finished, or a buffer given back.
    done: Condvar,
}

#[derive(Default)]
struct State {
    max: usize,
    total: usize,
    /// Of those, how many were made though there was no room for them, since producers had all others.
    forced: usize,
    free: Vec<Buffer>,
    /// Places of buffers that were given back: not in `total`.
    empty: Vec<EmptyBuffer>,
    lent: HashMap<usize, Buffer>,
    queue: VecDeque<Job>,
    running: usize,
    /// Somebody should do what has time.
    idle_work: bool,
    stopping: bool,
}

/// The task of a worker.
pub(crate) enum Task {
    Job(Job),
    /// Work that has time until there is a job.
    Idle,
}

/// The needs of a producer's buffer beyond the limit. In bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Need {
    /// Buffers with this one for whose contents the pool has made no promise.
    pub unpromised: u64,
    /// All with this one that are beyond the limit.
    pub beyond: u64,
}

fn bytes(buffers: usize) -> u64 {
    (buffers * BUFFER_LEN) as u64
}

/// The outcome of [`Staging::acquire`].
pub(crate) enum Acquired {
    Buffer(NonNull<u8>),
    /// Run this job; its buffer is [lent again](Staging::lend_again) then.
    Help(Job),
}

impl Staging {
    pub fn new(limit: u64) -> Self {
        let max = (limit / BUFFER_LEN as u64).clamp(1, 1 << 20) as usize;
        Self {
            state: Mutex::ranked(Rank::Staging, State { max, ..State::default() }),
            total: AtomicU64::new(0),
            beyond: AtomicU64::new(0),
            work: Condvar::new(),
            done: Condvar::new(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }

    /// A buffer for the caller to fill, or work that has to be done before there is one. `may_have` says of a need beyond the
    /// limit whether there is room for it.
    pub fn acquire(&self, may_have: impl Fn(Need) -> bool) -> io::Result<Acquired> {
        let mut surplus = Vec::new();
        let acquired = self.acquire_but(&mut surplus, may_have);
        self.give_back(surplus);
        acquired
    }

    /// The same, but for what is to be [given back](Self::give_back), when the lock is.
    fn acquire_but(
        &self,
        surplus: &mut Vec<Buffer>,
        may_have: impl Fn(Need) -> bool,
    ) -> io::Result<Acquired> {
        let mut state = self.lock();
        loop {
            if let Some(buffer) = state.free.pop() {
                if state.may_lend(&may_have) {
                    return Ok(Acquired::Buffer(state.lend(buffer)));
                }
                state.total -= 1;
                self.note_total(&state);
                surplus.push(buffer);
                continue;
            }
            if state.total < state.max || may_have(state.need(1)) {
                break;
            }
            if let Some(job) = state.start() {
                return Ok(Acquired::Help(job));
            }
            if state.running == 0 {
                state.forced += 1;
                break;
            }
            self.done.wait(&mut state);
        }
        state.total += 1;
        self.note_total(&state);
        let place = state.empty.pop();
        // Others need not wait for the system's memory.
        drop(state);
        let buffer = place.map_or_else(Buffer::new, EmptyBuffer::fill);
        let mut state = self.lock();
        match buffer {
            Ok(buffer) => Ok(Acquired::Buffer(state.lend(buffer))),
            Err(error) => {
                state.total -= 1;
                self.note_total(&state);
                Err(error)
            }
        }
    }

    /// Lends the buffer of a job that was run to whoever ran it. `None` if there is no room for it any more.
    pub fn lend_again(&self, buffer: Buffer, may_have: impl Fn(Need) -> bool) -> Option<NonNull<u8>> {
        let mut state = self.lock();
        state.running -= 1;
        let may_lend = state.may_lend(may_have);
        let (lent, surplus) = if may_lend {
            (Some(state.lend(buffer)), Vec::new())
        } else {
            state.total -= 1;
            self.note_total(&state);
            (None, vec![buffer])
        };
        drop(state);
        self.done.notify_all();
        self.give_back(surplus);
        lent
    }

    /// Takes a lent buffer out of the caller's hands.
    pub fn take(&self, address: usize) -> Result<Buffer, StagingError> {
        self.lock().lent.remove(&address).ok_or(StagingError::NotLent)
    }

    /// Queues a job for the workers.
    pub fn push(&self, job: Job) {
        self.lock().queue.push_back(job);
        self.work.notify_one();
    }

    /// Waits for something to do; `None` once [`stop`](Self::stop) was called.
    pub fn next(&self) -> Option<Task> {
        let mut state = self.lock();
        loop {
            if state.stopping {
                return None;
            }
            if let Some(job) = state.start() {
                return Some(Task::Job(job));
            }
            if std::mem::take(&mut state.idle_work) {
                return Some(Task::Idle);
            }
            self.work.wait(&mut state);
        }
    }

    /// Lets one [`next`](Self::next) return [`Task::Idle`] when there is no job.
    pub fn want_idle_work(&self) {
        self.lock().idle_work = true;
        self.work.notify_one();
    }

    /// A job if there is one; `None` once no job is queued or running.
    pub fn next_unless_idle(&self) -> Option<Job> {
        let mut state = self.lock();
        loop {
            if let Some(job) = state.start() {
                return Some(job);
            }
            if state.running == 0 {
                return None;
            }
            self.done.wait(&mut state);
        }
    }

    /// The job's buffer is free again.
    pub fn finish(&self, buffer: Buffer) {
        let mut state = self.lock();
        state.running -= 1;
        let surplus = state.release(buffer);
        self.note_total(&state);
        drop(state);
        self.done.notify_all();
        self.give_back(surplus);
    }

    /// A lent buffer comes back unused.
    pub fn cancel(&self, address: usize) -> Result<(), StagingError> {
        self.put_back(self.take(address)?);
        Ok(())
    }

    /// A buffer that was [taken](Self::take) is free again.
    pub fn put_back(&self, buffer: Buffer) {
        let mut state = self.lock();
        let surplus = state.release(buffer);
        self.note_total(&state);
        drop(state);
        self.done.notify_all();
        self.give_back(surplus);
    }

    /// Gives the memory of buffers back to the system, which is no matter for the lock.
    fn give_back(&self, surplus: Vec<Buffer>) {
        if !surplus.is_empty() {
            let empty: Vec<_> = surplus.into_iter().filter_map(Buffer::empty).collect();
            self.lock().empty.extend(empty);
        }
    }

    /// Memory of all buffers, whoever has them. No lock is taken.
    pub fn bytes(&self) -> u64 {
        bytes(self.total.load(Ordering::Relaxed) as usize)
    }

    /// Memory of those that there are beyond the limit. No lock is taken.
    pub fn bytes_beyond(&self) -> u64 {
        bytes(self.beyond.load(Ordering::Relaxed) as usize)
    }

    fn note_total(&self, state: &State) {
        self.total.store(state.total as u64, Ordering::Relaxed);
        self.beyond.store(state.total.saturating_sub(state.max) as u64, Ordering::Relaxed);
    }

    /// Makes [`next`](Self::next) return `None` from now on.
    pub fn stop(&self) {
        self.lock().stopping = true;
        self.work.notify_all();
    }
}

impl State {
    fn lend(&mut self, buffer: Buffer) -> NonNull<u8> {
        let at = buffer.0;
        self.lent.insert(buffer.address(), buffer);
        at
    }

    /// The needs of producers' buffers with so many `more` than there are.
    fn need(&self, more: usize) -> Need {
        let not_submitted = self.total - self.free.len() - self.queue.len() - self.running;
        Need { unpromised: bytes(not_submitted + more), beyond: bytes(self.total + more - self.max) }
    }

    /// Whether a buffer may be lent that is in nobody's hands: there may have been room for more of them when it was made.
    fn may_lend(&self, may_have: impl Fn(Need) -> bool) -> bool {
        self.total <= self.max || may_have(self.need(0))
    }

    fn start(&mut self) -> Option<Job> {
        let job = self.queue.pop_front()?;
        self.running += 1;
        Some(job)
    }

    /// Puts `buffer` among the free ones, and returns those to be given back to the system: first of all for those that
    /// had to be made without room for them, or a burst of many producers would have them for good.
    fn release(&mut self, buffer: Buffer) -> Vec<Buffer> {
        self.forced = self.forced.min(self.total.saturating_sub(self.max));
        if self.forced > 0 {
            self.forced -= 1;
            self.total -= 1;
            return vec![buffer];
        }
        self.free.push(buffer);
        let idle = self.running == 0 && self.queue.is_empty();
        let keep = if idle { KEPT_WHEN_IDLE.min(self.max) } else { KEPT_WHEN_BUSY };
        let surplus = self.free.len().saturating_sub(keep);
        self.total -= surplus;
        self.free.drain(..surplus).collect()
    }
}
