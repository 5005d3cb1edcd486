// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera java`: runs a program on the ZTera JVM.

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};
use ztera_machine::jvm_flags::{Backing, Codec, H2Flags};
use ztera_machine::memory::memory_limit;
use ztera_machine::units::{parse_size, show_size};
use ztera_machine::view::Jdk;

/// Run a Java program with a second heap
///
/// Everything after `--` goes to `java` as it is, for example:
///
///   ztera java --h2-size 8g -- -Xmx1g -jar app.jar
///
/// -Xmx sizes the ordinary heap, H1, which needs room for new objects and for what is not tagged. Objects reach H2
/// by the calls of org.ztera.H2 in the program; see its Javadoc. With -Xlog:gc+h2 the JVM tells what moves.
///
/// DRAM needed = -Xmx + --resident + --pool + about 200 MiB for the JVM itself.
#[derive(clap::Args)]
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

/// Does not return if the program starts.
pub fn run(args: &Args) -> Result<ExitCode> {
    let jdk = Jdk::view(args.jdk.as_deref())?;
    let mut command = Command::new(jdk.tool("java"));
    command.args(flags(args)?.arguments()).args(&args.java);
    if args.print {
        println!("{}", shown(&command));
        return Ok(ExitCode::SUCCESS);
    }
    Err(command.exec()).with_context(|| format!("cannot run {}", jdk.tool("java").display()))
}

fn flags(args: &Args) -> Result<H2Flags> {
    Ok(H2Flags {
        size: args.h2_size.map_or_else(default_size, Ok)?,
        resident: args.resident,
        pool: args.pool,
        backing: args.backing,
        path: args.path.clone(),
        codec: args.codec,
        unit: args.unit,
        region: args.region,
    })
}

fn default_size() -> Result<u64> {
    let memory = memory_limit().context("cannot tell how much memory there is: give --h2-size")?;
    eprintln!("ztera: --h2-size {}: three times the memory of {}", show_size(3 * memory), show_size(memory));
    Ok(3 * memory)
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

    #[test]
    fn words_are_quoted_where_a_shell_needs_it() {
        assert_eq!(quoted("-Xmx1g"), "-Xmx1g");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted(""), "''");
    }
}
