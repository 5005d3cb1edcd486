// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera analyze`: the pages of a program's heap.
//!
//! ```text
//!  hprof  objects of a heap dump   \
//!                                    image -> a file, and census: how they compress -> report
//!  live   H2 of a running JVM      /
//! ```

mod by_class;
mod census;
mod hprof;
mod image;
pub mod live;
mod progress;
mod report;

use std::fs::File;
use std::io::{BufReader, BufWriter, Sink};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use tempfile::NamedTempFile;
use ztera_machine::jvm::Jvm;
use ztera_machine::process::parse_pid;
use ztera_machine::units::{MIB, parse_size};
use ztera_machine::{h2_dump, interrupt};

use census::Census;
use hprof::Width;
use image::Image;
use progress::Progress;
use report::Report;

/// Write the pages of a program's heap to a file, and say how they compress
///
/// Tells before anything is changed whether a second heap pays for a program. The pages (--out) are also what `ztera
/// bench engine --pages FILE` measures with.
///
/// HPROF is a heap dump of any HotSpot JVM. It has all live objects, also those that nobody would move to a second
/// heap. It is read twice, and takes no memory but for its classes.
///
/// A dump has neither headers nor places of fields, so these are made up as JDK 25 has them. The mark word comes first,
/// then a class pointer of 4 bytes, then fields by size, those of superclasses before. References take 4 bytes where
/// the heap is small enough. Objects follow each other in the order of the dump. The numbers of classes and the targets
/// of references are not those of the heap. Nor are the fields of @Contended classes, and of a few of the JDK's own.
///
/// --pid takes the pages of the second heap of a running ZTera JVM as they are, as `jcmd PID GC.h2_dump` does. The JVM
/// itself writes the file, so run this as its user and in its container. It decompresses all pages for that, which
/// slows the program down meanwhile.
///
/// READ the last table so: with 2.00, pages take half of their memory when they are compressed. H2 takes lz4
/// (-XX:H2Codec), zstd for what nobody touches for long, and units of 16 KiB, or of 8 KiB with an SSD
/// (-XX:H2UnitSize). The pool adds a little.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// The heap dump
    #[arg(required_unless_present = "pid")]
    hprof: Option<PathBuf>,
    /// The process id of a running ZTera JVM
    #[arg(long, value_name = "PID", conflicts_with = "hprof", value_parser = parse_pid)]
    pid: Option<u32>,
    /// Where to write pages: raw, of 4 KiB each; FILE must not exist
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Of the second heap, only the pages of this label
    #[arg(long, value_name = "LABEL", conflicts_with = "hprof", allow_negative_numbers = true)]
    label: Option<i64>,
    /// Bytes of a reference [default: 4 if the heap is small enough for that]
    #[arg(long, value_name = "BYTES", conflicts_with = "pid")]
    references: Option<Width>,
    /// Compress no more than about so much of the pages, chosen at random; 0 = all of them
    #[arg(long, default_value = "256m", value_name = "SIZE", value_parser = parse_size)]
    sample: u64,
    /// Also try what codecs of the engine do not do: fields of a class in columns, and equal objects once
    #[arg(long, conflicts_with = "pid")]
    classes: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  ztera analyze heap.hprof                     # made by: jcmd PID GC.heap_dump heap.hprof
  ztera analyze --sample 0 --json heap.hprof   # all pages, for a program
  ztera analyze --pid PID --label 7            # a group of a JVM that has a second heap";

/// Writes pages, compresses them, and prints.
pub fn run(args: &Args) -> Result<ExitCode> {
    interrupt::watch()?;
    if let Some(out) = args.out.as_deref().filter(|out| out.exists()) {
        bail!("{} exists: name a file that does not", out.display());
    }
    let report = match (&args.hprof, args.pid) {
        (Some(dump), _) => of_dump(args, dump).with_context(|| dump.display().to_string())?,
        (None, Some(pid)) => of_process(args, pid)?,
        (None, None) => bail!("give a heap dump, or --pid"),
    };
    if args.json {
        println!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        println!("{}", report::render(&report));
    }
    Ok(ExitCode::SUCCESS)
}

fn of_dump(args: &Args, dump: &Path) -> Result<Report> {
    let file = File::open(dump).context("it cannot be opened")?;
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        bail!("it must be a file: it is read twice");
    }
    let (len, from) = (metadata.len(), BufReader::with_capacity(MIB as usize, file));
    let out = args.out.as_deref().map(beside).transpose()?;
    let image = Image::new(out.as_ref().map(BufWriter::new), Census::new(len, args.sample));
    let mut image = if args.classes { image.with_classes() } else { image };
    let mut progress = Progress::new(2 * len);
    let heap = hprof::convert(from, len, args.references, &mut image, &mut |bytes| progress.reached(bytes))?;
    let seen = image.finish()?;
    if let (Some(out), Some(path)) = (out, &args.out) {
        out.persist_noclobber(path).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(Report {
        source: dump.display().to_string(),
        pages: args.out.clone(),
        bytes: seen.bytes,
        heap: Some(heap.into()),
        compression: seen.compression,
        by_class: seen.by_class,
    })
}

/// A file that gets its name when it is whole.
fn beside(path: &Path) -> Result<NamedTempFile> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    NamedTempFile::new_in(folder).with_context(|| format!("cannot write {}", path.display()))
}

fn of_process(args: &Args, pid: u32) -> Result<Report> {
    let jvm = Jvm::of(pid)?;
    let scratch = if args.out.is_none() { Some(live::scratch()?) } else { None };
    let file = args.out.as_deref().or(scratch.as_ref().map(|(_, file)| file.as_path())).context("no file")?;
    h2_dump::dump(&jvm, args.label, file)?;
    let mut image = Image::<Sink>::new(None, Census::new(file.metadata()?.len(), args.sample));
    live::read(file, &mut image)?;
    let seen = image.finish()?;
    Ok(Report {
        source: format!("process {pid}"),
        pages: args.out.clone(),
        bytes: seen.bytes,
        heap: None,
        compression: seen.compression,
        by_class: None,
    })
}
