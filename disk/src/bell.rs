// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Threads that work for a device behind its requests, and how they are woken and stopped.

use std::io;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use parking_lot::{Condvar, Mutex};

/// Wakes one such thread.
#[derive(Default)]
pub(crate) struct Bell {
    state: Mutex<Call>,
    changed: Condvar,
}

#[derive(Clone, Copy, Default, PartialEq)]
enum Call {
    #[default]
    None,
    Look,
    Stop,
}

impl Bell {
    /// Has the thread look whether there is something to do.
    pub fn ring(&self) {
        self.call(Call::Look);
    }

    fn call(&self, call: Call) {
        let mut state = self.state.lock();
        if *state != Call::Stop {
            *state = call;
            self.changed.notify_one();
        }
    }

    /// Waits until it is rung; false once the thread is to stop.
    pub fn wait(&self) -> bool {
        let mut state = self.state.lock();
        self.changed.wait_while(&mut state, |state| *state == Call::None);
        Self::answer(&mut state)
    }

    /// The same, and no longer than `most`.
    pub fn wait_for(&self, most: Duration) -> bool {
        let mut state = self.state.lock();
        self.changed.wait_while_for(&mut state, |state| *state == Call::None, most);
        Self::answer(&mut state)
    }

    fn answer(state: &mut Call) -> bool {
        if *state == Call::Look {
            *state = Call::None;
        }
        *state != Call::Stop
    }

    /// Whether the thread is to stop.
    pub fn is_stopping(&self) -> bool {
        *self.state.lock() == Call::Stop
    }
}

/// A thread that others do not wait for. Dropping it stops it.
pub(crate) struct Behind {
    bell: Arc<Bell>,
    thread: Option<JoinHandle<()>>,
}

impl Behind {
    /// Starts it with the lesser priority of work that nobody waits for. `body` ends when `bell` says so.
    pub fn start(name: &str, bell: Arc<Bell>, body: impl FnOnce() + Send + 'static) -> io::Result<Self> {
        let thread = ztera_sync::thread::spawn_behind(name, body)?;
        Ok(Self { bell, thread: Some(thread) })
    }
}

impl Drop for Behind {
    fn drop(&mut self) {
        self.bell.call(Call::Stop);
        // A thread that panics ends the process, so there is no error to be found here.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bell_that_was_rung_before_is_heard_once() {
        let bell = Bell::default();
        bell.ring();
        assert!(bell.wait(), "rung before anybody waited");
        assert!(bell.wait_for(Duration::ZERO) && !bell.is_stopping());
    }

    #[test]
    fn dropping_the_thread_stops_it() {
        let bell = Arc::new(Bell::default());
        let own = bell.clone();
        drop(Behind::start("zt-test", bell.clone(), move || while own.wait() {}).expect("a thread"));
        bell.ring();
        assert!(bell.is_stopping(), "there is no way back");
    }
}
