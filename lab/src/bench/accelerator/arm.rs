// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The CPU by itself, and with a device beside it.

use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use ztera_accel::{Accelerator, Backend, Made, Options};
use ztera_codec::{CodecKind, Packed, Packer, Settings};

use crate::kit::clock::Spent;

/// A way to compress.
pub struct Arm {
    threads: usize,
    /// With the units that a thread offers at a time.
    device: Option<(Accelerator, usize)>,
}

/// All data, once.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    /// On the wall and of all CPUs.
    pub spent: Spent,
    /// All units.
    pub made: Sum,
}

/// Units and bytes, added up.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sum {
    /// Bytes that they take now.
    pub stored: usize,
    /// Units that the device did.
    pub by_device: usize,
    /// All of them.
    pub units: usize,
}

impl Sum {
    fn plus(self, other: Sum) -> Sum {
        Sum {
            stored: self.stored + other.stored,
            by_device: self.by_device + other.by_device,
            units: self.units + other.units,
        }
    }
}

impl Arm {
    /// The CPU by itself.
    pub fn cpu(threads: usize) -> Arm {
        Arm { threads, device: None }
    }

    /// With a device, or what is missing for it.
    pub fn device(backend: Backend, unit: usize, batch: usize, threads: usize) -> Result<Arm> {
        let device = backend.open().context("the accelerator cannot be opened")?;
        let options = Options { least: unit, cpus: threads, ..Options::default() };
        Ok(Arm { threads, device: Some((Accelerator::start(device, options)?, batch)) })
    }

    /// Compresses all units; each thread has a part of them.
    pub fn turn(&self, bytes: &[u8], unit: usize) -> Result<Turn> {
        let part = (bytes.len() / unit).div_ceil(self.threads).max(1) * unit;
        let mut sums = Vec::new();
        let spent = Spent::during(|| {
            sums = thread::scope(|scope| {
                let parts = bytes.chunks(part).map(|part| scope.spawn(move || self.compress(part, unit)));
                let threads: Vec<_> = parts.collect();
                threads.into_iter().map(|thread| thread.join().expect("it does not panic")).collect()
            });
        });
        Ok(Turn { spent, made: sums.into_iter().fold(Sum::default(), Sum::plus) })
    }

    fn compress(&self, bytes: &[u8], unit: usize) -> Sum {
        let mut packer = Packer::without_filters(Settings { kind: CodecKind::Deflate, level: 0 }, unit);
        let batch = self.device.as_ref().map_or(1, |(_, batch)| *batch);
        let batches = bytes.chunks(batch * unit);
        batches.map(|batch| self.batch(batch, unit, &mut packer)).fold(Sum::default(), Sum::plus)
    }

    /// A batch is under way while this thread compresses what the device refused.
    fn batch(&self, batch: &[u8], unit: usize, packer: &mut Packer) -> Sum {
        let units = || batch.chunks_exact(unit);
        let Some((accelerator, _)) = &self.device else {
            return units().map(|unit| by_cpu(unit, packer)).fold(Sum::default(), Sum::plus);
        };
        let tickets = accelerator.offer(units());
        let mut sum = Sum::default();
        for (unit, _) in units().zip(&tickets).filter(|(_, ticket)| ticket.is_none()) {
            sum = sum.plus(beside(accelerator, unit, packer));
        }
        let mut back = vec![0; unit];
        for (unit, ticket) in units().zip(&tickets) {
            let Some(ticket) = ticket else { continue };
            let decodes = |frame: &[u8]| packer.unpack(frame, &mut back).is_ok() && back == unit;
            let stored = match accelerator.wait(ticket, decodes) {
                Ok(Made::Frame(frame)) => Some(frame.len()),
                Ok(Made::Huge) => Some(unit.len()),
                Err(_) => None,
            };
            sum = sum.plus(match stored {
                Some(stored) => Sum { stored, by_device: 1, units: 1 },
                None => beside(accelerator, unit, packer),
            });
        }
        sum
    }
}

/// The CPU tells the accelerator how long it takes, which balances the two.
fn beside(accelerator: &Accelerator, unit: &[u8], packer: &mut Packer) -> Sum {
    let start = Instant::now();
    accelerator.cpu_begins();
    let sum = by_cpu(unit, packer);
    accelerator.cpu_ends(start.elapsed().max(Duration::from_nanos(1)));
    sum
}

fn by_cpu(unit: &[u8], packer: &mut Packer) -> Sum {
    let stored = match packer.pack(unit) {
        Packed::Same(_) => 0,
        Packed::Frame(frame) => frame.len(),
        Packed::Huge => unit.len(),
    };
    Sum { stored, by_device: 0, units: 1 }
}
