// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A process of its own that reads a mapped file: the hidden command `ztera bench read-mapped`, and its caller.
//!
//! A limit of DRAM is one of a process and of the page cache that it fills. This process has the data in memory, so
//! another one must be limited.

use std::env;
use std::ffi::OsString;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};
use clap::Parser;
use memmap2::{Advice, MmapOptions};
use serde::{Deserialize, Serialize};
use ztera_machine::cgroup::Cgroup;
use ztera_machine::child::{End, supervise};
use ztera_machine::interrupt;

use super::latency::Latency;
use super::order::scattered;
use super::reader::{Memory, Reading};

/// The words that the process is started with, behind the name of the program.
const WORDS: [&str; 2] = ["bench", "read-mapped"];

/// Read a mapped file, and print what that took as JSON
#[derive(Parser)]
struct Args {
    /// The file that is mapped, all of it
    file: PathBuf,
    /// First touches in the order of this seed; without it a scan
    #[arg(long, value_name = "SEED")]
    touch: Option<u64>,
}

/// The output of the process.
#[derive(Debug, Serialize, Deserialize)]
pub struct Answer {
    /// Per touch; zero for a scan.
    pub latency: Latency,
    /// All of it, without the start of the process.
    pub reading: Reading,
}

/// In the child, if these are its arguments: reads, and prints. Its limit is tight, so it has to do without the parser
/// of all commands, which takes some hundred KiB.
pub fn in_this_process(arguments: &[OsString]) -> Option<Result<ExitCode>> {
    let (words, own) = arguments.get(1..)?.split_at_checked(WORDS.len())?;
    let name = OsString::from(WORDS[1]);
    (words == WORDS).then(|| run(&Args::parse_from([&name].into_iter().chain(own))))
}

fn run(args: &Args) -> Result<ExitCode> {
    let file = File::open(&args.file).with_context(|| format!("cannot open {}", args.file.display()))?;
    println!("{}", serde_json::to_string(&read(&file, args.touch)?)?);
    Ok(ExitCode::SUCCESS)
}

fn read(file: &File, touch: Option<u64>) -> Result<Answer> {
    // SAFETY: the parent, who alone has the file, waits.
    let map = unsafe { MmapOptions::new().map(file)? };
    // SAFETY: the mapping outlives its use here, and nobody changes the file, as above.
    let memory = unsafe { Memory::new(map.as_ptr().cast_mut(), map.len()) };
    let Some(seed) = touch else {
        return Ok(Answer { latency: Latency::default(), reading: memory.scan() });
    };
    map.advise(Advice::Random)?;
    let (latency, reading) = memory.touch(&scattered(map.len(), seed));
    Ok(Answer { latency, reading })
}

/// In the parent: has a child read `file`, inside `cgroup` from its first instruction on.
pub fn in_child(file: &Path, touch: Option<u64>, cgroup: Option<&Cgroup>) -> Result<Answer> {
    let mut command = Command::new(env::current_exe()?);
    command.args(WORDS).arg(file);
    command.args(touch.map(|seed| format!("--touch={seed}")));
    let run = supervise(command, cgroup, None, &mut |_| ())?;
    match run.end {
        End::Exited(status) if status.success() => return parse(&run.stdout),
        // Ctrl-C reaches the child too.
        _ => interrupt::check()?,
    }
    if cgroup.and_then(Cgroup::oom_kills).is_some_and(|kills| kills > 0) {
        bail!(
            "the kernel killed the process that reads: its limit of DRAM is too low for what is read ahead"
        );
    }
    bail!("the process that reads did not finish ({:?}): {}", run.end, run.tail.join("\n"))
}

fn parse(stdout: &str) -> Result<Answer> {
    serde_json::from_str(stdout).with_context(|| format!("the process that reads printed `{stdout}`"))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::order::STRIDE;
    use super::super::reader::sum_at;
    use super::*;
    use crate::kit::data::pages::sum;

    /// As the parent sees it.
    fn answer(bytes: &[u8], touch: Option<u64>) -> Answer {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), bytes).unwrap();
        parse(&serde_json::to_string(&read(file.as_file(), touch).unwrap()).unwrap()).unwrap()
    }

    #[test]
    fn what_the_child_read_arrives() {
        let bytes: Vec<u8> = (0..4 * STRIDE).map(|at| (at % 251) as u8).collect();
        let scan = answer(&bytes, None);
        assert_eq!((scan.reading.sum, scan.latency), (sum(&bytes), Latency::default()));
        assert!(!scan.reading.spent.wall.is_zero());
        let touched = answer(&bytes, Some(7));
        assert_eq!(touched.reading.sum, sum_at(&bytes, &scattered(bytes.len(), 7)));
        assert!(touched.latency.p50 > 0.0 && touched.latency.p50 <= touched.latency.p999);
    }

    #[test]
    fn other_arguments_are_left_to_the_parser_of_all_commands() {
        let is_child = |words: &[&str]| {
            let words: Vec<OsString> = words.iter().map(OsString::from).collect();
            in_this_process(&words).is_some()
        };
        assert!(is_child(&["ztera", "bench", "read-mapped", "/nowhere"]));
        for other in [&[][..], &["ztera"], &["ztera", "bench"], &["ztera", "bench", "engine"]] {
            assert!(!is_child(other), "{other:?}");
        }
    }

    #[test]
    fn what_is_no_answer_is_quoted() {
        let error = parse("warning: hot").unwrap_err();
        assert_eq!(error.to_string(), "the process that reads printed `warning: hot`");
    }
}
