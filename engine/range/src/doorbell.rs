//! Calls a thread to work.

use ztera_sync::atomic::{AtomicBool, Ordering};
use ztera_sync::{Condvar, Mutex};

/// One thread waits at it; any thread rings. Ringing twice before the thread looks costs nothing.
#[derive(Debug, Default)]
pub(crate) struct Doorbell {
    /// Somebody rang, and the thread has not looked since.
    rung: AtomicBool,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    work: bool,
    stop: bool,
}

impl Doorbell {
    /// Makes the thread look for work; it will see what the caller did before.
    pub fn ring(&self) {
        if self.rung.swap(true, Ordering::AcqRel) {
            return;
        }
        self.state.lock().work = true;
        self.changed.notify_one();
    }

    /// Makes [`wait`](Self::wait) return false from now on.
    pub fn stop(&self) {
        self.state.lock().stop = true;
        self.changed.notify_one();
    }

    /// Whether [`stop`](Self::stop) was called.
    pub fn is_stopped(&self) -> bool {
        self.state.lock().stop
    }

    /// Blocks until there may be work (true) or the thread has to end (false).
    pub fn wait(&self) -> bool {
        let mut state = self.state.lock();
        while !state.work && !state.stop {
            self.changed.wait(&mut state);
        }
        state.work = false;
        // A swap and not a store: whoever rang and found it rung is only seen by reading what they wrote.
        self.rung.swap(false, Ordering::AcqRel);
        !state.stop
    }
}
