// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera disk`: a compressed block device, served by this process; and what an administrator asks of it. The device
//! itself is the crate `ztera-disk`.

mod list;
mod orders;
mod parse;
mod serve;
mod served;
mod stat;

use std::process::ExitCode;

use anyhow::Result;
use clap::Subcommand;

/// Serve a compressed block device, as the kernel's zram does
///
/// `ztera disk serve` gives a device to others, by NBD over a Unix socket, or as a file for a loop device. All CPUs
/// compress what is written, in DRAM. With --path, cold data go on to an SSD, and come back when they are wanted. All
/// of it is gone when the server ends.
///
/// The other commands are zram's controls. They take the socket or folder that the device is served at, and must run as
/// the same user. See docs/disk.md for what differs from zram.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Serve(Box<serve::Args>),
    List(list::Args),
    Stat(stat::Args),
    Compact(orders::Compact),
    Idle(orders::Idle),
    Recompress(orders::Recompress),
    Writeback(orders::Writeback),
}

/// Does what was asked for.
pub fn run(args: &Args) -> Result<ExitCode> {
    match &args.what {
        What::Serve(args) => serve::run(args)?,
        What::List(args) => list::run(args)?,
        What::Stat(args) => stat::run(args)?,
        What::Compact(args) => orders::compact(args)?,
        What::Idle(args) => orders::idle(args)?,
        What::Recompress(args) => orders::recompress(args)?,
        What::Writeback(args) => orders::writeback(args)?,
    }
    Ok(ExitCode::SUCCESS)
}
