// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Asks JVMs and block devices, all at the same time.

use std::path::{Path, PathBuf};
use std::thread::{self, ScopedJoinHandle};
use std::time::Duration;

use anyhow::Result;
use ztera_disk::control::{self, Answer, Ask};
use ztera_machine::jvm::{self, Jvm, Listed};

use super::reading::{Labels, Reading, of_disk, of_jvm};
use crate::h2::sample::Sample;

/// Prometheus waits 10 s for an answer, if nobody tells it otherwise.
const PATIENCE: Duration = Duration::from_secs(5);

/// Those that are asked.
pub struct Targets<'a> {
    /// Process ids or names; none for all ZTera JVMs.
    pub jvms: &'a [String],
    /// Sockets or folders of block devices.
    pub disks: &'a [PathBuf],
    /// Labels of each JVM.
    pub labels: usize,
}

/// One of them.
#[derive(Debug)]
pub struct Answered {
    /// Its names and values of labels.
    pub labels: Labels,
    /// Its numbers; none if it did not answer.
    pub readings: Option<Vec<Reading>>,
}

/// All of them.
#[derive(Debug, Default)]
pub struct Gathered {
    /// JVMs.
    pub jvms: Vec<Answered>,
    /// Block devices.
    pub disks: Vec<Answered>,
}

impl Targets<'_> {
    /// Asks them.
    pub fn gather(&self) -> Gathered {
        let listed = self.listed();
        thread::scope(|scope| {
            let jvm = |it| scope.spawn(move || Answered { labels: of(it), readings: self.ask(it).ok() });
            let disk = |it| scope.spawn(move || Answered { labels: at(it), readings: ask_disk(it).ok() });
            let jvms: Vec<_> = listed.iter().map(jvm).collect();
            let disks: Vec<_> = self.disks.iter().map(|it| disk(it.as_path())).collect();
            Gathered { jvms: joined(jvms), disks: joined(disks) }
        })
    }

    fn listed(&self) -> Vec<Listed> {
        if self.jvms.is_empty() {
            return jvm::all().into_iter().filter(|it| jvm::is_ztera(it.pid)).collect();
        }
        let mut found: Vec<Listed> =
            self.jvms.iter().flat_map(|it| jvm::find(it).unwrap_or_default()).collect();
        found.sort_unstable_by_key(|it| it.pid);
        found.dedup_by_key(|it| it.pid);
        found
    }

    fn ask(&self, listed: &Listed) -> Result<Vec<Reading>> {
        let sample = Sample::take(&Jvm::of(listed.pid)?.within(PATIENCE))?;
        Ok(of_jvm(&sample, &of(listed), self.labels))
    }
}

fn ask_disk(disk: &Path) -> Result<Vec<Reading>> {
    match control::ask(disk, &Ask::Stat)? {
        Answer::Stat(stats) => Ok(of_disk(&stats, &at(disk))?),
        answer => anyhow::bail!("the device answers {answer:?}"),
    }
}

fn of(jvm: &Listed) -> Labels {
    vec![("pid", jvm.pid.to_string()), ("main", jvm.main.clone())]
}

fn at(disk: &Path) -> Labels {
    vec![("disk", disk.display().to_string())]
}

fn joined(threads: Vec<ScopedJoinHandle<'_, Answered>>) -> Vec<Answered> {
    threads.into_iter().filter_map(|thread| thread.join().ok()).collect()
}
