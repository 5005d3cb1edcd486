// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera disk stat`.

use std::path::PathBuf;

use anyhow::Result;
use ztera_disk::Stats;
use ztera_disk::control::{Answer, Ask};
use ztera_machine::units::show_size;
use ztera_metrics::OFFLOAD;

use super::orders::{ask, unexpected};

/// Show what a device holds, under zram's names
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// The socket or folder that the device is served at
    at: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  ztera disk stat /run/ztera.sock
  ztera disk stat --json /mnt/ztera   # the folder of --fuse";

/// Asks, and prints.
pub fn run(args: &Args) -> Result<()> {
    let Answer::Stat(stats) = ask(&args.at, Ask::Stat)? else { return unexpected() };
    if args.json {
        println!("{}", serde_json::to_string_pretty(&stats)?);
    } else {
        lines(&stats).iter().for_each(|(name, value)| println!("{name:<18} {value}"));
    }
    Ok(())
}

fn lines(stats: &Stats) -> Vec<(&'static str, String)> {
    let (mm, io, more) = (stats.mm_stat, stats.io_stat, stats.more);
    let size = |bytes| show_size(bytes);
    let limit = |bytes| if bytes == 0 { "none".to_owned() } else { show_size(bytes) };
    let mut lines = vec![
        ("disksize", format!("{} in units of {}", size(stats.disksize), size(stats.unit))),
        ("comp_algorithm", stats.comp_algorithm.clone()),
        ("recomp_algorithm", stats.recomp_algorithm.join(", ")),
        ("orig_data_size", size(mm.orig_data_size)),
        ("compr_data_size", size(mm.compr_data_size)),
        ("mem_used_total", format!("{} and {} of tables", size(mm.mem_used_total), size(more.table_bytes))),
        ("mem_limit", limit(mm.mem_limit)),
        ("mem_used_max", size(mm.mem_used_max)),
        ("same_pages", mm.same_pages.to_string()),
        ("pages_compacted", mm.pages_compacted.to_string()),
        ("huge_pages", format!("{}, and {} since the start", mm.huge_pages, mm.huge_pages_since)),
        ("failed_reads", io.failed_reads.to_string()),
        ("failed_writes", io.failed_writes.to_string()),
        ("invalid_io", io.invalid_io.to_string()),
        ("notify_free", io.notify_free.to_string()),
        ("read", format!("{} in {} pieces", size(more.read_bytes), more.reads)),
        ("written", format!("{} in {} pieces", size(more.write_bytes), more.writes)),
    ];
    if let Some(bd) = stats.bd_stat {
        lines.extend([
            ("bd_count", bd.bd_count.to_string()),
            ("bd_reads", bd.bd_reads.to_string()),
            ("bd_writes", bd.bd_writes.to_string()),
            ("on SSD", format!("{} of {}", size(more.bd_used), size(more.bd_limit))),
            ("to SSD, and back", format!("{} units, {}", more.demoted_units, more.promoted_units)),
        ]);
        if more.bd_errors > 0 {
            lines.push((
                "SSD ERRORS",
                format!("{} reads or writes failed; see the kernel's log", more.bd_errors),
            ));
        }
    }
    // In the order of their definitions, and without those of nothing.
    let offload = stats.accelerator.iter().flatten().filter(|(_, value)| **value > 0);
    let place = |name: &str| OFFLOAD.iter().position(|statistic| statistic.name == name);
    let mut known: Vec<_> = offload.filter_map(|(name, value)| Some((place(name)?, value))).collect();
    known.sort_unstable();
    lines.extend(known.into_iter().map(|(place, value)| (OFFLOAD[place].name, value.to_string())));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ssd_is_shown_where_there_is_one() {
        let names = |stats: &Stats| lines(stats).into_iter().map(|(name, _)| name).collect::<Vec<_>>();
        let without = Stats::default();
        assert!(!names(&without).contains(&"bd_count"));
        let mut with = Stats { bd_stat: Some(Default::default()), ..without };
        with.more.bd_errors = 2;
        assert!(names(&with).contains(&"bd_count") && names(&with).contains(&"SSD ERRORS"));
    }

    #[test]
    fn an_accelerator_shows_what_it_did() {
        let counts = [("offloaded_units", 7), ("late_units", 0), ("resets", 2), ("of_another_version", 1)];
        let counts = counts.map(|(name, value)| (name.to_owned(), value));
        let stats = Stats { accelerator: Some(counts.into_iter().collect()), ..Stats::default() };
        let lines = lines(&stats);
        let last: Vec<_> = lines.iter().rev().take(2).map(|(name, value)| (*name, value.as_str())).collect();
        assert_eq!(last, [("resets", "2"), ("offloaded_units", "7")]);
    }
}
