// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera manual`: what a package has besides the command itself.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Command;
use clap_complete::Shell;

/// Write manual pages and completions for shells
#[derive(clap::Args)]
#[command(hide = true)]
pub struct Args {
    /// The folder for manual pages, one per command
    #[arg(long, value_name = "DIR")]
    man: Option<PathBuf>,
    /// The folder for completions of bash, zsh and fish
    #[arg(long, value_name = "DIR")]
    completions: Option<PathBuf>,
}

/// Writes what was asked for. `command` is the whole command line of `ztera`.
pub fn run(args: &Args, mut command: Command) -> Result<ExitCode> {
    // First, since completions give each command its `help`.
    if let Some(folder) = &args.man {
        clap_mangen::generate_to(without_help(command.clone()), folder)
            .with_context(|| format!("cannot write manual pages to {}", folder.display()))?;
    }
    if let Some(folder) = &args.completions {
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
            let path = clap_complete::generate_to(shell, &mut command, "ztera", folder)
                .with_context(|| format!("cannot write completions to {}", folder.display()))?;
            if shell == Shell::Bash {
                // Where bash looks for it, a file has the command's name.
                std::fs::rename(path, folder.join("ztera"))?;
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The command line without `help` at any level: each would have pages for all of its subcommands once more.
fn without_help(command: Command) -> Command {
    command.disable_help_subcommand(true).mut_subcommands(without_help)
}
