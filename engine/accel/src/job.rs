//! A unit on its way through a device, and the one that waits for it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use ztera_codec::frame;
use ztera_sync::{Condvar, Mutex};

use crate::answer::{Answer, Fault};

/// A unit and room for what becomes of it.
pub(crate) struct Buffers {
    pub input: Vec<u8>,
    /// A frame's header, then twice the unit: deflate makes some units longer.
    pub output: Vec<u8>,
}

/// Buffers that nobody uses now, and how many jobs are under way.
#[derive(Default)]
pub(crate) struct Yard {
    #[expect(clippy::vec_box, reason = "a box goes to the device and comes back")]
    free: Mutex<Vec<Box<Buffers>>>,
    in_flight: AtomicU32,
}

impl Yard {
    pub fn in_flight(&self) -> u32 {
        self.in_flight.load(Ordering::Relaxed)
    }

    fn take(&self, unit: &[u8]) -> Box<Buffers> {
        let mut buffers = self
            .free
            .lock()
            .pop()
            .unwrap_or_else(|| Box::new(Buffers { input: Vec::new(), output: Vec::new() }));
        buffers.input.clear();
        buffers.input.extend_from_slice(unit);
        buffers.output.resize(frame::HEADER + 2 * unit.len(), 0);
        buffers
    }

    pub fn give_back(&self, buffers: Box<Buffers>) {
        self.free.lock().push(buffers);
    }
}

/// A job that the device has done.
pub(crate) struct Finished {
    pub buffers: Box<Buffers>,
    pub answer: Answer,
    /// How long the device had it.
    pub took: Duration,
}

/// How far a job is.
enum State {
    UnderWay,
    Finished(Finished),
    Failed(Fault),
    /// Nobody waits any more.
    Abandoned,
}

/// Where the answer goes.
pub(crate) struct Post {
    state: Mutex<State>,
    arrived: Condvar,
    pub submitted: Instant,
}

impl Post {
    /// Waits for the answer until then; `None`: there was none, and nobody waits for it any more.
    pub fn wait(&self, until: Instant) -> Option<Result<Finished, Fault>> {
        let mut state = self.state.lock();
        let is_under_way = |state: &mut State| matches!(state, State::UnderWay);
        self.arrived.wait_while_until(&mut state, is_under_way, until);
        match std::mem::replace(&mut *state, State::Abandoned) {
            State::UnderWay | State::Abandoned => None,
            State::Finished(finished) => Some(Ok(finished)),
            State::Failed(fault) => Some(Err(fault)),
        }
    }

    /// Nobody will wait; buffers that have come back already.
    pub fn abandon(&self) -> Option<Box<Buffers>> {
        match std::mem::replace(&mut *self.state.lock(), State::Abandoned) {
            State::Finished(finished) => Some(finished.buffers),
            _ => None,
        }
    }
}

/// A unit that a device has. Dropping it says that it is lost.
pub struct Job {
    buffers: Option<Box<Buffers>>,
    post: Arc<Post>,
    yard: Arc<Yard>,
}

impl Job {
    pub(crate) fn new(yard: &Arc<Yard>, unit: &[u8]) -> (Self, Arc<Post>) {
        yard.in_flight.fetch_add(1, Ordering::Relaxed);
        let post = Arc::new(Post {
            state: Mutex::new(State::UnderWay),
            arrived: Condvar::new(),
            submitted: Instant::now(),
        });
        let job = Self { buffers: Some(yard.take(unit)), post: post.clone(), yard: yard.clone() };
        (job, post)
    }

    /// The unit.
    pub fn input(&self) -> &[u8] {
        &self.buffers().input
    }

    /// The unit, and room for what becomes of it.
    pub fn buffers_mut(&mut self) -> (&[u8], &mut [u8]) {
        let buffers = self.buffers.as_deref_mut().expect("only `finish` and `drop` take them");
        (&buffers.input, &mut buffers.output[frame::HEADER..])
    }

    fn buffers(&self) -> &Buffers {
        self.buffers.as_deref().expect("only `finish` and `drop` take them")
    }

    /// Tells the one that waits, if it still does.
    pub fn finish(mut self, answer: Result<Answer, Fault>) {
        self.end(answer);
    }

    fn end(&mut self, answer: Result<Answer, Fault>) {
        let Some(buffers) = self.buffers.take() else { return };
        self.yard.in_flight.fetch_sub(1, Ordering::Relaxed);
        let took = self.post.submitted.elapsed();
        let mut state = self.post.state.lock();
        let is_awaited = matches!(*state, State::UnderWay);
        let kept = match answer {
            Ok(answer) if is_awaited => {
                *state = State::Finished(Finished { buffers, answer, took });
                None
            }
            Err(fault) if is_awaited => {
                *state = State::Failed(fault);
                Some(buffers)
            }
            _ => Some(buffers),
        };
        drop(state);
        self.post.arrived.notify_one();
        kept.into_iter().for_each(|buffers| self.yard.give_back(buffers));
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        self.end(Err(Fault::Lost));
    }
}
