// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Redis on swap, as in section 5.4: one server per CPU in a cgroup, SET of more and more values, and GET of them.
//!
//! ```text
//!  Arm -> swap: none, zram, ours -> server: processes in a cgroup <-client: RESP-- growth: SET, GET -> Curve
//! ```
//!
//! Compressed pages count against the limit, as on a real machine. The kernel ends a curve by killing a server.

mod client;
mod curve;
mod growth;
mod server;
mod swap;

use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;
use tempfile::TempDir;
use ztera_machine::cgroup::Cgroup;
use ztera_machine::units::MIB;

use super::corpus::Corpus;
use crate::frame::context::Scale;
use client::Values;
pub use curve::{Curve, Load};
use growth::Growth;
use server::Server;
pub use swap::Arm;

/// The most that it takes until a server is seen to be gone, once its connection is.
const FAREWELL: Duration = Duration::from_secs(2);

/// The sizes of a run.
#[derive(Clone, Debug)]
pub struct Setting {
    /// Kinds of swap.
    pub arms: Vec<Arm>,
    /// DRAM for all servers and for compressed pages.
    limit: u64,
    /// Bytes of values by which data grow.
    step: u64,
    /// Values that are read after each growth, of each server.
    gets: u64,
    /// How long a curve may take: one that thrashes is ended.
    patience: Duration,
}

impl Setting {
    /// Of a scale.
    pub fn of(scale: Scale) -> Setting {
        let setting = |arms: &[Arm], limit: u64, gets, seconds| Setting {
            arms: arms.to_vec(),
            limit: limit * MIB,
            step: limit * MIB / 8,
            gets,
            patience: Duration::from_secs(seconds),
        };
        match scale {
            Scale::Tiny => setting(&[Arm::Nothing, Arm::Zram("lzo")], 32, 200, 20),
            Scale::Quick => setting(&Arm::OF_SOURCE, 192, 4000, 20),
            Scale::Full => setting(&Arm::ALL, 1024, 40_000, 240),
        }
    }

    /// More than any swap can hold.
    fn most(&self) -> u64 {
        8 * self.limit
    }
}

/// Lets data grow until the kernel ends it.
pub fn run(arm: Arm, setting: &Setting, corpus: &Corpus) -> Result<Curve> {
    let medium = arm.switch_on(setting.most(), setting.limit)?;
    let cgroup = Cgroup::create("redis")?;
    let folder = tempfile::Builder::new().prefix("ztera-redis-").tempdir()?;
    let run = || grow(&cgroup, &folder, setting, corpus);
    let (curve, swap_peak_bytes) = medium.while_limited(&cgroup, setting.limit, run)?;
    Ok(Curve { redis: arm.name(), swap_peak_bytes, ..curve? })
}

fn grow(cgroup: &Cgroup, folder: &TempDir, setting: &Setting, corpus: &Corpus) -> Result<Curve> {
    let cpus = thread::available_parallelism().map_or(1, usize::from);
    let mut servers: Vec<Server> =
        (0..cpus).map(|cpu| Server::start(cpu, folder.path(), cgroup)).collect::<Result<_>>()?;
    let growth = Growth {
        sockets: servers.iter().map(|server| server.socket().to_owned()).collect(),
        values: Values::of(corpus.bytes()),
        step: setting.step,
        most: setting.most(),
        gets: setting.gets,
        patience: setting.patience,
    };
    let (loads, held_bytes, stopped) = growth.run()?;
    let killed = cgroup.oom_kills().unwrap_or(0) > 0;
    let (ending, words) = curve::ending(stopped, killed, is_one_gone(&mut servers));
    Ok(Curve {
        redis: String::new(),
        limit_bytes: setting.limit,
        servers: cpus as u32,
        loads,
        held_bytes,
        ending,
        words,
        swap_peak_bytes: 0,
    })
}

fn is_one_gone(servers: &mut [Server]) -> bool {
    let start = Instant::now();
    loop {
        let is_gone = servers.iter_mut().any(Server::has_ended);
        if is_gone || start.elapsed() > FAREWELL {
            return is_gone;
        }
        thread::sleep(Duration::from_millis(10));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_source_s_arms_are_measured_in_the_quick_form() {
        let names: Vec<String> = Setting::of(Scale::Quick).arms.iter().map(Arm::name).collect();
        assert_eq!(names, ["no swap", "swap on zram-lzo", "swap on ours-lz4", "swap on ours-model"]);
    }
}
