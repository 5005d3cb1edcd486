// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera pin --react`: pins what the process reads back, as it does so.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use ztera_machine::memory::file_refaults_of;
use ztera_machine::process::end::{End, Process};

use super::find::{self, Wanted};
use super::hold::{self, Pinned};
use super::read_back::Watched;
use super::report::Report;
use super::room::Room;
use super::what::What;

/// The files that are looked at, and how often.
#[derive(Debug)]
pub struct Looks<'a> {
    /// The process, by its number.
    pub pid: u32,
    /// Kinds of its files.
    pub kinds: &'a [What],
    /// The time from one look to the next.
    pub every: Duration,
    /// When it ends: not before the process does, if there is no such time.
    pub until: Option<Instant>,
}

/// Looks again and again, until the end. `show` gets all that is pinned, whenever that is more.
pub fn run(
    looks: &Looks,
    process: &Process,
    room: &Room,
    mut show: impl FnMut(&Report) -> Result<()>,
) -> Result<End> {
    let (mut watched, mut held) = (Watched::default(), Vec::new());
    loop {
        let refaults =
            file_refaults_of(looks.pid).context("this kernel does not count pages that are read back")?;
        // A process that ends meanwhile has no files any more; the wait below says so.
        if let Ok((files, not_opened)) = find::files(looks.pid, looks.kinds, true)
            && pin(watched.look(files, refaults)?, room, &mut held)?
        {
            show(&Report::of(looks.pid, &held, room, not_opened))?;
        }
        let left = looks.until.map(|until| until.saturating_duration_since(Instant::now()));
        match process.wait(Some(left.unwrap_or(looks.every).min(looks.every)))? {
            End::Time if left.is_none_or(|left| left > looks.every) => (),
            end => return Ok(end),
        }
    }
}

/// Pins as much of this as there is room for. Returns whether that is any.
fn pin(found: Vec<Wanted>, room: &Room, held: &mut Vec<Pinned>) -> Result<bool> {
    let mut left = room.left(held.iter().map(|it| it.bytes).sum());
    let before = left;
    for mut wanted in found {
        wanted.keep(left);
        if wanted.bytes() > 0 {
            left -= wanted.bytes();
            held.push(hold::pin(&wanted)?);
        }
    }
    Ok(left < before)
}
