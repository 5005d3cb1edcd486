// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! zram's controls: `ztera disk compact`, `idle`, `recompress`, `writeback`.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use ztera_codec::{CodecKind, Settings};
use ztera_disk::control::{self, Answer, Ask};
use ztera_disk::{Age, WriteBack};
use ztera_machine::compression::parse_codec;
use ztera_machine::units::{parse_size, show_size};

/// Move compressed objects together, so that memory between them is given back
#[derive(clap::Args)]
pub struct Compact {
    /// The socket or folder that the device is served at
    at: PathBuf,
}

/// Mark what is on the device as idle, until it is read or written
#[derive(clap::Args)]
pub struct Idle {
    /// The socket or folder that the device is served at
    at: PathBuf,
    /// Only what was not wanted for so many seconds
    #[arg(long, default_value_t = 0, value_name = "SECONDS")]
    age: u64,
}

/// Compress again, by another codec, what gets smaller by it
#[derive(clap::Args)]
pub struct Recompress {
    /// The socket or folder that the device is served at
    at: PathBuf,
    /// The codec, and its level
    #[arg(long, default_value = "zstd", value_parser = parse_codec)]
    codec: Settings,
    /// Only what is marked idle
    #[arg(long)]
    idle: bool,
    /// Only objects of at least so many bytes
    #[arg(long, default_value = "0", value_name = "SIZE", value_parser = parse_size)]
    threshold: u64,
}

/// Write what is in DRAM to the SSD
#[derive(clap::Args)]
pub struct Writeback {
    /// The socket or folder that the device is served at
    at: PathBuf,
    /// Only what is marked idle
    #[arg(long)]
    idle: bool,
    /// Only what does not compress
    #[arg(long)]
    huge: bool,
}

/// Compacts.
pub fn compact(args: &Compact) -> Result<()> {
    let Answer::Compacted(bytes) = ask(&args.at, Ask::Compact)? else { return unexpected() };
    println!("{} given back", show_size(bytes));
    Ok(())
}

/// Marks.
pub fn idle(args: &Idle) -> Result<()> {
    let Answer::Done = ask(&args.at, Ask::Idle(args.age))? else { return unexpected() };
    Ok(())
}

/// Recompresses.
pub fn recompress(args: &Recompress) -> Result<()> {
    let Settings { kind, level } = args.codec;
    let which = ztera_disk::Recompress {
        age: age(args.idle),
        zstd: kind == CodecKind::Zstd,
        level,
        threshold: args.threshold,
    };
    let Answer::Recompressed(sum) = ask(&args.at, Ask::Recompress(which))? else { return unexpected() };
    println!("{} units are smaller; {} were {}", sum.units, show_size(sum.to), show_size(sum.from));
    Ok(())
}

/// Writes back.
pub fn writeback(args: &Writeback) -> Result<()> {
    let which = WriteBack { age: age(args.idle), huge: args.huge };
    let Answer::WrittenBack(units) = ask(&args.at, Ask::Writeback(which))? else { return unexpected() };
    println!("{units} units written");
    Ok(())
}

fn age(idle: bool) -> Age {
    if idle { Age::Idle } else { Age::Any }
}

/// Asks the device that is served at `at`.
pub fn ask(at: &Path, ask: Ask) -> Result<Answer> {
    let answer = control::ask(at, &ask).with_context(|| {
        format!("no device is served at {} by this user (`ztera disk serve`)", at.display())
    })?;
    if let Answer::Refused(why) = answer {
        bail!("{why}");
    }
    Ok(answer)
}

/// An answer to another question.
pub fn unexpected() -> Result<()> {
    bail!("the server is of another version of ztera")
}
