// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A process of its own that reads values: the hidden command `ztera bench read-points`, and its caller. Its memory is
//! limited, and the caller's is not.

use std::env;
use std::ffi::OsString;
use std::process::{Command, ExitCode};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use clap::Parser;
use fastrand::Rng;
use serde::{Deserialize, Serialize};
use ztera_machine::cgroup::Cgroup;
use ztera_machine::child::{End, supervise};
use ztera_machine::interrupt;
use ztera_range::Histogram;

use super::arm::{Arm, Memory};
use super::values::{Choice, Draw, VALUE};
use crate::kit::clock::Spent;

/// The words that the process is started with, behind the name of the program.
const WORDS: [&str; 2] = ["bench", "read-points"];

/// Read values at random, and print what that took as JSON
#[derive(Clone, Debug, Parser)]
pub struct Args {
    /// Where the values are
    #[arg(long)]
    pub arm: Arm,
    /// Bytes of values
    #[arg(long)]
    pub data: usize,
    /// Bytes that pages and compressed objects may take together; the kernel's swap asks the cgroup
    #[arg(long)]
    pub budget: u64,
    /// Bytes of the engine's units
    #[arg(long)]
    pub unit: usize,
    /// The share of reads that each value has
    #[arg(long)]
    pub choice: Choice,
    /// Numbers of threads, one after the other
    #[arg(long, value_delimiter = ',')]
    pub threads: Vec<usize>,
    /// Seconds for each of them, and as many before the first
    #[arg(long)]
    pub seconds: f64,
}

/// The cost of reads with so many threads.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// Threads that read.
    pub threads: usize,
    /// Of all threads.
    pub reads_per_second: f64,
    /// CPU time of all threads of the process, those that make room among them.
    pub cpu_seconds_per_read: f64,
    /// Half of the reads took less.
    pub p50: f64,
    /// 99 of 100.
    pub p99: f64,
    /// 999 of 1000.
    pub p999: f64,
}

/// In the child, if these are its arguments: reads, and prints.
pub fn in_this_process(arguments: &[OsString]) -> Option<Result<ExitCode>> {
    let (words, own) = arguments.get(1..)?.split_at_checked(WORDS.len())?;
    let name = OsString::from(WORDS[1]);
    (words == WORDS).then(|| run(&Args::parse_from([&name].into_iter().chain(own))))
}

fn run(args: &Args) -> Result<ExitCode> {
    println!("{}", serde_json::to_string(&measure(args)?)?);
    Ok(ExitCode::SUCCESS)
}

fn measure(args: &Args) -> Result<Vec<Measured>> {
    let mut memory = Memory::new(args.arm, args.data, args.budget, args.unit)?;
    memory.load()?;
    let draw = Draw::new(args.choice, args.data / VALUE);
    let most = args.threads.iter().copied().max().context("no threads")?;
    let settle = read(&memory, draw, most, args.seconds)?;
    ensure!(settle.reads_per_second > 0.0, "nothing was read");
    args.threads.iter().map(|&threads| read(&memory, draw, threads, args.seconds)).collect()
}

fn read(memory: &Memory, draw: Draw, threads: usize, seconds: f64) -> Result<Measured> {
    let (stop, mut all) = (AtomicBool::new(false), Ok(Histogram::default()));
    let spent = Spent::during(|| all = read_all(memory, draw, threads, seconds, &stop));
    let all = all?;
    let count = all.count().max(1) as f64;
    Ok(Measured {
        threads,
        reads_per_second: all.count() as f64 / spent.wall.as_secs_f64(),
        cpu_seconds_per_read: spent.cpu.as_secs_f64() / count,
        p50: all.below(500).unwrap_or_default(),
        p99: all.below(990).unwrap_or_default(),
        p999: all.below(999).unwrap_or_default(),
    })
}

fn read_all(
    memory: &Memory,
    draw: Draw,
    threads: usize,
    seconds: f64,
    stop: &AtomicBool,
) -> Result<Histogram> {
    thread::scope(|scope| {
        let readers: Vec<_> =
            (0..threads).map(|seed| scope.spawn(move || one(memory, draw, seed as u64, stop))).collect();
        thread::sleep(Duration::from_secs_f64(seconds));
        stop.store(true, Ordering::Relaxed);
        let mut all = Histogram::default();
        for reader in readers {
            all.add_all(&reader.join().expect("a reader does not panic")?);
        }
        Ok(all)
    })
}

fn one(memory: &Memory, draw: Draw, seed: u64, stop: &AtomicBool) -> Result<Histogram> {
    let (mut rng, mut times) = (Rng::with_seed(seed), Histogram::default());
    while !stop.load(Ordering::Relaxed) {
        let value = draw.next(&mut rng);
        let start = Instant::now();
        let number = memory.number_at(value * VALUE);
        times.add(start.elapsed().as_nanos() as u64);
        ensure!(number == value as u64, "value {value} is not what was stored: {number}");
    }
    Ok(times)
}

/// In the parent: has a child read, inside `cgroup` from its first instruction on.
pub fn in_child(args: &Args, cgroup: &Cgroup) -> Result<Vec<Measured>> {
    let mut command = Command::new(env::current_exe()?);
    command.args(WORDS).args([
        format!("--arm={}", args.arm.name()),
        format!("--data={}", args.data),
        format!("--budget={}", args.budget),
        format!("--unit={}", args.unit),
        format!("--choice={}", args.choice.name()),
        format!("--threads={}", args.threads.iter().map(usize::to_string).collect::<Vec<_>>().join(",")),
        format!("--seconds={}", args.seconds),
    ]);
    let run = supervise(command, Some(cgroup), None, &mut |_| ())?;
    match run.end {
        End::Exited(status) if status.success() => {
            return serde_json::from_str(&run.stdout).with_context(|| format!("it printed `{}`", run.stdout));
        }
        // Ctrl-C reaches the child too.
        _ => interrupt::check()?,
    }
    if cgroup.oom_kills().is_some_and(|kills| kills > 0) {
        bail!("the kernel killed the process that reads");
    }
    bail!("the process that reads did not finish ({:?}): {}", run.end, run.tail.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_read_is_counted_and_checked() {
        let data = 4 << 20;
        let arm = Arm::Zram;
        let (choice, threads) = (Choice::Uniform, vec![1, 2]);
        let args = Args { arm, data, budget: 0, unit: 4096, choice, threads, seconds: 0.05 };
        let found = measure(&args).unwrap();
        assert_eq!(found.iter().map(|measured| measured.threads).collect::<Vec<_>>(), [1, 2]);
        assert!(
            found.iter().all(|measured| measured.reads_per_second > 0.0 && measured.p50 <= measured.p999)
        );
    }

    #[test]
    fn a_wrong_value_is_told() {
        let memory = Memory::new(Arm::Zram, 1 << 20, 0, 4096).unwrap();
        let draw = Draw::new(Choice::Uniform, 1024);
        let error = one(&memory, draw, 1, &AtomicBool::new(false)).err().unwrap().to_string();
        assert!(error.contains("is not what was stored: 0"), "{error}");
    }

    #[test]
    fn other_arguments_are_left_to_the_parser_of_all_commands() {
        let is_child = |words: &[&str]| {
            let words: Vec<OsString> = words.iter().map(OsString::from).collect();
            in_this_process(&words).is_some()
        };
        for other in [&[][..], &["ztera"], &["ztera", "bench"], &["ztera", "bench", "engine"]] {
            assert!(!is_child(other), "{other:?}");
        }
    }
}
