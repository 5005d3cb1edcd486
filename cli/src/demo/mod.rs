// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera demo`: the main job, end to end.
//!
//! ```text
//!  kit's sizing: memory, divided -> arm: one run -> report: demo.json -> table
//! ```
//!
//! One program runs three times. A stock JVM with plenty of memory gives the right answers, and tells how much data is
//! alive. A stock JVM and ZTera's then have less than half of that.

mod arm;
mod report;
mod table;

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use ztera_machine::interrupt;
use ztera_machine::jvm_flags::{Codec, H2Flags, HeapFlags};
use ztera_machine::memory::meminfo;
use ztera_machine::memory::memory_limit;
use ztera_machine::units::{GIB, MIB, parse_positive, parse_size, show_size};
use ztera_machine::view::{Jdk, given_or_built};

use arm::Arm;
use report::DemoReport;
use ztera_measure::sizing::{self, Sizes};

/// Show a Java program holding several times more live data than its DRAM
///
/// The program is a code search. It reads all source files below a directory, and keeps their texts and an index in
/// memory as plain Java objects. Then it answers a fixed list of queries. It runs three times:
///
/// - reference: a stock JVM with plenty of memory. It gives the right answers, and tells how much data is alive;
///
/// - stock: a stock JVM in a memory cgroup with a fraction of that memory, all of it heap;
///
/// - ztera: ZTera in a cgroup with the same limit. It gets the size of its second heap, and nothing else: no -Xmx, no
///   collector, and the program tags nothing.
///
/// Prints a table, writes OUT/demo.json, and fails if ZTera's answers differ from the reference's.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// The source tree to index [default: the OpenJDK source that `make` fetched, build/jdk-source]
    #[arg(long, value_name = "DIR")]
    source: Option<PathBuf>,
    /// How much of it to index [default: all, or what the reference arm has memory for]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    max_bytes: Option<u64>,
    /// How many times more live data than DRAM the limited arms get
    #[arg(long, default_value_t = 2.0, value_name = "X", value_parser = parse_positive)]
    factor: f64,
    /// The memory limit, instead of one derived from --factor
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    limit: Option<u64>,
    /// ZTera: -Xmx, the most of the first heap [default: the JVM chooses]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    h1: Option<u64>,
    /// ZTera: the program tags what belongs together, and moves it to the second heap as soon as it is built
    #[arg(long)]
    tags: bool,
    /// ZTera: what compresses the pages [default: the JVM chooses]
    #[arg(long, value_enum)]
    codec: Option<Codec>,
    /// ZTera: how much is compressed as one, 4k to 64k [default: the JVM chooses]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    unit: Option<u64>,
    /// ZTera: a directory for an SSD tier, to which pages go that the compressed one has no room for [default: no
    /// such tier]
    #[arg(long, value_name = "DIR")]
    ssd: Option<PathBuf>,
    /// ZTera: one more option for its JVM; may be given several times
    #[arg(long = "jvm-option", value_name = "OPTION", allow_hyphen_values = true)]
    jvm_options: Vec<String>,
    /// The stock arm is stopped when it has taken this many times as long as the reference arm took for everything
    #[arg(long, default_value_t = 1.5, value_name = "X", value_parser = parse_positive)]
    patience: f64,
    /// Leave the stock arm out
    #[arg(long)]
    skip_stock: bool,
    /// Folder for demo.json and the logs of the arms
    #[arg(long, default_value = "out", value_name = "DIR")]
    out: PathBuf,
    /// The ZTera JDK [default: the one that `make` built, or $ZTERA_HOME/jdk]
    #[arg(long, value_name = "DIR")]
    jdk: Option<PathBuf>,
    /// The stock JDK [default: the one that the ZTera JDK was made from]
    #[arg(long, value_name = "DIR")]
    stock: Option<PathBuf>,
    /// The demo's jar [default: build/ztera-demo.jar]
    #[arg(long, value_name = "FILE")]
    jar: Option<PathBuf>,
    /// Print demo.json instead of the table
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  ztera demo                                 # OpenJDK's sources, which `make demo` fetches
  ztera demo --source src --max-bytes 200m   # other sources, and less of them
  ztera demo --skip-stock --ssd /var/tmp     # three tiers, without the arm of the stock JVM
  ztera demo --tags --h1 100m --factor 2.5   # for more than one flag can do: the program helps";

/// Runs the arms one after the other and compares them.
pub fn run(args: &Args) -> Result<ExitCode> {
    interrupt::watch()?;
    let demo = Demo::prepare(args)?;
    let report = demo.run()?;
    let file = args.out.join("demo.json");
    let text = serde_json::to_string_pretty(&report)? + "\n";
    fs::write(&file, &text).with_context(|| format!("cannot write {}", file.display()))?;
    if args.json {
        print!("{text}");
    } else {
        println!("\n{}\n{}", table::render(&report), table::meaning(&report));
        println!("Details: {}", file.display());
    }
    Ok(if report.ok { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The settings that all arms share.
struct Demo<'a> {
    args: &'a Args,
    view: Jdk,
    stock: Jdk,
    jar: PathBuf,
    source: PathBuf,
    max_bytes: Option<u64>,
    /// The heap of the reference arm.
    plenty: u64,
}

/// Live bytes that one byte of source becomes, measured on OpenJDK's tree: 5.4, rounded up.
const LIVE_PER_SOURCE_BYTE: f64 = 5.6;
/// Heap that the reference arm wants for each live byte: room for its young generation and for growth.
const HEAP_PER_LIVE_BYTE: f64 = 1.7;
/// The largest heap it has a use for.
const LARGEST_HEAP: u64 = 8 * GIB;

impl<'a> Demo<'a> {
    fn prepare(args: &'a Args) -> Result<Self> {
        if let Some(limit) = args.limit {
            sizing::check(limit, args.h1)?;
        }
        let view = Jdk::view(args.jdk.as_deref())?;
        let stock = Jdk::stock(args.stock.as_deref(), &view)?;
        let jar = given_or_built(args.jar.as_deref(), "ztera-demo.jar", "run `make`, or give --jar")?;
        let source = given_or_built(args.source.as_deref(), "jdk-source", "run `make`, or give --source")?;
        fs::create_dir_all(&args.out).with_context(|| format!("cannot create {}", args.out.display()))?;
        let available =
            meminfo("MemAvailable").into_iter().chain(memory_limit()).min().context("no /proc/meminfo")?;
        let plenty = (available / 10 * 8).min(LARGEST_HEAP);
        if plenty < GIB {
            bail!(
                "the reference arm needs at least 1.25 GiB of free memory; there are {}",
                show_size(available)
            );
        }
        Ok(Demo { args, view, stock, jar, source, max_bytes: max_bytes(args.max_bytes, plenty), plenty })
    }

    fn run(&self) -> Result<DemoReport> {
        let reference = self.arm("reference", &self.stock, None, heap(self.plenty)).run(None)?;
        let Some(live) = reference.live_bytes else {
            bail!(
                "the reference arm did not finish ({}); see {}",
                reference.outcome,
                self.args.out.display()
            );
        };
        let limit = self.args.limit.unwrap_or((live as f64 / self.args.factor) as u64 / MIB * MIB);
        let sizes = Sizes::plan(limit, live, self.args.h1)?;

        let mut arms = vec![reference];
        if !self.args.skip_stock {
            let patience = Duration::from_secs_f64(arms[0].wall_seconds * self.args.patience);
            let flags = heap(sizing::stock_heap(limit));
            arms.push(self.arm("stock", &self.stock, Some(limit), flags).run(Some(patience))?);
        }
        let patience = Duration::from_secs_f64((arms[0].wall_seconds * 20.0).max(600.0));
        arms.push(self.ztera_arm(limit, sizes.h2).run(Some(patience))?);
        Ok(DemoReport::new(arms, live, limit, self.source.display().to_string()))
    }

    fn arm(&self, name: &'static str, jdk: &Jdk, limit: Option<u64>, flags: Vec<String>) -> Arm {
        let mut program = vec!["-jar".to_owned(), self.jar.display().to_string()];
        if let Some(bytes) = self.max_bytes {
            program.extend(["--max-bytes".to_owned(), bytes.to_string()]);
        }
        program.push(self.source.display().to_string());
        Arm { name, java: jdk.tool("java"), flags, program, limit, out: self.args.out.clone() }
    }

    fn ztera_arm(&self, limit: u64, h2: u64) -> Arm {
        let Args { h1, codec, unit, ssd, tags, jvm_options, .. } = self.args;
        let mut flags = h1.map(heap).unwrap_or_default();
        let h2 = H2Flags { size: h2, codec: *codec, unit: *unit, path: ssd.clone(), ..H2Flags::default() };
        flags.extend(h2.arguments());
        flags.extend(jvm_options.iter().cloned());
        let mut arm = self.arm("ztera", &self.view, Some(limit), flags);
        if !tags {
            arm.program.extend(["--place".to_owned(), "off".to_owned()]);
        }
        arm
    }
}

fn heap(bytes: u64) -> Vec<String> {
    HeapFlags { max: Some(bytes), ..HeapFlags::parallel() }.arguments()
}

/// How much source to index: what is given, else all of it where memory suffices.
fn max_bytes(given: Option<u64>, plenty: u64) -> Option<u64> {
    given.or_else(|| {
        let affordable = (plenty as f64 / HEAP_PER_LIVE_BYTE / LIVE_PER_SOURCE_BYTE) as u64;
        (plenty < LARGEST_HEAP / 10 * 7).then_some(affordable)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_source_is_indexed_where_memory_suffices() {
        assert_eq!(max_bytes(None, 8 * GIB), None);
        assert_eq!(max_bytes(Some(5), 8 * GIB), Some(5));
        let little = max_bytes(None, 2 * GIB).unwrap();
        assert!(little > 200 * MIB && little < 300 * MIB, "{little}");
    }
}
