// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera disk list`.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use comfy_table::{CellAlignment, Table, presets};
use serde_json::json;
use ztera_disk::Stats;
use ztera_disk::control::{Answer, Ask, ask_within, listening};
use ztera_machine::units::show_size;

/// A server that is stopped does not hold up the others.
const PATIENCE: Duration = Duration::from_secs(2);

/// List the devices that are served here by this user, or as root by anybody, as zramctl does
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Print JSON: an object for each device, with the statistics of `ztera disk stat`
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  ztera disk list
  ztera disk list --json";

/// Looks, asks each, and prints.
pub fn run(args: &Args) -> Result<()> {
    let paths = listening().context("cannot read /proc/net/unix")?;
    let devices: Vec<_> = paths.into_iter().filter_map(device).collect();
    if args.json {
        let object = |(at, stats): &(PathBuf, Option<Box<Stats>>)| json!({"at": at, "stats": stats});
        println!("{}", serde_json::to_string_pretty(&devices.iter().map(object).collect::<Vec<_>>())?);
    } else if devices.is_empty() {
        println!("No device is served here by this user (`ztera disk serve`).");
    } else {
        println!("{}", table(&devices));
    }
    Ok(())
}

/// With its statistics if it answers. `None` if this user may not ask it, or it has just gone.
fn device(at: PathBuf) -> Option<(PathBuf, Option<Box<Stats>>)> {
    match ask_within(&at, &Ask::Stat, PATIENCE) {
        Ok(Answer::Stat(stats)) => Some((at, Some(stats))),
        Err(error) if is_not_ours(&error) => None,
        _ => Some((at, None)),
    }
}

fn is_not_ours(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::PermissionDenied | ErrorKind::NotFound | ErrorKind::ConnectionRefused)
}

fn table(devices: &[(PathBuf, Option<Box<Stats>>)]) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING).set_header([
        "NAME",
        "ALGORITHM",
        "DISKSIZE",
        "DATA",
        "COMPR",
        "TOTAL",
    ]);
    table.column_iter_mut().skip(2).for_each(|column| column.set_cell_alignment(CellAlignment::Right));
    table.add_rows(devices.iter().map(|(at, stats)| row(at, stats.as_deref())));
    table
}

fn row(at: &Path, stats: Option<&Stats>) -> Vec<String> {
    let at = at.display().to_string();
    let Some(stats) = stats else { return vec![at, "does not answer".to_owned()] };
    let mm = stats.mm_stat;
    let sizes = [stats.disksize, mm.orig_data_size, mm.compr_data_size, mm.mem_used_total].map(show_size);
    [at, stats.comp_algorithm.clone()].into_iter().chain(sizes).collect()
}
