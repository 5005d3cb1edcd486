// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `print!`, `println!` and `eprintln!` for commands. Those of the standard library panic where nobody reads.
//!
//! Once a stream fails, the command ends, at once or as by Ctrl-C where it has something to clean up. [`end`] then says
//! why. A crate that has these macros by `#[macro_use]` cannot use the others by mistake.

use std::fmt::Arguments;
use std::io::{self, ErrorKind, Write};
use std::process::{ExitCode, exit};
use std::sync::OnceLock;

use clap::Parser;

use crate::interrupt;

/// The status of a command that SIGPIPE ended, as shells show it.
const NOBODY_READS: u8 = 128 + 13;

/// The first error of a stream.
static FAILED: OnceLock<io::Error> = OnceLock::new();

/// Writes to standard output.
#[macro_export]
macro_rules! print {
    ($($words:tt)*) => { $crate::output::out(::std::format_args!($($words)*)) };
}

/// Writes a line to standard output.
#[macro_export]
macro_rules! println {
    () => { $crate::output::out(::std::format_args!("\n")) };
    ($($words:tt)*) => { $crate::output::out(::std::format_args!("{}\n", ::std::format_args!($($words)*))) };
}

/// Writes a line to standard error.
#[macro_export]
macro_rules! eprintln {
    () => { $crate::output::err(::std::format_args!("\n")) };
    ($($words:tt)*) => { $crate::output::err(::std::format_args!("{}\n", ::std::format_args!($($words)*))) };
}

/// Writes to standard output. Nothing once a stream has failed.
pub fn out(text: Arguments<'_>) {
    if FAILED.get().is_none()
        && let Err(error) = io::stdout().write_fmt(text)
    {
        failed(error);
    }
}

/// Writes to standard error. Only the loss of its reader ends the command: the results are elsewhere.
pub fn err(text: Arguments<'_>) {
    if FAILED.get().is_none()
        && let Err(error) = io::stderr().write_fmt(text)
        && error.kind() == ErrorKind::BrokenPipe
    {
        failed(error);
    }
}

/// Ends the command, as standard output cannot be written to. Returns where [`interrupt::watch`] was called: the
/// command then ends as by Ctrl-C.
pub fn failed(error: io::Error) {
    let status = status(FAILED.get_or_init(|| error));
    if !interrupt::raise() {
        say(status);
        exit(status.into());
    }
}

/// The arguments of a command. Where they are wrong, or ask for help, it says so and ends.
pub fn parse<P: Parser>() -> P {
    P::try_parse().unwrap_or_else(|error| {
        let (status, to_stdout) = (error.exit_code(), !error.use_stderr());
        if let Err(error) = error.print()
            && to_stdout
        {
            failed(error);
        }
        exit(status)
    })
}

/// How a command ends whose work ended so: its own way, unless its output failed.
pub fn end(result: anyhow::Result<ExitCode>) -> ExitCode {
    // A line without its end is still in memory.
    if FAILED.get().is_none()
        && let Err(error) = io::stdout().flush()
    {
        let _ = FAILED.set(error);
    }
    if let Some(error) = FAILED.get() {
        let status = status(error);
        say(status);
        return status.into();
    }
    result.unwrap_or_else(|error| {
        err(format_args!("ztera: {error:#}\n"));
        ExitCode::FAILURE
    })
}

fn status(error: &io::Error) -> u8 {
    if error.kind() == ErrorKind::BrokenPipe { NOBODY_READS } else { 1 }
}

/// Nobody wants to hear that they stopped reading.
fn say(status: u8) {
    if let Some(error) = FAILED.get().filter(|_| status != NOBODY_READS) {
        let _ = writeln!(io::stderr(), "ztera: cannot write to standard output: {error}");
    }
}
