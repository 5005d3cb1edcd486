// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A thread that asks JVMs, so that a slow one does not hold up the keys.

use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use ztera_machine::jvm::{self, Jvm, Listed};

use crate::h2::sample::Sample;

/// A JVM that does not answer for so long is shown so.
const PATIENCE: Duration = Duration::from_secs(2);

/// The answers of all JVMs at one time, or the reasons why there are none.
pub type Round = Vec<(Listed, Result<Sample, String>)>;

/// The thread's other end.
pub struct Sampler(Receiver<Round>);

impl Sampler {
    /// Asks those that are called so, or all.
    pub fn start(called: Option<String>, interval: Duration) -> Sampler {
        let (sender, receiver) = sync_channel(1);
        thread::spawn(move || sample(called.as_deref(), interval, &sender));
        Sampler(receiver)
    }

    /// The round that came since the last call.
    pub fn newest(&self) -> Result<Option<Round>> {
        match self.0.try_recv() {
            Ok(round) => Ok(Some(round)),
            Err(TryRecvError::Empty) => Ok(None),
            Err(TryRecvError::Disconnected) => bail!("the thread that asks JVMs has ended"),
        }
    }
}

fn sample(called: Option<&str>, interval: Duration, sender: &SyncSender<Round>) {
    loop {
        let next = Instant::now() + interval;
        if sender.send(round(&listed(called))).is_err() {
            return;
        }
        thread::sleep(next.saturating_duration_since(Instant::now()));
    }
}

fn listed(called: Option<&str>) -> Vec<Listed> {
    match called {
        // One that has ended is shown as such by its absence.
        Some(called) => jvm::find(called).unwrap_or_default(),
        None => jvm::all().into_iter().filter(|it| jvm::is_ztera(it.pid)).collect(),
    }
}

fn round(listed: &[Listed]) -> Round {
    let ask = |pid| Sample::take(&Jvm::of(pid)?.within(PATIENCE));
    thread::scope(|scope| {
        let asked: Vec<_> = listed.iter().map(|it| (it, scope.spawn(|| ask(it.pid)))).collect();
        let joined = asked.into_iter().filter_map(|(it, thread)| Some((it.clone(), thread.join().ok()?)));
        joined.map(|(it, sample)| (it, sample.map_err(|error| format!("{error:#}")))).collect()
    })
}
