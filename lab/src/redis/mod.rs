// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Redis on swap, as in section 5.4 of the QZRAM paper: one server per CPU in a cgroup, SET of more and more
//! values, and GET of them; or SET of all values, and then GET, in three rounds.
//!
//! ```text
//!  Arm -> swap: none, zram, ours -> server: processes in a cgroup <-client: RESP-- growth: SET, GET -> Curve
//! ```
//!
//! Compressed pages count against the limit, as on a real machine. The kernel ends a curve by killing a server. The
//! experiment `qzram` measures curves here, and has a virtual machine measure others by the hidden [`command`].

mod client;
pub mod command;
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

use crate::frame::context::Scale;
use crate::kit::shared_memory::Limit;
use client::Values;
pub use curve::{Curve, Load};
use growth::Growth;
use server::Server;
pub use swap::Arm;

/// The most that it takes until a server is seen to be gone, once its connection is.
const FAREWELL: Duration = Duration::from_secs(2);

/// The sizes of a run.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// DRAM for all servers and for compressed pages.
    limit: u64,
    /// Bytes of values by which data grow.
    step: u64,
    /// Values that are read after each growth, of each server.
    gets: u64,
    /// How long a curve may take: one that thrashes is ended.
    patience: Duration,
    /// How long servers and compressed pages may need more than the limit.
    excess: Duration,
    /// Bytes of values at which it ends.
    most: u64,
}

/// Rounds in which GET follows all SETs, as in the paper.
pub const ROUNDS: u32 = 3;

/// The name of such a run, but for its round.
pub fn gets_follow(arm: Arm) -> String {
    format!("redis, GET after all SETs, {}", arm.name())
}

impl Setting {
    /// Of a scale.
    pub fn of(scale: Scale) -> Setting {
        let setting = |limit, gets, seconds| Setting::new(limit * MIB, gets, seconds, 1);
        match scale {
            Scale::Tiny => setting(32, 200, 20),
            Scale::Quick => setting(192, 4000, 20),
            Scale::Full => setting(1024, 40_000, 240),
        }
    }

    /// For an emulated CPU, which takes ten times as long for everything.
    pub fn emulated(limit: u64) -> Setting {
        Setting::new(limit, 100, 240, 10)
    }

    /// All keys are set before any is got. On swap they are more than memory alone has room for, and fewer than any
    /// swap holds; without swap they fit.
    pub fn gets_follow(scale: Scale, arm: Arm) -> Setting {
        let limit = match scale {
            Scale::Tiny => 64,
            Scale::Quick => 96,
            Scale::Full => 1024,
        } * MIB;
        let data = if arm == Arm::Nothing { limit / 2 } else { limit / 8 * 7 };
        Setting { limit, step: data, most: data, ..Setting::of(scale) }
    }

    fn new(limit: u64, gets: u64, patience: u64, excess: u64) -> Setting {
        let [patience, excess] = [patience, excess].map(Duration::from_secs);
        Setting { limit, step: limit / 8, gets, patience, excess, most: swap::MOST * limit }
    }
}

/// Lets data grow until the kernel ends it.
pub fn run(arm: Arm, setting: Setting, text: &[u8]) -> Result<Curve> {
    let medium = arm.switch_on(setting.limit)?;
    let cgroup = Cgroup::create("redis")?;
    let folder = tempfile::Builder::new().prefix("ztera-redis-").tempdir()?;
    let limit = Limit { bytes: setting.limit, patience: setting.excess };
    let run = || grow(&cgroup, &folder, setting, text);
    let (curve, swap_peak_bytes) = medium.while_limited(&cgroup, limit, run)?;
    Ok(Curve { redis: arm.name(), swap_peak_bytes, swap_fixed_bytes: medium.fixed(), ..curve? })
}

fn grow(cgroup: &Cgroup, folder: &TempDir, setting: Setting, text: &[u8]) -> Result<Curve> {
    let cpus = thread::available_parallelism().map_or(1, usize::from);
    let mut servers: Vec<Server> =
        (0..cpus).map(|cpu| Server::start(cpu, folder.path(), cgroup)).collect::<Result<_>>()?;
    let growth = Growth {
        sockets: servers.iter().map(|server| server.socket().to_owned()).collect(),
        values: Values::of(text),
        step: setting.step,
        most: setting.most,
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
        gets_follow: setting.step == setting.most,
        loads,
        held_bytes,
        ending,
        words,
        swap_peak_bytes: 0,
        swap_fixed_bytes: 0,
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
