// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera disk serve`.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use ztera_codec::{CodecKind, Settings};
use ztera_disk::{
    Backend, Config, Denser, Device, NoBackend, Offload, OffloadOptions, Service, Verify, swap,
};
use ztera_machine::compression::{parse_codec, parse_unit};
use ztera_machine::interrupt;
use ztera_machine::units::{parse_size, show_size};
use ztera_store::{SsdConfig, UnitSize};

use super::served::{LOOK, Served};

/// Serve a compressed block device until Ctrl-C
///
/// For programs that speak NBD (QEMU, fio, libnbd), without root:
///
///   ztera disk serve --size 8g --memory-limit 2g --socket /run/user/1000/disk.sock
///
///   nbdcopy image.raw nbd+unix:///?socket=/run/user/1000/disk.sock
///
/// For a file system or swap, as root, with a kernel that has FUSE and loop devices:
///
///   ztera disk serve --size 8g --memory-limit 2g --fuse /mnt/ztera
///
///   loop=$(losetup --find --show --direct-io=on /mnt/ztera/disk) && mkfs.ext4 $loop
///
/// For the same with a kernel that has ublk (`modprobe ublk_drv`), as root. It prints the name of the device:
///
///   ztera disk serve --size 8g --memory-limit 2g --ublk
///
/// When memory and SSD are full, a write fails with ENOSPC and the old data stay. Most writes to places that have data
/// already succeed all the same, so that a file system can delete files. A flush has nothing to do: written data are in
/// the device, and nothing survives the server.
///
/// If the server dies, I/O on the device fails. A folder of --fuse then stays a dead mount, until `umount DIR` or the
/// next server at the same folder takes it away. If somebody else unmounts it, the server ends with an error.
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// Bytes that the device shows: more than there is memory
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    size: u64,
    /// DRAM for compressed data, as zram's mem_limit [default: no limit]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    memory_limit: Option<u64>,
    /// Codec, and its level: lz4, zstd, zstd:3, deflate [default: lz4; with --swap zstd]
    ///
    /// As swap it is often full, and zstd has it hold more.
    #[arg(long, value_parser = parse_codec)]
    codec: Option<Settings>,
    /// Denser codecs, by priority, up to three: about 15 MiB of data per second of a CPU that has nothing else to do
    #[arg(long, default_value = "zstd:12", value_name = "CODECS", value_parser = parse_codec, value_delimiter = ',')]
    recompress: Vec<Settings>,
    /// Use them by themselves for data that nobody wants for so many seconds; 0 = only when asked to
    #[arg(long, default_value_t = 10, value_name = "SECONDS")]
    recompress_after: u64,
    /// Bytes compressed as one, a power of two from 4k to 64k: more is denser, less is faster for small requests
    /// [default: 16k; with --swap 4k, as the kernel swaps pages]
    #[arg(long, value_name = "SIZE", value_parser = parse_unit)]
    unit: Option<UnitSize>,
    /// Serve NBD at this Unix socket, which only the owner may use, for up to 64 connections at once
    #[arg(long, value_name = "PATH", conflicts_with_all = ["fuse", "ublk"])]
    #[arg(required_unless_present_any = ["fuse", "ublk"])]
    socket: Option<PathBuf>,
    /// Show the device as the file `disk` in this folder, which must be empty and nobody's mount
    #[arg(long, value_name = "DIR", conflicts_with = "ublk")]
    fuse: Option<PathBuf>,
    /// Show the device as a block device of the kernel, /dev/ublkbN; takes root, and the kernel's module ublk_drv
    #[arg(long)]
    ublk: bool,
    /// Folder on an SSD for what memory has no room for, or a block device without data, which is encrypted; takes
    /// --memory-limit
    #[arg(long, value_name = "DIR", requires = "memory_limit")]
    path: Option<PathBuf>,
    /// Most bytes of the SSD [default: nine tenths of what is free]
    #[arg(long, value_name = "SIZE", value_parser = parse_size, requires = "path")]
    file_size: Option<u64>,
    /// Most bytes written to the SSD per day [default: no limit]
    #[arg(long, value_name = "SIZE", value_parser = parse_size, requires = "path")]
    writes_per_day: Option<u64>,
    /// Encrypt what is on the SSD, with a key that only this process has; always on for a block device
    #[arg(long, requires = "path")]
    encrypt: bool,
    /// Have a device compress: qatzip, nvcomp, nvcomp:LEVEL, model, or model:NAME=VALUE,.. for a model of one; takes
    /// the codec deflate
    #[arg(long, value_name = "BACKEND", value_parser = parse_accelerator)]
    accelerator: Option<Backend>,
    /// How its outputs are checked: decode them all, or compare the device's own checksums
    #[arg(long, default_value = "decode", value_name = "HOW", requires = "accelerator")]
    accelerator_check: Check,
    /// Milliseconds after which the CPU compresses what the device has not
    #[arg(long, default_value_t = 50, value_name = "MS", requires = "accelerator", value_parser = clap::value_parser!(u64).range(1..=60_000))]
    accelerator_deadline: u64,
    /// Give it one unit at a time, and the CPU none for being quicker: shows what batches and load balance are worth
    #[arg(long, requires = "accelerator")]
    accelerator_direct: bool,
    /// Threads that compress [default: one per CPU; with an accelerator two]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// The device will be swap: take all memory now and keep it, so that the server never waits for itself; takes root
    #[arg(long, requires = "memory_limit")]
    swap: bool,
}

/// How an accelerator's outputs are checked.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Check {
    /// By decoding.
    Decode,
    /// By checksums.
    Sums,
}

fn parse_accelerator(text: &str) -> Result<Backend, String> {
    text.parse().map_err(|error: NoBackend| error.to_string())
}

/// Serves until somebody ends it.
pub fn run(args: &Args) -> Result<()> {
    interrupt::watch()?;
    if args.swap {
        swap::prepare()
            .context("cannot make this process fit to serve swap: run it as root, or without --swap")?;
    }
    // A thread that waits for an accelerator leaves its CPU to another one.
    let usual = cpus() * if args.accelerator.is_some() { 2 } else { 1 };
    let threads = args.threads.map_or(usual, usize::from);
    let device = Device::new(config(args, threads)).with_context(|| {
        let path = args.path.as_ref().map(|path| format!(" with --path {}", path.display()));
        format!("cannot make the device{}", path.unwrap_or_default())
    })?;
    if let Some(missing) = device.missing_accelerator() {
        eprintln!("ztera: {missing}: the CPU compresses");
    }
    let service = Arc::new(Service::start(device, threads)?);
    let served = Served::start(args.socket.as_deref(), args.fuse.as_deref(), &service)?;
    if args.swap {
        swap::hold().context("cannot take the memory that --memory-limit allows: give a lower one")?;
    }
    announce(args, &served);
    let end = wait_for_the_end(served);
    // Threads that serve clients may still be there, and have the device.
    service.device().forget_ssd();
    end
}

fn wait_for_the_end(served: Served) -> Result<()> {
    while !interrupt::came() {
        if served.has_ended() {
            bail!("{}", served.how_it_was_taken());
        }
        thread::sleep(LOOK);
    }
    served.end()
}

fn cpus() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

fn config(args: &Args, threads: usize) -> Config {
    let ssd = args.path.as_ref().map(|path| SsdConfig {
        limit: args.file_size,
        writes_per_day: args.writes_per_day,
        encrypt: args.encrypt,
        ..SsdConfig::new(path)
    });
    let unit = args.unit.unwrap_or_else(|| default_unit(args.swap));
    let codec = args.codec.unwrap_or_else(|| default_codec(args.swap));
    let (size, memory_limit) = (args.size, args.memory_limit);
    let accelerator = args.accelerator.map(|backend| offload(args, backend));
    Config { size, unit, memory_limit, codec, denser: denser(args), threads, ssd, accelerator }
}

/// The kernel swaps single pages: with larger units each would cost work on its neighbours, too.
fn default_unit(is_swap: bool) -> UnitSize {
    UnitSize::new(if is_swap { 4 << 10 } else { 16 << 10 }).expect("a size that units have")
}

/// Redis held half as much again on swap by zstd as by lz4: see decision 52.
fn default_codec(is_swap: bool) -> Settings {
    let kind = if is_swap { CodecKind::Zstd } else { CodecKind::Lz4 };
    Settings { kind, level: 0 }
}

fn offload(args: &Args, backend: Backend) -> Offload {
    let verify = match args.accelerator_check {
        Check::Decode => Verify::Decode,
        Check::Sums => Verify::Sums,
    };
    let deadline = Duration::from_millis(args.accelerator_deadline);
    let direct = args.accelerator_direct;
    Offload {
        backend,
        options: OffloadOptions { deadline, verify, cpus: cpus(), direct, ..OffloadOptions::default() },
    }
}

fn denser(args: &Args) -> Denser {
    let after = (args.recompress_after > 0).then(|| Duration::from_secs(args.recompress_after));
    Denser { codecs: args.recompress.clone(), after }
}

/// Nobody need be there to read it.
fn announce(args: &Args, served: &Served) {
    let shown = served.at().display();
    let text = format!(
        "serving {} at {shown}; Ctrl-C ends it\n  connect:    {}\n  statistics: ztera disk stat {shown}\n",
        show_size(args.size),
        served.how_to_connect(),
    );
    let _ = io::stdout().write_all(text.as_bytes());
}
