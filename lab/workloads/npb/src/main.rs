// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera-npb KERNEL CLASS`.

use std::process::ExitCode;

use clap::Parser;
use ztera_npb::Args;

#[derive(Parser)]
#[command(name = "ztera-npb", version)]
struct Command {
    #[command(flatten)]
    args: Args,
}

fn main() -> ExitCode {
    Command::parse().args.execute()
}
