// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera export`: the numbers of JVMs and block devices, for Prometheus.
//!
//! ```text
//!  gather: asks JVMs and devices -> reading: numbers by their definitions -> encode -> http, or textfile
//!  dashboard.json: a picture of them, for Grafana
//! ```

mod encode;
mod gather;
mod http;
mod reading;
mod textfile;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Result;
use ztera_machine::interrupt;
use ztera_machine::units::parse_positive;

use gather::Targets;

/// Give the numbers of second heaps and block devices to Prometheus
///
/// It serves them by HTTP, until Ctrl-C, or writes them to a file, which node_exporter's textfile collector reads.
///
/// Without a PID or NAME all ZTera JVMs count that this user may ask, also those that start later, and those in
/// containers. Root may ask all. Each scrape asks anew, and no JVM is started for that.
///
/// docs/statistics.md explains each number, docs/operating.md which ones deserve an alert.
#[derive(clap::Args)]
#[command(after_long_help = SCRAPE)]
pub struct Args {
    /// Process ids of JVMs, or parts of their main classes' names [default: all ZTera JVMs]
    #[arg(value_name = "PID|NAME")]
    jvms: Vec<String>,
    /// Also a block device, by the socket or folder that it is served at
    #[arg(long = "disk", value_name = "AT")]
    disks: Vec<PathBuf>,
    /// Where to serve; anybody who reaches it may read
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:9838", conflicts_with_all = ["textfile", "dashboard"])]
    listen: String,
    /// Write to this file instead, whose name ends with .prom; a reader sees the old or the new one, and no part
    #[arg(long, value_name = "FILE", value_parser = textfile::parse)]
    textfile: Option<PathBuf>,
    /// Write that file anew every so many seconds, until Ctrl-C
    #[arg(long, value_name = "SECONDS", requires = "textfile", value_parser = parse_positive)]
    interval: Option<f64>,
    /// How many labels of each JVM have numbers of their own: the largest ones
    #[arg(long, value_name = "N", default_value_t = 10)]
    labels: usize,
    /// Print a dashboard for Grafana, and nothing else
    #[arg(long, exclusive = true)]
    dashboard: bool,
}

const SCRAPE: &str = "\
Examples:
  ztera export
  ztera export --listen 127.0.0.1:9000 --disk /run/ztera.sock org.example.Main
  ztera export --textfile /var/lib/prometheus/node-exporter/ztera.prom --interval 15

In prometheus.yml:
  scrape_configs:
    - job_name: ztera
      static_configs:
        - targets: ['127.0.0.1:9838']

In Grafana: Dashboards, New, Import, and the output of `ztera export --dashboard`.";

/// The dashboard, which Grafana imports.
pub const DASHBOARD: &str = include_str!("dashboard.json");

/// Serves, or writes.
pub fn run(args: &Args) -> Result<ExitCode> {
    if args.dashboard {
        println!("{}", DASHBOARD.trim_end());
        return Ok(ExitCode::SUCCESS);
    }
    interrupt::watch()?;
    let targets = Targets { jvms: &args.jvms, disks: &args.disks, labels: args.labels };
    match &args.textfile {
        Some(file) => textfile::write(file, args.interval.map(Duration::from_secs_f64), &targets)?,
        None => http::serve(&args.listen, &targets)?,
    }
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        args: Args,
    }

    #[test]
    fn nobody_else_reads_the_numbers_unasked() {
        let args = Command::parse_from(["export"]).args;
        assert!(args.listen.parse::<std::net::SocketAddr>().unwrap().ip().is_loopback(), "{}", args.listen);
    }
}
