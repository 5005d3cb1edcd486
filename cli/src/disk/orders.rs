// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! zram's controls: `ztera disk compact`, `idle`, `recompress`, `writeback`.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};
use ztera_codec::Settings;
use ztera_disk::control::{self, Answer, Ask};
use ztera_disk::{Age, Codecs, Pages, WriteBack};
use ztera_machine::compression::parse_codec;
use ztera_machine::units::{parse_size, show_size};

use super::parse::parse_pages;

/// Move compressed objects together, so that memory between them is given back
///
/// The device does so by itself where much lies unused. This is for the moment after much was deleted.
#[derive(clap::Args)]
#[command(after_long_help = COMPACT)]
pub struct Compact {
    /// The socket or folder that the device is served at
    at: PathBuf,
}

const COMPACT: &str = "\
Examples:
  ztera disk compact /run/ztera.sock";

/// Mark what is on the device as idle, until it is read or written
///
/// `recompress --idle` and `writeback --idle` then take what was not used since.
#[derive(clap::Args)]
#[command(after_long_help = IDLE)]
pub struct Idle {
    /// The socket or folder that the device is served at
    at: PathBuf,
    /// Only what was not wanted for so many seconds
    #[arg(long, default_value_t = 0, value_name = "SECONDS")]
    age: u64,
}

const IDLE: &str = "\
Examples:
  ztera disk idle /run/ztera.sock              # all that is there, from now on
  ztera disk idle --age 3600 /run/ztera.sock   # what nobody wanted for an hour";

/// Compress again, by denser codecs, what gets smaller by it
///
/// The device's denser codecs are tried by priority, and the first that makes an object smaller wins. They also do so
/// by themselves, once data were left alone for a while: see `ztera disk serve --recompress-after`.
#[derive(clap::Args)]
#[command(after_long_help = RECOMPRESS)]
pub struct Recompress {
    /// The socket or folder that the device is served at
    at: PathBuf,
    /// This codec only, and its level, such as zstd:9 [default: the device's, by priority]
    #[arg(long, value_parser = parse_codec)]
    codec: Option<Settings>,
    /// The device's codec of this priority only, from 1 on
    #[arg(long, value_name = "N", conflicts_with = "codec")]
    priority: Option<usize>,
    /// Only what is marked idle
    #[arg(long)]
    idle: bool,
    /// Only what the device's codec did not make smaller
    #[arg(long)]
    huge: bool,
    /// Only objects of at least so many bytes, which are to become smaller than that
    #[arg(long, default_value = "0", value_name = "SIZE", value_parser = parse_size)]
    threshold: u64,
    /// No more than so many pages of 4 KiB
    #[arg(long, value_name = "N")]
    max_pages: Option<u64>,
}

const RECOMPRESS: &str = "\
Examples:
  ztera disk recompress /run/ztera.sock
  ztera disk recompress --idle --codec zstd:19 /run/ztera.sock   # what is cold, as dense as can be";

/// Write what is in DRAM to the SSD
///
/// It needs a device that was served with --path. Without an option all of it is written.
#[derive(clap::Args)]
#[command(after_long_help = WRITEBACK)]
pub struct Writeback {
    /// The socket or folder that the device is served at
    at: PathBuf,
    /// Only what is marked idle
    #[arg(long)]
    idle: bool,
    /// Only what the device's codec did not make smaller
    #[arg(long)]
    huge: bool,
    /// Only what no codec made smaller that `recompress` tried
    #[arg(long)]
    incompressible: bool,
    /// Only these pages of 4 KiB, such as 7,100-200, with the units that they are in
    #[arg(long, value_name = "RANGES", value_parser = parse_pages, value_delimiter = ',')]
    pages: Vec<Pages>,
}

const WRITEBACK: &str = "\
Examples:
  ztera disk writeback --huge /run/ztera.sock   # what does not compress, and gains nothing
  ztera disk writeback --idle /run/ztera.sock   # what was not used since `ztera disk idle`";

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
    let named = args.codec.map(|codec| Codecs::Named(codec.to_string()));
    let which = ztera_disk::Recompress {
        age: age(args.idle),
        codecs: named.or(args.priority.map(Codecs::Priority)).unwrap_or_default(),
        huge: args.huge,
        threshold: args.threshold,
        most_pages: args.max_pages,
    };
    let Answer::Recompressed(sum) = ask(&args.at, Ask::Recompress(which))? else { return unexpected() };
    println!("{} units are smaller; {} were {}", sum.units, show_size(sum.to), show_size(sum.from));
    Ok(())
}

/// Writes back.
pub fn writeback(args: &Writeback) -> Result<()> {
    let Writeback { idle, huge, incompressible, .. } = *args;
    let which = WriteBack { age: age(idle), huge, incompressible, pages: args.pages.clone() };
    let Answer::WrittenBack(units) = ask(&args.at, Ask::Writeback(which))? else { return unexpected() };
    println!("{units} units written");
    Ok(())
}

fn age(idle: bool) -> Age {
    if idle { Age::Idle } else { Age::Any }
}

/// Asks the device that is served at `at`.
pub fn ask(at: &Path, ask: Ask) -> Result<Answer> {
    let answer = control::ask(at, &ask).map_err(|error| match error.kind() {
        ErrorKind::TimedOut => anyhow!("{}: {error}", at.display()),
        _ => anyhow!(error)
            .context(format!("no device is served at {} by this user (`ztera disk serve`)", at.display())),
    })?;
    if let Answer::Refused(why) = answer {
        bail!("{why}");
    }
    Ok(answer)
}

/// An answer to another question.
pub fn unexpected() -> Result<()> {
    bail!("the server is of another version of ztera: use the command that serves the device")
}
