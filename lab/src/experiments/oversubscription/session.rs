// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! One point while its JVMs run: started, loaded, looked at.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::Result;
use ztera_machine::cgroup::Cgroup;

use super::areas;
use super::counters::Counters;
use super::footprint;
use super::load::Generator;
use super::pin::Pinned;
use super::plan::Size;
use super::point::{Load, Point, Served};
use super::server::{DoesNotFit, Ready, Server};

/// The share of requests that may fail.
const FAILURES: f64 = 0.01;

/// All that the JVMs of a point are started with.
pub struct Setup<'s> {
    /// The point.
    pub point: &'s Point,
    /// How large and how long.
    pub size: &'s Size,
    /// The group of all of them.
    pub cgroup: &'s Cgroup,
    /// For their files.
    pub folder: &'s Path,
}

/// Runs it. Each JVM is started by a `command`. An error that is [`DoesNotFit`] is a result.
pub fn run(setup: &Setup, command: impl Fn() -> Command) -> Result<Served> {
    let mut servers = start(setup, command)?;
    let pinned = setup.point.pinned.then(|| Pinned::hold(servers[0].pid(), setup.cgroup)).transpose()?;
    let ready = servers.iter().map(Server::ready).collect::<Result<Vec<&Ready>>>()?;
    let generator = Generator::new(setup.folder, setup.point.app, &ready)?;
    generator.run(setup.size.warm)?;
    check(&mut servers, setup.cgroup)?;
    let before = Counters::now(setup.cgroup, &servers)?;
    let load = generator.run(setup.size.seconds)?;
    check(&mut servers, setup.cgroup)?;
    let traffic = Counters::now(setup.cgroup, &servers)?.since(&before, setup.point.arm.swaps());
    refuse_failures(&load)?;
    let some = &servers[..servers.len().min(setup.size.looked_at as usize)];
    let processes: Vec<u32> = some.iter().map(Server::pid).collect();
    let footprint_bytes = footprint::of(setup.cgroup, &servers)?;
    let areas = areas::of(&processes)?;
    some.iter().try_for_each(Server::verify)?;
    let used = servers.iter().map(|server| server.second_heap().map(|heap| heap.used));
    Ok(Served {
        load,
        traffic,
        areas,
        looked_at: some.len() as u32,
        pinned_bytes: pinned.map_or(0, |pinned| pinned.bytes),
        h2_used_bytes: used.sum::<Result<u64>>()?,
        footprint_bytes,
    })
}

/// All at once; returns when all answer.
fn start(setup: &Setup, command: impl Fn() -> Command) -> Result<Vec<Server>> {
    let until = Instant::now() + Duration::from_secs(setup.size.patience.into());
    let start =
        |number| Server::start(command(), &format!("complaints-{number}"), setup.folder, setup.cgroup);
    let mut servers = (1..=setup.point.jvms).map(start).collect::<Result<Vec<_>>>()?;
    servers.iter_mut().try_for_each(|server| server.wait(until, setup.cgroup))?;
    Ok(servers)
}

fn check(servers: &mut [Server], cgroup: &Cgroup) -> Result<()> {
    servers.iter_mut().try_for_each(|server| server.check(cgroup))
}

fn refuse_failures(load: &Load) -> Result<()> {
    let all = load.requests.max(load.failed);
    if load.requests == 0 || load.failed as f64 > FAILURES * all as f64 {
        return Err(DoesNotFit(format!("{} of {all} requests failed", load.failed)).into());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_load_that_fails_is_no_result() {
        let load = |requests, failed| Load { requests, failed, seconds: 1.0, connections: 1, p99_ms: 1.0 };
        assert!(refuse_failures(&load(1000, 9)).is_ok());
        for failed in [load(1000, 11), load(0, 0), load(0, 7)] {
            assert!(refuse_failures(&failed).unwrap_err().is::<DoesNotFit>(), "{failed:?}");
        }
    }
}
