// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The devices, and one writer of each.

use std::os::unix::net::UnixStream;
use std::sync::{Arc, Mutex};
use std::thread;

use anyhow::{Context, Result, ensure};
use ztera_codec::Settings;
use ztera_disk::{Config, Denser, Device, Extent, Recompress, Request, Service, nbd};
use ztera_store::UnitSize;

use super::client::Client;
use crate::kit::clock::Spent;
use crate::kit::data::Data;
use crate::kit::writers::write_blocks;
use crate::kit::zram::{self, raw::Raw};

/// A device, and the way to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Arm {
    /// The kernel's.
    Zram,
    /// Ours, by calls.
    InProcess,
    /// Ours, by NBD.
    Nbd,
}

/// How ours is made.
#[derive(Clone, Copy)]
pub struct Setting {
    pub codec: Settings,
    pub denser: Settings,
    pub unit: UnitSize,
    pub threads: usize,
}

/// Time that an arm took, and the DRAM that it used then. In its first turn also the DRAM once nobody had wanted the
/// data for a while: that takes long, and follows from the data alone.
pub struct Turn {
    pub spent: Spent,
    pub memory: u64,
    pub idle: Option<u64>,
}

impl Arm {
    pub const ALL: [Arm; 3] = [Arm::Zram, Arm::InProcess, Arm::Nbd];

    /// The name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Arm::Zram => "zram-lz4",
            Arm::InProcess => "ours, in process",
            Arm::Nbd => "ours, NBD",
        }
    }

    /// Writes all of `data` to a new device.
    pub fn turn(self, data: &Arc<Data>, block: usize, setting: Setting, is_first: bool) -> Result<Turn> {
        match self {
            Arm::Zram => zram(data, block),
            Arm::InProcess => in_process(data, block, setting, is_first),
            Arm::Nbd => by_nbd(data, block, setting, is_first),
        }
    }
}

fn zram(data: &Data, block: usize) -> Result<Turn> {
    let device = Raw::create(data.bytes().len(), zram::CODEC)?;
    let spent = device.store(data.bytes(), block, 1)?;
    let memory = device.usage()?.used;
    Ok(Turn { spent, memory, idle: Some(memory) })
}

fn in_process(data: &Arc<Data>, block: usize, setting: Setting, is_first: bool) -> Result<Turn> {
    let service = service(data, setting)?;
    let bytes = data.requests();
    let spent = Spent::trying(|| {
        write_blocks(data.bytes(), block, 1, |offset, block| {
            let request = Request::Write(offset as u64, bytes.slice(offset..offset + block.len()));
            service.call(request).map(drop).context("cannot write to our device")
        })
    })?;
    finish(&service, data, spent, is_first)
}

fn by_nbd(data: &Arc<Data>, block: usize, setting: Setting, is_first: bool) -> Result<Turn> {
    let service = Arc::new(service(data, setting)?);
    let (stream, other) = UnixStream::pair()?;
    let own = service.clone();
    // It ends with its client, and then the device is gone.
    thread::spawn(move || nbd::attend(&other, &own));
    let client = Mutex::new(Client::new(stream)?);
    let spent = Spent::trying(|| {
        write_blocks(data.bytes(), block, 1, |offset, block| {
            client.lock().expect("one writer").write(offset as u64, block).context("cannot write by NBD")
        })
    })?;
    finish(&service, data, spent, is_first)
}

fn service(data: &Data, setting: Setting) -> Result<Service> {
    let Setting { codec, denser, unit, threads } = setting;
    let size = data.bytes().len() as u64;
    // Not by itself: that would be while we measure.
    let denser = Denser { codecs: vec![denser], after: None };
    let device = Device::new(Config {
        size,
        unit,
        memory_limit: None,
        codec,
        denser,
        threads,
        ssd: None,
        accelerator: None,
    })?;
    Ok(Service::start(device, threads)?)
}

/// Looks whether the device holds what was written, in a first turn after what it does by itself once data are idle.
fn finish(service: &Service, data: &Data, spent: Spent, is_first: bool) -> Result<Turn> {
    const AT_ONCE: usize = 1 << 20;
    let device = service.device();
    let memory = || {
        let stats = device.stats();
        stats.mm_stat.mem_used_total + stats.more.table_bytes
    };
    let busy = memory();
    let idle = if is_first {
        device.recompress(&Recompress::default()).map_err(anyhow::Error::msg)?;
        device.compact();
        Some(memory())
    } else {
        None
    };
    for (i, wanted) in data.bytes().chunks(AT_ONCE).enumerate() {
        let extent = Extent { offset: (i * AT_ONCE) as u64, len: wanted.len() as u64 };
        let is = service.call(Request::Read(extent)).context("cannot read our device")?.concat();
        ensure!(is == wanted, "our device does not hold what was written to it");
    }
    Ok(Turn { spent, memory: busy, idle })
}
