// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The `ztera` command.
//!
//! One module per subcommand. [`ztera_machine`] and [`ztera_measure`] have the parts that several of them need. The
//! laboratory is another program, which `laboratory` starts.

#[macro_use(print, println, eprintln)]
extern crate ztera_machine;

mod analyze;
mod demo;
mod disk;
mod doctor;
mod export;
mod h2;
mod java;
mod laboratory;
mod manual;
mod map;
mod pin;
mod stat;
mod top;
mod tune;

use std::process::ExitCode;

use anyhow::Result;
use clap::{CommandFactory, Parser, Subcommand};
use ztera_machine::output;

/// Runs Java programs whose live data outgrows their DRAM.
///
/// A ZTera JVM has a second heap, H2. Its pages are compressed in memory, and may go on to an SSD.
#[derive(Parser)]
#[command(name = "ztera", version, max_term_width = 100, help_template = HELP, after_help = FIRST_STEPS)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const HELP: &str = concat!(
    "{about-with-newline}\n{usage-heading} {usage}\n\nCommands:\n{subcommands}\n\n",
    "Commands of the laboratory, which is the program ztera-lab:\n",
    "  bench    Measure the second heap, its parts, and the ways to do without it\n",
    "  lab      Measure what the sources claim, and judge it\n",
    "  sim      Replay recorded page accesses through policies\n\n",
    "Options:\n{options}{after-help}"
);

const FIRST_STEPS: &str = "\
First steps:
  ztera doctor                             what this machine lacks, and what to do about it
  ztera demo                               a program with twice as much live data as DRAM
  ztera analyze heap.hprof                 how small your program's objects become
  ztera java --h2-size 8g -- -jar app.jar  your program with a second heap
  ztera top                                all such programs that run, and what their heaps do
  ztera stat PID                           what that heap holds, and where

`ztera COMMAND --help` explains a command, with examples where they help.";

#[derive(Subcommand)]
enum Command {
    Doctor(doctor::Args),
    Demo(demo::Args),
    Java(java::Args),
    Stat(stat::Args),
    Top(top::Args),
    Export(export::Args),
    Analyze(analyze::Args),
    Map(map::Args),
    Pin(pin::Args),
    Disk(disk::Args),
    Tune(Box<tune::Args>),
    Manual(manual::Args),
}

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().collect();
    output::end(laboratory::start(&arguments).unwrap_or_else(run))
}

fn run() -> Result<ExitCode> {
    match output::parse::<Cli>().command {
        Command::Java(args) => java::run(&args),
        Command::Doctor(args) => doctor::run(&args),
        Command::Stat(args) => stat::run(&args),
        Command::Top(args) => top::run(&args),
        Command::Export(args) => export::run(&args),
        Command::Map(args) => map::run(&args),
        Command::Pin(args) => pin::run(&args),
        Command::Demo(args) => demo::run(&args),
        Command::Analyze(args) => analyze::run(&args),
        Command::Disk(args) => disk::run(&args),
        Command::Tune(args) => tune::run(&args),
        Command::Manual(args) => manual::run(&args, Cli::command()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Widest line of a help text.
    const WIDTH: usize = 100;

    /// The lines of a command's help that are calls of ours, without what a shell would take of them.
    fn examples(help: &str) -> Vec<String> {
        let calls = help.lines().filter(|line| line.starts_with("  ztera "));
        calls.map(|line| line.split(['#', '>']).next().unwrap_or_default().replace("PID", "4711")).collect()
    }

    /// Calls `f` with the words that name each command, and with the command.
    fn each(names: &[&str], command: &mut clap::Command, f: &mut impl FnMut(&str, &mut clap::Command)) {
        f(&names.join(" "), command);
        for inner in command.get_subcommands_mut().filter(|it| !it.is_hide_set() && it.get_name() != "help") {
            let name = inner.get_name().to_owned();
            each(&[names, &[&name]].concat(), inner, f);
        }
    }

    /// An example that does not work teaches nothing.
    #[test]
    fn every_command_teaches_by_examples_that_work() {
        each(&["ztera"], &mut Cli::command(), &mut |name, command| {
            let help = command.render_long_help().to_string();
            let leads_on = command.has_subcommands();
            let examples = examples(&help);
            assert!(leads_on || !examples.is_empty(), "{name} --help has no example");
            for example in examples.iter().filter(|_| !leads_on) {
                assert!(example.trim().starts_with(name), "{name} --help: {example}");
                let parsed = Cli::try_parse_from(example.split_whitespace());
                parsed.unwrap_or_else(|error| panic!("{example}: {error}"));
            }
            let wide = help.lines().find(|line| line.starts_with("  ") && line.chars().count() > WIDTH);
            assert!(wide.is_none(), "{name} --help: {wide:?}");
        });
    }
}
