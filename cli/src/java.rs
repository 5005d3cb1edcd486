// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera java`: runs a program on the ZTera JVM.

use std::ffi::OsString;
use std::fmt::{self, Display, Formatter};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};
use ztera_machine::jvm_flags::{Backing, Codec, H2Flags};
use ztera_machine::memory::memory_limit;
use ztera_machine::units::{GIB, parse_size, show_size};
use ztera_machine::view::Jdk;

/// Run a Java program with a second heap
///
/// Everything after `--` goes to `java` as it is.
///
/// -Xmx sizes the ordinary heap, H1, which needs room for new objects. When it runs short, the JVM moves whatever is
/// old to H2. A program may also say what moves, and when, by the calls of org.ztera.H2. With -Xlog:gc+h2 the JVM tells
/// it.
///
/// H2 takes the DRAM that the container's or machine's limit leaves beside H1 and the JVM itself. `ztera doctor --
/// FLAGS` says how much that would be. --resident and --pool set maxima within it.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// How much H2 can hold before compression [default: three times this machine's (or container's) memory]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    h2_size: Option<u64>,
    /// DRAM for uncompressed pages of H2: the part of it that is in use at a time [default: the JVM chooses]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    resident: Option<u64>,
    /// DRAM for compressed pages of H2 [default: the JVM chooses]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pool: Option<u64>,
    /// The codec of the pages [default: lz4]
    #[arg(long)]
    codec: Option<Codec>,
    /// How much is compressed as one: 4k to 64k. Larger compresses better, and each first access costs more
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    unit: Option<u64>,
    /// How much of H2 is freed as one: 256k to 256m
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    region: Option<u64>,
    /// The backing of the pages [default: tier]
    #[arg(long)]
    backing: Option<Backing>,
    /// Directory for an SSD tier below compressed memory, or for the file of --backing file
    #[arg(long, value_name = "DIR")]
    path: Option<PathBuf>,
    /// The ZTera JDK [default: the one that `make` built, or $ZTERA_HOME/jdk]
    #[arg(long, value_name = "DIR")]
    jdk: Option<PathBuf>,
    /// Print the command instead of running it
    #[arg(long)]
    print: bool,
    /// The arguments for `java`
    #[arg(last = true, required = true, value_name = "JAVA ARGUMENTS")]
    java: Vec<OsString>,
}

const EXAMPLES: &str = "\
Examples:
  ztera java --h2-size 8g -- -Xmx1g -jar app.jar
  ztera java --h2-size 64g --path /var/tmp -- -jar app.jar   # with an SSD
  ztera java --print --h2-size 8g -- -jar app.jar            # the command, for a script of yours";

/// Does not return if the program starts.
pub fn run(args: &Args) -> Result<ExitCode> {
    let jdk = Jdk::view(args.jdk.as_deref())?;
    let mut command = Command::new(jdk.tool("java"));
    let chosen = args.h2_size.is_none().then(Choice::here).transpose()?;
    if let Some(choice) = &chosen {
        eprintln!("ztera: {choice}");
        command.args(choice.references());
    }
    command.args(flags(args, chosen.map(|choice| choice.size)).arguments()).args(&args.java);
    if args.print {
        println!("{}", shown(&command));
        return Ok(ExitCode::SUCCESS);
    }
    Err(command.exec()).with_context(|| format!("cannot run {}", jdk.tool("java").display()))
}

fn flags(args: &Args, chosen: Option<u64>) -> H2Flags {
    H2Flags {
        size: args.h2_size.or(chosen).unwrap_or_default(),
        resident: args.resident,
        pool: args.pool,
        backing: args.backing,
        path: args.path.clone(),
        codec: args.codec,
        unit: args.unit,
        region: args.region,
    }
}

/// A size of H2 that nobody gave.
#[derive(Debug, PartialEq)]
struct Choice {
    size: u64,
    memory: u64,
    /// Most beside which references still take 4 bytes, if the size is more than that.
    most_narrow: Option<u64>,
}

impl Choice {
    fn here() -> Result<Choice> {
        Ok(Self::of(memory_limit().context("cannot tell how much memory there is: give --h2-size")?))
    }

    /// The JVM takes a quarter of memory for H1, and keeps the lowest addresses free.
    fn of(memory: u64) -> Choice {
        let most = NARROW.saturating_sub(memory / 4 + KEPT_FREE) / GIB * GIB;
        Choice { size: 3 * memory, memory, most_narrow: (3 * memory > most).then_some(most) }
    }

    /// The JVM would warn of what it cannot do, but for the flag that says that it is meant so.
    fn references(&self) -> Option<&'static str> {
        self.most_narrow.map(|_| "-XX:-UseCompressedOops")
    }
}

/// Addresses that references of 4 bytes reach, and what the JVM does not use of them.
const NARROW: u64 = 32 * GIB;
const KEPT_FREE: u64 = 2 * GIB;

impl Display for Choice {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (size, memory) = (show_size(self.size), show_size(self.memory));
        write!(f, "--h2-size {size}: three times the memory of {memory}")?;
        match self.most_narrow {
            Some(most) if most > self.memory => {
                write!(f, "; references take 8 bytes, and 4 with --h2-size {}g", most / GIB)
            }
            Some(_) => f.write_str("; references take 8 bytes"),
            None => Ok(()),
        }
    }
}

/// The command as one could type it.
fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| quoted(&word.to_string_lossy())).collect::<Vec<_>>().join(" ")
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=+:./,@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The JVM once warned of the size that this command had chosen.
    #[test]
    fn a_size_beyond_short_references_is_chosen_with_long_ones() {
        let small = Choice::of(8 * GIB);
        assert_eq!((small.size, small.references()), (24 * GIB, None));
        assert_eq!(small.to_string(), "--h2-size 24.0 GiB: three times the memory of 8.00 GiB");
        let large = Choice::of(12 * GIB);
        assert_eq!((large.size, large.references()), (36 * GIB, Some("-XX:-UseCompressedOops")));
        assert!(
            large.to_string().ends_with("; references take 8 bytes, and 4 with --h2-size 27g"),
            "{large}"
        );
        assert!(Choice::of(1 << 40).to_string().ends_with("; references take 8 bytes"));
    }

    #[test]
    fn words_are_quoted_where_a_shell_needs_it() {
        assert_eq!(quoted("-Xmx1g"), "-Xmx1g");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted(""), "''");
    }
}
