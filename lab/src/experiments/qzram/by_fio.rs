// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Devices by fio: ours by NBD, and zram's block device. So ours pays for a transport here, which it does not
//! [by calls](super::by_calls). Data are invented: fio cannot take the corpus.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};

use super::arm::{Arm, Kind};
use super::point::{Density, Offloads, Outcome, Point, Side};
use crate::kit::disk_server::DiskServer;
use crate::kit::fio::{Contents, Load, Place, run};
use crate::kit::zram;

/// A device. Dropping it undoes it.
pub enum Medium {
    /// The kernel's, and its block device.
    Zram(zram::Device, PathBuf),
    /// Ours.
    Ours(DiskServer),
}

impl Medium {
    /// With room for `bytes`.
    pub fn create(arm: &Arm, bytes: u64) -> Result<Medium> {
        Ok(match arm.kind {
            Kind::Zram(codec) => {
                let device = zram::Device::create(bytes, codec, None)?;
                let node = device.node();
                Medium::Zram(device, node)
            }
            Kind::Ours(ours) => {
                let options = ours.options();
                let options: Vec<&str> = options.iter().map(String::as_str).collect();
                Medium::Ours(DiskServer::at_socket(bytes, &options)?)
            }
        })
    }

    fn place(&self) -> Place<'_> {
        match self {
            Medium::Zram(_, node) => Place::Device(node),
            Medium::Ours(server) => Place::Socket(server.socket()),
        }
    }

    /// CPU time beside that of fio: zram compresses in fio's name.
    fn cpu_time(&self) -> Result<Duration> {
        match self {
            Medium::Zram(..) => Ok(Duration::ZERO),
            Medium::Ours(server) => server.cpu_time(),
        }
    }

    fn offloads(&self) -> Result<Option<Offloads>> {
        match self {
            Medium::Zram(..) => Ok(None),
            Medium::Ours(server) => Ok(Offloads::of(&server.stats()?)),
        }
    }

    fn density(&self) -> Result<Density> {
        Ok(match self {
            Medium::Zram(device, _) => {
                let usage = device.usage().context("zram has no mm_stat")?;
                Density::of(usage.original, usage.compressed, usage.used)
            }
            Medium::Ours(server) => Density::of_ours(&server.stats()?),
        })
    }

    fn side(&self, load: &Load, pattern: &str) -> Result<Side> {
        let before = self.cpu_time()?;
        let [job] = run(load, &[vec![format!("--rw={pattern}")]])?[..] else {
            bail!("fio did not report its job")
        };
        let server = self.cpu_time()?.saturating_sub(before).as_secs_f64();
        Ok(Side {
            mib_per_second: job.mib_per_second,
            mean_us: job.mean_us,
            p99_us: job.p99_us,
            cpu_per_gib: (job.cpu_seconds + server) / job.gib,
        })
    }
}

/// About as compressible as the corpus is for lzo, in percent.
const LIKE_THE_CORPUS: u32 = 33;

/// Measures at a point: writing first, then reading. The jobs share `bytes` of the device. They write the same again
/// and again, so a model of an accelerator has seen it before.
pub fn measure(medium: &Medium, point: &Point, bytes: u64, time: Duration) -> Result<Outcome> {
    let load = Load {
        place: medium.place(),
        contents: Contents::Again(LIKE_THE_CORPUS),
        size: bytes / u64::from(point.jobs),
        block: point.block,
        depth: 0,
        jobs: point.jobs,
        milliseconds: time.as_millis() as u32,
    };
    let random = if point.random { "rand" } else { "" };
    let before = medium.offloads()?;
    let write = medium.side(&load, &format!("{random}write"))?;
    let offloaded = medium.offloads()?.zip(before).map(|(now, before)| now.share_since(before));
    let read = medium.side(&load, &format!("{random}read"))?;
    Ok(Outcome { point: point.clone(), write, read, density: medium.density()?, offloaded })
}
