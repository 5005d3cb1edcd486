// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A thread that reads keys, as crossterm does not come back from a terminal that was closed.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use anyhow::{Result, bail};
use ratatui::crossterm::event::{self, Event};

/// The thread's other end.
pub struct Keys(Receiver<Event>);

impl Keys {
    /// Reads until this process ends.
    pub fn start() -> Keys {
        let (sender, receiver) = channel();
        thread::spawn(move || read(&sender));
        Keys(receiver)
    }

    /// A key, or a new size of the terminal. None if nothing comes in that time.
    pub fn wait(&self, time: Duration) -> Result<Option<Event>> {
        match self.0.recv_timeout(time) {
            Ok(event) => Ok(Some(event)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => bail!("cannot read keys"),
        }
    }
}

fn read(sender: &Sender<Event>) {
    while let Ok(event) = event::read() {
        if sender.send(event).is_err() {
            return;
        }
    }
}
