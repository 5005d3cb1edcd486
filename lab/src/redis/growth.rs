// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Data that grow: a client per server sets new keys and then gets some of all, all clients at once.

use std::io::{self, ErrorKind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;
use fastrand::Rng;
use ztera_machine::interrupt;

use super::client::{Client, Values};
use super::curve::{Load, Stopped};

/// The work of all clients.
pub struct Growth<'t> {
    /// Of the servers.
    pub sockets: Vec<PathBuf>,
    /// Of keys.
    pub values: Values<'t>,
    /// Bytes of values by which data grow.
    pub step: u64,
    /// Bytes of values at which it ends.
    pub most: u64,
    /// Values that are read after each growth, of each server.
    pub gets: u64,
    /// How long all may take, and each reply.
    pub patience: Duration,
}

impl Growth<'_> {
    /// Throughput at each size, the bytes of values that are set at the end, and why that is the end. Fails after
    /// Ctrl-C alone.
    pub fn run(&self) -> Result<(Vec<Load>, u64, Stopped)> {
        let (start, set) = (Instant::now(), AtomicU64::new(0));
        let mut loads = Vec::new();
        let stopped = match self.grow(start, &set, &mut loads) {
            Ok(stopped) => stopped,
            Err(error) => {
                interrupt::check()?;
                why(&error)
            }
        };
        Ok((loads, set.load(Ordering::Relaxed) * Values::LEN, stopped))
    }

    fn grow(&self, start: Instant, set: &AtomicU64, loads: &mut Vec<Load>) -> io::Result<Stopped> {
        let connect = |socket: &PathBuf| Client::connect(socket, self.patience);
        let mut clients: Vec<Client> = self.sockets.iter().map(connect).collect::<io::Result<_>>()?;
        let share = self.step / Values::LEN / clients.len() as u64;
        let mut keys = 0;
        while set.load(Ordering::Relaxed) * Values::LEN < self.most {
            let next = keys + share;
            let sets_per_second = per_second(&mut clients, share, |client, _| {
                client.set(keys..next, &self.values, |more| _ = set.fetch_add(more, Ordering::Relaxed))
            })?;
            let gets_per_second = per_second(&mut clients, self.gets, |client, number| {
                let mut random = Rng::with_seed(next ^ number);
                client.get((0..self.gets).map(|_| random.u64(..next)), &self.values)
            })?;
            keys = next;
            let data_bytes = set.load(Ordering::Relaxed) * Values::LEN;
            loads.push(Load { data_bytes, sets_per_second, gets_per_second });
            if start.elapsed() > self.patience {
                return Ok(Stopped::Slow);
            }
        }
        Ok(Stopped::Most)
    }
}

/// Requests per second of all clients, each of which makes `each`.
fn per_second(
    clients: &mut [Client],
    each: u64,
    work: impl Fn(&mut Client, u64) -> io::Result<()> + Sync,
) -> io::Result<f64> {
    let (start, all) = (Instant::now(), each * clients.len() as u64);
    thread::scope(|scope| {
        let work = &work;
        let threads = (0..).zip(clients).map(|(number, client)| scope.spawn(move || work(client, number)));
        let threads: Vec<_> = threads.collect();
        // All have ended before the first error is told.
        let results: Vec<_> =
            threads.into_iter().map(|thread| thread.join().expect("a client does not panic")).collect();
        results.into_iter().collect::<io::Result<()>>()
    })?;
    Ok(all as f64 / start.elapsed().as_secs_f64())
}

fn why(error: &io::Error) -> Stopped {
    match error.kind() {
        ErrorKind::InvalidData => Stopped::Wrong(error.to_string()),
        ErrorKind::WouldBlock | ErrorKind::TimedOut => Stopped::Slow,
        _ => Stopped::Lost(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_have_reasons() {
        assert_eq!(why(&ErrorKind::WouldBlock.into()), Stopped::Slow);
        assert!(matches!(why(&ErrorKind::InvalidData.into()), Stopped::Wrong(_)));
        assert!(matches!(why(&ErrorKind::UnexpectedEof.into()), Stopped::Lost(_)));
    }

    #[test]
    fn without_servers_nothing_grows() {
        let growth = Growth {
            sockets: vec!["/no-such-socket".into()],
            values: Values::of(&[0; 2048]),
            step: 1 << 20,
            most: 1 << 20,
            gets: 1,
            patience: Duration::from_secs(1),
        };
        let (loads, held, stopped) = growth.run().unwrap();
        assert!(loads.is_empty() && held == 0 && matches!(stopped, Stopped::Lost(_)), "{stopped:?}");
    }
}
