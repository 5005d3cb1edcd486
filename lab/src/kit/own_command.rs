// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A command that cleans up after itself, run in a process of its own.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use ztera_machine::child::Guarded;
use ztera_machine::interrupt::{self, Interrupted};
use ztera_machine::view::given_or_built;

/// How often the child is looked at.
const TICK: Duration = Duration::from_millis(100);
/// Time that a child has for its cleaning up.
const PATIENCE: Duration = Duration::from_secs(60);

/// The command `ztera`, which is built beside this program.
pub fn ztera() -> Result<Command> {
    Ok(Command::new(given_or_built(None, "ztera", "run `make rust`")?))
}

/// All of its standard output, once it has ended well. Its standard error is passed on, and the last line of that is
/// the reason if it failed. After Ctrl-C the child is asked to end and given a minute to undo what it set up.
pub fn output(command: Command) -> Result<String> {
    run(command, |line| eprintln!("{line}"))
}

/// The same, and nobody sees its standard error.
pub fn quiet_output(command: Command) -> Result<String> {
    run(command, |_| {})
}

fn run(mut command: Command, on_line: fn(&str)) -> Result<String> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let program = Path::new(command.get_program()).file_name().unwrap_or_default();
    let name = program.to_string_lossy().into_owned();
    let mut child = Guarded::spawn(command, None).with_context(|| format!("cannot start {name}"))?;
    let said = child.process().stderr.take().context("a child without output")?;
    let last_words = thread::spawn(move || {
        let lines = BufReader::new(said).lines().map_while(Result::ok).inspect(|line| on_line(line));
        lines.filter(|line| !line.trim().is_empty()).last().unwrap_or_default()
    });
    let mut pipe = child.process().stdout.take().context("a child without output")?;
    let reader = thread::spawn(move || {
        let mut text = String::new();
        pipe.read_to_string(&mut text).map(|_| text)
    });
    let status = loop {
        if let Some(status) = child.process().try_wait()? {
            break status;
        }
        if interrupt::came() {
            ensure!(child.end(PATIENCE), "{name} does not end, and what it set up may stay");
            return Err(Interrupted.into());
        }
        thread::sleep(TICK);
    };
    if !status.success() {
        let words = last_words.join().unwrap_or_default();
        let words = words.strip_prefix("ztera: ").unwrap_or(&words);
        bail!(if words.is_empty() { format!("{name} ended with {status}") } else { words.to_owned() });
    }
    reader
        .join()
        .map_err(|_| anyhow::anyhow!("the output of {name} was lost"))?
        .context("output that is no text")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Result<String> {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        output(command)
    }

    #[test]
    fn output_counts_if_the_command_ends_well() {
        assert_eq!(shell("echo words").unwrap(), "words\n");
        let error = shell("echo words; exit 3").unwrap_err().to_string();
        assert!(error.contains("exit status: 3"), "{error}");
        let error = shell("echo words; echo ztera: no disk >&2; echo >&2; exit 3").unwrap_err();
        assert_eq!(error.to_string(), "no disk");
    }
}
